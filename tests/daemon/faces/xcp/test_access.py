"""Seeds and keys: a lock opens for the key of the bench's function alone."""

from typing import Any

import pytest

from hilbridge.faces.xcp.access import LONGEST_KEY, SEED, Locks
from hilbridge.faces.xcp.packets import XcpError


def inverted(resource: int, seed: bytes) -> bytes:
    return bytes(one ^ 0xFF ^ resource for one in seed)


def test_without_a_function_nothing_is_locked() -> None:
    locks = Locks(0x05, None)
    assert locks.locked == 0
    assert locks.seed(1) == b""


def test_a_key_opens_its_resource_and_no_other() -> None:
    locks = Locks(0x05, inverted)
    seed = locks.seed(4)
    assert len(seed) == SEED
    assert locks.unlock(SEED, inverted(4, seed))
    locks.require(4)
    with pytest.raises(XcpError):
        locks.require(1)


def test_a_key_may_come_in_parts() -> None:
    locks = Locks(0x01, inverted)
    key = inverted(1, locks.seed(1))
    assert locks.unlock(SEED, key[:6])
    assert locks.locked
    assert locks.unlock(SEED - 6, key[6:])
    assert not locks.locked


def test_a_seed_is_good_for_one_attempt() -> None:
    locks = Locks(0x01, inverted)
    seed = locks.seed(1)
    assert not locks.unlock(1, b"\0")
    with pytest.raises(XcpError):
        locks.unlock(SEED, inverted(1, seed))
    assert locks.seed(1) != seed


@pytest.mark.parametrize("answer", [None, True, "key", 5, b"", bytearray(), [], ValueError("no")])
def test_a_function_that_fails_unlocks_nothing(answer: Any) -> None:
    def fails(_resource: int, _seed: bytes) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    locks = Locks(0x01, fails)
    locks.seed(1)
    assert not locks.unlock(1, b"\0")
    assert locks.locked == 1


@pytest.mark.parametrize("resource", [0, 2, 3, 5, 0x10, 0xFF])
def test_there_is_no_seed_for_what_is_no_resource(resource: int) -> None:
    with pytest.raises(XcpError):
        Locks(0x05, inverted).seed(resource)


def test_a_key_has_a_longest_length() -> None:
    locks = Locks(0x01, inverted)
    locks.seed(1)
    with pytest.raises(XcpError):
        locks.unlock(LONGEST_KEY + 1, bytes(LONGEST_KEY + 1))
