"""Built-in services that a control unit's answers as data are in front of: each is a doubt for `check`."""

from collections.abc import Iterator

from hilbridge.base.common.errors import Doubt
from hilbridge.bench.diagnostics.answers.server import AnswerServer
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.files.settings.request_patterns import Pattern

_CURRENT_DATA = 0x01
_READ_IDENTIFIER = 0x22
_OBD = range(0x01, 0x0B)
_SUPPRESS = 0x80


def built_in_doubts(answers: AnswerServer, obd: ObdServer | None, uds: UdsServer | None) -> Iterator[Doubt]:
    """Yield the patterns that a request fits which a built-in service would answer too."""
    for service in answers.services:
        if obd is not None and service in _OBD:
            known = [int(pid, 16) for pid in obd.current_data.describe()] if service == _CURRENT_DATA else None
            yield from _doubts(answers, service, "obd", None if known is None else [(pid,) for pid in known])
        elif uds is not None and service in uds.services:
            if service == _READ_IDENTIFIER:
                heads = [tuple(bytes.fromhex(number)) for number in uds.identifiers.describe()]
                yield from _doubts(answers, service, "uds", heads)
            else:
                functions = uds.services[service].subfunctions
                heads = [(one | bit,) for one in sorted(functions) for bit in (0, _SUPPRESS)]
                yield from _doubts(answers, service, "uds", heads or None)


def _doubts(answers: AnswerServer, service: int, server: str, heads: list[tuple[int, ...]] | None) -> Iterator[Doubt]:
    """Yield the patterns of a service; with `heads`, those that a request fits which begins so."""
    for pattern in answers.patterns(service):
        if heads is None:
            yield _doubt(answers, pattern, f"service {service:02X}", server)
        elif head := next((one for one in heads if _may_begin(pattern, bytes((service, *one)))), None):
            yield _doubt(answers, pattern, bytes((service, *head)).hex(" ").upper(), server)


def _may_begin(pattern: Pattern, head: bytes) -> bool:
    """Return whether a request that begins so can fit a pattern."""
    length = min(pattern.length, len(head))
    if pattern.length < len(head) and not pattern.open:
        return False
    shift = 8 * (pattern.length - length)
    return int.from_bytes(head[:length], "big") & pattern.mask >> shift == pattern.value >> shift


def _doubt(answers: AnswerServer, pattern: Pattern, what: str, server: str) -> Doubt:
    return Doubt(f"comes before {what} of {server!r}, which is not asked", (*answers.place, pattern.text))
