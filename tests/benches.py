"""Set-ups that tests of several rooms share: nodes, links, kernels and pages that tests make up."""

import socket
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hilbridge.boundary.links import can_interface
from hilbridge.frames.codec.frame import Frame


class Listener:
    """A node of a bus: `frames` are those that it has heard, `times` [ns] when."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.times: list[int] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)
        self.times.append(t)


class KeepingLink(Listener):
    """A link that keeps what it gets, while it works."""

    works = True

    def accepts(self, can_id: int) -> bool:
        return self.works


def read_until(client: socket.socket, end: bytes) -> bytes:
    """Return what a server says up to an end."""
    data = b""
    while not data.endswith(end):
        piece = client.recv(4096)
        assert piece, "the server closed the connection"
        data += piece
    return data


def make_up_kernel(
    folder: Path, monkeypatch: pytest.MonkeyPatch, interfaces: Iterable[tuple[str, int, str, int]]
) -> None:
    """Make /sys/class/net of a kernel: interfaces with type, flags and MTU, and a file that is no interface."""
    for name, kind, flags, mtu in interfaces:
        (folder / name).mkdir()
        for file, value in (("type", kind), ("flags", flags), ("mtu", mtu)):
            (folder / name / file).write_text(f"{value}\n")
    (folder / "bonding_masters").touch()
    monkeypatch.setattr(can_interface, "NETWORK", folder)


class PageReader(HTMLParser):
    """The texts of a page of HTML but for its style, each with its element, and everything that points elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self.references: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "input"):
            self._open.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and "style" not in self._open:
            self.texts.append((self._open[-1], data.strip()))
