"""The floods reach every door, and the attackers say what they are meant to say."""

import zlib
from pathlib import Path
from typing import get_args

from hilbridge.files.settings.inputs import InputSource

from .attacks import deflate_bomb, message
from .floods import content

WITHOUT_A_DOOR = {"can", "demo-driver"}
"""Sources that read the bus, and none."""

NOT_HERE = {"evdev"}
"""Sources that need a device."""


def test_every_source_of_inputs_is_flooded(tmp_path: Path) -> None:
    """A new one belongs into the bench of the floods, and into their targets."""
    sources = {get_args(source.model_fields["source"].annotation)[0] for source in get_args(get_args(InputSource)[0])}
    flooded = content(tmp_path, "/dev/pts/0", 1)
    there = {one["source"] for one in flooded["inputs"]} | ({"board"} if flooded["boards"] else set())
    assert sources - WITHOUT_A_DOOR - NOT_HERE <= there
    assert flooded.keys() >= {"control", "metrics", "outputs"}


def test_a_message_of_a_web_socket_is_framed_as_published() -> None:
    """RFC 6455, 5.7, a single-frame masked text message, here with a mask of zeros; longer ones have longer lengths."""
    assert message(b"Hello") == bytes.fromhex("81 85 00 00 00 00 48 65 6c 6c 6f")
    assert message(bytes(256), first=0x82)[:4] == bytes.fromhex("82 fe 01 00")
    assert message(bytes(65536), first=0x82)[:10] == bytes.fromhex("82 ff 00 00 00 00 00 01 00 00")
    assert message(b"", announced=1 << 40)[:10] == bytes.fromhex("81 ff 00 00 01 00 00 00 00 00")


def test_a_bomb_is_small_and_becomes_large() -> None:
    """RFC 7692, 7.2.2: the receiver appends 00 00 FF FF and inflates."""
    bomb = deflate_bomb(8 << 20)
    assert len(bomb) < 10_000
    assert zlib.decompressobj(wbits=-15).decompress(bomb + b"\0\0\xff\xff") == bytes(8 << 20)
