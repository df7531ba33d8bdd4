"""Are the licences of everything that is installed ones that go with ours? `make lint` asks.

    python -m tests.packaging.licences

exits with 1 and names each distribution whose licence is not allowed here. An exception is written into EXCEPTIONS,
with its reason; it holds for what tests and tools need, and never for what hilbridge itself needs, with any of its
extras for users.
"""

import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions
from typing import Final

from packaging.requirements import Requirement
from systemd.sbom import canonical, licences

ALLOWED: Final = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "PSF-2.0",
    "Unlicense",
    "Zlib",
}
"""Identifiers of SPDX: what a program under MIT may use and be shipped with."""

NAMES: Final = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD 3-Clause": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Public Domain": "CC0-1.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Classifiers, and words that some makers write instead of an identifier."""

EXCEPTIONS: Final = {
    "asyncssh": "EPL or GPL: the SSH server of a test; nothing of hilbridge imports it",
    "atheris": "Apache-2.0, as its LICENSE says and its metadata do not; the fuzzer of `make fuzz`",
    "docutils": "public domain, BSD, and GPL for an editor's mode and a tool that are not imported; makes our pages",
    "obd": "GPL: python-OBD is a scan tool that tests talk to; nothing of hilbridge imports it",
    "scapy": "GPL: another implementation of the protocols that tests talk to; nothing of hilbridge imports it",
}
"""Distributions that are used all the same, and why."""

CHOICES: Final = {"eclipse-zenoh": "EPL-2.0 OR Apache-2.0"}
"""Expressions of distributions whose metadata lists the licences between which one may choose; NOTICE files say so."""

EXTRAS: Final = {
    "campaign",
    "cockpit",
    "completion",
    "fabric",
    "fit",
    "hex",
    "labwired",
    "mf4",
    "odx",
    "parquet",
    "plot",
    "vss",
}
"""Those of pyproject.toml that users install."""


def is_allowed(expression: str) -> bool:
    """Return whether an SPDX expression lets us choose allowed licences; one with parentheses is not understood."""
    return any(all(term in ALLOWED for term in choice.split(" AND ")) for choice in expression.split(" OR "))


def refused(distribution: Distribution) -> list[str]:
    """Return the licences of a distribution that are not allowed; "none named" where its metadata has none."""
    if (choice := CHOICES.get(canonical(distribution.name))) is not None:
        return [] if is_allowed(choice) else [choice]
    said = [str(each.get("expression") or each["license"]["name"]) for each in licences(distribution)]
    return [each for each in said if not is_allowed(NAMES.get(each, each))] if said else ["none named"]


def shipped(installed: dict[str, Distribution], subject: str = "hilbridge", extras: Iterable[str] = ()) -> set[str]:
    """Return the canonical names of what a distribution needs with these extras, itself included."""
    found: set[str] = set()
    ahead = [(subject, frozenset(extras))]
    done = set()
    while ahead:
        name, wanted = ahead.pop()
        if (name, wanted) in done or name not in installed:
            continue
        done.add((name, wanted))
        found.add(name)
        for line in installed[name].requires or []:
            need = Requirement(line)
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in ("", *wanted)):
                ahead.append((canonical(need.name), frozenset(need.extras)))
    return found


def offences(installed: dict[str, Distribution]) -> Iterator[str]:
    """Yield a line for each distribution that may not be used, and for each exception that nobody needs."""
    ours = shipped(installed, extras=EXTRAS)
    for name, distribution in sorted(installed.items()):
        wrong = ", ".join(refused(distribution))
        if wrong and name in ours:
            yield f"{name}: {wrong}: hilbridge needs it, so there is no exception"
        elif wrong and name not in EXCEPTIONS:
            yield f"{name}: {wrong}: not among ALLOWED of tests/packaging/licences.py, nor its EXCEPTIONS"
        elif not wrong and name in EXCEPTIONS:
            yield f"{name}: an exception that is not needed"


def main() -> int:
    found = list(offences({canonical(each.name): each for each in distributions()}))
    print("".join(f"{line}\n" for line in found), end="", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
