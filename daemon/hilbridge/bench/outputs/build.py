"""The outputs and boards of a bench file."""

from typing import TypeAlias

from hilbridge.base.common.errors import ErrorCollector
from hilbridge.bench.outputs.board import Board
from hilbridge.bench.outputs.output import Output
from hilbridge.files.settings import BenchSettings
from vehiclesim.entries import Entries

AnyOutput: TypeAlias = Output | Board


def build_outputs(settings: BenchSettings, entries: Entries) -> dict[str, AnyOutput]:
    """Return the outputs and the boards of a bench file by name. ConfigurationError: see Output and Board."""
    errors = ErrorCollector()
    outputs: dict[str, AnyOutput] = {}
    for name, output in settings.outputs.items():
        with errors.attempt():
            outputs[name] = Output(name, output, settings.period, ("outputs", name), entries)
    for name, board in settings.boards.items():
        with errors.attempt():
            outputs[name] = Board(name, board, settings.period, ("boards", name), entries)
    errors.verdict()
    return outputs
