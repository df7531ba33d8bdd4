"""The rights of a master: the locks of the resources, and the seeds and keys that open them (SEED & KEY of XCP)."""

import hmac
import os
import time
from collections.abc import Callable
from typing import Any, Final

from hilbridge.base.common.errors import quoted
from hilbridge.faces.xcp.packets import Error, XcpError

SEED: Final = 16
"""[byte] of a seed: on Ethernet it fits into one answer, on CAN into three."""

LONGEST_KEY: Final = 128

KeyFunction = Callable[[int, bytes], Any]
"""Returns the key of a resource and a seed, as bytes."""


FIRST_DELAY: Final = 1.0
LONGEST_DELAY: Final = 60.0
"""[s] without a seed after the first wrong key, and at most; each further one doubles it."""

_LONGEST_WORDS: Final = 200


class Delay:
    """The time without seeds after wrong keys, from all masters together; a right one ends it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now: Final = now
        self._until = 0.0
        self._next = FIRST_DELAY

    def require(self) -> None:
        """XcpError: it lasts."""
        if self._now() < self._until:
            raise XcpError(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE)

    def failed(self) -> None:
        self._until = self._now() + self._next
        self._next = min(2 * self._next, LONGEST_DELAY)

    def succeeded(self) -> None:
        self._next = FIRST_DELAY


class Locks:
    """The locks of one session: each resource that is there is locked until its key came, where there are keys.

    A seed is good for one attempt. A function that raises, or returns no key, unlocks nothing; `fault` says which.
    """

    def __init__(self, resources: int, key: KeyFunction | None, delay: Delay | None = None) -> None:
        """`delay`: what earlier sessions have brought about."""
        self.fault = ""
        self.resources: Final = resources
        self.locked = 0 if key is None else resources
        self._key: Final = key
        self._delay: Final = Delay() if delay is None else delay
        self._asked: tuple[int, bytes] | None = None
        self._received = b""

    def require(self, resource: int) -> None:
        """XcpError: the resource is locked."""
        if self.locked & resource:
            raise XcpError(Error.ACCESS_LOCKED)

    def seed(self, resource: int) -> bytes:
        """Return a new seed for a resource; empty: it is not locked.

        XcpError OUT_OF_RANGE: there is no such resource; RESOURCE_TEMPORARY_NOT_ACCESSIBLE: a key was wrong just now.
        """
        if resource.bit_count() != 1 or not resource & self.resources:
            raise XcpError(Error.OUT_OF_RANGE)
        self._asked, self._received = None, b""
        if not self.locked & resource:
            return b""
        self._delay.require()
        self._asked = (resource, os.urandom(SEED))
        return self._asked[1]

    def unlock(self, length: int, part: bytes) -> bool:
        """Take the rest of a key, `length` bytes, or a part of it; return False if the key was wrong.

        XcpError SEQUENCE: no seed was asked for; OUT_OF_RANGE: no key has this length.
        """
        if self._asked is None:
            raise XcpError(Error.SEQUENCE)
        if not 0 < length <= LONGEST_KEY - len(self._received) or not part:
            self._asked = None
            raise XcpError(Error.OUT_OF_RANGE)
        self._received += part[:length]
        if len(part) < length:
            return True
        (resource, seed), self._asked = self._asked, None
        if not self._is_key(resource, seed, self._received):
            self._delay.failed()
            return False
        self._delay.succeeded()
        self.locked &= ~resource
        return True

    def _is_key(self, resource: int, seed: bytes, received: bytes) -> bool:
        try:
            expected = None if self._key is None else self._key(resource, seed)
        except BaseException as error:  # noqa: BLE001 - code of the user may raise anything, SystemExit too
            self.fault = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
            return False
        if not isinstance(expected, bytes | bytearray) or not expected:
            self.fault = f"it returned {quoted(repr(expected), _LONGEST_WORDS)} in place of bytes"
            return False
        return hmac.compare_digest(bytes(expected), received)
