"""The page of the log formats, made of the tables of cases beside their parsers.

python -m tests.log_formats            says whether docs/log-formats.md is as the tables have it
python -m tests.log_formats --write    writes it anew
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hilbridge.boundary.logs.formats.catalogue import FORMATS
from hilbridge.boundary.logs.parser import Case, TextFormat

PAGE: Final = Path(__file__).parents[1] / "docs/log-formats.md"

HEAD: Final = Path(__file__).with_name("log_formats_head.txt")


def page() -> str:
    """Return the page."""
    return HEAD.read_text(encoding="utf-8") + "".join(line for one in FORMATS for line in _section(one))


def _section(one: TextFormat) -> Iterator[str]:
    yield f"\n### {one.name}\n\nWritten by {one.writer}.\n"
    for case in one.cases:
        yield f"\n{case.about[:1].upper()}{case.about[1:]}:\n\n"
        yield from (f"    {line}\n".replace("\x1b", "ESC") for line in _shown(case))


def _shown(case: Case) -> Iterator[str]:
    yield from (line.replace("\t", "<TAB>") for line in case.text.splitlines())
    yield ""
    yield from (f"→ {frame}" for frame in case.frames)
    yield from (f"→ counted: {reason}" for reason in case.left_out)


def main() -> int:
    """Check or write."""
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    fresh = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page()
    print("" if fresh else "docs/log-formats.md: write it anew with `python -m tests.log_formats --write`")
    return int(not fresh)


if __name__ == "__main__":
    sys.exit(main())
