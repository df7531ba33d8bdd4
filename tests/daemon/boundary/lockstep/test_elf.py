"""The head of an ELF file, as pyelftools reads it; whatever is damaged is refused in words."""

import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.lockstep.elf import ElfError, read_elf

FILES = [Path(sys.executable), *(Path(found) for name in ("cc", "ld", "sh") if (found := shutil.which(name)))]
HEAD = FILES[0].read_bytes()[:4096]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_program_is_what_pyelftools_says(file: Path) -> None:
    """A loader is asked for by programs alone."""
    image = read_elf(file.read_bytes())
    with file.open("rb") as opened:
        theirs = ELFFile(opened)
        loaders = [one.data().rstrip(b"\0").decode() for one in theirs.iter_segments("PT_INTERP")]
        assert (image.bits, image.is_little) == (theirs.elfclass, theirs.little_endian)
        assert image.processor.startswith(theirs.get_machine_arch().replace("x64", "x86-64"))
    assert (image.is_library, [image.loader]) == (False, loaders or [""])


@given(st.data())
def test_whatever_is_damaged_is_read_or_refused(data: st.DataObject) -> None:
    text = bytearray(HEAD[: data.draw(st.integers(0, len(HEAD)))])
    for _ in range(data.draw(st.integers(0, 8))):
        if text:
            place = data.draw(st.integers(0, min(len(text), 120) - 1))
            text[place] = data.draw(st.integers(0, 255))
    with suppress(ElfError):
        read_elf(bytes(text))


def test_an_offset_beyond_every_file_is_damage() -> None:
    """Of the table of segments, 2^64 − 1."""
    with pytest.raises(ElfError, match="cut off"):
        read_elf(HEAD[:32] + bytes([255] * 8) + HEAD[40:])
