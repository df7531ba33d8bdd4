"""Finds bench and vehicle files, targets of engines, scenarios, profiles, units, layouts, databases by path or name.

The places in order of search; the first match counts:
  1. a path: as it is, from the folder of the file that names it, or from the working directory
  2. $XDG_CONFIG_HOME/hilbridge/{clusters,layouts} (~/.config/hilbridge): this user's own profiles and layouts
  3. /etc/hilbridge/{benches,vehicles,engines,scenarios,clusters,units,layouts,dbc}: this machine's own
  4. what was shipped: the same folders of config/, and dbc/, inside the installed package, or of the checkout
  5. profiles and layouts of installed packages (base/packs.py): they add to what was shipped, and replace nothing

`demo` is a name: places 2 to 5, with .yaml added. `demo.yaml` is looked for in all of them. What contains a '/' is
a path and nothing else.
"""

import os
import stat
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final

import hilbridge
from hilbridge.base import packs
from hilbridge.base.common.errors import ConfigurationError, hint, near, question, quoted
from hilbridge.base.common.lasting_files import NOT_THERE, is_folder

_PACKAGE: Final = Path(hilbridge.__file__).parent
_CHECKOUT: Final = _PACKAGE.parent.parent
_MACHINE: Final = Path("/etc/hilbridge")

_LONGEST_NAME: Final = 300

_OF_USERS: Final = ("PROFILE", "LAYOUT")
"""Kinds that are facts alone, which people share: a user may have a folder of them."""


class Kind(Enum):
    """A kind of file: its word in messages, its folder, and the extension that a name leaves out."""

    BENCH = ("bench", "benches", ".yaml")
    VEHICLE = ("vehicle", "vehicles", ".yaml")
    ENGINE = ("targets of an engine", "engines", ".yaml")
    SCENARIO = ("scenario", "scenarios", ".yaml")
    PROFILE = ("profile", "clusters", ".yaml")
    UNIT = ("template of a control unit", "units", ".yaml")
    DATABASE = ("database", "dbc", "")
    LAYOUT = ("layout of datagrams", "layouts", ".yaml")
    CODES = ("file of trouble codes", "", ".yaml")
    VSS = ("table of VSS", "", ".yaml")

    def __init__(self, word: str, folder: str, extension: str) -> None:
        self.word = word
        self.folder = folder
        self.extension = extension

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders in which files of this kind are found by name."""
        if self.name not in _OF_USERS:
            return (_MACHINE / self.folder, self.shipped)
        own = (folder / self.folder for folder in _of_the_user())
        brought = (pack.folder / self.folder for pack in packs.packs() if not pack.fault)
        return (*own, _MACHINE / self.folder, self.shipped, *brought)

    @property
    def shipped(self) -> Path:
        """The folder of those that came with the program."""
        return (_shipped() if self is Kind.DATABASE else _shipped() / "config") / self.folder

    @property
    def of_the_user(self) -> Path | None:
        """The folder of this user's own, for kinds that have one and users that have a home."""
        folders = _of_the_user() if self.name in _OF_USERS else []
        return folders[0] / self.folder if folders else None


def find(kind: Kind, name: str, beside: Path | None = None) -> Path:
    """Return the path of the file that `name` means; `beside` is the file that names it.

    ConfigurationError, with the folders that were searched, when there is none.
    """
    folders = _folders(kind, name, beside)
    file = name + kind.extension if _is_name(kind, name) else name
    for folder in folders:
        if _is_file(folder / file):
            return folder / file
    if _is_folder(folders[0] / file):
        raise ConfigurationError(f"no {kind.word}: {quoted(name, _LONGEST_NAME)} is a folder")
    looked = ", ".join("the working directory" if folder == Path() else str(folder) for folder in folders)
    raise ConfigurationError(
        f"no {kind.word} {quoted(name, _LONGEST_NAME)}{_hint(kind, name, beside)}; looked in {looked}"
    )


def shipped_folders(*kinds: Kind) -> list[Path]:
    """Return the folders of these kinds that came with the program."""
    return [kind.shipped for kind in kinds]


def is_of_this_machine(path: Path) -> bool:
    """Return whether a file lies in /etc/hilbridge, and only root may write it, or exchange it for another."""
    path = path.resolve()
    if _MACHINE not in path.parents:
        return False
    steps = (path, *path.parents[: path.parents.index(_MACHINE) + 1])
    return all(_is_of_root(step.stat()) for step in steps)


