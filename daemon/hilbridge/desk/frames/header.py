"""The frames of a profile as a C99 header: for each a struct of its signals, and a function for its bytes.

No floating point: a function beside each signal makes its number of thousandths of the signal's unit. The function of
a frame gets how often it was sent before, by which its counters go; checksums are calculated in it. A frame that the
header cannot make is left out, with the reason in a comment.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from hilbridge.files.configuration.yamltext import comment_text
from hilbridge.files.settings.profiles import LETTERS

_CRC8: Final = {"polynomial": 0x1D, "initial": 0xFF, "xor_out": 0xFF}

_ALGORITHMS: Final = ("xor8", "parity", "sum8", "nibble-sum", "field-sum", "crc8")
"""Checksums that the header can make."""

_NEAR: Final = 10**6
"""Denominators of scales, at most: 1/64.01 and the like are exact to a millionth."""

_PROLOGUE: Final = """\
#include <stdint.h>
#include <string.h>

#ifndef HILBRIDGE_CRC8
#define HILBRIDGE_CRC8
/* CRC-8, most significant bit first. */
static inline uint8_t hilbridge_crc8(uint8_t crc, uint8_t polynomial, uint8_t byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = (uint8_t)((crc & 0x80) ? (crc << 1) ^ polynomial : crc << 1);
    return crc;
}

/* The number of a signal: (thousandths - offset) * multiplier / divisor to the nearest, within its limits. */
static inline int64_t hilbridge_number(int64_t thousandths, int64_t offset, int64_t multiplier, int64_t divisor,
                                       int64_t lowest, int64_t highest)
{
    int64_t n = (thousandths - offset) * multiplier;
    n = (n + (n < 0 ? -divisor / 2 : divisor / 2)) / divisor;
    return n < lowest ? lowest : n > highest ? highest : n;
}
#endif
"""


def write_header(told: Mapping[str, Any]) -> str:
    """Return the header for frames as describe.py has them."""
    name = _word(told["name"].rpartition("/")[2].removesuffix(".yaml"))
    guard = f"HILBRIDGE_{name.upper()}_H"
    lines = [*_comment(told), f"#ifndef {guard}", f"#define {guard}", "", _PROLOGUE]
    for frame in told["frames"]:
        lines += _frame(name, frame)
    return "\n".join([*lines, "#endif", ""])


def left_out(told: Mapping[str, Any]) -> dict[str, str]:
    """Return the frames that the header does not make, with the reason."""
    return {frame["name"]: reason for frame in told["frames"] if (reason := _obstacle(frame))}


def _comment(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the comment; what the writer of a profile says ends neither the comment nor its line."""
    yield "/*"
    yield from (f" * {comment_text(line)}".replace("*/", "* /") for line in _facts(told))
    yield " */"


