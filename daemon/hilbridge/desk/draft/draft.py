"""Drafts a bench file from what the user names: a database, a profile, or a bench."""

import re
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.desk.draft.from_bench import copy_bench
from hilbridge.desk.draft.from_database import draft_bench
from hilbridge.desk.draft.from_ldf import SUFFIX, draft_ldf
from hilbridge.desk.draft.from_profile import draft_profile
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.profiles import load_profile
from hilbridge.frames.codec.database import FORMATS, load_database


def draft(source: str, file: Path | None, bus: str | None, nodes: list[str], access: BusAccess) -> str:
    """Return the text of a bench file that is to be written to `file`; None: who knows where.

    ConfigurationError: there is no such source, or it does not have what is asked for.
    """
    if Path(source).suffix.lower() in FORMATS:
        path = find(Kind.DATABASE, source)
        shipped = "/" not in source and not Path(source).is_file()
        named = source if shipped else _seen_from(path, file)
        return draft_bench(load_database(path), named, bench_name(file or path), bus or "can", nodes, access)
    if Path(source).suffix.lower() == SUFFIX:
        if not Path(source).is_file():
            raise ConfigurationError(f"there is no file {source}")
        return draft_ldf(Path(source), bench_name(file or Path(source)), bus or "lin", nodes)
    for option, given in (
        ("--node", nodes),
        ("--bus", bus),
        ("--bitrate", access.bitrate and access.interface == "embedded"),
    ):
        if given:
            reason = f"{option} belongs to a database ({', '.join(FORMATS)}); {source} is a bench, copied as it is"
            raise ConfigurationError(reason)
    bench = load_bench(source)
    return copy_bench(bench, bench_name(file or Path(f"my-{bench.settings.name}")), access)


def draft_from_profile(name: str, file: Path | None, bus: str | None, access: BusAccess) -> str:
    """Return the text of a bench for a profile that is to be written to `file`; None: who knows where.

    ConfigurationError: there is no such profile, or it is wrong.
    """
    profile = load_profile(name)
    named = profile.name if profile.is_installed else _seen_from(profile.path, file)
    return draft_profile(profile, named, bench_name(file or profile.path), bus or "cluster", access)


def bench_name(path: Path) -> str:
    """Return a name for a bench from that of a file: letters, digits, '_' and '-', beginning with a letter."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", path.stem).strip("-")
    return name if re.match(r"[A-Za-z]", name) else f"bench-{name}".rstrip("-")


def _seen_from(path: Path, file: Path | None) -> str:
    """Return a path as a bench file names it: from its own folder if it lies below, else in full."""
    folder = (file.parent if file is not None else Path()).resolve()
    whole = path.resolve()
    return str(whole.relative_to(folder)) if whole.is_relative_to(folder) else str(whole)
