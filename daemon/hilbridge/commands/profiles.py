"""`hilbridge profiles`: the receivers, such as instrument clusters, whose frames a bench can take from a file."""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from hilbridge.base.common.bundle_files import read_source, write_bundle
from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.words import counted
from hilbridge.base.packs import packs
from hilbridge.base.resources import Kind, names
from hilbridge.commands.table import print_table
from hilbridge.desk.beside.car import Car, read_car
from hilbridge.desk.beside.compare import compare
from hilbridge.desk.beside.words import facts, identifier, is_another, row, signal_rows
from hilbridge.desk.draft.wiring import picture, wires_of
from hilbridge.desk.frames.describe import describe_frames
from hilbridge.desk.frames.header import left_out, write_header
from hilbridge.desk.packs.pack import read_pack
from hilbridge.files.configuration.known import Known
from hilbridge.files.configuration.profiles import Profile, load_profile
from hilbridge.files.settings.profiles import CONFIDENCE

ADD: Final = "add"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="PROFILE", help="all about one profile, or a word: those that are about it"
    )
    parser.add_argument(
        "source",
        nargs="?",
        type=Path,
        metavar="SOURCE",
        help="`profiles add SOURCE`: take in a profile or layout, a folder of them, or a package (.whl, .zip)",
    )
    parser.add_argument("--force", action="store_true", help="add: in place of files and names that are there")
    parser.add_argument("--json", action="store_true", help="as a list of objects")
    parser.add_argument(
        "--frames",
        choices=("json", "c"),
        help="its frames for other programs: bits, scales, counters and checksums as JSON; or a C99 header",
    )
    parser.add_argument(
        "--against",
        nargs="+",
        type=Path,
        metavar="LOG",
        help="its frames beside those of a car: what the logs have otherwise, byte by byte; status 1: a length, "
        "period, counter or checksum",
    )
    parser.add_argument("--channel", metavar="NAME", help="the bus of the logs, where they have several")
    parser.add_argument("--wiring", choices=("text", "svg"), help="its wiring: a table, or a picture")


def run(options: argparse.Namespace) -> int:
    if options.source is not None:
        if options.name != ADD:
            raise ConfigurationError(f"{quoted(options.name)} {options.source}: one profile at a time, or: add SOURCE")
        return _add(options.source, force=options.force)
    if options.frames:
        return _print_frames(options.name, options.frames)
    if options.against:
        return _print_beside(options.name, read_car(options.against, options.channel), as_json=options.json)
    _tell_left_out()
    if options.wiring:
        return _print_wiring(options.name, options.wiring)
    found = _found(options.name)
    profiles = [load_profile(name) for name in ([options.name] if options.name and not found else found)]
    if options.json:
        print(json.dumps([profile.facts() for profile in profiles], indent=2, ensure_ascii=False))
    elif options.name and not found:
        _print_profile(profiles[0])
    else:
        rows = ((one.name, one.settings.confidence, one.settings.title) for one in profiles)
        print_table(("profile", "confidence", "what it is"), rows)
    return 0


def _add(source: Path, *, force: bool) -> int:
    """Take the files of a pack into the folders of this user."""
    files = read_pack(source)
    kinds = {kind.folder: kind for kind in (Kind.PROFILE, Kind.LAYOUT)}
    home = Kind.PROFILE.of_the_user
    if home is None:
        raise ConfigurationError("this user has no home folder, and so no folder of profiles")
    for name, content in files.items():
        folder, _, file = name.partition("/")
        kind = kinds[folder]
        shipped, there = kind.shipped / file, home.parent / name
        if not force and (is_file(there) and read_source(there) != content):
            raise ConfigurationError(f"{there}: is there, and says something else: --force puts this in its place")
        if not force and "/" not in file and is_file(shipped):
            raise ConfigurationError(
                f"{file}: {shipped.stem} is a {kind.word} that came with hilbridge, and this would take its place: "
                "rename it, or --force"
            )
    write_bundle(home.parent, files)
    for name in files:
        print(home.parent / name)
    added = [Path(name).stem for name in files if name.count("/") == 1 and name.endswith(Kind.PROFILE.extension)]
    print(f"added: {', '.join(added) or 'nothing with a name of its own'}")
    return 0


