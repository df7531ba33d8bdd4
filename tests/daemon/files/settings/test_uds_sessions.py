"""Settings of diagnostic sessions: what is there without being named, and mistakes."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.uds import UdsSettings

PROVIDER = {"provider": "keys:key", "levels": [1]}


def test_the_default_and_the_extended_session_need_no_settings() -> None:
    """50 ms, 5 s and 5 s (ISO 14229-2); others are added, null drops one."""
    table = UdsSettings().session_table
    assert [*table] == [1, 3]
    assert (table[3].p2, table[3].p2_star, table[3].s3) == (50, 5000, 5000)
    assert [*UdsSettings.model_validate({"sessions": {"40": {}, "03": None}}).session_table] == [1, 0x40]


@pytest.mark.parametrize(
    ("keys", "reason", "place"),
    [
        ({"sessions": {"3": {}}}, "two hexadecimal digits in quotes", None),
        ({"sessions": {"7F": {}}}, "from '01' to '7E'", None),
        ({"sessions": {"00": {}}}, "no session", None),
        ({"sessions": {"03": {"services": [22]}}}, "the number 22 is no service in quotes", None),
        ({"sessions": {"03": {"services": ["22 F1 90"]}}}, "no service in quotes", None),
        ({"sessions": {"03": {"services": []}}}, "at least 1 item", None),
        ({"sessions": {"03": {"p2_star": 15}}}, "no multiple of 10 ms", None),
        ({"sessions": {"01": None}}, "always there", ("sessions", "01")),
        ({"sessions": {"01": {"s3": 1000}}}, "never ends", ("sessions", "01", "s3")),
        ({"sessions": {"01": {"from": ["03"]}}}, "can be left", ("sessions", "01", "from")),
        ({"sessions": {"40": {"from": ["01", "02"]}}}, "no session 02", ("sessions", "40", "from", 1)),
        ({"identifiers": {"0300": {"data": "00", "sessions": ["40"]}}}, "no session 40", None),
        ({"routines": {"0300": {"sessions": ["03", "40"]}}}, "no session 40", ("routines", "0300", "sessions", 1)),
        ({"identifiers": {"0300": {"data": "00", "read_security": 1}}}, "nobody can reach", None),
        ({"security": {**PROVIDER, "services": {"2E": 3}}}, "none of 'levels'", ("services", "2E")),
        ({"security": {**PROVIDER, "services": {"27": 1}}}, "unlock any level", ("services", "27")),
    ],
)
def test_mistakes_are_told(keys: dict[str, Any], reason: str, place: tuple[str | int, ...] | None) -> None:
    """What is no session, cannot be left or reached."""
    with pytest.raises(ValidationError, match=reason) as raised:
        UdsSettings.model_validate(keys)
    if place is not None:
        assert raised.value.errors()[0]["ctx"]["error"].place == place
