"""The start of lockstep clients: code of the user runs once it is trusted; a program that he starts is awaited."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.base.process.child_process import die_with
from hilbridge.base.trust.code import Code
from hilbridge.base.trust.gate import UntrustedCodeError, require_trust
from hilbridge.base.trust.kinds import LOCKSTEP
from hilbridge.base.trust.user_function import import_function
from hilbridge.boundary.lockstep.backends import Command, Start, choose
from hilbridge.boundary.lockstep.client import PythonClient, SocketClient
from hilbridge.boundary.lockstep.elf import ElfError, Image
from hilbridge.boundary.lockstep.pins import Pins
from hilbridge.boundary.lockstep.program import Program, Said
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.files.settings.lockstep import LockstepClient

VARIABLE: Final = "HILBRIDGE_LOCKSTEP"
"""The environment variable in which a program finds the numbers of its descriptors, one for each bus."""

_LONGEST_WORDS: Final = 200
_LONGEST_PATH: Final = 300
_STANDARD_ERROR: Final = 2


def require_code(clients: Mapping[str, LockstepClient], boards: Mapping[str, BoardSettings]) -> None:
    """Check the code of clients, and start none; `boards` by name.

    ConfigurationError: it is not trusted, or not there.
    """
    for name, settings in clients.items():
        if settings.program is not None:
            _trusted_program(settings.program, ("lockstep", name, "program"))
        elif settings.firmware is not None:
            _firmware(name, settings, None if settings.board is None else boards[settings.board])
        elif settings.python is not None:
            import_function(settings.python, LOCKSTEP, ("lockstep", name, "python"))


def make_unit(name: str, settings: LockstepClient) -> Any:
    """Return the unit of a client that is a class of the user's. ConfigurationError: it cannot be made."""
    place: KeyPath = ("lockstep", name, "python")
    unit = import_function(str(settings.python), LOCKSTEP, place)
    try:
        return unit(*settings.arguments)
    except Exception as error:
        words = quoted(f"{type(error).__name__}: {error}", _LONGEST_WORDS)
        raise ConfigurationError(f"cannot be made: {words}", place) from error


def start_python(name: str, settings: LockstepClient) -> PythonClient:
    """Return a client in this process. ConfigurationError: its unit cannot be made."""
    return PythonClient(name, make_unit(name, settings))


def start_program(name: str, settings: LockstepClient, folder: Path, pins: Pins | None = None) -> SocketClient:
    """Start the program of a client, in the folder of the bench file. ConfigurationError: it cannot be started.

    What runs is the content that the gate has seen: a file in memory, so that it need not be executable where it lies.
    It has one end of a socket pair; its standard output is our standard error, its standard input is empty.
    """
    place: KeyPath = ("lockstep", name, "program")
    code = _trusted_program(str(settings.program), place)

    def command(path: str, words: list[str]) -> Command:
        if code.path.suffix == ".py":
            return Command(sys.executable, [sys.executable, "-P", path, *words[1:]])
        return Command(path, words)

    process, (connection,) = _start(code, settings, folder, place, command, _STANDARD_ERROR, 1)
    return SocketClient(name, connection, settings.timeout, Program(name, process), pins)


def start_firmware(
    name: str, settings: LockstepClient, folder: Path, said: list[Said], pins: Pins | None = None
) -> list[SocketClient]:
    """Start firmware, as `start_program` does; return its clients, one for each of its buses, in their order.

    `said`: where the lines go that it prints. ConfigurationError: it cannot be started, or no backend runs it.
    """
    code, image, command = _firmware(name, settings, None if pins is None else pins.settings)
    place: KeyPath = ("lockstep", name, "firmware")
    ours, theirs = os.pipe()
    try:
        process, connections = _start(code, settings, folder, place, command, theirs, len(settings.buses))
    except ConfigurationError as error:
        os.close(ours)
        if image.loader and not Path(image.loader).exists():
            raise ConfigurationError(f"{code.path} needs {image.loader}, which is not here", place) from error
        raise
    finally:
        os.close(theirs)
    program = Program(name, process, ours, said, len(connections))
    first, *others = connections
    return [
        SocketClient(name, first, settings.timeout, program, pins),
        *(SocketClient(name, connection, settings.timeout, program) for connection in others),
    ]


