"""What `hilbridge` imports when it starts, for the server that prepared.py forks programs from."""

import gc

from hilbridge.common.lean_imports import lean_imports

lean_imports()  # as the program begins

import hilbridge.cli  # noqa: E402
import hilbridge.commands.check  # noqa: E402
import hilbridge.commands.replay  # noqa: E402
import hilbridge.commands.run  # noqa: E402
import hilbridge.run.preparation  # noqa: E402
import hilbridge.run.run  # noqa: E402
import hilbridge.scenario.page  # noqa: E402, F401

gc.freeze()  # a collection in a program would copy every page of what was imported
