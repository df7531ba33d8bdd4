"""What is hardware is said by the kernel, and what was armed by hand is not any more after a start; both are seen.

The interface is that of a serial adapter and is called as a virtual one, or the other way round.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .adapter import HEARD, frames, plug_in
from .machine import BENCH, CHECKOUT, Machine

CHANNEL = "vcan5"

METRICS = "metrics: {port: 9123}\n"

HELD_BACK = "not armed, all frames held back: powertrain"


def on(channel: str) -> str:
    """The lab's bench on another interface."""
    return BENCH.replace("channel: vcan0", f"channel: {channel}") + METRICS


def until(machine: Machine, condition: Callable[[], object]) -> None:
    """Waits on a host that may be busy."""
    machine.until(condition, patience=240.0, nap=1.0)


def ctl(machine: Machine, words: str) -> str:
    """The answer of the bench, which a busy host keeps from answering in time."""
    answers: list[str] = []

    def answered() -> bool:
        code, output = machine.ask(f"hilbridge ctl {words}")
        answers.append(output)
        return code == 0

    until(machine, answered)
    return answers[-1]


def bus(machine: Machine) -> dict[str, Any]:
    """The status of the one bus."""
    found: dict[str, Any] = json.loads(ctl(machine, "--json status"))["buses"]["powertrain"]
    return found


def metrics(machine: Machine) -> dict[str, str]:
    """By their names and labels, as Prometheus gets them; nothing while the port does not answer."""
    read = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:9123/metrics', timeout=20).read().decode())"
    code, output = machine.ask(f'python3 -c "{read}"')
    return {} if code else dict(line.rpartition(" ")[::2] for line in output.splitlines() if not line.startswith("#"))


def status(machine: Machine) -> str:
    return machine.show("hilbridge", "StatusText")


@pytest.fixture
def adapter(machine: Machine) -> Iterator[Machine]:
    """The service runs on the interface of a serial adapter that an operator has called vcan5."""
    machine.ask("systemctl stop hilbridge")
    plug_in(machine, CHANNEL)
    until(machine, lambda: machine.ask(f"ip link set {CHANNEL} up")[0] == 0)
    machine.write("/etc/hilbridge/bench.yaml", on(CHANNEL))
    machine.run("systemctl start hilbridge")
    yield machine
    machine.ask("systemctl stop hilbridge adapter")
    machine.ask(f"ip link delete {CHANNEL}")
    machine.write("/etc/hilbridge/bench.yaml", BENCH)


def test_an_adapter_that_is_called_vcan_is_hardware(adapter: Machine) -> None:
    """Finding 5: not a frame leaves before `arm`, the budget holds, and the status says all of it."""
    machine = adapter
    (link,) = json.loads(machine.run(f"ip -d -j link show {CHANNEL}"))
    assert link["linkinfo"]["info_kind"] in ("can", "slcan")  # as kernels call it from 6.0 on, and before
    until(machine, lambda: HELD_BACK in status(machine))
    until(machine, lambda: bus(machine)["gate"].get("unarmed", 0) > 20)
    found = bus(machine)
    assert (found["hardware"], found["armed"], found["transmitted"]) == (True, False, 0)
    assert frames(machine) == 0
    said = [str(entry["MESSAGE"]) for entry in machine.journal("hilbridge")]
    opened = json.loads(next(message for message in reversed(said) if '"bus open"' in message))
    assert "listen-only until armed" in opened["gate"]
    assert "at most 80 %" in opened["gate"]
    assert "hardware" in machine.run("hilbridge check /etc/hilbridge/bench.yaml")
    ctl(machine, "arm")
    until(machine, lambda: frames(machine) > 20)
    until(machine, lambda: "held back" not in status(machine))


def test_a_virtual_interface_under_the_name_of_an_adapter_needs_no_arming(machine: Machine) -> None:
    """The other way round: what the kernel calls vcan reaches nothing but this machine."""
    machine.run("ip link add can9 type vcan; ip link set can9 up; systemctl stop hilbridge")
    machine.write("/etc/hilbridge/bench.yaml", on("can9"))
    try:
        machine.run("systemctl start hilbridge")
        machine.run("timeout 20 candump -n 1 can9,180:7FF")
        assert (bus(machine)["hardware"], bus(machine)["armed"]) == (False, True)
        assert "held back" not in status(machine)
    finally:
        machine.ask("systemctl stop hilbridge; ip link delete can9")
        machine.write("/etc/hilbridge/bench.yaml", BENCH)


def test_what_was_armed_by_hand_is_held_back_after_a_watchdog_and_an_upgrade_and_everything_says_so(
    adapter: Machine,
) -> None:
    """Finding 4: status line, screen and metrics, from which the shipped alerts follow (tests/clients)."""
    machine = adapter
    ctl(machine, "arm")
    until(machine, lambda: frames(machine) > 20)
    until(machine, lambda: metrics(machine).get('hilbridge_bus_armed{bus="powertrain"}') == "1.0")
    began = metrics(machine)["hilbridge_start_time_seconds"]

    restarts = int(machine.show("hilbridge", "NRestarts"))
    machine.run(f"kill -STOP {machine.show('hilbridge', 'MainPID')}")
    until(machine, lambda: int(machine.show("hilbridge", "NRestarts")) > restarts)
    until(machine, lambda: HELD_BACK in status(machine))
    assert "the run before ended by the watchdog" in status(machine)
    sent = frames(machine)
    until(machine, lambda: metrics(machine).get('hilbridge_bus_armed{bus="powertrain"}') == "0.0")
    told = metrics(machine)
    assert told["hilbridge_start_time_seconds"] != began
    assert any(name.startswith("hilbridge_last_end_info") and 'result="watchdog"' in name for name in told)
    until(machine, lambda: f"{HELD_BACK}; hilbridge ctl arm powertrain" in machine.ask("hilbridge service")[1])
    assert "by the watchdog" in machine.ask("hilbridge service")[1]
    assert frames(machine) == sent  # the adapter hears nothing

    ctl(machine, "arm")
    until(machine, lambda: frames(machine) > sent)
    machine.run(f"dpkg --install {CHECKOUT}/build/deb/hilbridge_*.deb")
    until(machine, lambda: HELD_BACK in status(machine))
    sent = frames(machine)
    until(machine, lambda: bus(machine)["gate"].get("unarmed", 0) > 20)
    assert frames(machine) == sent
    assert machine.run(f"test -s {HEARD}; echo $?") == "0"
