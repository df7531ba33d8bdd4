"""A scenario file: any text is a scenario that can be built for a bench and sent to one, or an error with its place."""

import json
from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.build import build, describe, resolved
from hilbridge.files.configuration.scenariofile import load_scenario

from .packaged import CHECKOUT, Running, scratch_file

SEEDS = [
    *(path.read_bytes() for path in sorted((CHECKOUT / "config/scenarios").rglob("*.yaml"))),
    b"parameters: {speed: 5}\nsteps:\n  - repeat: 3\n    steps: [{set: {input.Throttle: $speed * 2}, over: 1}]\n",
    b'steps: [{expect: "vehicle.Speed > 1", within: 1}, {drive: {cycle: x.csv}}, {release: [input.Key]}]\n',
]
_FILE = scratch_file("fuzzed.yaml")
_BENCH = Running("diagnostics").bench


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        file = load_scenario(str(_FILE))
        for step in file.settings.steps:
            describe(step)
        json.dumps(resolved(file))
        build(file, _BENCH.scenario_context(lambda line: b"{}"))
