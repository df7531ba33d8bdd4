"""The stored state after a cut of the supply at any moment, on a disk that keeps only what was synchronised."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hilbridge.boundary.record.state import store_state
from hilbridge.boundary.record.state_start import load_state

OLD, NEW = {"number": 1}, {"number": 2, "more": "x" * 40}


class Step(NamedTuple):
    """What was done to the disk: `kind` is write, keep (a file), name (a file gets a name) or folder."""

    kind: str
    name: str
    content: bytes | str = b""


class Disk:
    """A layer over the real one that notes every step in its order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, careless: bool = False) -> None:
        """`careless`: nothing is synchronised."""
        self.steps: list[Step] = []
        self._open, self._write, self._fsync = os.open, os.write, os.fsync
        self._replace, self._link = os.replace, os.link
        monkeypatch.setattr(os, "open", self.open)
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr(os, "replace", self.replace)
        monkeypatch.setattr(os, "link", self.link)
        monkeypatch.setattr(os, "fsync", (lambda _descriptor: None) if careless else self.fsync)

    def open(self, path: Path, flags: int, *options: Any, **more: Any) -> int:
        if flags & os.O_CREAT:
            self.steps += [Step("name", path.name, path.name), Step("write", path.name)]
        return self._open(path, flags, *options, **more)

    def write(self, descriptor: int, data: bytes) -> int:
        name = Path(f"/proc/self/fd/{descriptor}").readlink().name
        self.steps.append(Step("write", name, bytes(data)))
        return self._write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        target = Path(f"/proc/self/fd/{descriptor}").readlink()
        self.steps.append(Step("folder" if target.is_dir() else "keep", target.name))
        self._fsync(descriptor)

    def replace(self, path: Path, target: Path) -> None:
        self.steps.append(Step("name", target.name, path.name))
        self._replace(path, target)

    def link(self, path: Path, target: Path) -> None:
        self.steps.append(Step("name", target.name, path.name))
        self._link(path, target)


def after_a_cut(before: dict[str, bytes], steps: list[Step]) -> Iterator[dict[str, bytes]]:
    """The folders that may be found: any beginning of what was not kept, under any names that were not kept."""
    contents = {name: [content] for name, content in before.items()}  # of each file, all that may be found of it
    folders = [{name: name for name in before}]  # by name: which file it is
    for step in steps:
        if step.kind == "write":
            longest = contents.get(step.name, [b""])[-1] if step.content else b""
            data = bytes(step.content) if isinstance(step.content, bytes) else b""
            contents[step.name] = [(longest + data)[:size] for size in range(len(longest + data) + 1)]
        elif step.kind == "keep":
            contents[step.name] = contents[step.name][-1:]
        elif step.kind == "name":
            file = str(step.content)
            folders.append({**folders[-1], step.name: folders[-1].get(file, file)})
        else:
            folders = folders[-1:]
    for folder in folders:
        for file, found in contents.items():
            for content in found:
                whole = {name: options[-1] for name, options in contents.items()} | {file: content}
                yield {name: whole.get(inode, b"") for name, inode in folder.items()}


def found(folder: Path, disk: Disk, before: dict[str, bytes], steps: int) -> set[str]:
    """The states that a run may begin with after a cut behind so many steps; "damaged" among them."""
    path, states = folder / "state.json", set()
    for content in after_a_cut(before, disk.steps[:steps]):
        for one in folder.iterdir():
            one.unlink()
        for name, data in content.items():
            (folder / name).write_bytes(data)
        warnings: list[str] = []
        state = load_state(path, warnings.append)
        states.add("damaged" if warnings else {1: "old", 2: "new"}[state["number"]])
    return states


def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, careless: bool) -> tuple[Disk, dict[str, bytes]]:
    path = tmp_path / "state.json"
    store_state(path, OLD)
    before = {path.name: path.read_bytes()}
    with monkeypatch.context() as patch:
        disk = Disk(patch, careless=careless)
        store_state(path, NEW)
    return disk, before


def test_a_cut_at_any_byte_leaves_the_old_state_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the new one, when it was said to be stored."""
    disk, before = stored(tmp_path, monkeypatch, careless=False)
    assert [step.kind for step in disk.steps] == [
        *("name", "write", "write", "keep"),
        *("name", "name"),  # of the copy of the old one
        *("name", "folder"),
    ]
    cuts = [found(tmp_path, disk, before, steps) for steps in range(len(disk.steps) + 1)]
    assert cuts[0] == {"old"}
    assert all(states <= {"old", "new"} for states in cuts)
    assert cuts[-1] == {"new"}


def test_a_folder_that_was_made_for_it_is_on_the_disk_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them, in the folder above it."""
    disk = Disk(monkeypatch)
    store_state(tmp_path / "a/b/state.json", NEW)
    folders = [step.name for step in disk.steps if step.kind == "folder"]
    assert sorted(folders[:2]) == sorted((tmp_path.name, "a"))
    assert folders[2:] == ["b"]
    assert [step.kind for step in disk.steps[:3]] == ["folder", "folder", "name"]


def test_the_disk_of_these_tests_finds_a_writer_that_does_not_synchronise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, before = stored(tmp_path, monkeypatch, careless=True)
    assert found(tmp_path, disk, before, len(disk.steps)) == {"old", "new", "damaged"}
