"""The presets as text, as `hilbridge presets` and config/PRESETS.md show them: made from the recipes themselves."""

from typing import Any, Final, get_args

from hilbridge.base.common.frame_lengths import FRAME_LENGTHS
from hilbridge.files.settings.protection import BitField, ChecksumSettings, CounterSettings, Preset, ProtectionSettings
from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.protection import crc
from hilbridge.frames.protection.position import Places
from hilbridge.frames.protection.presets import PRESETS, ByFrame, preset
from hilbridge.frames.protection.recipe import Recipe, bits

_INTRODUCTION: Final = """\
# Presets

A preset is a maker's way of making counters and checksums: `protection: [NAME]` of a message. This page is made by
`hilbridge presets --reference` from the recipes in `daemon/hilbridge/frames/protection/presets.py`, not here.

Places are the usual ones. A signal of the database that is called COUNTER or CHECKSUM goes before them, and what the
bench file gives (`counter: {at: ...}`, `checksum: {at: ...}`) before both:

```yaml
protection:
  - preset: bmw-e
    checksum: {at: {bit: 56, width: 8}}       # or a signal of the database: {at: Checksum_416}
    counter: {at: {bit: 52, width: 4}}
```

A frame whose constant is not listed needs it from the bench file. A checksum that no preset makes is written key by
key, see `protection` in [README.md](README.md).
"""

_FRAME: Final = 8
"""[byte] of the frame that a recipe is shown for; in one of another length, places counted from its end move."""

_UNLISTED: Final = 0x7FF
_UNLISTED_EXTENDED: Final = 0x0C000003 | EXTENDED


def preset_facts(name: Preset) -> dict[str, Any]:
    """Return a preset as JSON and tables show it."""
    facts = PRESETS[name]
    recipe, shorter = _recipe(name, _FRAME), _recipe(name, _FRAME - 2)
    rows: dict[str, Any] = {
        "preset": name,
        "used_by": facts.used_by,
        "checksum": f"{_places(recipe.checksum, shorter.checksum)}: {_algorithm(recipe, facts.by_frame)}",
        "counter": _counter(recipe.counter, shorter.counter),
        "remark": facts.remark,
        "source": facts.source,
    }
    if facts.by_frame is not None:
        rows[f"{facts.by_frame.constant} by {facts.by_frame.by}"] = _constants(facts.by_frame)
    return rows


def presets_page() -> str:
    """Return the page of all presets, a section each."""
    lines = [_INTRODUCTION]
    for name in get_args(Preset):
        facts = preset_facts(name)
        lines += [f"## {facts.pop('preset')}\n"]
        table = next((key for key, value in facts.items() if isinstance(value, dict)), None)
        constants = facts.pop(table) if table is not None else {}
        lines += [f"- {key.replace('_', ' ')}: {value}" for key, value in facts.items() if value]
        if table is not None:
            constant, _, by = table.rpartition(" by ")
            lines += ["", f"| {by} | {constant} |", "|---|---|"]
            lines += [f"| {frame} | {value} |" for frame, value in constants.items()]
        lines.append("")
    return "\n".join(lines)


def _recipe(name: Preset, length: int) -> Recipe:
    """Return the recipe for a frame that no table lists; what the user would have to give is made up."""
    made_up = ChecksumSettings(at=[bits(0, 8)], data_ids=[0], initial=0, xor_out=0, fields=[bits(8, 8)])
    own = ProtectionSettings(preset=name, checksum=made_up)
    can_id = _UNLISTED_EXTENDED if name.startswith("j1939") else _UNLISTED
    return preset(own, name, can_id, length, ())


def _constants(table: ByFrame) -> dict[str, str]:
    values = {
        f"0x{frame:03X}" if table.by == "identifier" else f"{frame} bytes": _constant(value)
        for frame, value in sorted(table.values.items())
    }
    return values | ({"others": _constant(table.others)} if table.others is not None else {})


