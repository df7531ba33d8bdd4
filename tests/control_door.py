"""A control socket of the tests: file and server in one, whose answers are those of a function."""

from collections.abc import Callable, Iterator
from pathlib import Path

from hilbridge.boundary.links.control_socket import ControlSocket, SocketFile

Answer = Callable[[bytes], bytes | Iterator[bytes]]


class ControlDoor(ControlSocket):
    """What the control process is to its clients, in this process."""

    def __init__(self, path: Path, mode: int = 0o600) -> None:
        self._file = SocketFile(path, mode)
        self.path = path
        super().__init__(self._file.listener)

    def turn(self, answer: Answer) -> None:
        """A poll; each line is answered at once."""

        def handle(line: bytes, _heard: bool) -> bytes:
            said = answer(line)
            return said if isinstance(said, bytes) else b"".join(said)

        self.poll(handle)

    def close(self) -> None:
        super().close()
        self._file.close()