def _facts(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"{told['title']}"
    yield f"confidence {told['confidence']}: {LETTERS[told['confidence']]}"
    yield f"tested: {told['tested']}"
    yield "sources:"
    yield from (f"- {source}" for source in told["sources"])
    yield from (f"note: {note}" for note in told["notes"])
    if told["bitrate"]:
        yield f"bus: {told['bitrate']} bit/s"
    if told["never_send"]:
        numbers = [f"0x{one:X}" if isinstance(one, int) else str(one) for one in told["never_send"]]
        yield f"never send: {', '.join(numbers)}"
    yield from (f"left out: {frame}: {reason}" for frame, reason in left_out(told).items())


def _obstacle(frame: Mapping[str, Any]) -> str:
    """Return why the header cannot make a frame; empty: it can."""
    if frame["paged"]:
        return "its signals lie on pages"
    if frame["events"]:
        return "it goes on events: its code and state are the sender's to choose"
    for group in frame["protection"]:
        checksum = group["checksum"]
        if group["longer_counters"]:
            return "a counter with more than 256 numbers"
        if checksum is not None and (checksum["algorithm"] not in _ALGORITHMS or checksum.get("reflect")):
            return f"its checksum is {checksum['algorithm']}"
        if checksum is not None and (checksum.get("fold") or checksum.get("backwards")):
            return f"its {checksum['algorithm']} is folded or goes backwards"
    return ""


def _frame(prefix: str, frame: Mapping[str, Any]) -> Iterator[str]:
    if _obstacle(frame):
        return
    name, word = f"{prefix}_{_word(frame['name'])}", _word(frame["name"]).upper()
    macro = f"{prefix.upper()}_{word}"
    known = frame["known"]
    told = "" if known is None else f"; known: {known['confidence']}, seen: {known['seen']}"
    yield f"/* {frame['name']}: {_goes(frame)}{told} */"
    yield f"#define {macro}_ID 0x{frame['id']:X}u"
    yield f"#define {macro}_EXTENDED {int(frame['extended'])}"
    yield f"#define {macro}_LENGTH {frame['length']}u"
    if frame["period_ms"] is not None:
        yield f"#define {macro}_PERIOD_MS {round(frame['period_ms'])}u"
    yield "typedef struct {"
    for signal in frame["signals"]:
        unit = f" [{signal['unit']}]" if signal["unit"] else ""
        yield f"    int64_t {_member(signal)}; /* {_plain(signal['from'])}{unit} */"
    if not frame["signals"]:
        yield "    int unused;"
    yield f"}} {name}_t;"
    for signal in frame["signals"]:
        yield from _conversion(name, signal)
    yield from _function(name, frame)
    yield ""


def _goes(frame: Mapping[str, Any]) -> str:
    period = "" if frame["period_ms"] is None else f" every {frame['period_ms']:g} ms"
    return f"{frame['send']}{period}"


def _conversion(name: str, signal: Mapping[str, Any]) -> Iterator[str]:
    """Yield the function that makes a signal's number of thousandths of its unit."""
    scale = Fraction(signal["scale"]).limit_denominator(_NEAR) * 1000
    width = min(signal["width"], 62)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signal["signed"] else (0, (1 << width) - 1)
    sign = -1 if scale < 0 else 1
    yield f"static inline int64_t {name}_{_member(signal)}(int64_t thousandths)"
    yield "{"
    yield (
        f"    return hilbridge_number(thousandths, {round(signal['offset'] * 1000)}, {sign * scale.denominator}, "
        f"{abs(scale.numerator)}, {low}, {high});"
    )
    yield "}"


def _function(name: str, frame: Mapping[str, Any]) -> Iterator[str]:
    data = ", ".join(f"0x{byte}" for byte in frame["data"].split())
    for index, (_, counter) in enumerate(_counters(frame)):
        numbers = ", ".join(map(str, counter["numbers"]))
        yield f"static const uint8_t {name}_numbers_{index}[] = {{{numbers}}};"
    yield f"static inline void {name}(uint8_t *d, uint32_t sent, const {name}_t *s)"
    yield "{"
    yield "    uint64_t n;"
    if data:
        yield f"    static const uint8_t rest[] = {{{data}}};"
        yield "    memcpy(d, rest, sizeof rest);"
    yield "    (void)n; (void)d; (void)sent; (void)s;"
    for signal in frame["signals"]:
        yield f"    n = (uint64_t)s->{_member(signal)};"
        yield from _written(signal["bits"])
    for group in frame["protection"]:
        for constant in group["constants"]:
            yield f"    d[{constant['bit'] // 8}] = {constant['number']};"
    index = 0
    for group in frame["protection"]:
        for place, counter in enumerate(group["counters"]):
            size = len(counter["numbers"])
            turn = (
                f"sent / {len(group['counters'][0]['numbers'])}u" if place and group["second_counts_rounds"] else "sent"
            )
            yield f"    n = {name}_numbers_{index}[({turn}) % {size}u];"
            yield from _written(counter["bits"])
            index += 1
    index = 0
    for group in frame["protection"]:
        if group["checksum"] is not None:
            first = (
                f"{name}_numbers_{index}[sent % {len(group['counters'][0]['numbers'])}u]" if group["counters"] else "0"
            )
            yield from _checksum(group["checksum"], frame, first)
        index += len(group["counters"])
    yield "}"


def _counters(frame: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for group in frame["protection"]:
        for counter in group["counters"]:
            yield group, counter


def _written(runs: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield the lines that write the number n."""
    for byte, target, source, mask in runs:
        kept, new = f"d[{byte}] & 0x{mask ^ 0xFF:02X}", f"((n >> {source}) << {target}) & 0x{mask:02X}"
        yield f"    d[{byte}] = (uint8_t)(({kept}) | ({new}));"


def _checksum(checksum: Mapping[str, Any], frame: Mapping[str, Any], number: str) -> Iterator[str]:
    """Yield the lines that calculate a checksum and write it; `number` is that of the counter."""
    kind = checksum["algorithm"]
    usual = _CRC8 if kind == "crc8" else {}
    initial, final = (checksum.get(key, usual.get(key, 0)) for key in ("initial", "xor_out"))
    add = {
        "xor8": "n ^= {0};",
        "parity": "n ^= {0};",
        "sum8": "n += {0};",
        "nibble-sum": "n += (({0}) >> 4) + (({0}) & 0xF);",
        "crc8": f"n = hilbridge_crc8((uint8_t)n, 0x{checksum.get('polynomial', 0x1D):02X}, (uint8_t)({{0}}));",
    }.get(kind, "")
    negated = checksum.get("negate", False)
    folded = (4, 2, 1) if kind == "parity" else ()
    yield f"    n = {0 if negated else initial};"
    if kind == "field-sum":
        for field in checksum["fields"]:
            yield f"    n += {_read(field['bits'])};"
    else:
        for term in _terms(checksum.get("before", []), checksum, frame, number):
            yield f"    {add.format(term)}"
        for byte in _covered(checksum, frame["length"]):
            own = sum(mask for at, _, _, mask in checksum["bits"] if at == byte)
            if own != 0xFF:
                yield f"    {add.format(f'(d[{byte}] & 0x{0xFF ^ own:02X})')}"
        for term in _terms(checksum.get("after", []), checksum, frame, number):
            yield f"    {add.format(term)}"
    yield from (f"    n ^= n >> {bits};" for bits in folded)
    if negated:
        yield f"    n = (uint64_t){initial} - n;"
    if final:
        yield f"    n ^= 0x{final:X};"
    yield from _written(checksum["bits"])


def _covered(checksum: Mapping[str, Any], length: int) -> Iterator[int]:
    last = checksum.get("last", length - 1)
    yield from (byte for byte in range(checksum.get("first", 0), last + 1) if byte not in checksum.get("exclude", []))


def _terms(terms: Sequence[Any], checksum: Mapping[str, Any], frame: Mapping[str, Any], number: str) -> Iterator[str]:
    for term in terms:
        if term == "identifier":
            size = 4 if frame["extended"] else 2
            yield from (f"0x{byte:02X}" for byte in frame["id"].to_bytes(size, "little"))
        elif term == "length":
            yield str(frame["length"])
        elif term == "data-id":
            ids = ", ".join(f"0x{one:02X}" for one in checksum["data_ids"])
            yield f"((const uint8_t[]){{{ids}}})[{number} % {len(checksum['data_ids'])}u]"
        else:
            yield str(term)


def _read(runs: Sequence[Sequence[int]]) -> str:
    return " + ".join(
        f"((((uint64_t)d[{byte}] & 0x{mask:02X}) >> {target}) << {source})" for byte, target, source, mask in runs
    )


def _word(name: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).strip("_").lower()


def _member(signal: Mapping[str, Any]) -> str:
    word = _word(signal["name"])
    return f"{word}_" if word in _KEYWORDS or word[0].isdigit() else word


def _plain(text: str) -> str:
    return " ".join(text.replace("*/", "* /").split())


_KEYWORDS: Final = frozenset(
    {"auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float"}
    | {"for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof"}
    | {"static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while"}
)
