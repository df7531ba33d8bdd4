"""The set-up of the process of the fabric: one argument of JSON, of which nothing is secret."""

import json
from typing import Any, NamedTuple, Self


class Setup(NamedTuple):
    """`custom`: path, resolution and unit of the entries that the bench declares; `control`: path of its socket."""

    bench: str
    vehicle: str
    control: str | None
    port: int
    config: str | None
    rate: int
    allow: tuple[str, ...]
    custom: tuple[tuple[str, int, str], ...] = ()

    def encode(self) -> str:
        """Return it as JSON."""
        return json.dumps(self._asdict())

    @classmethod
    def decode(cls, text: str) -> Self:
        """Return the inverse of `encode`."""
        fields: dict[str, Any] = json.loads(text)
        custom = tuple((path, resolution, unit) for path, resolution, unit in fields["custom"])
        return cls(**fields | {"allow": tuple(fields["allow"]), "custom": custom})
