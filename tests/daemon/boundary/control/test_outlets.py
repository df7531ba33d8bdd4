"""What a status has that may be armed, parts of packages included."""

from hilbridge.boundary.control.outlets import outlets, unarmed

STATUS = {
    "bench": "b",
    "buses": {"can": {"armed": True, "trouble": "", "gate": {"passed": 3}}},
    "lines": {"kbus": {"armed": False, "trouble": "", "gate": {"unarmed": 2}}},
    "of_a_package": {"siren": {"armed": False, "trouble": "", "gate": {}}},
    "frames": {"Engine": {"armed": False}},
    "units": {"ecu": {"requests": 1}},
    "reload": {"last": None},
    "stranger": {
        "odd": {"armed": True, "trouble": "", "gate": 5},
        "words": {"armed": True, "trouble": "", "gate": {"passed": "3"}},
        "bare": {"armed": True, "gate": {}},
    },
}


def test_whatever_part_has_a_gate_is_among_them() -> None:
    """A part of a package too, which nothing here has heard of; a frame is let out by its bus."""
    assert list(outlets(STATUS)) == ["can", "kbus", "siren"]
    assert unarmed(STATUS) == ["kbus", "siren"]
