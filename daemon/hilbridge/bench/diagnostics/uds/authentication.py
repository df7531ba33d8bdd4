"""Service 29, authentication (ISO 14229-1:2020, 10.6): who may use the services that need it (34).

    00             de-authenticate
    01 to 04       exchange of certificates, where the settings say so
    05 to 07       challenge and response, else
    08             configuration: 02 certificates, 03 asymmetric, 04 symmetric cryptography

A function of the user verifies and signs; this service takes requests apart, makes challenges and puts answers
together. Parameters have a length of two bytes before them. A tester that is authenticated stays so until the default
session is entered. A proof that fails leaves no tester authenticated:

    parameters that are incomplete, or followed by bytes                13
    06, 07 or 03 without the challenge before it                        24
    the function raises, returns no list of bytes or as many as needed  59 of a challenge, 58 of everything else
    the function refuses (None)                                         58 for a proof, 57 for a certificate
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.run_seed import MakeRandom
from hilbridge.base.trust.kinds import AUTHENTICATION
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.refusal import (
    CERTIFICATE_NOT_VALID,
    CHALLENGE_FAILED,
    INCORRECT_LENGTH,
    OWNERSHIP_NOT_VERIFIED,
    REQUEST_SEQUENCE_ERROR,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, UdsService, UdsStatistics
from hilbridge.files.settings.uds_authentication import AuthenticationSettings

DEAUTHENTICATE: Final = 0x00
CONFIGURATION: Final = 0x08

_CONFIGURED: Final = {"certificates": 0x02, "asymmetric": 0x03, "symmetric": 0x04}
_ALGORITHM: Final = 16
"""[byte] algorithmIndicator."""

_DEAUTHENTICATED: Final = 0x10
_LENGTH: Final = 2


class _Step(NamedTuple):
    """One step: bytes before its parameters, their number, that of the answer, its returnValue, and what it needs."""

    head: int
    parameters: int
    answers: int
    value: int
    challenges: bool = False  # the answer begins with a new challenge
    needs_challenge: bool = False
    authenticates: bool = False
    repeats_algorithm: bool = False
    refusal: int = OWNERSHIP_NOT_VERIFIED


_STEPS: Final = {
    0x01: _Step(1, 2, 1, 0x11, challenges=True, refusal=CERTIFICATE_NOT_VALID),
    0x02: _Step(1, 2, 3, 0x11, challenges=True, refusal=CERTIFICATE_NOT_VALID),
    0x03: _Step(0, 2, 1, 0x12, needs_challenge=True, authenticates=True),
    0x04: _Step(2, 1, 0, 0x13, refusal=CERTIFICATE_NOT_VALID),
    0x05: _Step(1 + _ALGORITHM, 0, 1, 0x00, challenges=True, repeats_algorithm=True, refusal=CHALLENGE_FAILED),
    0x06: _Step(_ALGORITHM, 3, 1, 0x12, needs_challenge=True, authenticates=True, repeats_algorithm=True),
    0x07: _Step(_ALGORITHM, 3, 2, 0x12, needs_challenge=True, authenticates=True, repeats_algorithm=True),
}
_OF_CERTIFICATES: Final = frozenset((0x01, 0x02, 0x03, 0x04))


class Authentication(UdsService):
    """Service 29. Challenges are derived from the seed of the bench, so that a run can be repeated."""

    sid = 0x29

    def __init__(
        self,
        session: DiagnosticSession,
        settings: AuthenticationSettings,
        generator: MakeRandom,
        statistics: UdsStatistics,
        place: KeyPath,
    ) -> None:
        """ConfigurationError: there is no such function."""
        super().__init__(session)
        self._function: Final[Callable[..., Any]] = import_function(
            settings.function, AUTHENTICATION, (*place, "function")
        )
        self._length: Final = settings.challenge_length
        self._configured: Final = _CONFIGURED[settings.kind]
        self._random: Final = generator("authentication {}")
        self._statistics: Final = statistics
        self._challenge = b""
        steps = _OF_CERTIFICATES if settings.kind == "certificates" else _STEPS.keys() - _OF_CERTIFICATES
        self.subfunctions = frozenset((DEAUTHENTICATE, CONFIGURATION, *steps))
        session.on_change("challenge", self._forget)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if subfunction in (DEAUTHENTICATE, CONFIGURATION):
            self.require_length(data, 0)
            if subfunction == CONFIGURATION:
                return bytes((self._configured,))
            self.session.authenticated = False
            self._forget()
            return bytes((_DEAUTHENTICATED,))
        step = _STEPS[subfunction]
        head, parameters = data[: step.head], _taken_apart(data[step.head :], step.parameters)
        if len(head) < step.head:
            raise Refusal(INCORRECT_LENGTH)
        if step.needs_challenge and not self._challenge:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        given = self._call(step, subfunction, head, parameters)
        if step.challenges:
            self._challenge = self._random.randbytes(self._length)
            given = [self._challenge, *given]
        if step.authenticates:
            self.session.authenticated = True
        algorithm = head[-_ALGORITHM:] if step.repeats_algorithm else b""
        return bytes((step.value,)) + algorithm + b"".join(_with_length(one) for one in given)

    def _call(self, step: _Step, subfunction: int, head: bytes, parameters: list[bytes]) -> list[bytes]:
        """Return what the user's function gives for the answer. Refusal: it refuses, or fails."""
        challenge = self._challenge
        if step.needs_challenge:
            self._forget()
        if step.authenticates:
            self.session.authenticated = False
        try:
            given = self._function(subfunction, head, parameters, challenge)
        except Exception:  # noqa: BLE001 - a function of the user may raise anything
            self._statistics.provider_failures += 1
            raise Refusal(step.refusal) from None
        if given is None:
            raise Refusal(step.refusal)
        valid = isinstance(given, list) and all(isinstance(one, bytes) and len(one) <= 0xFFFF for one in given)
        if not valid or len(given) != step.answers:
            self._statistics.provider_failures += 1
            raise Refusal(step.refusal)
        return list(given)

    def _forget(self) -> None:
        """Discard the challenge: it is good for one answer, and for its session."""
        self._challenge = b""


def _taken_apart(data: bytes, count: int) -> list[bytes]:
    """Return parameters, each with its length before it. Refusal: incomplete, or followed by bytes."""
    parameters = []
    for _ in range(count):
        end = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
        if len(data) < max(end, _LENGTH):
            raise Refusal(INCORRECT_LENGTH)
        parameters.append(data[_LENGTH:end])
        data = data[end:]
    if data:
        raise Refusal(INCORRECT_LENGTH)
    return parameters


def _with_length(parameter: bytes) -> bytes:
    return len(parameter).to_bytes(_LENGTH, "big") + parameter
