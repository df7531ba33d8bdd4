"""The file of trouble codes."""

from pathlib import Path

import pytest

from hilbridge.common.errors import InvalidFileError
from hilbridge.configuration.codesfile import codes_schema, load_codes

SHIPPED = Path(__file__).parents[3] / "config" / "codes.yaml"


def problems(tmp_path: Path, text: str) -> str:
    file = tmp_path / "codes.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFileError) as error:
        load_codes(file)
    return str(error.value).replace(f"{tmp_path}/", "")


def test_the_shipped_file_is_good() -> None:
    settings = load_codes(SHIPPED)
    assert {"P0171", "P0217", "P0300", "P0301", "P0562", "P0563", "P2135"} <= set(settings.codes)
    assert all(monitor.code in settings.codes for monitor in settings.monitors.values())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("codes:\n  P9301: {text: misfire}\n", "codes.yaml:2: codes.P9301"),
        ("codes:\n  P0301: {text: misfire, trips: 3}\n", "codes.yaml:2: codes.P0301.trips"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0302, value: '1', maximum: 0}\n", "codes.yaml:4"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0301, maximum: 0}\n", "codes.yaml:4"),
        ("codes:\n  P0301: {text: misfire}\nmonitors:\n  one: {code: P0301, value: '1'}\n", "codes.yaml:4"),
        ("codes: {}\ncode: 1\n", "codes.yaml:2: code"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, line: str) -> None:
    assert problems(tmp_path, text).startswith(line)


def test_two_monitors_of_a_code_are_refused(tmp_path: Path) -> None:
    """The one would pass what the other one failed."""
    text = "codes:\n  P0301: {text: misfire}\nmonitors:\n"
    text += "".join(f"  {name}: {{code: P0301, value: '1', maximum: 0}}\n" for name in ("one", "two"))
    assert "found by one already" in problems(tmp_path, text)


def test_two_tests_in_the_same_place_are_refused(tmp_path: Path) -> None:
    text = "codes:\n  P0301: {text: a}\n  P0302: {text: b}\nmonitors:\n"
    for name, code in (("one", "P0301"), ("two", "P0302")):
        place = "result: {monitor: 0xA1, test: 0x80, unit: 0x24}"
        text += f"  {name}: {{code: {code}, value: '1', maximum: 0, {place}}}\n"
    assert "the same test as one" in problems(tmp_path, text)


def test_there_is_a_schema() -> None:
    assert set(codes_schema()["properties"]) == {"codes", "monitors"}
