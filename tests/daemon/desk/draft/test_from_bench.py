"""A copy of a bench keeps its comments, and has its own name and interface."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.draft.from_bench import copy_bench
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.files.configuration.benchfile import load_bench


def test_only_the_name_differs() -> None:
    """Every other line is that of the original."""
    file = load_bench("cluster")
    before, after = file.path.read_text().splitlines(), copy_bench(file, "desk", BusAccess()).splitlines()
    assert [(one, other) for one, other in zip(before, after, strict=True) if one != other] == [
        ("name: cluster", "name: desk")
    ]


def test_an_embedded_bus_goes_to_an_interface() -> None:
    """As the comment of the packaged file says: two lines are exchanged."""
    text = copy_bench(load_bench("cluster"), "desk", BusAccess("socketcan", "can1"))
    assert "    interface: socketcan\n    channel: can1\n" in text
    assert "slcan" not in text.partition("buses:")[2]


@pytest.mark.parametrize("bench", ["demo", "cluster", "truck", "diagnostics", "pedal-box"])
def test_every_packaged_bench_can_be_copied(bench: str, tmp_path: Path) -> None:
    """The files that lie beside it are still found."""
    copy = tmp_path / "mine.yaml"
    copy.write_text(copy_bench(load_bench(bench), "mine", BusAccess()), encoding="utf-8")
    loaded = load_bench(str(copy))
    assert loaded.settings.name == "mine"
    for bus in loaded.settings.buses.values():
        assert bus.rest_bus is None or (copy.parent / bus.rest_bus.file).is_file()


def test_a_bench_on_hardware_already_is_not_moved() -> None:
    """Which line to exchange is not clear there."""
    with pytest.raises(ConfigurationError, match="copy it without --interface"):
        copy_bench(load_bench("pedal-box"), "mine", BusAccess("socketcan", "can1"))


BENCH = """\
name: "one"   # mine
vehicle: compact
buses:
  can: {interface: embedded, slcan: 0, bitrate: 250000}   # the wires
"""


@pytest.mark.parametrize("name", ["null", "On", "true"])
def test_any_name_is_text(name: str, tmp_path: Path) -> None:
    """Bench names that YAML would read as something else; the bus in braces keeps its comment, and one bit rate."""
    original, copy = tmp_path / "one.yaml", tmp_path / "copy.yaml"
    original.write_text(BENCH, encoding="utf-8")
    copy.write_text(copy_bench(load_bench(str(original)), name, BusAccess("socketcan", "can1", 500_000)))
    loaded = load_bench(str(copy)).settings
    assert loaded.name == name
    assert (loaded.buses["can"].channel, loaded.buses["can"].bitrate) == ("can1", 500_000)
    assert copy.read_text().startswith(f'name: "{name}"   # mine\n')
    assert copy.read_text().endswith("   # the wires\n")
