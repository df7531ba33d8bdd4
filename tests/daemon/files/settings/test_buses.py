"""What the settings of a bus say together."""

import pytest

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
        ("socketcan", "vcan0", False),
        ("socketcan", "can0", True),
        ("socketcan", "slcan0", True),
        ("udp_multicast", "239.0.0.1", True),
    ],
)
def test_hardware_is_what_leaves_this_machine(interface: str, channel: str | None, hardware: bool) -> None:
    """Real control units may be there."""
    assert BusSettings(interface=interface, channel=channel).is_hardware == hardware


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
