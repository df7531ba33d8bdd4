"""The shapes of JSON that came from another program: a small schema, for readers that have no time for pydantic.

    shape             fits
    str, bool         a text of at most LONGEST_TEXT characters, a truth value
    int, float        a number that 64 bits hold; float: finite, whole or not
    (None, SHAPE)     null, or what fits
    [SHAPE]           a list; {str: SHAPE}: an object with any names; at most MOST items, of which those that do not
                      fit are left out, each with its reason
    {"name": SHAPE}   an object with these names, all of which must fit; `name?` may be missing; others stay as they are
    object            anything

`hilbridge ctl` starts in a twentieth of a second; pydantic alone takes several times that.
"""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, Final

from hilbridge.base.common.errors import describe_value

LONGEST_TEXT: Final = 4096
MOST: Final = 20_000
DEEPEST: Final = 40
_LARGEST: Final = 1 << 63

_KINDS: Final = {str: "a text", bool: "a truth value", int: "a whole number", float: "a number"}


class MisfitError(ValueError):
    """A value does not fit its shape; the words say where and why."""


def sift(value: Any, shape: Any, misfits: list[str], place: str = "") -> Any:
    """Return what of a value fits a shape, and note the items that were left out. MisfitError: the value itself."""
    if shape is object:
        return value
    if isinstance(shape, tuple):
        return None if value is None else sift(value, shape[1], misfits, place)
    if isinstance(shape, list):
        if not isinstance(value, list):
            raise _misfit(place, "a list", value)
        return [item for _, item in _sifted(enumerate(_most(value, place)), shape[0], misfits, place)]
    if not isinstance(shape, dict):
        return _scalar(value, shape, place)
    if not isinstance(value, dict):
        raise _misfit(place, "an object", value)
    if str in shape:
        return dict(_sifted(_most(value, place).items(), shape[str], misfits, place))
    return _record(value, shape, misfits, place)


def read_json(content: bytes | bytearray, longest: int) -> Any:
    """Return what JSON of another program says. MisfitError: it is longer, nested deeper than DEEPEST, or no JSON."""
    if len(content) > longest:
        raise MisfitError(f"it has {len(content)} bytes, and no more than {longest} are read")
    try:
        value = json.loads(content)
        if _is_deeper(value, DEEPEST):
            raise RecursionError
    except RecursionError:
        raise MisfitError("it is nested too deeply") from None
    except ValueError:
        raise MisfitError("it is no JSON") from None
    return value


def _is_deeper(value: Any, depth: int) -> bool:
    if not isinstance(value, list | dict):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return depth == 0 or any(_is_deeper(one, depth - 1) for one in inner)


def fit(value: Any, shape: Any) -> Any:
    """Return a value that fits a shape. MisfitError: any part of it does not."""
    misfits: list[str] = []
    found = sift(value, shape, misfits)
    if misfits:
        raise MisfitError(misfits[0])
    return found


def _sifted(items: Iterable[tuple[Any, Any]], shape: Any, misfits: list[str], place: str) -> Iterator[tuple[Any, Any]]:
    for name, item in items:
        try:
            if isinstance(name, str):
                _scalar(name, str, place)
            yield name, sift(item, shape, misfits, f"{place}.{name}" if place else str(name))
        except MisfitError as error:
            misfits.append(str(error))


def _record(value: dict[str, Any], shape: dict[str, Any], misfits: list[str], place: str) -> dict[str, Any]:
    found = dict(value)
    for key, inner in shape.items():
        name = key.removesuffix("?")
        if name in value:
            found[name] = sift(value[name], inner, misfits, f"{place}.{name}" if place else name)
        elif name == key:
            raise MisfitError(f"{place + ': ' if place else ''}{name!r} is missing")
    return found


def _scalar(value: Any, kind: type, place: str) -> Any:
    if kind is str:
        fits = isinstance(value, str) and len(value) <= LONGEST_TEXT
    elif kind is bool:
        fits = isinstance(value, bool)
    else:
        numbers = (int, float) if kind is float else (int,)
        fits = isinstance(value, numbers) and not isinstance(value, bool) and -_LARGEST <= value < _LARGEST
    if not fits:
        raise _misfit(place, _KINDS[kind], value)
    return value


def _most(value: Any, place: str) -> Any:
    if len(value) > MOST:
        raise MisfitError(f"{place or 'it'} has {len(value)} items, and no more than {MOST} are read")
    return value


def _misfit(place: str, wanted: str, value: Any) -> MisfitError:
    told = describe_value(value)
    if isinstance(value, float) and not math.isfinite(value):
        told = "a number that is not finite"
    elif isinstance(value, int) and not isinstance(value, bool):
        told = f"the number {value}" if -_LARGEST <= value < _LARGEST else "a number beyond 64 bits"
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        told = f"a text of {len(value)} characters"
    return MisfitError(f"{place or 'it'} is {told}, not {wanted}")
