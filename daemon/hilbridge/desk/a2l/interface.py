"""IF_DATA XCPplus of an A2L file: what the slave can do, its event channels, and where it is."""

import platform
from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import Final, Literal, NamedTuple

from hilbridge.base.common.addresses import is_wildcard
from hilbridge.bench.xcp.event_channels import EventChannel
from hilbridge.bench.xcp.layout import CAN, ETHERNET, LARGEST_ENTRY, LARGEST_STIM_ENTRY, MOST_LISTS

VERSION: Final = 0x0104
"""XCP 1.4; nothing of a later one is used."""

TIMEOUT: Final = 2000
"""[ms] T1 to T7: a tick that is overloaded answers later than others."""

_COMMANDS: Final = """
GET_COMM_MODE_INFO GET_ID SET_MTA UPLOAD SHORT_UPLOAD BUILD_CHECKSUM CLEAR_DAQ_LIST SET_DAQ_PTR WRITE_DAQ
SET_DAQ_LIST_MODE GET_DAQ_LIST_MODE START_STOP_DAQ_LIST START_STOP_SYNCH GET_DAQ_CLOCK GET_DAQ_PROCESSOR_INFO
GET_DAQ_RESOLUTION_INFO GET_DAQ_EVENT_INFO FREE_DAQ ALLOC_DAQ ALLOC_ODT ALLOC_ODT_ENTRY GET_SEED UNLOCK"""

_LONG: Final = "WRITE_DAQ_MULTIPLE"
_WRITING: Final = "DOWNLOAD"
_LONG_WRITING: Final = "SHORT_DOWNLOAD"
"""Those that are longer than a frame of CAN."""

_PAGES: Final = """
SET_CAL_PAGE GET_CAL_PAGE GET_PAG_PROCESSOR_INFO GET_SEGMENT_INFO GET_PAGE_INFO COPY_CAL_PAGE"""

SEGMENT: Final = "engine_parameters"
"""The name of the calibration segment."""

_EXTENDED: Final = 0x80000000
"""The flag of an identifier of 29 bits."""


class XcpPlace(NamedTuple):
    """Where a slave is; `host`: an IP address or the name of a machine."""

    transport: Literal["tcp", "udp"]
    host: str
    port: int


class CanIdentifiers(NamedTuple):
    """Where a slave is on CAN; `bitrate` [bit/s] where it is known."""

    request: int
    answer: int
    extended: bool
    bitrate: int | None


def place_of(transport: Literal["tcp", "udp"], address: str, port: int) -> XcpPlace:
    """Return where a slave that listens at an IP address is; of all of them, at this machine by its name."""
    return XcpPlace(transport, platform.node() if is_wildcard(address) else address, port)


def if_data(
    place: XcpPlace | CanIdentifiers, channels: Sequence[EventChannel], *, write: bool, has_pages: bool = False
) -> str:
    """Return the IF_DATA of a module; `has_pages`: there is a calibration segment."""
    on_can = isinstance(place, CanIdentifiers)
    layout = CAN if on_can else ETHERNET
    names = [*_COMMANDS.split(), *(() if on_can else (_LONG,))]
    if write:
        names += [_WRITING, *(() if on_can else (_LONG_WRITING,))]
    if has_pages:
        names += _PAGES.split()
    commands = "".join(f"\n        OPTIONAL_CMD {one}" for one in names)
    timeouts = " ".join(7 * [str(TIMEOUT)])
    sizes = f"{layout.most_command} {layout.most_data}"
    field = "ABSOLUTE" if layout.is_absolute else "RELATIVE_BYTE"
    return f"""\
    /begin IF_DATA XCPplus {VERSION:#06x}
      /begin PROTOCOL_LAYER
        {VERSION:#06x} {timeouts} {sizes} BYTE_ORDER_MSB_LAST ADDRESS_GRANULARITY_BYTE{commands}
      /end PROTOCOL_LAYER{_PAG if has_pages else ""}
      /begin DAQ
        DYNAMIC {MOST_LISTS} {len(channels)} 0 OPTIMISATION_TYPE_DEFAULT ADDRESS_EXTENSION_FREE
        IDENTIFICATION_FIELD_TYPE_{field} GRANULARITY_ODT_ENTRY_SIZE_DAQ_BYTE {LARGEST_ENTRY}
        OVERLOAD_INDICATION_EVENT
        PRESCALER_SUPPORTED{_STIM if write else ""}
        /begin TIMESTAMP_SUPPORTED
          1 {"SIZE_WORD UNIT_100US" if on_can else "SIZE_DWORD UNIT_1US"}
        /end TIMESTAMP_SUPPORTED
{chr(10).join(_events(channels, "DAQ_STIM" if write else "DAQ"))}
      /end DAQ
{_on_can(place) if isinstance(place, CanIdentifiers) else _on_ip(place)}
    /end IF_DATA"""


_STIM: Final = f"""
        /begin STIM GRANULARITY_ODT_ENTRY_SIZE_STIM_DWORD {LARGEST_STIM_ENTRY}
        /end STIM"""

_PAG: Final = """
      /begin PAG 0x01
      /end PAG"""


def _on_ip(place: XcpPlace) -> str:
    layer = f"XCP_ON_{place.transport.upper()}_IP"
    return f"""\
      /begin {layer}
        {VERSION:#06x} {place.port} {_kind(place.host)} "{place.host}"
      /end {layer}"""


def _on_can(place: CanIdentifiers) -> str:
    flag = _EXTENDED if place.extended else 0
    bitrate = "" if place.bitrate is None else f"\n        BAUDRATE {place.bitrate}"
    return f"""\
      /begin XCP_ON_CAN
        {VERSION:#06x}
        CAN_ID_MASTER {place.request | flag:#x}
        CAN_ID_SLAVE {place.answer | flag:#x}{bitrate}
      /end XCP_ON_CAN"""


def _kind(host: str) -> str:
    try:
        return "IPV6" if ip_address(host).version == 6 else "ADDRESS"
    except ValueError:
        return "HOST_NAME"


def _events(channels: Sequence[EventChannel], directions: str) -> Iterator[str]:
    for number, channel in enumerate(channels):
        yield f"""\
        /begin EVENT
          "{channel.name}" "{channel.name}" {number} {directions} {MOST_LISTS} {channel.cycle} {channel.unit} 0
          CONSISTENCY EVENT
        /end EVENT"""
