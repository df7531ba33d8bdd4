"""YAML without surprises: types, lines, duplicate keys, limits."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, KeyPath
from hilbridge.files.configuration.yamlfile import MAXIMUM_BYTES, YamlFile, events


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file.yaml"


def load(file: Path, text: str | bytes) -> YamlFile:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return YamlFile.load(file)


def refusals(file: Path, text: str | bytes) -> list[str]:
    """The error lines without the name of the file, which begins each of them."""
    with pytest.raises(InvalidFileError) as caught:
        load(file, text)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{file}:") for line in lines)
    return [line.removeprefix(f"{file}:") for line in lines]


# -- values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-12", -12),
        ("+1_000", 1000),
        ("0x7DF", 0x7DF),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("-2.5E-3", -0.0025),
        (".inf", math.inf),
        ("-.Inf", -math.inf),
    ],
)
def test_plain_words_become_values(file: Path, word: str, value: Any) -> None:
    """Decimal and 0x numbers, true, false and null, in the spellings of YAML."""
    read = load(file, f"key: {word}\n").data["key"]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    "word", ["on", "off", "yes", "No", "y", "0777", "1:30", "2024-01-31", "1e", ".", "-", "1.2.3", "0x", "_1", "1__x"]
)
def test_words_that_yaml_would_turn_into_something_else_stay_text(file: Path, word: str) -> None:
    """YAML 1.1 reads on, 0777, 1:30 and 2024-01-31 as true, 511, 90 and a date; a bench means what it says."""
    quote = word if word != "-" else "'-'"
    assert load(file, f"key: {quote}\n").data == {"key": word}


@pytest.mark.parametrize("text", ["'true'", '"12"', "|-\n  12"])
def test_quoted_values_are_text(file: Path, text: str) -> None:
    """Quotes and blocks say that text is meant."""
    assert isinstance(load(file, f"key: {text}\n").data["key"], str)


def test_not_a_number_is_a_number(file: Path) -> None:
    """What may be finite only is the business of the settings."""
    assert math.isnan(load(file, "key: .nan\n").data["key"])


def test_keys_are_text_as_written(file: Path) -> None:
    """Signals and controls may be called on, 1, true or null."""
    assert load(file, "on: 1\ntrue: 2\n12: 3\nnull: 4\n'x y': 5\n").data == {
        "on": 1,
        "true": 2,
        "12": 3,
        "null": 4,
        "x y": 5,
    }


def test_a_number_of_many_digits_stays_text(file: Path) -> None:
    """Python refuses to convert thousands of digits; no setting has a hundred."""
    assert load(file, f"key: {'9' * 5000}\n").data["key"] == "9" * 5000


@pytest.mark.parametrize("text", ["\ufeffkey: ä\n", "key: ä\r\n"])
def test_a_byte_order_mark_and_dos_line_ends_do_not_matter(file: Path, text: str) -> None:
    """Editors of other systems write them."""
    assert load(file, text).data == {"key": "ä"}


# -- lines --------------------------------------------------------------------------------------------------------

SAMPLE = """\
# a comment
name: demo
buses:
  one:
    transmit:
      - A
      - B

  two: {interface:
          embedded}
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((), 2),
        (("name",), 2),
        (("buses",), 3),
        (("buses", "one", "transmit"), 5),
        (("buses", "one", "transmit", 1), 7),
        (("buses", "two"), 9),
        (("buses", "two", "interface"), 9),
        (("buses", "one", "messages", "X", "period"), 4),
        (("buses", "one", "transmit", 2), 5),
        (("rate",), 2),
        (("name", "x", 3), 2),
    ],
)
def test_a_key_path_has_the_line_of_its_key(file: Path, place: KeyPath, line: int) -> None:
    """Of its key, not its value; a path that the file lacks has the line of the part that it has."""
    assert load(file, SAMPLE).line(place) == line


# -- duplicates, anchors, merging -----------------------------------------------------------------------------------


