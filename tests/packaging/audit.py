"""Is anything installed that an advisory warns of? Works without a network, against a file of advisories.

    python -m tests.packaging.audit ADVISORIES [BILL]

ADVISORIES is in the format of OSV (https://ossf.github.io/osv-schema/), as the PyPA advisory database publishes it: one
JSON file, or a zip of many, such as the `all.zip` of OSV's ecosystem PyPI. BILL is a bill of materials in CycloneDX,
such as that of the Debian package; without it, what is installed here is judged.

Exit status 0: nothing is concerned; 1: something is, a line for each; 2: the files cannot be judged. A file without one
advisory for Python packages is such a file: it looks like a clean result and is none.
"""

import argparse
import json
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, Final

from packaging.version import InvalidVersion, Version
from systemd.sbom import canonical

ECOSYSTEM: Final = "PyPI"


class UnreadableError(Exception):
    """A file that cannot be judged; the text says which and why."""


def records(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the advisories of a file."""
    try:
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                for name in archive.namelist():
                    if name.endswith(".json"):
                        yield json.loads(archive.read(name))
        else:
            content = json.loads(file.read_bytes())
            yield from content if isinstance(content, list) else [content]
    except (OSError, ValueError, zipfile.BadZipFile) as reason:
        raise UnreadableError(f"{file}: {reason}") from None


def components(file: Path) -> dict[str, str]:
    """Return the versions of the Python packages of a CycloneDX bill, by canonical name."""
    try:
        found = json.loads(file.read_bytes())["components"]
        return {canonical(one["name"]): one["version"] for one in found if one["purl"].startswith("pkg:pypi/")}
    except (OSError, ValueError, KeyError, TypeError) as reason:
        raise UnreadableError(f"{file}: no bill of materials: {reason!r}") from None


def is_affected(version: str, affected: dict[str, Any]) -> bool:
    """Return whether a version is listed, or lies in a range; ranges of commits say nothing about versions.

    A version that cannot be ordered is affected where there are ranges: better one question too many.
    """
    if version in affected.get("versions", ()):
        return True
    ranges = [one["events"] for one in affected.get("ranges", ()) if one["type"] == "ECOSYSTEM"]
    try:
        ours = Version(version)
        return any(is_within(ours, events) for events in ranges)
    except InvalidVersion:
        return bool(ranges)


def is_within(version: Version, events: list[dict[str, str]]) -> bool:
    """Return whether the last event at or before a version lets the fault begin or last."""
    inside = False
    steps = [(Version(text), kind) for event in events for kind, text in event.items() if kind != "limit"]
    for at, kind in sorted(steps):
        if kind == "introduced" and at <= version:
            inside = True
        elif (kind == "fixed" and at <= version) or (kind == "last_affected" and at < version):
            inside = False
    return inside


def findings(advisories: Path, versions: dict[str, str]) -> Iterator[str]:
    """Yield a line for each advisory that concerns one of these versions; those that were withdrawn do not count."""
    known = 0
    for record in records(advisories):
        try:
            concerned = [
                one for one in record.get("affected", ()) if one.get("package", {}).get("ecosystem") == ECOSYSTEM
            ]
            known += bool(concerned)
            for affected in concerned:
                name = canonical(affected["package"]["name"])
                if name in versions and not record.get("withdrawn") and is_affected(versions[name], affected):
                    yield f"{name} {versions[name]}: {record['id']}: {record.get('summary', 'see the advisory')}"
        except (AttributeError, KeyError, TypeError, InvalidVersion) as reason:
            raise UnreadableError(f"{advisories}: no advisory in the format of OSV: {reason!r}") from None
    if not known:
        raise UnreadableError(f"{advisories}: no advisory for {ECOSYSTEM} is in it")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="audit", description="what is installed, against a file of advisories")
    parser.add_argument("advisories", type=Path)
    parser.add_argument("bill", type=Path, nargs="?")
    args = parser.parse_args(words)
    try:
        installed = {canonical(each.name): each.version for each in distributions()}
        versions = components(args.bill) if args.bill else installed
        found = sorted(set(findings(args.advisories, versions)))
    except UnreadableError as reason:
        print(reason, file=sys.stderr)
        return 2
    print("".join(f"{line}\n" for line in found), end="")
    print(f"{len(found)} findings in {len(versions)} packages")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
