"""A recording whose manifest and records were changed: truncated, flipped, inserted into, or given other values.

An input is a row of changes: what (8 bits: the file, and how it is changed), where (16 bits: the part of the file
before it), length (8 bits), bytes. It ends with a result, or with a ConfigurationError.
"""

import json
import struct
from contextlib import suppress
from pathlib import Path
from shutil import copytree

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record.boundary_records import COMMAND, END, FRAME, LINK, SERIAL
from hilbridge.boundary.record.segments import header, record, segment_path

from . import recording
from .packaged import scratch_file
from .recording import TICK, read

_LAYOUT = struct.Struct("<BHB")
_FOLDER = copytree(recording._FOLDER, scratch_file("damaged"))
_MANIFEST = _FOLDER / "manifest.json"
_WHOLE = json.loads(_MANIFEST.read_text(encoding="utf-8"))


def _records() -> bytes:
    content = header(0, 0)
    payloads = [
        (FRAME, struct.pack("<IBBB", 0x7DF, 0, 1, 0) + b"\x02\x01\x0c"),
        (SERIAL, b"\0thr=12\n"),
        (LINK, struct.pack("<BII", 0, 1, 0) + b"gone"),
        (COMMAND, b'{"command": "release"}'),
    ]
    for i in range(40):
        kind, payload = payloads[i % len(payloads)]
        content += record(len(content), len(content), i // 10 * TICK, kind, payload)
    return content + record(len(content), len(content), 4 * TICK, END, b'{"ticks": 5}')


_CONTENT = {segment_path(_FOLDER, 0): _records(), _MANIFEST: json.dumps(_WHOLE).encode()}


def _change(what: int, where: int, content: bytes) -> bytes:
    return _LAYOUT.pack(what, where, len(content)) + content


SEEDS = [
    _change(0, 30_000, b"\x10"),
    _change(2, 20_000, b"abcd"),
    _change(4, 50_000, b""),
    _change(1, 10_000, b"["),
    *(
        _change(7, list(_WHOLE).index(key) << 8, value)
        for key, value in (("software", b"1"), ("buses", b"[]"), ("sha256", b'{"x": 1}'), ("format", b"2.0"))
    ),
]


def one_input(data: bytes) -> None:
    changed = dict(_CONTENT)
    at = 0
    while at + _LAYOUT.size <= len(data):
        what, where, length = _LAYOUT.unpack_from(data, at)
        at += _LAYOUT.size
        path = list(changed)[what & 1]
        changed[path] = _changed(path, changed[path], what >> 1, where, data[at : at + length])
        at += length
    for path, content in changed.items():
        path.write_bytes(content)
    with suppress(ConfigurationError):
        read(_FOLDER)


def _changed(path: Path, content: bytes, how: int, where: int, by: bytes) -> bytes:
    place = where * len(content) >> 16
    if how % 4 == 0:
        flipped = bytes(a ^ b for a, b in zip(content[place:], by, strict=False))
        return content[:place] + flipped + content[place + len(by) :]
    if how % 4 == 1:
        return content[:place] + by + content[place:]
    if how % 4 == 2:
        return content[:place]
    if path != _MANIFEST:
        return content[:place] + content[place + len(by) :]
    with suppress(ValueError, RecursionError):
        keys = [*_WHOLE, "since", "rate"]
        return json.dumps(_WHOLE | {keys[(where >> 8) % len(keys)]: json.loads(by)}).encode()
    return content
