"""What `hilbridge` imports when it starts, for the server that prepared.py forks programs from."""

# ruff: noqa: E402, F401 - after `lean_imports`, and for the server alone

import gc

from hilbridge.common.lean_imports import lean_imports

lean_imports()  # as the program begins

import hilbridge.cli
import hilbridge.commands.check
import hilbridge.commands.replay
import hilbridge.commands.run
import hilbridge.run.preparation
import hilbridge.run.run
import hilbridge.scenario.page

gc.freeze()  # a collection in a program would copy every page of what was imported
