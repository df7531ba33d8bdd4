"""The load says what a driver and a pedal board would say."""

import can
import cantools

from ..program import CHECKOUT
from .load import driver_frame


def test_the_drivers_frame_is_one_of_the_database() -> None:
    """As python-can reads the line, and cantools the frame: throttle, first gear, key; all else at rest."""
    line = driver_frame(40, key=1).decode()
    assert (line[0], line[-1]) == ("t", "\r")
    frame = can.Message(arbitration_id=int(line[1:4], 16), dlc=int(line[4]), data=bytes.fromhex(line[5:-1]))
    database = cantools.database.load_file(CHECKOUT / "dbc/powertrain.dbc")
    assert isinstance(database, cantools.database.Database)
    message = database.get_message_by_frame_id(frame.arbitration_id)
    values = message.decode(bytes(frame.data), decode_choices=False)
    assert isinstance(values, dict)
    assert (message.name, frame.dlc) == ("DriverInputs", message.length)
    assert {name: value for name, value in values.items() if value} == {"Throttle": 40, "ManualGear": 1, "Key": 1}
