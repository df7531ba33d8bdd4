"""Service 27, security access: an odd sub-function requests a seed, the next one sends the key for it.

A function of the user calculates the key from (level, seed). Every failure leaves the level locked:

    no such function in the bench file      the service is not supported
    it raises, or does not return bytes     22
    seed                                    valid for one key; a change of session discards it and locks
    wrong keys, `attempts` of them          36, and no seed for `delay`; the next wrong key has the same effect
    ECU reset                               keeps the counter of wrong keys and the delay

    seed: data after the sub-function                       13
          during the delay                                  37
          of the unlocked level                             zeros: no key is needed
    key:  none, or of another length than the level's       13; the seed stays valid, and it is no attempt
          without a seed before it, or of another level     24
          wrong                                             35, or 36

It protects what the bench file assigns to a level; no manufacturer's algorithm is built in.
"""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.run_seed import MakeRandom
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.refusal import (
    CONDITIONS_NOT_CORRECT,
    DELAY_NOT_EXPIRED,
    EXCEEDED_ATTEMPTS,
    INVALID_KEY,
    REQUEST_SEQUENCE_ERROR,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UdsService, UdsStatistics
from hilbridge.files.settings.uds import SecuritySettings


class SecurityAccess(UdsService):
    """Service 27. Seeds are derived from the seed of the bench, so that a run can be repeated."""

    sid = 0x27
    sessions = NOT_DEFAULT

    def __init__(
        self,
        session: DiagnosticSession,
        settings: SecuritySettings,
        generator: MakeRandom,
        statistics: UdsStatistics,
        place: KeyPath,
    ) -> None:
        """ConfigurationError: there is no such function, or it returns no key."""
        super().__init__(session)
        self.subfunctions = frozenset(number for level in settings.levels for number in (level, level + 1))
        self._key: Final = import_function(settings.provider, KEY, (*place, "provider"))
        self._length: Final = settings.seed_length
        self._attempts: Final = settings.attempts
        self._delay: Final = round(settings.delay * MILLISECOND)
        self._random: Final = generator("security access {}")
        self._statistics: Final = statistics
        self._wrong = 0
        self._closed_until = 0  # [ns]
        self._expected: tuple[int, bytes] | None = None  # level and key
        self._key_lengths: Final[dict[int, int]] = {}  # [byte] by level; of the newest key
        for level in settings.levels:
            key = self._key_for(level, bytes(self._length))
            if key is None:
                reason = f"{settings.provider} gives no key for level {level} and a seed of {self._length} bytes of 0"
                raise ConfigurationError(reason, (*place, "provider"))
            self._key_lengths[level] = len(key)
        session.on_change("challenge", self._forget)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if subfunction % 2:
            self.require_length(data, 0)
            return self._seed(subfunction, t)
        self.require_length(data, self._key_lengths[subfunction - 1])
        self._unlock(subfunction - 1, data, t)
        return b""

    def _seed(self, level: int, t: int) -> bytes:
        if self.session.unlocked == level:
            return bytes(self._length)
        if t < self._closed_until:
            raise Refusal(DELAY_NOT_EXPIRED)
        self._forget()
        seed = self._random.randrange(1, 1 << 8 * self._length).to_bytes(self._length, "big")
        key = self._key_for(level, seed)
        if key is None:
            self._statistics.provider_failures += 1
            raise Refusal(CONDITIONS_NOT_CORRECT)
        self._expected = (level, key)
        self._key_lengths[level] = len(key)
        return seed

    def _unlock(self, level: int, key: bytes, t: int) -> None:
        expected, self._expected = self._expected, None
        if expected is None or expected[0] != level:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        if expected[1] == key:
            self._wrong = 0
            self.session.unlocked = level
            self._statistics.unlocked += 1
            return
        self._statistics.wrong_keys += 1
        self._wrong += 1
        if self._wrong < self._attempts:
            raise Refusal(INVALID_KEY)
        self._wrong = self._attempts - 1
        self._closed_until = t + self._delay
        raise Refusal(EXCEEDED_ATTEMPTS)

    def _key_for(self, level: int, seed: bytes) -> bytes | None:
        try:
            key = self._key(level, seed)
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            return None
        return key if isinstance(key, bytes) and key else None

    def _forget(self) -> None:
        """Discard the seed: a new session or a new seed replaces it."""
        self._expected = None