def test_a_key_that_occurs_twice_is_an_error_with_both_lines(file: Path) -> None:
    """All of them are reported at once; YAML would silently take the last."""
    assert refusals(file, "a: 1\nb:\n  c: 1\n  c: 2\na: 2\n") == [
        "4: the key 'c' is already on line 3",
        "5: the key 'a' is already on line 1",
    ]


def test_the_same_key_in_two_places_is_no_duplicate(file: Path) -> None:
    """Each mapping has its own keys."""
    assert load(file, "a: {x: 1}\nb: {x: 2}\n").data == {"a": {"x": 1}, "b": {"x": 2}}


def test_aliases_repeat_a_value_and_keep_its_lines(file: Path) -> None:
    """An error inside a repeated value is where the value is written."""
    read = load(file, "a: &pedal\n  minimum: 0\nb: *pedal\n")
    assert read.data["b"] == {"minimum": 0}
    assert read.line(("b",)) == 3
    assert read.line(("b", "minimum")) == 2


def test_the_merge_key_fills_in_what_a_mapping_does_not_say(file: Path) -> None:
    """Own keys win, then the first of several merged mappings."""
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc:\n  <<: [*a, *b]\n  x: 3\n"
    assert load(file, text).data["c"] == {"x": 3, "y": 1, "z": 2}


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("a: *b\n", "1: the alias '*b' is not defined above"),
        ("a: &a\n  - *a\n", "2: the alias '*a' contains itself"),
        ("a: 1\nb: {<<: 3}\n", "2: '<<' needs an alias of keys with values, or a list of such aliases"),
        ("a: 1\n? [x]\n: 2\n", "2: a key must be a single word"),
    ],
)
def test_what_cannot_be_resolved_is_told(file: Path, text: str, refusal: str) -> None:
    """Aliases, merges and keys that mean nothing."""
    assert refusals(file, text) == [refusal]


def test_tags_are_refused_and_run_nothing(file: Path, tmp_path: Path) -> None:
    """A tag such as !!python/object/apply must neither work nor crash."""
    witness = tmp_path / "witness"
    (line,) = refusals(file, f"a: 1\nb: !!python/object/apply:os.mkdir ['{witness}']\n")
    assert line.startswith("2: tags such as")
    assert not witness.exists()


# -- files that are no configuration --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file_is_called_empty(file: Path, text: str) -> None:
    """Comments and document marks are nothing."""
    assert refusals(file, text) == ["1: the file is empty"]


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("- a\n- b\n", "1: the file holds a list, not keys with values such as 'name: demo'"),
        ("# x\nname:demo\n", "2: the file holds a single value, not keys with values such as 'name: demo'"),
        ("a: 1\n---\nb: 2\n", "2: a second document begins here; a file holds one"),
        (b"a: 1\nb: caf\xe9\n", "2: not UTF-8 text (byte 0xE9); save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), "1: not UTF-8 text (byte 0xFF); save the file as UTF-8"),
        ("a: 1\nb: \x00\n", "2: control character 0x00; is this a text file?"),
        ('a: "\\uD800"\n', "1: half of a surrogate pair is no character"),
    ],
)
def test_what_is_no_mapping_of_text_is_told_by_line(file: Path, text: str | bytes, refusal: str) -> None:
    """Lists, single words, several documents, other encodings and binary files."""
    assert refusals(file, text) == [refusal]


def test_a_file_that_cannot_be_read_is_told_without_a_line(tmp_path: Path) -> None:
    """It has none."""
    with pytest.raises(ConfigurationError, match=r"nothing\.yaml: cannot be read: No such file"):
        YamlFile.load(tmp_path / "nothing.yaml")
    with pytest.raises(ConfigurationError, match="cannot be read: Is a directory"):
        YamlFile.load(tmp_path)


def test_a_huge_file_is_refused_before_it_is_parsed(file: Path) -> None:
    """A log or a recording given by mistake must not take minutes."""
    with pytest.raises(ConfigurationError, match="is larger than 1024 KiB"):
        load(file, b"#" * (MAXIMUM_BYTES + 1))


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_deep_nesting_is_refused(file: Path, opening: str) -> None:
    """No configuration is nested forty levels deep; Python's stack ends at a thousand."""
    assert refusals(file, "a:\n " + opening * 20_000) == ["2: nested deeper than 40 levels"]


