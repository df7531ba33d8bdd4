"""Files from strangers, made to cost time and memory or to break something, and what `hilbridge` says of each.

    python -m tests.hostile

prints time, memory and status of each command, in processes of their own.
"""

import os
import resource
import struct
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

BENCH = "name: hostile\nvehicle: compact\nbuses:\n  can:\n    interface: embedded\n"
DBC = 'VERSION ""\nBU_: A\nBO_ 256 M: 8 A\n SG_ S : 0|8@1+ (1,0) [0|0] "" A\n'
KCD = (
    '<NetworkDefinition xmlns="http://kayak.2codeornot2code.org/1.0"><Document/><Bus name="b">{}</Bus>'
    "</NetworkDefinition>"
)


class Hostile(NamedTuple):
    """Words of the command line, and what the answer must have in it."""

    words: tuple[str, ...]
    answer: str
    status: int = 2
    never: str = "Traceback"
    """What the answer must not have in it."""


def _check(folder: Path, bus: str, rest: str = "") -> tuple[str, ...]:
    file = folder / "bench.yaml"
    file.write_text(f"{BENCH}    {bus}\n{rest}", encoding="utf-8")
    return "check", str(file)


def _database(folder: Path, name: str, content: str) -> tuple[str, ...]:
    (folder / name).write_text(content, encoding="utf-8")
    return _check(folder, f"database: {name}")


def many_messages(folder: Path) -> Hostile:
    content = DBC + "".join(f'BO_ {i} N{i}: 8 A\n SG_ S : 0|8@1+ (1,0) [0|0] "" A\n' for i in range(130_000))
    return Hostile(_database(folder, "x.dbc", content), "x.dbc has 130001 messages, more than 10000")


def many_signals(folder: Path) -> Hostile:
    content = DBC + "".join(f' SG_ S{i} : {i % 64}|1@1+ (1,0) [0|0] "" A\n' for i in range(100_000))
    return Hostile(_database(folder, "x.dbc", content), "x.dbc has 100001 signals, more than 50000")


def many_messages_of_kcd(folder: Path) -> Hostile:
    messages = "".join(f'<Message id="0x{i:X}" name="M{i}" length="8"/>' for i in range(130_000))
    return Hostile(_database(folder, "x.kcd", KCD.format(messages)), "x.kcd has 130000 messages")


def many_messages_of_sym(folder: Path) -> Hostile:
    messages = "".join(f"[M{i}]\nID={i:08X}h\nType=Extended\nDLC=8\n\n" for i in range(60_000))
    content = f'FormatVersion=6.0\nTitle="x"\n\n{{SEND}}\n\n{messages}'
    return Hostile(_database(folder, "x.sym", content), "x.sym has 60000 messages")


def messages_alike(folder: Path) -> Hostile:
    """Each has the identifier of the first: a warning, but not one for each."""
    content = DBC + "".join(f"BO_ 256 N{i}: 8 A\n" for i in range(2_000))
    return Hostile(_database(folder, "x.dbc", content), "x.dbc: and 1800 more", 0)


def negative_cycle_time(folder: Path) -> Hostile:
    attributes = 'BA_DEF_ BO_ "GenMsgCycleTime" INT -10 100;\nBA_DEF_DEF_ "GenMsgCycleTime" 0;\n'
    content = f'{DBC}{attributes}BA_ "GenMsgCycleTime" BO_ 256 -5;\n'
    return Hostile(_database(folder, "x.dbc", content), "no cycle time is -5 ms", 0)


def unknown_keys(folder: Path) -> Hostile:
    keys = "".join(f"k{i}: 1\n" for i in range(40_000))
    return Hostile(_check(folder, "bitrate: 500000", keys), "and 39800 more")


def wrong_items(folder: Path) -> Hostile:
    items = "inputs:\n" + "  - {source: nothing}\n" * 20_000
    return Hostile(_check(folder, "bitrate: 500000", items), "and 19800 more")


def large_bench(folder: Path) -> Hostile:
    return Hostile(_check(folder, f"channel: {'a' * 50_000_000}"), "is larger than 1024 KiB")


def _zeros(size: int) -> Iterator[bytes]:
    packer = zlib.compressobj(9)
    for _ in range(size >> 20):
        yield packer.compress(bytes(1 << 20))
    yield packer.flush()


def rest_bus_that_unpacks(folder: Path) -> Hostile:
    """A container of 1.5 MB with 1.5 GB in it."""
    packed = b"".join(_zeros(1536 << 20))
    head = struct.pack("<4sL", b"LOGG", 144) + bytes(136)
    body = struct.pack("<4sHHLL", b"LOBJ", 16, 1, 32 + len(packed), 10) + struct.pack("<H6xL4x", 2, 1536 << 20) + packed
    (folder / "x.blf").write_bytes(head + body)
    answer = "x.blf: a container of the file unpacks to more than 16 MiB"
    return Hostile(_check(folder, "rest_bus: {file: x.blf}"), answer)


def log_of_one_line(folder: Path) -> Hostile:
    """Compressed, so that it is small on the disk; behind a frame, so that it is known as a log."""
    import gzip

    with gzip.open(folder / "x.log.gz", "wb", 6) as file:
        file.write(b"(1.0) can0 123#11\n")
        file.write(b"(1.0) can0 100#01\n")
        for _ in range(1536):
            file.write(b"x" * (1 << 20))
    return Hostile(
        _check(folder, "rest_bus: {file: x.log.gz}"), "x.log.gz: it has a line of more than 65536 characters"
    )


