"""Joint answers of service 01 (SAE J1979), by hand."""

from hilbridge.desk.clone.exchange import Exchange
from hilbridge.desk.clone.finding import Notes
from hilbridge.desk.clone.obd import ObdFindings


def taken(*exchanges: tuple[str, str]) -> tuple[ObdFindings, str]:
    """What was found, and the notes."""
    findings, notes = ObdFindings(), Notes()
    for n, (request, answer) in enumerate(exchanges):
        findings.take(Exchange("talk.log", n, bytes.fromhex(request), True, bytes.fromhex(answer)), notes)
    return findings, "\n".join(map(str, notes))


def test_pids_asked_together_are_taken_apart_by_the_lengths_of_the_standard() -> None:
    """PIDs that a unit does not have are left out; the last one takes the rest, which is its length from then on."""
    findings, told = taken(
        ("01 00 0C 05 10", "41 00 BE 3F A8 13 0C 1A F8 05 7B"),
        ("01 0D 9A", "41 0D 32 9A 07 00 5D C0 00 7B"),
        ("01 9A 0D", "41 9A 07 00 5D C0 00 7B 0D 33"),
    )
    assert {number: record.value.hex(" ") for number, record in findings.pids.items()} == {
        0x0C: "1a f8",
        0x05: "7b",
        0x0D: "33",
        0x9A: "07 00 5d c0 00 7b",
    }
    assert {0x0C, 0x05, 0x0D} <= findings.supported
    assert not told


def test_what_cannot_be_taken_apart_is_told() -> None:
    """A PID of unknown length before another one, one that was not asked for, an answer that is too short."""
    for request, answer, pid in (
        ("01 9F 11", "41 9F 01 02 11 24", "9F"),
        ("01 0C 0D", "41 0C 1A F8 2F 80", "2F"),
        ("01 0D 0C", "41 0D 32 0C 1A", "0C"),
    ):
        findings, told = taken((request, answer))
        assert f"where PID {pid} ends in a joint answer is not known" in told
        assert int(pid, 16) not in findings.pids
