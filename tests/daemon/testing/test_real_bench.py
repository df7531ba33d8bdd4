"""What only a real bench has: a daemon that is there already, adapters, and what hardware cannot do."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import BusSettings
from hilbridge.testing import RealBench
from hilbridge.testing.real_wire import interface_of

from ...program import DEMO_DRIVER, PATIENCE, demo_bench, running


def with_socket(folder: Path, *replacements: tuple[str, str]) -> Path:
    file = demo_bench(folder, *replacements)
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {folder}/ctl.sock, mode: '600'}}\n")
    return file


def test_a_running_bench_gets_back_what_the_test_held(tmp_path: Path) -> None:
    """It goes on running; pedals, faults and all are as before."""
    file = with_socket(tmp_path, (DEMO_DRIVER, ""))
    with running(file) as program:
        program.wait_for("ready")
        with RealBench(file, attach=tmp_path / "ctl.sock") as bench:
            bench.set("input.Throttle", 0.4)
            bench.fault("frame powertrain.EngineData1 drop")
            bench.advance_until("input.Throttle > 0.3", timeout=30.0)
        with RealBench(file, attach=tmp_path / "ctl.sock") as bench:
            bench.advance_until("input.Throttle < 0.1", timeout=30.0)
            states = [one["state"] for one in bench.command("fault-list")["faults"]]
            assert "active" not in states
            while bench.time < PATIENCE and bench.read("input.Throttle") < 0.4:
                bench.write_serial(b"throttle=500 key=0\n")  # a board sends all the time
                bench.advance(0.05)
            assert bench.read("input.Throttle") > 0.4
            with pytest.raises(TypeError, match="takes bytes"):
                bench.write_serial("throttle=500\n")  # type: ignore[arg-type]


def test_a_bench_that_does_not_start_says_why(tmp_path: Path) -> None:
    """The last words of its log are in the error."""
    file = with_socket(
        tmp_path, ("interface: embedded", "interface: socketcan"), ("slcan: 0", "channel: nocan7\n    wait: required")
    )
    with pytest.raises(ConfigurationError, match=r"the bench does not start:(.|\n)*nocan7"):
        RealBench(file)


def test_a_state_that_no_drive_reaches_is_refused(tmp_path: Path) -> None:
    """Before a daemon is started: a coolant temperature takes its time on hardware."""
    with pytest.raises(ConfigurationError, match="cannot begin with coolant"):
        RealBench(with_socket(tmp_path), start={"speed": 50, "coolant": 90})


def test_the_way_to_each_kind_of_bus() -> None:
    """Beside the bench, on the same CAN interface or port; an adapter that the bench has for itself is none."""
    vcan = BusSettings(interface="socketcan", channel="vcan0")
    assert interface_of("body", vcan, "vcan0") == {"interface": "socketcan", "channel": "vcan0", "fd": False}
    embedded = BusSettings(interface="embedded")
    ways = "slcan on pty /dev/pts/3 and socket://127.0.0.1:29536; socketcand on socket://127.0.0.1:29537"
    found = interface_of("body", embedded, ways)
    assert (found["interface"], found["channel"]) == ("slcan", "socket://127.0.0.1:29536")
    with pytest.raises(ConfigurationError, match="it has no SLCAN port"):
        interface_of("body", embedded, "embedded")
    with pytest.raises(ConfigurationError, match=r"has its adapter for itself; .* buses=\{'body'"):
        interface_of("body", BusSettings(interface="pcan", channel="PCAN_USBBUS1"), "pcan")