def _constant(value: Any) -> str:
    if isinstance(value, int):
        return f"0x{value:02X}"
    if isinstance(value, Recipe):
        return _own_way(value)
    if isinstance(value, list):
        same = len(set(value)) == 1
        return f"{value[0]:02X} for all counts" if same else bytes(value).hex(" ").upper()
    return " and ".join(_place([place]) for place in value)


def _own_way(recipe: Recipe) -> str:
    """Write how one frame is made that has a way of its own."""
    checksum, counter = recipe.checksum, recipe.counter
    if checksum is None or counter is None:
        raise AssertionError("the tables have both")
    words = f"{_place(checksum.at or [])}: {_algorithm(recipe, None)}"
    if checksum.fields and all(field.width == 1 for field in checksum.fields):
        words += f", of each bit of {_place(checksum.fields)}"
    elif checksum.fields:
        words += f", of {', '.join(_place([field]) for field in checksum.fields)}"
    words += f", without byte {', '.join(map(str, checksum.exclude))}" if checksum.exclude else ""
    return f"{words}; counter {_counter(counter, counter)}"


def _places(part: ChecksumSettings | CounterSettings | None, shorter: ChecksumSettings | CounterSettings | None) -> str:
    """Write where a number usually lies; what moves with the length of the frame is counted from its end."""
    if part is None or part.at is None or shorter is None or shorter.at is None:
        return "where named"
    if part.at == shorter.at:
        return _place(part.at)
    back = _FRAME - 1 - (part.at[0].bit or 0) // 8
    return _place(part.at, "last byte" if back == 0 else "byte before the last")


def _place(at: list[BitField], byte: str | None = None) -> str:
    """Write `byte 0`, `bytes 0 and 1`, `byte 1 (bits 0 to 3)`; `byte` is what to call it."""
    pieces = Places(None, FRAME_LENGTHS[-1]).position(at, ()).pieces
    if len(pieces) > 1 and all(piece.mask == 0xFF for piece in pieces):
        return f"bytes {' and '.join(str(piece.byte) for piece in pieces)}"
    return " and ".join(_bits_of(piece.mask, byte or f"byte {piece.byte}") for piece in pieces)


def _bits_of(mask: int, byte: str) -> str:
    low, high = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
    return byte if mask == 0xFF else f"{byte} (bit{f's {low} to {high}' if high > low else f' {low}'})"


def _counter(counter: CounterSettings | None, shorter: CounterSettings | None) -> str:
    if counter is None:
        return "none, or where named"
    at = counter.at or [bits(0, 1)]
    highest = counter.maximum if counter.maximum is not None else (1 << sum(one.width or 0 for one in at)) - 1
    return f"{_places(counter, shorter)}: 0 to {highest}"


def _algorithm(recipe: Recipe, table: ByFrame | None) -> str:
    """Write the algorithm with the numbers of its recipe: `crc8, polynomial 0x1D, start 0xFF, final xor 0xFF`."""
    checksum = recipe.checksum
    if checksum is None or checksum.algorithm is None:
        return "none"
    words: list[str] = [checksum.algorithm]
    by_frame = table.constant if table is not None else ""
    usual = crc.DEFAULTS.get(checksum.algorithm)
    numbers = {"polynomial": checksum.polynomial, "start": checksum.initial, "final xor": checksum.xor_out}
    if usual is not None:
        defaults = (usual.polynomial, usual.initial, usual.xor_out)
        numbers = {
            key: default if number is None else number
            for (key, number), default in zip(numbers.items(), defaults, strict=True)
        }
    if checksum.initial == _UNLISTED:
        numbers["start"] = None
        words.append("start: the identifier")
    words += [
        f"{key} by {table.by}" if table is not None and key == by_frame else f"{key} 0x{number:02X}"
        for key, number in numbers.items()
        if number is not None
    ]
    words += ["carry added back"] if checksum.fold else []
    words += ["subtracted"] if checksum.negate else []
    for when, terms in (("before", checksum.before), ("after", checksum.after)):
        words += [f"{when} the bytes: {', '.join(map(str, terms))}"] if terms else []
    return ", ".join(words)
