"""A serial port that comes and goes, for those who read its descriptor."""

import os
import termios
from pathlib import Path

import pytest
import serial

from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links.serial_line import SerialLine

from ....serial_board import Board


def test_a_port_that_another_program_uses_is_waited_for(board: Board) -> None:
    """Two readers would each get half of the bytes."""
    first, second = SerialLine(str(board.path), 115_200), SerialLine(str(board.path), 115_200)
    assert first.descriptor is not None
    assert second.descriptor is None
    assert "cannot be opened" in second.trouble
    first.close()
    second.renew(100 * MILLISECOND)
    assert second.descriptor is not None
    assert second.trouble == ""
    second.close()


def test_a_lost_port_is_opened_again_but_not_at_once(board: Board) -> None:
    """An adapter that falls out of its socket at every start must not keep the tick busy."""
    line = SerialLine(str(board.path), 115_200)
    line.lose(0)
    assert line.descriptor is None
    assert "was unplugged" in line.trouble
    line.renew(MILLISECOND)
    assert line.descriptor is None
    line.renew(1_000 * MILLISECOND)
    assert line.descriptor is not None
    line.close()
    assert line.descriptor is None


@pytest.mark.parametrize("kind", ["file", "folder", "null"])
def test_something_that_can_never_be_a_serial_port_is_an_error(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "thing"
    if kind == "file":
        path.write_bytes(b"")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/null")
    with pytest.raises(LinkError, match=r"thing is not a serial port") as error:
        SerialLine(str(path), 115_200, ("port",))
    assert error.value.place == ("port",)


def test_a_port_that_leaves_while_it_is_being_opened_is_only_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """termios.error is no OSError; an adapter unplugged at that moment raises it."""

    def unplugged(*_: object, **__: object) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(serial, "Serial", unplugged)
    line = SerialLine("/dev/hilbridge-nothing", 115_200)
    line.renew(10_000 * MILLISECOND)
    assert line.descriptor is None
    assert "cannot be opened" in line.trouble


def test_a_break_arrives_as_a_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """By termios(3) a break is read as 0 if none of these flags is set; another program may have left them."""
    flags = termios.BRKINT | termios.IGNBRK | termios.IGNPAR | termios.PARMRK
    own, other = os.openpty()
    attributes = termios.tcgetattr(other)
    attributes[0] |= flags
    termios.tcsetattr(other, termios.TCSANOW, attributes)
    line = SerialLine(os.ttyname(other), 19_200)
    assert termios.tcgetattr(other)[0] & flags == 0
    breaks: list[bool] = []
    monkeypatch.setattr(serial.Serial, "_update_break_state", lambda port: breaks.append(port.break_condition))
    line.close()
    assert breaks == [False]  # one that is under way does not outlast the port
    os.close(own)
    os.close(other)