def test_nesting_by_aliases_is_refused(file: Path) -> None:
    """Each line nests the one before two levels deeper: line n reaches level 2n + 1."""
    lines = ["a0: &a0 [1]", *(f"a{i}: &a{i} [[*a{i - 1}]]" for i in range(1, 600))]
    assert refusals(file, "\n".join(lines)) == ["20: nested deeper than 40 levels"]


def test_an_alias_bomb_is_refused(file: Path) -> None:
    """Nine lines that would expand to a thousand million values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    (line,) = refusals(file, "\n".join(lines))
    assert line.endswith("more than 100000 values after aliases are expanded")


# -- anything at all ------------------------------------------------------------------------------------------------


SIGNS = st.text("ab:-[]{}&*!|>'\"#%@,?~<\\ \n\t01.", max_size=60)


@given(data=st.binary(max_size=200) | SIGNS.map(str.encode))
def test_any_bytes_are_data_or_a_configuration_error(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Whatever the file holds, its data are a mapping, or the error names a line that the file has."""
    file = tmp_path_factory.getbasetemp() / "fuzz.yaml"
    try:
        assert isinstance(load(file, data).data, dict)
    except InvalidFileError as error:
        problems = error.problems
    else:
        problems = ()
    for problem in problems:
        assert 1 <= problem.line <= len(data.splitlines()) + 1
        assert b"\n" not in str(problem).encode()


LINES = st.lists(
    st.sampled_from(
        [
            "a: 1",
            "b: [1, {c: 'd'}]",
            "  - x",
            "e:",
            "  f: |",
            "    text",
            "g: &h {i: *h}",
            "? j",
            ": k",
            "\"l\\x41\": 'm''n'",
            "# o",
            "---",
            "...",
            "p: q: r",
            "\ts: t",
            "u: @",
            "<<: *h",
            "!v w: x",
            "y: >-",
            "é: ü",
        ]
    )
).map("\n".join)


@given(LINES | SIGNS)
def test_two_parsers_find_the_same(text: str) -> None:
    """Events, the lines of what is written, and what stands in quotes; libyaml takes a few that Python's refuses."""

    def found(parsed: Iterator[yaml.Event]) -> tuple[list[Any], str]:
        seen = []
        try:
            for event in parsed:
                written = isinstance(event, yaml.NodeEvent) and getattr(event, "value", "there") != ""
                line = event.start_mark.line if written and event.start_mark else None
                quoted = bool(event.style) if isinstance(event, yaml.ScalarEvent) else None
                values = {name: getattr(event, name, None) for name in ("anchor", "tag", "value")}
                seen.append((type(event), line, quoted, values))
        except (yaml.YAMLError, ValueError) as error:
            return seen, str(error)
        return seen, ""

    (fast, fast_error), (slow, slow_error) = found(events(text)), found(yaml.parse(text, yaml.SafeLoader))
    assert fast[: len(slow)] == slow
    assert slow_error or (fast, fast_error) == (slow, "")


def test_a_file_that_is_read_again_has_its_own_values(file: Path) -> None:
    """Whatever was put into the values of one that was read before."""
    file.write_text("body: {mass: 1}\n", encoding="utf-8")
    one = YamlFile.load(file)
    one.data["body"]["mass"] = 2
    assert YamlFile.load(file).data == {"body": {"mass": 1}}
    file.write_text("body: {mass: 3}\n", encoding="utf-8")
    assert YamlFile.load(file).data == {"body": {"mass": 3}}


def test_of_a_file_that_changes_the_newest_version_is_kept(file: Path) -> None:
    file.write_text("a: 1\n", encoding="utf-8")
    one = YamlFile.load(file).root
    assert YamlFile.load(file).root is one
    file.write_text("a: 2\n", encoding="utf-8")
    YamlFile.load(file)
    file.write_text("a: 1\n", encoding="utf-8")
    assert YamlFile.load(file).root is not one
