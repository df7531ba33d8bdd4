"""The backends of firmware: each runs images of some processors, and says how.

A further one (an emulator of a microcontroller, say) is a row of BACKENDS: which images are its own, and the words of
the command that runs one. Its program finds the descriptors of its buses in HILBRIDGE_LOCKSTEP, speaks the lines of
lines.py on each, and prints what the firmware prints (emulator.py is such a program).
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.lockstep.elf import ARM, ElfError, Image, own_image, read_elf
from hilbridge.boundary.lockstep.labwired_chips import Machine
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.files.settings.lockstep import LockstepClient

_X86: Final = 3
_X86_64: Final = 62
_LOADER: Final = Path(__file__).with_name("loader.py")
_EMULATOR: Final = Path(__file__).with_name("emulator.py")


class Command(NamedTuple):
    """How a firmware is started: the file that runs, and its words, of which the first is its name."""

    executable: str
    words: list[str]


Start = Callable[[str, list[str]], Command]
"""Return the command for the path of the content of firmware and its words, of which the first is its name."""


class Backend(NamedTuple):
    """A way of running firmware. `prepare`: looks whether it can, and starts nothing. ConfigurationError, by key."""

    summary: str
    runs: Callable[[Image], bool]
    prepare: Callable[[Image, LockstepClient, BoardSettings | None], Start]


def _is_native(image: Image) -> bool:
    """Return whether the processor of this machine runs an image: a program of 32-bit x86 too, as a library no."""
    own = own_image()
    if (own.machine, image.machine, image.is_library) == (_X86_64, _X86, False):
        return True
    return image[:3] == own[:3]


def _native(image: Image, client: LockstepClient, _board: BoardSettings | None) -> Start:
    if client.chip is not None:
        raise ConfigurationError("a program for this machine runs without an emulated one", ("chip",))

    def start(path: str, words: list[str]) -> Command:
        if image.is_library:
            return Command(sys.executable, [sys.executable, "-I", str(_LOADER), path, *words])
        return Command(path, words)

    return start


def _is_arm(image: Image) -> bool:
    return image[:4] == (ARM, 32, True, False)


def _labwired(_image: Image, client: LockstepClient, board: BoardSettings | None) -> Start:
    machine = Machine.of(client, board)
    return lambda path, words: Command(
        sys.executable, [sys.executable, "-P", str(_EMULATOR), path, words[0], *machine.words()]
    )


BACKENDS: Final = {
    "native": Backend("a program or a shared library with `main`, compiled for this machine", _is_native, _native),
    "labwired": Backend(
        "an ELF program for a microcontroller with an ARM core and bxCAN or FDCAN, on an emulated `chip`",
        _is_arm,
        _labwired,
    ),
}


def choose(name: str | None, text: bytes) -> tuple[Backend, Image]:
    """Return the backend of a firmware file, the one with this name or the first that runs it, and what the file is.

    ElfError: there is none, with the reason.
    """
    image = read_elf(text)
    for key, backend in BACKENDS.items():
        if name in (None, key) and backend.runs(image):
            return backend, image
    kind = "library" if image.is_library else "program"
    there = ", ".join(BACKENDS) if name is None else name
    here = f"this machine has {own_image().processor}"
    raise ElfError(f"a {kind} for {image.processor}, which backend {there} does not run: {here}")
