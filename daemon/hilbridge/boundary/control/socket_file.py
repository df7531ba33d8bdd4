"""The watch over the file of the control socket, which a tidied folder or the end of a login may take away.

A socket whose file is gone cannot get another one: a new socket listens at the path, in the control process.
"""

import socket
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import LinkError
from hilbridge.boundary.control.socket_paths import make_private, socket_folder
from hilbridge.boundary.links.control_socket import SocketFile, identity


class WatchedFile:
    """The file of a control socket, of which `known` is its device and its number there."""

    def __init__(self, path: Path, mode: int, known: tuple[int, int]) -> None:
        self._path: Final = path
        self._mode: Final = mode
        self._known = known
        self._own: SocketFile | None = None
        self.news = ""
        """Events of the file since the caller has cleared it."""
        self._told = ""

    def look(self) -> socket.socket | None:
        """Make the file again where it is gone; return the socket that listens there now, None: nothing is new."""
        try:
            if identity(self._path) == self._known:
                return None
        except OSError:
            pass
        try:
            if self._path.parent == socket_folder():
                make_private(self._path.parent)
            made = SocketFile(self._path, self._mode)
        except (LinkError, OSError) as error:
            self._tell(f"the file of the control socket is gone, and cannot be made again: {error}")
            return None
        self._own, self._known = made, made.identity
        self._tell("the file of the control socket was gone: it is made again")
        self._told = ""
        return made.listener

    def close(self) -> None:
        """Remove the file if it was made here."""
        if self._own is not None:
            self._own.close()

    def _tell(self, words: str) -> None:
        """Have it told, once as long as it stays so."""
        if words != self._told:
            self._told = self.news = words
