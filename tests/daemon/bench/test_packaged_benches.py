"""The benches in config/benches: each is built, and says nothing that its own text does not."""

import json
from pathlib import Path

import pytest

from hilbridge.base.resources import Kind, find, names
from hilbridge.bench.bench import Bench
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import SerialInput

from ...program import CHECKOUT

BENCHES = names(Kind.BENCH)

TWO_LINES = (("interface: embedded", "interface: socketcan"), ("slcan: 29537", "channel: can0"))
"""What moves the cluster's bench to hardware, as its first lines say."""


def edited(folder: Path, *replacements: tuple[str, str]) -> str:
    """The cluster's bench with other words."""
    text = find(Kind.BENCH, "cluster").read_text(encoding="utf-8")
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / "bench.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_the_examples_are_there() -> None:
    """A generic powertrain, a cluster of a public database, a pedal box, a truck."""
    assert {"demo", "cluster", "pedal-box", "truck"} <= set(BENCHES)


@pytest.mark.parametrize("name", BENCHES)
def test_check_has_nothing_to_say(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """But that J1939 messages have parameters which this truck has no source for: they are sent as not available."""
    assert main(["check", name, "--json"]) == 0
    out, err = capsys.readouterr()
    assert not err
    warnings = json.loads(out)["warnings"]
    assert [each for each in warnings if name != "truck" or "no source for" not in each] == []


@pytest.mark.parametrize("name", BENCHES)
def test_no_tick_holds_more_than_three_frames(name: str) -> None:
    assert Bench(load_bench(name)).wiring.plan.busiest_tick() <= 3


def test_every_bench_starts_without_hardware() -> None:
    """A pedal box is a pseudo terminal until the user names a port."""
    for name in BENCHES:
        for source in load_bench(name).settings.inputs:
            assert not isinstance(source, SerialInput) or source.port == "pty"


def test_benches_run_side_by_side_and_stand_in_the_readme() -> None:
    """No port of a bus is that of another bench, but for the clusters, of which a desk has one."""
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    owners: dict[object, str] = {}
    for name in BENCHES:
        family = "cluster" if name.startswith("cluster") else name
        assert f"| `{family}` |" in readme
        for bus in load_bench(name).settings.buses.values():
            for way in bus.slcan_ways:
                assert owners.setdefault(way, family) == family


def test_the_cluster_moves_to_hardware_by_two_lines(tmp_path: Path) -> None:
    """There its odometer is safe, and it is listen-only until it is armed."""
    bench = Bench(load_bench(edited(tmp_path, *TWO_LINES)))
    assert not bench.settings.buses["cluster"].armed
    assert bench.settings.buses["cluster"].is_hardware
    assert bench.wiring.warnings() == [
        "ESP_24 is not sent: it makes a real odometer count; 'odometer: true' allows it",
    ]


def test_the_odometer_counts_when_the_user_says_yes(tmp_path: Path) -> None:
    yes = ("load_budget: 60", "odometer: true\n    load_budget: 60")
    assert Bench(load_bench(edited(tmp_path, *TWO_LINES, yes))).wiring.warnings() == []
