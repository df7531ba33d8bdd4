"""The helper process: python-can on one side, a socket of can_frame datagrams on the other.

    python -m hilbridge.boundary.links.helper_process DESCRIPTOR PARENT

The first datagram it reads holds the bus's parameters as JSON; its first answer is "opened", or a report why not: JSON
with the reason as text, the key that is to blame, and whether it may pass. When it fails later on, such a report is
its last datagram.
"""

import contextlib
import json
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Final

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.process.child_process import die_with
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.boundary.links.can_frame import CLASSIC_SIZE, FD_SIZE, LARGEST_REPORT, pack_frame, unpack_frame
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, EXTENDED_MASK, FD, REMOTE, Frame

if TYPE_CHECKING:
    import can

OPENED: Final = b"opened"
LONGEST_REASON: Final = 600
"""Characters; JSON makes six bytes, at most, of each."""
RECEIVE_TIMEOUT: Final = 0.1
"""[s] after which the receiving loop checks whether the daemon has closed its end."""


def main() -> int:
    descriptor, parent = int(sys.argv[1]), int(sys.argv[2])
    become_child_of(parent)
    lean_imports()
    with socket.socket(fileno=descriptor) as daemon:
        request = json.loads(daemon.recv(LARGEST_REPORT))
        try:
            # only now: python-can takes a while to load, and the scheduler has been reset
            from hilbridge.boundary.links.python_can import open_interface, require_options

            require_options(request["interface"], request["options"])
            bus = open_interface(request["interface"], request["channel"], request["options"], **request["common"])
        except Exception as error:  # noqa: BLE001 - a driver may raise anything; the daemon reports it
            return report_failure(daemon, error)
        daemon.send(OPENED)
        try:
            _transfer(daemon, bus)
        except Exception as error:  # noqa: BLE001 - the same
            return report_failure(daemon, error)
        finally:
            with contextlib.suppress(Exception):
                bus.shutdown()
    return 0


def become_child_of(parent: int) -> None:
    """Leave Ctrl-C to the tick process, end with it, and do not run at its priority."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent, signal.SIGKILL)
    become_ordinary()


def _transfer(daemon: socket.socket, bus: "can.BusABC") -> None:
    """Transfer frames in both directions until the daemon closes its end; an interface that fails to receive raises."""
    closed = threading.Event()
    threading.Thread(target=_transmit, args=(daemon, bus, closed), daemon=True).start()
    while not closed.is_set():
        message = bus.recv(RECEIVE_TIMEOUT)
        if message is not None and message.is_rx:
            with contextlib.suppress(BrokenPipeError):  # the daemon has just closed its end
                daemon.send(pack_frame(frame_of(message)))


def _transmit(daemon: socket.socket, bus: "can.BusABC", closed: threading.Event) -> None:
    """Send the frames of the daemon; one that python-can does not take is answered by an error frame."""
    with contextlib.suppress(OSError):
        while datagram := daemon.recv(FD_SIZE):
            try:
                bus.send(message_of(unpack_frame(datagram)))
            except Exception:  # noqa: BLE001 - the same
                daemon.send(pack_frame(Frame(ERROR, bytes(8))))
    closed.set()


def frame_of(message: "can.Message") -> Frame:
    """Return a python-can message as a frame."""
    can_id = message.arbitration_id
    if message.is_extended_id:
        can_id |= EXTENDED
    if message.is_error_frame:
        can_id |= ERROR
    if message.is_remote_frame:
        return Frame(can_id | REMOTE, bytes(message.dlc))
    flags = (FD if message.is_fd else 0) | (BRS if message.bitrate_switch else 0)
    return Frame(can_id, bytes(message.data), flags)


def message_of(frame: Frame) -> "can.Message":
    """Return a frame as a python-can message."""
    import can

    remote = bool(frame.can_id & REMOTE)
    return can.Message(
        arbitration_id=frame.can_id & EXTENDED_MASK,
        is_extended_id=frame.is_extended,
        is_remote_frame=remote,
        dlc=len(frame.data),
        data=None if remote else frame.data,
        is_fd=bool(frame.flags & FD),
        bitrate_switch=bool(frame.flags & BRS),
    )


def report_failure(daemon: socket.socket, error: Exception) -> int:
    """Report the reason to the daemon; no report has the size of a frame."""
    report = pack_report(error)
    with contextlib.suppress(OSError):
        daemon.send(report if len(report) not in (CLASSIC_SIZE, FD_SIZE) else report + b" ")
    return 1


def pack_report(error: Exception) -> bytes:
    """Return an error as JSON of at most LARGEST_REPORT bytes."""
    words = (str(error) or type(error).__name__)[:LONGEST_REASON]
    place = error.place if isinstance(error, LinkError) else ()
    may_pass = isinstance(error, NotNowError) or not isinstance(error, LinkError)
    return json.dumps({"reason": words.strip(), "place": place, "may_pass": may_pass}).encode()


def unpack_report(report: bytes) -> LinkError:
    """Return the error of a report."""
    content = json.loads(report)
    return (NotNowError if content["may_pass"] else LinkError)(content["reason"], tuple(content["place"]))


if __name__ == "__main__":
    sys.exit(main())
