"""Seeds and keys: a lock opens for the key of the bench's function alone."""

from typing import Any

import pytest

from hilbridge.faces.xcp.access import LONGEST_KEY, SEED, Delay, Locks
from hilbridge.faces.xcp.packets import Error, XcpError


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
    now = [0.0]
    locks = Locks(0x01, inverted, Delay(lambda: now[0]))
    seed = locks.seed(1)
    assert not locks.unlock(1, b"\0")
    with pytest.raises(XcpError):
        locks.unlock(SEED, inverted(1, seed))
    now[0] = 1.0
    assert locks.seed(1) != seed


def test_wrong_keys_are_slowed_down_in_whatever_session_they_come() -> None:
    """No seed for 1, 2, 4 s and so on, 60 s at most; a right key ends that."""
    now = [0.0]
    delay = Delay(lambda: now[0])

    def wrong() -> None:
        locks = Locks(0x01, inverted, delay)
        locks.seed(1)
        assert not locks.unlock(1, b"\0")

    def require_delay(seconds: float) -> None:
        now[0] += seconds - 0.001
        with pytest.raises(XcpError) as refused:
            Locks(0x01, inverted, delay).seed(1)
        assert refused.value.code == Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE
        now[0] += 0.001

    for seconds in (1, 2, 4, 8, 16, 32, 60, 60):
        wrong()
        require_delay(seconds)
    locks = Locks(0x01, inverted, delay)
    assert locks.unlock(SEED, inverted(1, locks.seed(1)))
    wrong()
    require_delay(1)


@pytest.mark.parametrize("answer", [None, True, "key", 5, b"", bytearray(), [], ValueError("no"), SystemExit(0)])
def test_a_function_that_fails_unlocks_nothing(answer: Any) -> None:
    def fails(_resource: int, _seed: bytes) -> Any:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    locks = Locks(0x01, fails)
    locks.seed(1)
    assert not locks.unlock(1, b"\0")
    assert locks.locked == 1
    assert locks.fault


@pytest.mark.parametrize("resource", [0, 2, 3, 5, 0x10, 0xFF])
def test_there_is_no_seed_for_what_is_no_resource(resource: int) -> None:
    with pytest.raises(XcpError):
        Locks(0x05, inverted).seed(resource)


def test_a_key_has_a_longest_length() -> None:
    locks = Locks(0x01, inverted)
    locks.seed(1)
    with pytest.raises(XcpError):
        locks.unlock(LONGEST_KEY + 1, bytes(LONGEST_KEY + 1))
