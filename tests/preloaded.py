"""What `hilbridge` imports when it starts, for the server that prepared.py forks programs from."""

# ruff: noqa: E402, F401 - after `lean_imports`, and for the server alone

import gc

from hilbridge.base.common.lean_imports import lean_imports

lean_imports()  # as the program begins

import hilbridge.bench.scenario.page
import hilbridge.commands.check
import hilbridge.commands.cli
import hilbridge.commands.replay
import hilbridge.commands.run
import hilbridge.runs.run.preparation
import hilbridge.runs.run.run

gc.freeze()  # a collection in a program would copy every page of what was imported
