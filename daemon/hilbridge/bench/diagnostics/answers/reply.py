"""An answer as data, ready to be given: its bytes from the request and from the values of the data bus.

content = data with what the pattern has captured · fields as a data record (frames/codec/data_record.py)
"""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.refusal import CONDITIONS_NOT_CORRECT, RESPONSE_TOO_LONG, Refusal
from hilbridge.files.settings.answers import ReplySettings
from hilbridge.files.settings.request_patterns import LONGEST, Pattern, Template, parse_template
from hilbridge.frames.codec.data_record import DataRecord, build_record
from vehiclesim.databus import DataBus

_POSITIVE: Final = 0x40


class Reply:
    """An answer of a control unit: `delay` [ns] after the request, after `pending` times 78; `silent`: nothing."""

    def __init__(self, settings: ReplySettings, pattern: Pattern, bus: DataBus, place: KeyPath) -> None:
        """ConfigurationError, with the key path: a field is wrong, or the answer is longer than a message."""
        self.delay: Final = round(settings.delay * MILLISECOND)
        self.pending: Final = settings.pending
        self.silent: Final = settings.silent
        self._refuse: Final = settings.refuse
        self._pattern: Final = pattern
        self._template: Final[Template | None] = (
            None if settings.data is None else parse_template(settings.data, pattern)
        )
        self._channels: Final = bus.channels
        self._record: Final[DataRecord | None] = (
            None
            if not settings.fields
            else build_record(settings.fields, settings.length, (*place, "fields"), bus.entries)
        )
        if self._record is not None:
            head = pattern.length if self._template is None else self._template.shortest
            if head + self._record.length > LONGEST:
                reason = f"has {head + self._record.length} bytes: an answer has {LONGEST} at most"
                raise ConfigurationError(reason, (*place, "fields"))

    def content(self, request: bytes) -> bytes:
        """Return the bytes of the answer. Refusal: it is one, or a value is not available, or it is too long."""
        if self._refuse is not None:
            raise Refusal(self._refuse)
        content = bytes((request[0] | _POSITIVE,)) + request[1:] if self._template is None else self._filled(request)
        if self._record is not None:
            fields = self._record.read(self._channels)
            if fields is None:
                raise Refusal(CONDITIONS_NOT_CORRECT)
            content += fields
        if len(content) > LONGEST:
            raise Refusal(RESPONSE_TOO_LONG)
        return content

    def describe(self) -> str:
        """Return the answer for people."""
        if self.silent:
            return "no answer"
        if self._refuse is not None:
            return f"refused, {self._refuse:02X}"
        said = [] if self._record is None else [self._record.describe()]
        if self._template is not None:
            said.insert(0, f"{self._template.shortest} bytes" if self._template.shortest != 1 else "1 byte")
        return ", then ".join(said)

    def _filled(self, request: bytes) -> bytes:
        assert self._template is not None  # noqa: S101 - it is where this is called
        parts = []
        for part in self._template.parts:
            if isinstance(part, bytes):
                parts.append(part)
                continue
            first, width = self._pattern.captures[part]
            parts.append(request[first:] if width is None else request[first : first + width])
        return b"".join(parts)
