"""`hilbridge profiles`: the receivers, such as instrument clusters, whose frames a bench can take from a file."""

import argparse
import json
import sys

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, names
from hilbridge.commands.table import print_table
from hilbridge.desk.draft.wiring import picture, wires_of
from hilbridge.desk.frames.describe import describe_frames
from hilbridge.desk.frames.header import left_out, write_header
from hilbridge.files.configuration.known import Known
from hilbridge.files.configuration.profiles import Profile, load_profile
from hilbridge.files.settings.profiles import CONFIDENCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="PROFILE", help="all about one profile, or a word: those that are about it"
    )
    parser.add_argument("--json", action="store_true", help="as a list of objects")
    parser.add_argument(
        "--frames",
        choices=("json", "c"),
        help="its frames for other programs: bits, scales, counters and checksums as JSON; or a C99 header",
    )
    parser.add_argument("--wiring", choices=("text", "svg"), help="its wiring: a table, or a picture")


def run(options: argparse.Namespace) -> int:
    if options.frames:
        return _print_frames(options.name, options.frames)
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
