"""The section `xcp`: who may come, and what they may do there."""

import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.consistency import findings
from hilbridge.files.settings import BenchSettings
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
    ],
)
def test_beyond_loopback_it_is_told_who_may_come_and_with_which_key(section: dict[str, object], reason: str) -> None:
    with pytest.raises((ConfigurationError, ValidationError), match=reason):
        XcpSettings.model_validate(section)


ON_CAN: dict[str, object] = {"transport": "can", "bus": "a", "request": 0x7E5, "answer": 0x7ED}


@pytest.mark.parametrize(
    ("section", "reason"),
    [
        ({"transport": "can"}, "bus: is missing for XCP on CAN"),
        (ON_CAN | {"answer": None}, "answer: is missing for XCP on CAN"),
        (ON_CAN | {"answer": 0x7E5}, "answer: is that of the master"),
        (ON_CAN | {"port": 5555}, "port: belongs to XCP on Ethernet"),
        (ON_CAN | {"request": 0x800}, "request: has more than 11 bits"),
        ({"bus": "a"}, "bus: belongs to XCP on CAN"),
    ],
)
def test_on_can_there_are_a_bus_and_two_identifiers(section: dict[str, object], reason: str) -> None:
    with pytest.raises(ValidationError) as caught:
        XcpSettings.model_validate(section)
    error = caught.value.errors()[0]["ctx"]["error"]
    assert f"{error.place[0]}: {error}".startswith(reason)


@pytest.mark.parametrize(
    ("bus", "section", "reason"),
    [
        ({"interface": "embedded"}, {}, "buses.a.slcan: is missing: XCP on CAN joins the bus by a port for SLCAN"),
        ({"interface": "embedded", "slcan": 29600}, {"bus": "b"}, "there is no bus 'b'"),
        ({"interface": "pcan", "channel": "PCAN_USBBUS1"}, {}, "serves one program alone; known: socketcan, embedded"),
        ({"interface": "socketcan", "channel": "can0"}, {"write": True}, "xcp.unlock: is missing"),
        ({"interface": "socketcan", "channel": "can0"}, {}, ""),
        ({"interface": "embedded", "slcan": 29600}, {"write": True}, ""),
    ],
)
def test_the_bus_is_one_that_several_programs_share(
    bus: dict[str, object], section: dict[str, object], reason: str
) -> None:
    """Whoever writes over hardware needs a key: any node may be the master."""
    bench = {"name": "b", "vehicle": "compact", "buses": {"a": bus}, "xcp": ON_CAN | section}
    found = [f"{'.'.join(map(str, one.place))}: {one}" for one in findings(BenchSettings.model_validate(bench))]
    assert (not found) if not reason else reason in found[0]


def test_masters_are_let_in_by_their_addresses() -> None:
    named = {"address": "192.0.2.1", "masters": ["192.0.2.2"]}
    assert XcpSettings.model_validate(named).masters == ["192.0.2.2"]
    assert XcpSettings.model_validate(named | {"write": True, "unlock": "keys.py:key"}).write
