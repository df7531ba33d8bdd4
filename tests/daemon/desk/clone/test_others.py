"""A talk of services that are neither OBD-II nor UDS is cloned as `answers`, and plays as it was heard."""

from pathlib import Path

import pytest

from hilbridge.desk.clone.bench_writer import write_bench
from hilbridge.desk.clone.clone import clone
from hilbridge.desk.clone.report import unknown
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.testing import VirtualBench

OLD = """
name: old
rate: 200
vehicle: leaf-ze1
buses: {can: {interface: embedded}}
diagnostics:
  units:
    unit_7EC:
      bus: can
      addresses: [{request: 0x7E4, answer: 0x7EC}]
      power: battery
"""
KWP = """      answers:
        "10 C0": {data: "50 C0", enters: "C0"}
        "10 81": {data: "50 81", enters: "01"}
        "1A 81": "5A 81 48 42"
        "18 00 FF 00": {data: "58 01 12 34 60", pending: 2, delay: 200}
        "21 01": {fields: {Cell: {expression: electric.TractionVoltage / 96, scale: 0.001, times: 20}}}
        "21 {id}": {refuse: request out of range}
        "21 05": {turns: ["61 05 00", {refuse: busy repeat request}, "61 05 01"], cycle: true}
        "3B {id} {rest*}": "7B {id}"
        "A5 *": {silent: true}
"""
ASKED = [
    "10 81", "1A 81", "21 01", "21 02", "10 C0", "21 05", "21 05", "21 05", "21 05", "18 00 FF 00", "3B 90 41 42 43",
    "3B 91", "21 01", "A5 01", "1A 81", "12 00", "10 81",
]  # fmt: skip


def talk(file: Path, asked: list[str], log: Path | None = None) -> list[bytes]:
    said = []
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(0.1)
        for request in asked:
            try:
                said.append(bench.uds(bytes.fromhex(request), ecu="unit_7EC"))
            except TimeoutError:
                said.append(b"")
        bench.advance(0.1)
        if log is not None:
            bench.record(log)
    return said


@pytest.mark.parametrize(
    "beside", ["", "      uds: {identifiers: {F18C: {text: SERIAL-1}}}\n"], ids=["alone", "with UDS"]
)
def test_a_clone_plays_what_was_said_to_the_last_answer(tmp_path: Path, beside: str) -> None:
    """Also by a unit that speaks UDS besides. What is played in turn is named."""
    asked = [*ASKED, "22 F1 8C"] if beside else ASKED
    old, log, new = tmp_path / "old.yaml", tmp_path / "talk.log", tmp_path / "new.yaml"
    old.write_text(OLD + beside + KWP)
    said = talk(old, asked, log)
    cloned = clone([log], None)
    new.write_text(write_bench(cloned, "new", "can", BusAccess("embedded")).replace("compact ", "leaf-ze1 "))
    assert [each.hex() for each in talk(new, asked)] == [each.hex() for each in said]
    told = unknown(cloned.units[0])
    assert any("request 21 05: don't know: 3 answers to 4 requests, are played in turn" in line for line in told)
    assert not any(line.startswith("request 1A 81") for line in told)
    text = new.read_text()
    assert ("uds:" in text) is bool(beside)
    assert '"40"' not in text


def test_what_was_said_after_security_access_is_not_cloned(tmp_path: Path) -> None:
    """It is named, with its place; before it, it is cloned."""
    old, log = tmp_path / "old.yaml", tmp_path / "talk.log"
    secret = (
        '      answers: {"27 01": "67 01 11 22", "27 02 *": {data: "67 02"}, "21 07": "61 07 AA", "21 08": "61 08"}\n'
    )
    old.write_text(OLD + secret)
    talk(old, ["21 08", "27 01", "27 02 33 44", "21 07"], log)
    cloned = clone([log], None)
    text = write_bench(cloned, "new", "can", BusAccess("embedded"))
    assert '"21 08"' in text
    assert "61 07" not in text
    assert "67 0" not in text
    assert any("request 21 07: is behind security access, and not cloned" in line for line in unknown(cloned.units[0]))