def entities_in_entities(folder: Path) -> Hostile:
    """Ten to the ninth of them, if they were resolved."""
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    content = f'<!DOCTYPE x [<!ENTITY e0 "x">{levels}]>{KCD.format("<Notes>&e9;</Notes>")}'
    return Hostile(_database(folder, "x.kcd", content), "x.kcd")


def entity_of_another_file(folder: Path) -> Hostile:
    """Which would be read, and shown."""
    (folder / "secret").write_text("secret-words", encoding="utf-8")
    content = (
        f'<!DOCTYPE x [<!ENTITY other SYSTEM "file://{folder}/secret">]>'
        '<AUTOSAR xmlns="http://autosar.org/schema/r4.0"><AR-PACKAGES><AR-PACKAGE><SHORT-NAME>&other;</SHORT-NAME>'
        "</AR-PACKAGE></AR-PACKAGES></AUTOSAR>"
    )
    return Hostile(_database(folder, "x.arxml", content), "x.arxml", never="secret-words")


def huge_value_table(folder: Path) -> Hostile:
    table = " ".join(f'{n} "v{n}"' for n in range(200_000))
    return Hostile(_database(folder, "x.dbc", f"{DBC}VAL_ 256 S {table} ;\n"), "bench hostile", 0)


def multiplexers_of_each_other(folder: Path) -> Hostile:
    signals = ' SG_ A m0M : 8|8@1+ (1,0) [0|0] "" B\n SG_ C m0M : 16|8@1+ (1,0) [0|0] "" B\n'
    ways = "SG_MUL_VAL_ 256 A C 0-0;\nSG_MUL_VAL_ 256 C A 0-0;\n"
    return Hostile(_database(folder, "x.dbc", f"{DBC}{signals}{ways}"), "bench hostile", 0)


def ranges_of_pages(folder: Path) -> Hostile:
    """Of a multiplexer of 32 bits: a list of its numbers would take all memory."""
    signals = ' SG_ P M : 8|32@1+ (1,0) [0|0] "" B\n SG_ C m0 : 40|8@1+ (1,0) [0|0] "" B\n'
    pages = "SG_MUL_VAL_ 256 C P 0-4294967295;\n" * 100
    return Hostile(_database(folder, "x.dbc", f"{DBC}{signals}{pages}"), "bench hostile", 0)


def pages_of_everything(folder: Path) -> Hostile:
    """Each signal on all pages above its own: the pages together have four million."""
    signals = "".join(f' SG_ C{n} m{n} : 40|8@1+ (1,0) [0|0] "" B\n' for n in range(2_900))
    pages = "".join(f"SG_MUL_VAL_ 256 C{n} P {n}-4294967295;\n" for n in range(2_900))
    content = f'{DBC} SG_ P M : 8|32@1+ (1,0) [0|0] "" B\n{signals}{pages}'
    return Hostile(_database(folder, "x.dbc", content), "pages have more than 200000 signals", 0)


def many_signals_of_a_message(folder: Path) -> Hostile:
    """Each on a page of its own."""
    signals = "".join(f' SG_ C{n} m{n} : 40|8@1+ (1,0) [0|0] "" B\n' for n in range(20_000))
    content = f'{DBC} SG_ P M : 8|32@1+ (1,0) [0|0] "" B\n{signals}'
    return Hostile(_database(folder, "x.dbc", content), "M is left out: it has 20002 signals, more than 3000", 0)


def comments_without_end(folder: Path) -> Hostile:
    """Each quote could end each of them."""
    content = DBC + 'CM_ BO_ 256 "never closed\n' * 100_000
    return Hostile(_database(folder, "x.dbc", content), "x.dbc: and ", 0)


def zeros_instead_of_text(folder: Path) -> Hostile:
    file = folder / "bench.yaml"
    file.write_bytes(BENCH.encode() + bytes(1000))
    return Hostile(("check", str(file)), "bench.yaml:")


HOSTILE: tuple[Callable[[Path], Hostile], ...] = (
    many_messages,
    many_signals,
    many_messages_of_kcd,
    many_messages_of_sym,
    messages_alike,
    negative_cycle_time,
    unknown_keys,
    wrong_items,
    large_bench,
    rest_bus_that_unpacks,
    log_of_one_line,
    entities_in_entities,
    entity_of_another_file,
    huge_value_table,
    multiplexers_of_each_other,
    ranges_of_pages,
    pages_of_everything,
    many_signals_of_a_message,
    comments_without_end,
    zeros_instead_of_text,
)


class Outcome(NamedTuple):
    """What a command printed, its exit status, and what it took: memory [MiB] of it or its largest child, and time.

    The memory is what came on top of what the process was forked with.
    """

    text: str
    status: int
    memory: int
    seconds: float


def run(words: tuple[str, ...], folder: Path) -> Outcome:
    """The command in a process of its own, which begins with what is imported here."""
    from hilbridge.commands.cli import main

    output = folder / "output"
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        forked_with = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(descriptor, stream)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as a program begins
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        status = 70
        try:
            status = main(words)
        except BaseException:  # noqa: BLE001 - to be judged by who reads it
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
        most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        (folder / "memory").write_text(str(most - forked_with))
        os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    memory = int((folder / "memory").read_text()) >> 10
    text = output.read_text(encoding="utf-8", errors="replace")
    return Outcome(text, status, memory, time.monotonic() - began)


def main() -> int:
    for make in HOSTILE:
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(make(Path(folder)).words, Path(folder))
        took = f"{outcome.seconds:6.1f} s {outcome.memory:5} MiB"
        lines = outcome.text.count("\n")
        print(f"{make.__name__:24} {took}  status {outcome.status}, {lines} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
