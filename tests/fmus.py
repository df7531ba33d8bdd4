"""An FMU by hand, of fmus.c: a first-order lag y' = (k u - y) / tau, as FMI 2.0 or 3.0; and one without a library."""

import io
import struct
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

SOURCE: Final = Path(__file__).with_suffix(".c")
TOKEN: Final = "{8c4e810f-3df3-4a00-8276-176fa3c9f001}"

LIBRARY: Final = struct.pack("<4sBB10xHH", b"\x7fELF", 2, 1, 3, 62) + bytes(44)
"""The head of a shared library for x86-64 (System V ABI, 4.1), with nothing in it."""

_VARIABLES: Final = (  # name, type, causality, variability, start, unit
    ("u", "Real", "input", "continuous", "0", ""),
    ("y", "Real", "output", "continuous", "", ""),
    ("tau", "Real", "parameter", "fixed", "1", "s"),
    ("k", "Real", "parameter", "fixed", "1", ""),
    ("steps", "Integer", "output", "discrete", "", ""),
    ("on", "Boolean", "input", "discrete", "true", ""),
    ("bad", "Integer", "input", "discrete", "0", ""),
)
_OF_THREE: Final = {"Real": "Float64", "Integer": "Int32", "Boolean": "Boolean"}


def description(version: int, token: str = TOKEN, units: Mapping[str, str] | None = None) -> str:
    """Return modelDescription.xml; `units`: of variables by name, of those declared in it: rad/s, K."""
    rows = [(name, *rest[:-1], (units or {}).get(name, rest[-1])) for name, *rest in _VARIABLES]
    word = "guid" if version == 2 else "instantiationToken"
    return "\n".join(
        [
            f'<fmiModelDescription fmiVersion="{version}.0" modelName="lag" {word}="{token}">',
            '<CoSimulation modelIdentifier="lag" canHandleVariableCommunicationStepSize="true"/>',
            '<UnitDefinitions><Unit name="s"><BaseUnit s="1"/></Unit>',
            '<Unit name="rad/s"><BaseUnit rad="1" s="-1"/></Unit><Unit name="K"><BaseUnit K="1"/></Unit>',
            "</UnitDefinitions>",
            "<ModelVariables>",
            *(_two(rows) if version == 2 else _three(rows)),
            "</ModelVariables>",
            _structure(version),
            "</fmiModelDescription>",
        ]
    )


def _two(rows: list[tuple[str, ...]]) -> Iterator[str]:
    for reference, (name, kind, causality, variability, start, unit) in enumerate(rows):
        yield (
            f'<ScalarVariable name="{name}" valueReference="{reference}" causality="{causality}" '
            f'variability="{variability}"><{kind} {_typed(start, unit)}/></ScalarVariable>'
        )


def _three(rows: list[tuple[str, ...]]) -> Iterator[str]:
    for reference, (name, kind, causality, variability, start, unit) in enumerate(rows):
        yield (
            f'<{_OF_THREE[kind]} name="{name}" valueReference="{reference}" causality="{causality}" '
            f'variability="{variability}" {_typed(start, unit)}/>'
        )
    yield '<Float64 name="time" valueReference="7" causality="independent" variability="continuous"/>'


def _typed(start: str, unit: str) -> str:
    return " ".join([*([f'start="{start}"'] if start else []), *([f'unit="{unit}"'] if unit else [])])


def _structure(version: int) -> str:
    if version == 2:
        outputs = '<Unknown index="2"/><Unknown index="5"/>'
        body = f"<Outputs>{outputs}</Outputs><InitialUnknowns>{outputs}</InitialUnknowns>"
    else:
        body = "".join(f'<{tag} valueReference="{one}"/>' for tag in ("Output", "InitialUnknown") for one in (1, 4))
    return f"<ModelStructure>{body}</ModelStructure>"


def pack(members: Mapping[str, bytes | str]) -> bytes:
    """Return an archive."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


def members(version: int, library: bytes = LIBRARY, **changes: bytes | str) -> dict[str, bytes | str]:
    """Return the files of an FMU; `changes`: `description`, or others by their names."""
    platform = "linux64" if version == 2 else "x86_64-linux"
    described = changes.pop("description", description(version))
    return {"modelDescription.xml": described, f"binaries/{platform}/lag.so": library, **changes}


def make_lag(path: Path, version: int, token: str = TOKEN, units: Mapping[str, str] | None = None) -> Path:
    """Compile the library, and write the FMU. `token`: of the description; the library has TOKEN."""
    library = path.with_suffix(".so")
    words = ["cc", "-shared", "-fPIC", f"-DFMI={version}", f'-DGUID="{TOKEN}"', "-o", library, SOURCE, "-lm"]
    subprocess.run([*map(str, words)], check=True)
    path.write_bytes(pack(members(version, library.read_bytes(), description=description(version, token, units))))
    return path
