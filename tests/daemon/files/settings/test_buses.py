"""What the settings of a bus say together."""

import pytest
from pydantic import ValidationError

from hilbridge.files.settings import BusSettings


@pytest.mark.parametrize(
    ("database", "files"), [(None, []), ("a.dbc", ["a.dbc"]), (["a.dbc", "b.kcd"], ["a.dbc", "b.kcd"])]
)
def test_a_bus_has_any_number_of_databases(database: str | list[str] | None, files: list[str]) -> None:
    """One needs no list."""
    assert BusSettings(interface="embedded", database=database).database_files == files


@pytest.mark.parametrize(
    ("interface", "channel", "hardware"),
    [
        ("embedded", None, False),
        ("virtual", "a", False),
        ("socketcan", "vcan0", True),
        ("socketcan", "can0", True),
        ("socketcan", "slcan0", True),
        ("udp_multicast", "239.0.0.1", True),
    ],
)
def test_hardware_is_what_leaves_this_machine(interface: str, channel: str | None, hardware: bool) -> None:
    """Real control units may be there; a name says nothing, and an operator may."""
    assert BusSettings(interface=interface, channel=channel).is_hardware == hardware
    for said in (True, False):
        assert BusSettings(interface=interface, channel=channel, hardware=said).is_hardware is said


def test_presets_are_collected_from_all_frames() -> None:
    """Of messages, raw frames and the rest bus."""
    bus = BusSettings.model_validate(
        {
            "interface": "embedded",
            "database": "a.dbc",
            "messages": {"M": {"protection": ["honda"]}},
            "raw": {
                "A": {"id": 1, "period": 10, "protection": [{"counter": {"at": {"bit": 0, "width": 4}}}, "toyota"]}
            },
            "rest_bus": {"file": "a.log", "protection": [{"id": 2, "protection": ["vw-mqb"]}]},
        }
    )
    assert bus.presets == {"honda", "toyota", "vw-mqb"}


@pytest.mark.parametrize(
    "channel", ["spy://loop://?file=PWNED", " SPY:///dev/null?file=PWNED&raw", "alt://x?class=Serial"]
)
@pytest.mark.parametrize("interface", ["slcan", "serial", "robotell"])
def test_a_channel_that_writes_files_is_refused(interface: str, channel: str) -> None:
    """pyserial's spy:// opens the file for writing before it opens the line, and writes what is sent."""
    with pytest.raises(ValidationError, match="is no line"):
        BusSettings(interface=interface, channel=channel)


@pytest.mark.parametrize(("interface", "option"), [("neovi", "override_library_name"), ("usb2can", "dll")])
def test_a_parameter_that_loads_a_library_is_refused(interface: str, option: str) -> None:
    with pytest.raises(ValidationError, match="names a shared library"):
        BusSettings(interface=interface, channel="1", options={option: "./evil.so"})
