"""Reads the head of an ELF file: for which processor it was made, and whether it is a program or a library.

Source: System V ABI, edition 4.1, chapters 4 and 5; numbers of machines as its registry has them (`e_machine`).
"""

import struct
import sys
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ARM: Final = 40
"""The number of its 32-bit processors."""

_MAGIC: Final = b"\x7fELF"
_MACHINES: Final = {
    2: "SPARC",
    3: "x86",
    8: "MIPS",
    20: "PowerPC",
    21: "PowerPC 64",
    22: "S/390",
    36: "V800",
    ARM: "ARM",
    42: "SuperH",
    44: "TriCore",
    52: "68HC12",
    53: "ColdFire",
    62: "x86-64",
    70: "68HC11",
    83: "AVR",
    87: "V850",
    94: "Xtensa",
    105: "MSP430",
    118: "STM8",
    141: "TMS320C6000",
    165: "8051",
    173: "RX",
    183: "ARM 64",
    195: "ARC v2",
    204: "PIC24",
    243: "RISC-V",
    258: "LoongArch",
}
_KINDS: Final = {1: "an object file, which the linker has not yet made a program", 4: "a memory dump (core)"}
_EXECUTABLE, _SHARED = 2, 3
_DYNAMIC, _INTERPRETER = 2, 3
_FLAGS_1: Final = 0x6FFFFFFB
_PIE: Final = 0x08000000
_MOST_ENTRIES: Final = 4096

_OTHERS: Final = {
    b"#!": "a script: name it with the key 'program'",
    b"MZ": "a program for Windows (PE)",
    b"!<arch>": "an archive of object files, which the linker has not yet made a program",
    b"\xcf\xfa\xed\xfe": "a program for macOS (Mach-O)",
    b"\xca\xfe\xba\xbe": "a program for macOS (Mach-O), or Java",
    b":": "an Intel HEX file: it does not say for which processor; name the ELF file that it was made of",
    b"S0": "an S-record file: it does not say for which processor; name the ELF file that it was made of",
    b"version https://git-lfs": "a pointer of Git LFS: fetch the file itself",
}


class ElfError(ValueError):
    """A file that is no ELF program or library; the words follow its name."""


class Image(NamedTuple):
    """An ELF program or library. `loader`: the program that loads it, as its file has it, if any."""

    machine: int
    bits: int
    is_little: bool
    is_library: bool
    loader: str = ""

    @property
    def processor(self) -> str:
        """Return the name of its processor."""
        order = "" if self.is_little else ", big endian"
        return f"{_MACHINES.get(self.machine, f'machine {self.machine}')} ({self.bits} bit{order})"


def read_elf(text: bytes) -> Image:
    """Return what an ELF file is. ElfError: it is none, is cut off, or is neither a program nor a library."""
    if text[:4] != _MAGIC:
        raise ElfError(_describe(text))
    try:
        return _read(text)
    except (struct.error, IndexError, OverflowError):
        raise ElfError("an ELF file that is cut off") from None


@cache
def own_image() -> Image:
    """Return that of the Python that runs here."""
    with Path(sys.executable).open("rb") as file:
        return read_elf(file.read(1 << 20))


def _describe(text: bytes) -> str:
    for start, words in _OTHERS.items():
        if text.startswith(start):
            return words
    return f"no ELF file: it begins with {text[:8].hex(' ')}" if text else "empty"


def _read(text: bytes) -> Image:
    bits, is_little = {1: 32, 2: 64}.get(text[4], 0), text[5] == 1
    order, word = "<" if is_little else ">", "I" if bits == 32 else "Q"
    if not bits or text[5] not in (1, 2):
        raise ElfError("an ELF file with a damaged head")
    kind, machine, _, _, table = struct.unpack_from(f"{order}HHI{word}{word}", text, 16)
    size, count = struct.unpack_from(f"{order}HH", text, 42 if bits == 32 else 54)
    if kind not in (_EXECUTABLE, _SHARED):
        raise ElfError(_KINDS.get(kind, f"an ELF file of kind {kind}, neither a program nor a library"))
    loader, is_program = "", kind == _EXECUTABLE
    layout = f"{order}IIIIIIII" if bits == 32 else f"{order}IIQQQQQQ"
    for number in range(min(count, _MOST_ENTRIES)):
        entry = struct.unpack_from(layout, text, table + number * size)
        offset, length = (entry[1], entry[4]) if bits == 32 else (entry[2], entry[5])
        if entry[0] == _INTERPRETER:
            loader, is_program = text[offset : offset + length].rstrip(b"\0").decode(errors="replace"), True
        elif entry[0] == _DYNAMIC:
            is_program = is_program or _is_pie(text[offset : offset + length], f"{order}{word}{word}")
    return Image(machine, bits, is_little, not is_program, loader)


def _is_pie(section: bytes, layout: str) -> bool:
    """Return whether a dynamic section is that of a program without a loader (static-pie)."""
    size = struct.calcsize(layout)
    whole = section[: len(section) // size * size]
    return any(tag == _FLAGS_1 and value & _PIE for tag, value in struct.iter_unpack(layout, whole))
