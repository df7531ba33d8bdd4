"""UDS servers on a bench: what a tester on the bus sees of resets, on the time of the ticks."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from hilbridge.resources import Kind, find
from hilbridge.testing import VirtualBench

Settings = Callable[[dict[str, object]], str]


@pytest.fixture
def with_uds(tmp_path: Path) -> Settings:
    """The diagnostics bench with further settings of the engine's UDS server; returns its path."""

    def written(settings: dict[str, object]) -> str:
        bench = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text())
        bench["diagnostics"]["units"]["engine"]["uds"] |= settings
        bench["diagnostics"].pop("elm327")
        path = tmp_path / "desk.yaml"
        path.write_text(yaml.safe_dump(bench, sort_keys=False))
        return str(path)

    return written


def asked(car: VirtualBench, request: str) -> str:
    return car.uds(bytes.fromhex(request)).hex(" ").upper()


def test_a_control_unit_that_starts_anew_is_silent_for_its_time(with_uds: Settings) -> None:
    """The answer to the reset comes first; for 6 s neither OBD-II nor UDS is answered, and others are."""
    with VirtualBench(with_uds({"reset": {"time": 6000}})) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert asked(car, "11 01") == "51 01"
        begun = car.time
        with pytest.raises(TimeoutError):
            car.uds(bytes.fromhex("3E 00"))
        assert car.time - begun < 6.0
        assert car.uds(bytes.fromhex("3E 00"), ecu="transmission") == b"\x7e\x00"
        car.advance(6.0 - (car.time - begun) + 0.01)
        assert asked(car, "22 F1 86") == "62 F1 86 01"
