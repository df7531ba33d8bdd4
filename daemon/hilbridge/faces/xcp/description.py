"""The A2L file of a slave: the same by the command `a2l` and by XCP itself (GET_ID 4)."""

from hilbridge.desk.a2l.file import ENCODING, a2l_of
from hilbridge.desk.a2l.interface import CanIdentifiers, XcpPlace, place_of
from hilbridge.faces.xcp.setup import Setup


def description_of(setup: Setup, port: int) -> bytes:
    """Return the A2L file of the slave of a bench; `port` is of no account on CAN."""
    place, write = _place(setup, port), setup.control is not None
    text = a2l_of(setup.bench, setup.entries, setup.rate, place, write=write, parameters=setup.parameters)
    return text.encode(ENCODING, "replace")


def where(setup: Setup, port: int) -> str:
    """Return where the slave is, for people."""
    place = _place(setup, port)
    if isinstance(place, CanIdentifiers):
        return f"frames {place.request:X} and {place.answer:X} on CAN"
    return f"{place.transport} port {port} of {place.host}"


def _place(setup: Setup, port: int) -> XcpPlace | CanIdentifiers:
    if setup.transport != "can":
        return place_of(setup.transport, setup.address, port)
    if setup.can is None:
        raise ValueError("XCP on CAN has identifiers")
    return setup.can.wire