def _is_of_root(status: os.stat_result) -> bool:
    return status.st_uid == 0 and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def own_database(name: str) -> Path:
    """Return the path of a database of the program itself: of the machine or the package, not the working directory."""
    return next(folder / name for folder in Kind.DATABASE.folders if _is_file(folder / name))


def documents() -> Path:
    """Return the folder with the reference of keys, values and presets that came with the program."""
    return _shipped() / "config"


def names(kind: Kind) -> list[str]:
    """Return the names of all files of a kind that can be given without a path, sorted."""
    known = {
        path.stem if kind.extension else path.name
        for folder in kind.folders
        for path in _entries(folder)
        if (path.suffix == kind.extension if kind.extension else path.suffix != ".md") and _is_file(path)
    }
    return sorted(known)


def _of_the_user() -> list[Path]:
    """Return $XDG_CONFIG_HOME/hilbridge, or that of the home folder; nothing where a service has neither."""
    for variable, below in (("XDG_CONFIG_HOME", ""), ("HOME", ".config")):
        folder = Path(os.environ.get(variable, ""))
        if folder.is_absolute():
            return [folder / below / "hilbridge"]
    return []


def _shipped() -> Path:
    return _PACKAGE if is_folder(_PACKAGE / "config") else _CHECKOUT


def _is_file(path: Path) -> bool:
    """Return whether there is a file or a pipe; False, and no exception, for names that no file can have.

    ConfigurationError: it cannot be found out; the file that is found after it would be another one.
    """
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except ValueError:
        return False
    except PermissionError as error:
        closed = f"{path}: {error.strerror}: this user may not look whether it is there"
        raise ConfigurationError(f"{closed}, and no file of another folder is taken in its place") from error
    except OSError as error:
        if error.errno in NOT_THERE:
            return False
        raise ConfigurationError(f"{path}: {error.strerror}", may_pass=True) from error


def _is_folder(path: Path) -> bool:
    """Return whether there is a folder, for words about a file that is not."""
    try:
        return is_folder(path)
    except (OSError, ValueError):
        return False


def _entries(folder: Path) -> list[Path]:
    """Return what lies in a folder of files; nothing where there is none. ConfigurationError: it cannot be read."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        if error.errno in NOT_THERE:
            return []
        raise ConfigurationError(f"{folder}: {error.strerror}", may_pass=True) from error


def _is_name(kind: Kind, name: str) -> bool:
    """Return whether this is a plain name, as `demo` is. A database always has its extension, so its name is a file."""
    return bool(kind.extension) and "/" not in name and not name.endswith((".yaml", ".yml"))


def _folders(kind: Kind, name: str, beside: Path | None) -> list[Path]:
    if _is_name(kind, name):
        return list(kind.folders)
    if Path(name).is_absolute():
        return [Path(name).parent]
    nearby = [beside.parent, Path()] if beside else [Path()]
    return list(dict.fromkeys([*nearby, *(() if "/" in name else kind.folders)]))


def _hint(kind: Kind, name: str, beside: Path | None) -> str:
    """Return what the user may have meant by a name; empty for a path."""
    if "/" in name:
        return ""
    here = beside.parent if beside else Path()
    if _is_name(kind, name):
        file = name + kind.extension
        if _is_file(here / file):
            return f" (for the file of that name here write {file})"
    known = {Path(one).stem: one for one in names(kind)}
    takeable = known | _beside(kind, here)
    if meant := near(Path(name).stem, takeable):
        return f" ({question([takeable[stem] for stem in meant])})"
    if all_known := hint(Path(name).stem, known.values()):
        return f" ({all_known})"
    if not _is_name(kind, name) or Path(name).suffix:
        return " (there is no such file)"
    listing = "; `hilbridge profiles` lists them" if kind is Kind.PROFILE else ""
    return f" ({len(known)} are known{listing})"


def _beside(kind: Kind, folder: Path) -> dict[str, str]:
    """Return the files of a folder that may be of a kind, by name without extension; none where it cannot be read."""
    with suppress(ConfigurationError):
        return {path.stem: path.name for path in _entries(folder) if path.suffix == (kind.extension or ".dbc")}
    return {}
