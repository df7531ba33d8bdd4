"""A recording as a ZIP archive, as the page hands it out.

python -m hilbridge.boundary.record.zipped RECORDING FILE
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from hilbridge.base.common.bundle_files import check_names
from hilbridge.base.common.errors import ConfigurationError, quoted


def write_zip(recording: Path, file: Path) -> None:
    """Write the files of a recording into an archive, in a folder of its name.

    ConfigurationError: it holds a link or something else that no recording has, or a name that is not usable.
    """
    names = sorted(_names(recording, ""))
    check_names(names)
    with ZipFile(file, "x", ZIP_DEFLATED, strict_timestamps=False) as archive:
        for name in names:
            archive.write(recording / name, f"{recording.name}/{name}")


def _names(recording: Path, folder: str) -> Iterator[str]:
    for each in (recording / folder).iterdir():
        name = f"{folder}{each.name}"
        if each.is_symlink() or not (each.is_file() or each.is_dir()):
            raise ConfigurationError(f"{recording} holds {quoted(name)}, which is no file: it is not handed out")
        if each.is_dir():
            yield from _names(recording, f"{name}/")
        else:
            yield name


def main(recording: str, file: str) -> int:
    """Write the archive; return the exit status, with the reason on stderr if it was not made."""
    try:
        write_zip(Path(recording), Path(file))
    except (ConfigurationError, OSError) as error:
        Path(file).unlink(missing_ok=True)
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
