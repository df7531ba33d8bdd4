"""A protector fills what its settings describe, goes on frame by frame, and can be disturbed."""

from random import Random

import pytest

from hilbridge.frames.protection import NumberFault

from .builders import checker, counted, protected, protector, summed

SAFE = counted() | summed(byte=1, algorithm="crc8")


def test_two_groups_in_one_frame() -> None:
    """Each has its own counter and its own checksum over its own bytes."""
    first = {"counter": {"at": {"bit": 0, "width": 2}}} | summed(byte=1, last=0)
    second = {"counter": {"at": {"bit": 16, "width": 2}, "start": 2}} | summed(byte=3, first=2, xor_out=0xFF)
    frames = protected(protector(first, second, length=4), bytes.fromhex("a000b000"), 5)
    assert [frame.hex() for frame in frames] == ["a0a0b24d", "a1a1b34c", "a2a2b04f", "a3a3b14e", "a0a0b24d"]
    receiver = checker(first, second, length=4)
    assert [receiver.check(frame) for frame in frames] == [None] * 5


def test_second_counters() -> None:
    """One that goes on with every frame, and one that counts the rounds of the first."""
    second = {"at": {"bit": 4, "width": 4}, "maximum": 2}
    every = protected(protector(counted(maximum=1, second=second), length=1), b"\0", 5)
    assert [frame.hex() for frame in every] == ["00", "11", "20", "01", "10"]
    rounds = counted(maximum=1, second={**second, "advance": "round"})
    frames = protected(protector(rounds, length=1), b"\0", 7)
    assert [frame.hex() for frame in frames] == ["00", "01", "10", "11", "20", "21", "00"]
    receiver = checker(rounds, length=1)
    assert [receiver.check(frame) for frame in frames] == [None] * 7
    assert receiver.check(b"\x10") is None  # one lost
    assert receiver.check(b"\x00") == "counter_jumped"  # four lost


def test_the_state_can_be_read_and_set() -> None:
    """A replay goes on where the recording began."""
    one = protector(SAFE, counted() | {"counter": {"at": {"bit": 16, "width": 8}}})
    protected(one, bytes(8), 5)
    assert one.counts == (5, 5)
    counts, frames = one.counts, protected(one, bytes(8), 20)
    one.counts = counts
    assert protected(one, bytes(8), 20) == frames
    with pytest.raises(ValueError, match="16 is no count of 16"):
        one.counts = (16, 0)


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "counters"),
    [
        (NumberFault("freeze", frames=3), [0, 0, 0, 0, 4, 5]),
        (NumberFault("offset", 2, frames=3), [0, 3, 4, 5, 4, 5]),
        (NumberFault("value", 9, frames=2), [0, 9, 9, 3, 4, 5]),
    ],
)
def test_a_disturbed_counter(fault: NumberFault, counters: list[int]) -> None:
    """For n frames, with the right checksum over the wrong number; the right count goes on beneath."""
    one = protector(SAFE, length=2)
    frames = protected(one, b"\0\0")
    one.groups[0].counter_fault = fault
    frames += protected(one, b"\0\0", 5)
    assert [frame[0] for frame in frames] == counters
    without_counters = summed(byte=1, algorithm="crc8")
    assert all(checker(without_counters, length=2).check(frame) is None for frame in frames)


def test_a_disturbed_checksum() -> None:
    """The counter stays right, and the receiver refuses the checksum until the fault is removed."""
    one, receiver = protector(SAFE, length=2), checker(SAFE, length=2)
    for fault in (
        NumberFault("offset", 1),
        NumberFault("value", 0x55),
        NumberFault("random", random=Random(1)),
        NumberFault("freeze"),
    ):
        assert receiver.check(protected(one, b"\0\0")[0]) is None
        one.groups[0].checksum_fault = fault
        assert receiver.check(protected(one, b"\0\0")[0]) == "wrong_checksum"
        one.groups[0].checksum_fault = None


def test_random_faults_are_never_right_and_repeat_with_their_seed() -> None:
    """The same seed gives the same frames."""
    runs = []
    for _ in range(2):
        one = protector(SAFE, length=2)
        one.groups[0].counter_fault = NumberFault("random", random=Random(7))
        runs.append([frame[0] for frame in protected(one, b"\0\0", 200)])
    assert runs[0] == runs[1]
    assert all(number != count % 16 for count, number in enumerate(runs[0]))
    assert len(set(runs[0])) == 16
    with pytest.raises(ValueError, match="source of random numbers"):
        NumberFault("random")
