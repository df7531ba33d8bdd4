"""Parameters and repeats of scenario files."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.files.configuration.scenario_template import MOST_STEPS, expand
from hilbridge.files.configuration.scenariofile import load_scenario, parameter


def steps(data: dict[str, Any], **given: Any) -> Any:
    return expand(data, given).data["steps"]


def test_a_value_is_the_result_and_in_a_text_it_is_put_in() -> None:
    """Numbers keep their kind; what is given takes the place of the default."""
    data = {
        "parameters": {"speed": 80, "bus": "can"},
        "steps": [{"a": "${speed}", "b": ["${speed / 3.2}"], "c": "x > ${speed // 3} and ${bus}", "d": "${bus}"}],
    }
    assert steps(data) == [{"a": 80, "b": [25.0], "c": "x > 26 and can", "d": "can"}]
    assert steps(data, speed=6.4)[0]["b"] == [2.0]


@pytest.mark.parametrize(
    ("text", "value"),
    [("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("-7 // 2", -4), ("7 % 4", 3), ("max(1, min(5, 3), abs(-2))", 3)],
)
def test_expressions_are_those_of_python(text: str, value: float) -> None:
    assert steps({"steps": [{"a": f"${{{text}}}"}]}) == [{"a": value}]


@pytest.mark.parametrize(
    "text", ["", "speed", "1 / 0", "'a' * 9", "bus * 9", "9 ** 9", "().__class__", "max()", "1 if 1 else 2", "f(1)"]
)
def test_anything_else_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        steps({"parameters": {"bus": "can"}, "steps": [{"a": 1}, {"b": [f"${{{text}}}"]}]})
    assert raised.value.place == ("steps", 1, "b", 0)


def test_a_repeat_becomes_its_steps_and_counts_from_1() -> None:
    """Repeats may stand in each other; every step knows its place in the file."""
    inner = {"repeat": {"times": "${i}", "index": "k", "steps": [{"a": "${10 * i + k}"}]}}
    expansion = expand({"steps": [{"a": 0}, {"repeat": {"times": 2, "steps": [inner, {"a": "${i}"}]}}]}, {})
    assert expansion.data["steps"] == [{"a": 0}, {"a": 11}, {"a": 1}, {"a": 21}, {"a": 22}, {"a": 2}]
    deep = ("steps", 1, "repeat", "steps", 0, "repeat", "steps", 0)
    assert expansion.places == [
        ("steps", 0), deep, ("steps", 1, "repeat", "steps", 1), deep, deep, ("steps", 1, "repeat", "steps", 1),
    ]  # fmt: skip
    assert expansion.place(("steps", 2, "a")) == ("steps", 1, "repeat", "steps", 1, "a")


def test_until_ends_each_round_with_a_step_that_leaves_the_others() -> None:
    """The last one has nothing to skip."""
    repeat = {"times": 3, "until": "x > ${i}", "steps": [{"a": 1}, {"a": 2}]}
    unrolled = steps({"steps": [{"repeat": repeat}, {"a": 3}]})
    assert [one["leave"] for one in unrolled if "leave" in one] == [
        {"when": "x > 1", "skip": 6},
        {"when": "x > 2", "skip": 3},
        {"when": "x > 3", "skip": 0},
    ]


@pytest.mark.parametrize(
    ("repeat", "place"),
    [
        ({"steps": [{}]}, "times"),
        ({"times": 0, "steps": [{}]}, "times"),
        ({"times": 1.5, "steps": [{}]}, "times"),
        ({"times": 2}, "steps"),
        ({"times": 2, "index": "a b", "steps": [{}]}, "index"),
        ({"times": 2, "step": [{}], "steps": [{}]}, "step"),
        ({"times": MOST_STEPS, "steps": [{}, {}]}, "steps"),
    ],
)
def test_a_repeat_of_another_form_is_refused(repeat: dict[str, Any], place: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        steps({"steps": [{"repeat": repeat}]})
    assert raised.value.place[:4] == ("steps", 0, "repeat", place)


def test_errors_have_the_lines_of_the_file_once(tmp_path: Path) -> None:
    """Also those of a step that a repeat has made many of."""
    file = tmp_path / "x.yaml"
    file.write_text("""\
parameters: {speed: 3}
steps:
  - expect: "1"
  - repeat:
      times: 3
      steps:
        - expects: "${i}"
  - set: {road.Slope: "${sped}"}
""")
    with pytest.raises(InvalidFileError, match=r"x.yaml:8: .*there is no parameter 'sped'"):
        load_scenario(str(file))
    file.write_text(file.read_text().replace("sped", "speed"))
    with pytest.raises(InvalidFileError) as raised:
        load_scenario(str(file))
    assert str(raised.value).count("x.yaml:7: steps[1].repeat.steps[0].expects: unknown key") == 1
    with pytest.raises(ConfigurationError, match="no parameter 'spede'; did you mean 'speed'"):
        load_scenario(str(file), {"spede": 3})


def test_a_parameter_is_given_as_in_yaml() -> None:
    assert [parameter(text) for text in ("a=1", "b=0x10", "c=1.5", "d=x=y")] == [
        ("a", 1),
        ("b", 16),
        ("c", 1.5),
        ("d", "x=y"),
    ]
    with pytest.raises(ConfigurationError, match="'a' is no NAME=VALUE"):
        parameter("a")
