"""What a file names is looked at before it is used, and nothing of it is called."""

from pathlib import PurePath

import pytest

from hilbridge.base.trust.kinds import Kind


class Never:
    """Whatever is called of it fails the test."""

    def __init__(self) -> None:
        raise AssertionError("it was called")

    def __call__(self) -> None:
        raise AssertionError("it was called")


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        (PurePath("a"), None),
        (PurePath, "part is no PurePath"),  # the class of what is wanted
        (Never, "part is no PurePath"),
        (None, "part is no PurePath"),
        ("a", "part is no PurePath"),
    ],
)
def test_an_object_is_of_its_class(found: object, fault: str | None) -> None:
    assert Kind("hilbridge.parts", instance=PurePath).fault_of(found, "part") == fault


def test_a_class_has_its_base_and_its_methods() -> None:
    class Unit(Never):
        def tick(self) -> None:
            """Do nothing."""

    assert Kind("units", methods=("tick",)).fault_of(Unit, "Unit") is None
    assert Kind("units", methods=("tick",), base=Never).fault_of(Unit, "Unit") is None
    assert Kind("units", methods=("receive", "tick")).fault_of(Unit, "Unit") == "Unit has no method receive"
    assert Kind("units", base=PurePath).fault_of(Unit, "Unit") == (
        "has no class Unit that is derived from vehiclesim.PurePath"
    )
    assert Kind("units").fault_of(len, "len") == "has no class len"
