"""Profiles and layouts that come in one piece: a file, a folder, or an archive (ZIP or wheel) of data alone.

Of a folder or archive its files below `clusters` and `layouts` are taken, wherever these lie in it; the rest is not.
One file that is not data (base/packs.py) and the whole is refused: who shares facts shares no program. Each profile is
tried as the bus of a bench.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

from hilbridge.base.common.archives import ZIP_ERRORS
from hilbridge.base.common.bundle_files import check_names, read_source, write_bundle
from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.lasting_files import is_folder
from hilbridge.base.packs import is_data
from hilbridge.base.resources import Kind
from hilbridge.desk.frames.describe import bench_of
from hilbridge.files.configuration.layouts import load_layout
from hilbridge.files.configuration.profiles import load_profile
from hilbridge.files.configuration.yamlfile import YamlFile

_KINDS: Final = (Kind.PROFILE, Kind.LAYOUT)

_ARCHIVES: Final = (".zip", ".whl")

_LARGEST: Final = 32 << 20
"""[byte] of all files of a pack."""

_MOST: Final = 10_000
"""Entries of a pack."""


def read_pack(source: Path) -> dict[str, bytes]:
    """Return the files of a pack by their names, `clusters/NAME.yaml` and so on.

    ConfigurationError: there is none, it has code, it is too large, an entry would not lie in its folder, or one of its
    profiles and layouts is wrong.
    """
    if source.suffix in _ARCHIVES:
        files = _each_once(source, _of_archive(source))
    elif is_folder(source):
        files = _each_once(source, _of_folder(source))
    else:
        files = {f"{_kind_of(source).folder}/{source.name}": read_source(source)}
    if not files:
        folders = " nor ".join(kind.folder for kind in _KINDS)
        raise ConfigurationError(f"{source}: has neither {folders}: it is no package of profiles")
    check_names(files)
    _check(source, files)
    return files


def _each_once(source: Path, files: Iterator[tuple[str, bytes]]) -> dict[str, bytes]:
    """Return the files by name. ConfigurationError: two folders of the pack have a file of one name."""
    found: dict[str, bytes] = {}
    for name, content in files:
        if name in found:
            raise ConfigurationError(f"{source}: has {quoted(name)} in two of its folders")
        found[name] = content
    return found


def _kind_of(source: Path) -> Kind:
    return Kind.LAYOUT if "fields" in YamlFile.load(source).data else Kind.PROFILE


def _place(name: str) -> str | None:
    """Return the name of an entry from its folder `clusters` or `layouts` on; None: it lies in neither."""
    parts = PurePosixPath(name).parts
    starts = (parts.index(kind.folder) for kind in _KINDS if kind.folder in parts[:-1])
    start = min(starts, default=None)
    return None if start is None else "/".join(parts[start:])


def _refuse_code(source: Path, name: str) -> None:
    if not is_data(name):
        reason = f"{quoted(name, 120)} is code, or looks like it: a package of profiles is data alone"
        raise ConfigurationError(f"{source}: {reason}")


def _of_archive(source: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(source) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > _MOST or sum(entry.file_size for entry in entries) > _LARGEST:
                raise ConfigurationError(f"{source}: has more than {_MOST} entries or {_LARGEST >> 20} MiB")
            check_names(entry.filename for entry in entries)
            for entry in entries:
                _refuse_code(source, entry.filename)
            for entry in entries:
                if (place := _place(entry.filename)) is not None:
                    yield place, archive.read(entry)
    except ConfigurationError:
        raise
    except ZIP_ERRORS as error:
        raise ConfigurationError(f"{source}: cannot be read as an archive: {error}") from error


def _of_folder(source: Path) -> Iterator[tuple[str, bytes]]:
    size = 0
    for number, path in enumerate(sorted(source.rglob("*"))):
        name = path.relative_to(source).as_posix()
        if name.split("/")[0] == ".git" or is_folder(path):
            continue
        _refuse_code(source, name)
        if path.is_symlink():
            raise ConfigurationError(f"{source}: {quoted(name)} is a link: it is not followed")
        size += path.stat().st_size
        if number > _MOST or size > _LARGEST:
            raise ConfigurationError(f"{source}: has more than {_MOST} files or {_LARGEST >> 20} MiB")
        if (place := _place(name)) is not None:
            yield place, read_source(path)


def _check(source: Path, files: dict[str, bytes]) -> None:
    """Raise ConfigurationError for the first profile or layout of a pack that is wrong."""
    with TemporaryDirectory() as folder:
        write_bundle(Path(folder), files)
        for name in files:
            path = Path(folder, name)
            if path.parent.name not in (kind.folder for kind in _KINDS) or path.suffix != ".yaml":
                continue
            try:
                if name.startswith(Kind.LAYOUT.folder):
                    load_layout(str(path))
                else:
                    bench_of(load_profile(str(path)))
            except ConfigurationError as error:
                reason = str(error).replace(f"{folder}/", "")
                raise ConfigurationError(f"{source}: {reason}") from None
