"""The section `xcp`: who may come, and what they may do there."""

import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.xcp import XcpSettings


def test_by_default_it_is_read_only_on_loopback() -> None:
    settings = XcpSettings()
    assert settings.is_loopback
    assert not settings.write


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ({"address": "0.0.0.0"}, "who may come"),
        ({"address": "::"}, "who may come"),
        ({"address": "192.0.2.1", "masters": ["192.0.2.2"], "write": True}, "needs a key"),
        ({"transport": "can"}, "transport"),
    ],
)
def test_beyond_loopback_it_is_told_who_may_come_and_with_which_key(section: dict[str, object], reason: str) -> None:
    with pytest.raises((ConfigurationError, ValidationError), match=reason):
        XcpSettings.model_validate(section)


def test_masters_are_let_in_by_their_addresses() -> None:
    named = {"address": "192.0.2.1", "masters": ["192.0.2.2"]}
    assert XcpSettings.model_validate(named).masters == ["192.0.2.2"]
    assert XcpSettings.model_validate(named | {"write": True, "unlock": "keys.py:key"}).write
