"""DoIP as a part of a bench: its settings, its row, a reload."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.reload.restart_rules import needs_restart

from .rig import BODY, Car


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ("units: {horn: 0x1010}", "unknown control unit 'horn'"),
        ("units: {body: 0x0E80}", "0x0e80 is no address of a control unit"),
        ("units: {body: 0x1010, engine: 0x1010}", "is the address of body too"),
        ("logical_address: 0xE400", "0xe400 is no address of a control unit"),
        ("functional: {all: 0x1010}", "0x1010 is no address of a group"),
        ("functional: {all: 0xE400, some: 0xE400}", "is the address of all too"),
        ("testers: [0x1010]", "0x1010 is no tester's"),
        ("address: 0.0.0.0", "who may come to 0.0.0.0"),
        ("announce: 255.255.255.255", "cannot be reached from 'address'"),
        ("announce: '::1'", "is not of the IP version"),
        ("eid: '12:34'", "eid"),
        ("activation: {E1: authenticated}", "is missing: a type of 'activation' needs it"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, extra: str, reason: str) -> None:
    keys = {line.partition(":")[0] for line in extra.splitlines()}

    def without(text: str) -> str:
        kept = [line for line in text.splitlines() if line.strip().partition(":")[0] not in keys or "{bus" in line]
        return "\n".join(line for line in kept) if not keys & {"units"} else "\n".join(_without_units(text))

    with pytest.raises(ConfigurationError, match=reason):
        Car(tmp_path, extra, without)


def _without_units(text: str) -> list[str]:
    """All lines but those of the units of the section."""
    return [line for line in text.splitlines() if not line.startswith("  units: {body")]


def test_a_port_is_used_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="the same TCP port as"):
        Car(
            tmp_path,
            "",
            lambda text: text.replace("port: 0", "port: 29999").replace("embedded}", "embedded, slcan: 29999}"),
        )


def test_the_row_has_units_testers_and_counters(tmp_path: Path) -> None:
    car = Car(tmp_path)
    car.active().uds(BODY, "3E 00")
    ((name, row),) = car.bench.wiring.parts["doip"].rows()
    assert name == "1000"
    assert row._asdict() == {
        "units": ["1010 body", "1001 engine"],
        "testers": ["0E00"],
        "connections": 1,
        "counters": {"activated": 1, "requests": 1, "answers": 1},
    }


def test_without_the_section_there_is_no_part(tmp_path: Path) -> None:
    car = Car(tmp_path, "", lambda text: text.partition("doip:\n")[0] + "cockpit: {enabled: false}\n")
    assert car.bench.wiring.doip is None


def test_a_reload_keeps_connections_and_reaches_the_new_units(tmp_path: Path) -> None:
    car = Car(tmp_path)
    client = car.active()
    client.uds(BODY, "10 03")
    text = car.file.read_text(encoding="utf-8")
    car.file.write_text(text.replace("EZSA000007", "EZSA000008"), encoding="utf-8")
    after = load_bench(str(car.file))
    assert needs_restart(load_bench(str(car.file)), after) == []
    car.bench.adopt(load_bench_files(after), car.t)
    assert client.uds(BODY, "22 F1 86") == ["ack", "1010: 62f18601"]
    assert client.uds(BODY, "22 F1 90") == ["ack", "1010: 62f190" + b"WHBZZZ1EZSA000008".hex()]
    assert car.asked(bytes.fromhex("02FD000100000000"))[0].vin.endswith(b"8")


def test_another_section_needs_a_restart(tmp_path: Path) -> None:
    before = load_bench(str(Car(tmp_path).file))
    after = load_bench(str(Car(tmp_path, "sockets: 3").file))
    assert needs_restart(before, after) == [("doip",)]