def _firmware(name: str, settings: LockstepClient, board: BoardSettings | None) -> tuple[Code, Image, Start]:
    """Return the code of firmware, what it is, and what starts it.

    ConfigurationError: it is not trusted, nothing runs it, or what would does not come with these settings.
    """
    place: KeyPath = ("lockstep", name, "firmware")
    code = _trusted_program(str(settings.firmware), place)
    try:
        backend, image = choose(settings.backend, code.text)
        return code, image, backend.prepare(image, settings, board)
    except ElfError as error:
        raise ConfigurationError(f"{quoted(str(code.path), _LONGEST_PATH)} is {error}", place) from None
    except ConfigurationError as error:
        raise ConfigurationError(error.message, ("lockstep", name, *error.place)) from None


def _start(
    code: Code,
    settings: LockstepClient,
    folder: Path,
    place: KeyPath,
    command: Callable[[str, list[str]], Command],
    output: int,
    buses: int,
) -> tuple["subprocess.Popen[bytes]", list[socket.socket]]:
    """Start code with an end of a socket pair for each bus; return its process, and our ends.

    `command`: makes the command of the path of its content and of its words. ConfigurationError: it cannot be started.
    """
    with ExitStack() as stack, ExitStack() as theirs:
        connections, descriptors = [], []
        try:
            for _ in range(buses):
                ours, other = socket.socketpair()
                connections.append(stack.enter_context(ours))
                descriptors.append(theirs.enter_context(other).fileno())
            content = _in_memory(code)
            theirs.callback(os.close, content)
            path, words = command(f"/proc/self/fd/{content}", [str(code.path), *map(str, settings.arguments)])
            process = subprocess.Popen(
                words,
                executable=path,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=None if output == _STANDARD_ERROR else output,
                cwd=folder,
                env=os.environ | {VARIABLE: ",".join(map(str, descriptors))},
                pass_fds=(content, *descriptors),
                process_group=0,  # Ctrl-C is for the run, which tells its clients
                preexec_fn=partial(die_with, os.getpid(), signal.SIGKILL),  # noqa: PLW1509 - there is one thread
            )
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise ConfigurationError(f"{code.path} cannot be started: {reason}", place) from error
        stack.pop_all()
    return process, connections


def listen(name: str, settings: LockstepClient) -> socket.socket:
    """Open the socket where a program of the user is awaited; his alone. ConfigurationError: that fails."""
    path, listening = cast("str", settings.socket), socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listening.bind(path)
        listening.listen(1)
    except OSError as error:
        listening.close()
        reason = "path too long" if error.errno is None else error.strerror
        remedy = "; remove it, or name another" if os.path.lexists(path) else ""
        raise ConfigurationError(f"cannot listen at {path}: {reason}{remedy}", ("lockstep", name, "socket")) from error
    finally:
        os.umask(before)
    return listening


def accept(name: str, settings: LockstepClient, listening: socket.socket, pins: Pins | None = None) -> SocketClient:
    """Wait for the one program that may connect; then none can any more. ConfigurationError: none came in time."""
    sys.stderr.write(f"hilbridge: waiting for lockstep client {name} at {settings.socket}\n")
    listening.settimeout(settings.timeout)
    try:
        connection, _ = listening.accept()
    except TimeoutError:
        words = f"no program came to {settings.socket} within {settings.timeout:g} s"
        raise ConfigurationError(words, ("lockstep", name, "socket")) from None
    connection.setblocking(True)
    return SocketClient(name, connection, settings.timeout, pins=pins)


def _trusted_program(path: str, place: KeyPath) -> Code:
    try:
        return require_trust(Path(path))
    except UntrustedCodeError as error:
        raise ConfigurationError(error.message, place) from None
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"cannot be read: {error}", place) from error


def _in_memory(code: Code) -> int:
    """Return a descriptor of a file in memory with the content of a program, which cannot be written to any more."""
    writable = os.memfd_create(code.path.name[:_LONGEST_WORDS])
    with os.fdopen(writable, "wb") as file:
        file.write(code.text)
        file.flush()
        return os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)  # no file runs that is open for writing
