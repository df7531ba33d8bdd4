"""`hilbridge new`: a bench file to start from, out of a database, a profile or another bench."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.commands import check
from hilbridge.desk.draft.draft import draft, draft_from_profile
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.frames.codec.database import FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write a bench file to start from, with comments, and check it. From a database: it finds engine speed, road "
        "speed, temperatures, fuel, pedals, lamps ... by name and unit, counters and checksums by name and place, and "
        "says behind each line how sure that is. From a profile: a bus for that instrument cluster. "
        "From a bench: a copy with another name."
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the bench file; default: standard output")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="the same as FILE")
    origin = parser.add_mutually_exclusive_group(required=True)
    origin.add_argument(
        "--from", dest="source", metavar="SOURCE",
        help=f"a database ({', '.join(FORMATS)}), a description of a LIN (.ldf), or a bench: its path, or the name of "
        "a packaged one",
    )  # fmt: skip
    origin.add_argument("--profile", metavar="PROFILE", help="a profile, as `hilbridge profiles` lists them")
    parser.add_argument(
        "--node", action="append", default=[], help="node of the database, or of the LIN, that is ours; or several"
    )
    parser.add_argument(
        "--bus", metavar="NAME", help="name of the bus in the bench (default: can; with --profile: cluster)"
    )
    parser.add_argument(
        "--interface", default="embedded", help="socketcan, or another of python-can (default: embedded)"
    )
    parser.add_argument("--channel", help="of the interface (default: can0)")
    parser.add_argument("--bitrate", type=int, help="of the bus, in bit/s")
    parser.add_argument("--force", action="store_true", help="write FILE even if there is one")


def run(options: argparse.Namespace) -> int:
    """Write the file and check it; exit status 2 where that is refused."""
    options.file = options.file or options.output
    if options.interface == "embedded" and options.channel:
        raise ConfigurationError("--channel belongs to an --interface, e.g. --interface socketcan")
    access = BusAccess(options.interface, options.channel, options.bitrate)
    if options.profile is None:
        text = draft(options.source, options.file, options.bus, options.node, access)
    elif options.node:
        raise ConfigurationError("--node belongs to a database, not to a profile")
    else:
        text = draft_from_profile(options.profile, options.file, options.bus, access)
    if options.file is None:
        print(text, end="")
        return 0
    try:
        if options.force:
            write_output(options.file, text)
        else:
            with options.file.open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError:
        raise ConfigurationError(f"{options.file} is there already; --force overwrites it") from None
    except OSError as error:
        raise ConfigurationError(f"cannot write {options.file}: {error.strerror}") from None
    checked = argparse.ArgumentParser()
    check.add_arguments(checked)
    return check.run(checked.parse_args(["--", str(options.file)]))