def _tell_left_out() -> None:
    """Say on standard error which installed packages of profiles are left out."""
    for pack in packs():
        if pack.fault:
            print(f"left out: the package {pack.name}: {pack.fault}", file=sys.stderr)


def _found(word: str | None) -> list[str]:
    """Return all profiles without a word, and those that are about it where it is no name of one and no file."""
    known = names(Kind.PROFILE)
    if word is None:
        return known
    if word in known or "/" in word or word.endswith(Kind.PROFILE.extension):
        return []
    return [name for name in known if word.casefold() in f"{name} {load_profile(name).settings.title}".casefold()]


def _print_frames(name: str | None, form: str) -> int:
    """Print the frames of one profile; on standard error what a header leaves out."""
    if name is None:
        raise ConfigurationError("--frames needs the name of a profile")
    told = describe_frames(load_profile(name))
    if form == "json":
        print(json.dumps(told, indent=1, ensure_ascii=False))
        return 0
    print(write_header(told), end="")
    for frame, reason in left_out(told).items():
        print(f"left out: {frame}: {reason}", file=sys.stderr)
    return 0


def _print_beside(name: str | None, car: Car, *, as_json: bool) -> int:
    """Print a profile beside the logs of a car; on standard error what of the logs was left out.

    Status 1: a length, period, counter or checksum is another than in the car.
    """
    if name is None:
        raise ConfigurationError("--against needs the name of a profile")
    profile = load_profile(name)
    found = compare(profile, car)
    status = int(any(map(is_another, found.frames)))
    for log in car.logs:
        for words in log.reading.words():
            print(f"{log.path}: {words}", file=sys.stderr)
    if as_json:
        print(json.dumps({"profile": profile.name} | facts(found), indent=1, ensure_ascii=False))
        return status
    print(f"{profile.name} beside {counted(car.frames, 'frame')} in {car.seconds:.1f} s\n")
    print_table(("id", "frame", "frames", "verdict", "words"), (row(frame) for frame in found.frames))
    if signals := list(signal_rows(found)):
        print()
        print_table(("frame", "signal", "in the car", "from"), signals)
    for title, ids in (("not in the profile", found.strangers), ("left to the receiver", found.never_sent)):
        if ids:
            print(f"\n{title}: {' '.join(map(identifier, ids))}")
    return status


def _print_wiring(name: str | None, form: str) -> int:
    """Print the wiring of one profile."""
    if name is None:
        raise ConfigurationError("--wiring needs the name of a profile")
    profile = load_profile(name)
    if form == "svg":
        print(picture(f"{profile.name}: {profile.settings.title}", profile.settings), end="")
    else:
        print_table(("hilbridge", "receiver", ""), wires_of(profile.settings))
    return 0


def _identifier(frame: Known) -> str:
    return "" if frame.identifier is None else f"{frame.identifier:03X}"


def _print_profile(profile: Profile) -> None:
    settings = profile.settings
    print(f"{profile.name}: {settings.title}")
    print(f"confidence: {settings.confidence}, {CONFIDENCE[settings.confidence]}")
    print(f"tested: {settings.tested}")
    for doubt in profile.doubts:
        print(doubt)
    if settings.wiring:
        print()
        print_table(("wiring", ""), ((pin, wire.text) for pin, wire in settings.wiring.items()))
    if profile.frames:
        print()
        rows = ((_identifier(one), one.name, one.words, one.source or "") for one in profile.frames)
        print_table(("id", "frame", "known", "by"), rows)
    for title, lines in (("notes", settings.notes), ("sources", settings.sources)):
        if lines:
            print(f"\n{title}:", *(f"  {line}" for line in lines), sep="\n")
    print(f"\n{profile.path}\na bench: hilbridge new --profile {profile.name} my.yaml")
