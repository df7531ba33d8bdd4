"""A campaign file: any text is a campaign whose runs can be made, or an error with its place.

A bench and a scenario lie beside it.
"""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.campaignfile import load_campaign
from hilbridge.runs.campaign.design import count
from hilbridge.runs.campaign.runs import plan_campaign

from .packaged import scratch_file

SEEDS = [
    b"bench: demo\nscenario: launch\nseeds: 3\n",
    b"""bench: [demo, bench.yaml]
scenario: [launch, s.yaml]
vehicle: [compact, mx5-nd]
seeds: [1, 2]
vary: {vehicle.body.mass: {from: 1000, to: 1400, steps: 3}, speed: [5, 10]}
""",
    b"""bench: bench.yaml
scenario: s.yaml
seeds: 5
design: {kind: latin-hypercube, runs: 8}
vary: {vehicle.body.mass: {from: 1000.5, to: 1400}}
figures: {top: {of: vehicle.Speed, take: highest}}
""",
    b'bench: ../../demo.yaml\nscenario: /etc/passwd\nvary: {"a.b[0]": [[], {}, null, 1e999]}\n',
    b"bench: bench.yaml\nscenario: s.yaml\nseeds: 999999999999\n",
]
_FILE = scratch_file("fuzzed.yaml")
(_FILE.parent / "bench.yaml").write_text("name: fuzzed\nvehicle: compact\nbuses: {can: {interface: embedded}}\n")
(_FILE.parent / "s.yaml").write_text('parameters: {speed: 5}\nsteps: [{expect: "vehicle.Speed < $speed"}]\n')
_MOST = 100
"""Runs of a campaign that are planned here; a million takes half a minute."""


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        file = load_campaign(_FILE)
        if count(file.settings) * len(file.settings.seed_list) <= _MOST:
            assert all(run.name for run in plan_campaign(file).runs)
