"""An explanation as lines: a cause that many frames have in common is told once."""

import pytest

from hilbridge.base.common.console import make_console
from hilbridge.commands.explain_text import Explanation, print_explanation
from hilbridge.faces.explain.causes import Cause
from hilbridge.faces.explain.verdicts import FrameCause, Verdict

UNARMED = Cause("bus dash is not armed", "hilbridge ctl arm dash")


def lines(capsys: pytest.CaptureFixture[str], causes: list[Cause]) -> list[str]:
    verdicts = [
        Verdict("dash", "lamp", f"lamp{number}", "wrong", (f"F{number}",), (FrameCause(f"F{number}", cause),))
        for number, cause in enumerate(causes)
    ]
    print_explanation(make_console(), Explanation("b", "the plan", verdicts, {}))
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("  lamp")]


def test_a_bus_that_is_not_armed_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    names = ", ".join(f"lamp{number}" for number in range(15))
    told = f"  lamps {names}: 15 frames: bus dash is not armed -> hilbridge ctl arm dash"
    assert lines(capsys, [UNARMED] * 15) == [told]


def test_causes_of_their_own_have_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    """And few frames are named."""
    told = lines(capsys, [UNARMED, UNARMED, *(Cause(f"fault {number}") for number in range(4))])
    assert len(told) == 6
    assert told[0].startswith("  lamp lamp0: F0: bus dash")
