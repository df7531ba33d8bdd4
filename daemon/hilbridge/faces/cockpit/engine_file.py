"""Export of an engine with changed values as a vehicle file: unchanged lines stay as their author wrote them.

The file begins with what it is based on and the leading comments of the original, which name its sources; then come
name and engine. A changed line carries a comment with the value that it had before, and the line of the section the
figures of the engine that came out.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.words import counted
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.configuration.yamltext import VEHICLE_COLUMN, comment_text, commented, flow

_SECTION: Final = "engine"


class EngineFile:
    """The name and the engine section of a vehicle file. ConfigurationError: it cannot be read."""

    def __init__(self, path: Path) -> None:
        self._file: Final = YamlFile.load(path)
        self._lines: Final = path.read_text(encoding="utf-8").splitlines()

    @property
    def title(self) -> str:
        """Name of the vehicle."""
        return str(self._file.data.get("name", self._file.path.stem))

    @property
    def section(self) -> dict[str, Any]:
        """The keys of the engine section, with their values."""
        return dict(self._file.data.get(_SECTION) or {})

    @property
    def air_path(self) -> dict[str, Any]:
        """The keys of the air path, which say what kind of engine it is."""
        return dict((self._file.data.get("auxiliary") or {}).get("air_path") or {})

    def text(self, changes: Mapping[str, Any], figures: str) -> str:
        """Return the text of the file with `changes` to some keys; `figures`: of the changed engine, as text."""
        section = self.section
        changed = {key: value for key, value in changes.items() if key not in section or section[key] != value}
        return "\n".join([*self._head(len(changed)), *self._engine(changed, figures)]) + "\n"

    def _head(self, changed: int) -> Iterator[str]:
        """Yield what the file is based on, the leading comments, and the line with the name."""
        if changed:
            values = counted(changed, "value")
            file = comment_text(self._file.path.name)
            yield f"# An engine from the engine workshop: that of {file} with {values} changed."
            if self._lines and self._lines[0].startswith("#"):
                yield f"# The comment of {file}:"
                yield "#"
        for line in self._lines:
            if not line.startswith("#"):
                break
            yield line
        yield ""
        name = self._file.line(("name",))
        yield self._lines[name - 1] if "name" in self._file.data else f"name: {flow(self.title)}"
        yield ""

    def _engine(self, changed: Mapping[str, Any], figures: str) -> Iterator[str]:
        section = self.section
        head = f"{_SECTION}:"
        begin = self._file.line((_SECTION,))
        places = [self._file.line((_SECTION, key)) for key in section]
        if not places or any(later <= one for one, later in pairwise([begin, *places])) or self._has_alias(begin):
            yield from (
                commented(head, figures, VEHICLE_COLUMN) if changed else [head]
            )  # there are no lines that can stay
            for key, value in (section | dict(changed)).items():
                yield f"  {key}: {flow(value)}"
            return
        yield from commented(head, figures, VEHICLE_COLUMN) if changed else [self._lines[begin - 1]]
        ends = [*places[1:], self._end(places[-1]) + 1]
        for key, first, beyond in zip(section, places, ends, strict=True):
            block = self._lines[first - 1 : beyond - 1]
            if key in changed:
                yield from commented(
                    f"  {key}: {flow(changed[key])}", f"workshop; before: {self._before(first)}", VEHICLE_COLUMN
                )
                block = [line for line in block[1:] if line.lstrip().startswith("#")]  # they speak of the next key
            yield from block
        for key, value in changed.items():
            if key not in section:
                yield from commented(f"  {key}: {flow(value)}", "workshop", VEHICLE_COLUMN)

    def _has_alias(self, begin: int) -> bool:
        """Return whether the section takes a value from elsewhere in the file, which the export does not have."""
        return any("*" in line.partition("#")[0] for line in self._lines[begin - 1 : self._end(begin + 1)])

    def _before(self, line: int) -> str:
        """Return the value and the comment of an original line."""
        value, _, comment = self._lines[line - 1].partition(":")[2].partition("#")
        return "; ".join(filter(None, (value.strip(), comment.strip())))

    def _end(self, line: int) -> int:
        """Return the last line of the section whose last key is in `line`."""
        end = line
        while end < len(self._lines) and self._lines[end].startswith(" "):
            end += 1
        return end
