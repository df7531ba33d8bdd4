"""A fault of something that does not exist is refused with its key."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError

from .rig import Rig, fault

ENGINE = {"bus": "can", "message": "Engine"}
FRAME = {"kind": "frame", **ENGINE}
SIGNAL = {"kind": "signal", **ENGINE, "effect": "drop-out"}


@pytest.mark.parametrize(
    ("settings", "key", "words"),
    [
        ({**FRAME, "bus": "cam", "effect": "drop"}, "bus", "unknown bus 'cam': did you mean can?"),
        ({**FRAME, "message": "Engin", "effect": "drop"}, "message", "did you mean Engine?"),
        ({**FRAME, "message": 0x123, "effect": "drop"}, "message", "sends no frame 0x123 on bus can"),
        ({**SIGNAL, "signal": "Rpm"}, "signal", "unknown signal of Engine 'Rpm'"),
        ({**SIGNAL, "signal": "COUNTER"}, "signal", "is filled by the message's protection"),
        ({**SIGNAL, "message": 0x300, "signal": "A"}, "message", "Alive has no signals"),
        ({**FRAME, "effect": "length", "length": 8}, "length", "that is the right length"),
        ({**FRAME, "effect": "length", "length": 12}, "length", "a classic frame has 8 bytes at most"),
        ({**FRAME, "effect": "counter", "group": 1}, "group", "Engine has 1 item of protection"),
        ({**FRAME, "message": "Lamps", "effect": "counter"}, "effect", "Lamps has no items of protection"),
        ({**FRAME, "message": "Alive", "effect": "checksum"}, "effect", "Alive has no checksum"),
        ({**FRAME, "effect": "counter", "amount": 32}, "amount", "32 changes nothing in 4 bits"),
        ({"kind": "ecu", "ecu": "brakes"}, "ecu", "unknown diagnostic control unit 'brakes'"),
        ({"kind": "ecu", "bus": "can", "node": "EC"}, "node", "unknown node of rig.dbc 'EC'"),
        ({"kind": "ecu", "bus": "can", "node": "IDLE"}, "node", "sends nothing for node IDLE"),
        ({"kind": "link", "bus": "b", "effect": "down"}, "bus", "unknown bus 'b'"),
        ({"kind": "physics", "entry": "road.Slope", "value": 0.1}, "entry", "unknown entry of the Fault channel"),
        ({"kind": "physics", "entry": "Misfires", "value": 0.1}, "entry", "did you mean fault.Misfire?"),
        ({"kind": "physics", "entry": "Misfire", "value": 1.1}, "value", "1.1 of fault.Misfire is not within 0..1"),
    ],
)
def test_what_does_not_exist_is_refused(tmp_path: Path, settings: dict[str, Any], key: str, words: str) -> None:
    """By command with the key, in the bench file with the whole key path; and nothing has changed."""
    counter = {"counter": {"at": {"bit": 0, "width": 8}}}
    raw = {"Alive": {"id": 0x300, "data": "00 00", "period": 10, "protection": [counter]}}
    rig = Rig(tmp_path, raw=raw)
    with pytest.raises(ConfigurationError, match=words.replace("?", r"\?")) as raised:
        rig.injector.add(fault(**settings), 0)
    assert raised.value.place == (key,)
    assert rig.injector.status() == []
    with pytest.raises(ConfigurationError) as raised:
        Rig(tmp_path, fault(**FRAME, effect="drop"), fault(**settings), raw=raw)
    assert raised.value.place == ("faults", 1, key)


@pytest.mark.parametrize("message", [0x300, "Alive"])
def test_a_raw_frame_is_hit_by_its_identifier_or_its_name(tmp_path: Path, message: int | str) -> None:
    raw = {"Alive": {"id": 0x300, "period": 10}}
    rig = Rig(tmp_path, fault(kind="frame", bus="can", message=message, effect="drop"), raw=raw)
    rig.play(50)
    assert (rig.frames(0x300), len(rig.frames(0x100))) == ([], 5)
