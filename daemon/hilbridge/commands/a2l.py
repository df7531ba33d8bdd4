"""`hilbridge a2l BENCH`: writes the A2L file with which measurement and calibration tools read a bench by XCP."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.desk.a2l.file import ENCODING, a2l_of
from hilbridge.desk.a2l.interface import CanIdentifiers, XcpPlace, place_of
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.xcp import XcpSettings
from hilbridge.frames.codec.custom import entries_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the bench and the file."""
    parser.add_argument("bench", metavar="BENCH", help="name of a bench, or path of a bench file, with 'xcp'")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file (default: NAME.a2l)")


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it; exit status 0."""
    settings = load_bench(args.bench).settings
    xcp = settings.xcp
    if xcp is None:
        raise ConfigurationError("is missing: this bench has no XCP slave", ("xcp",))
    if xcp.transport != "can" and not xcp.port:
        raise ConfigurationError("xcp.port is 0, any free one; an A2L file has to say which one")
    path = args.output or Path(f"{settings.name}.a2l")
    entries = entries_of(settings.custom)
    place, where = _place(xcp, settings)
    text = a2l_of(settings.name, entries, settings.rate, place, write=xcp.write)
    try:
        with path.open("xb") as file:
            file.write(text.encode(ENCODING, "replace"))
    except FileExistsError:
        raise ConfigurationError(f"{path} exists") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
    print(f"{path}: ASAP2 1.61 with IF_DATA XCPplus; {where}")
    held = sum(entry.limits is not None for entry in entries.all()) if xcp.write else 0
    print(f"  {counted(len(entries.all()), 'measurement')}, {counted(held, 'characteristic')}")
    return 0


def _place(xcp: XcpSettings, settings: BenchSettings) -> tuple[XcpPlace | CanIdentifiers, str]:
    """Return where the slave is, for the file and for people."""
    if xcp.transport != "can":
        place = place_of(xcp.transport, xcp.address, xcp.port)
        return place, f"{xcp.transport} port {xcp.port} of {place.host}"
    request, answer = xcp.request or 0, xcp.answer or 0
    bitrate = settings.buses[xcp.bus or ""].bitrate
    return CanIdentifiers(request, answer, xcp.extended, bitrate), f"frames {request:X} and {answer:X} on CAN"
