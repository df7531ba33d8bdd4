"""What a bench on the fabric, or behind a socket, answers: it is shown, in part or whole, or refused in words.

The first byte says to which question: the status, its parts alone, or another command.
"""

import io
from contextlib import redirect_stdout, suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.answers import read_answer
from hilbridge.boundary.control.lines import Answer, Command, accepted
from hilbridge.client import talks
from hilbridge.commands import lab
from hilbridge.commands.ctl_status import print_rows, print_status, print_troubles
from hilbridge.faces.fabric.summaries import read_summary
from hilbridge.faces.top.screen import render
from hilbridge.faces.top.top_view import TopView

from ...strange_answers import OBJECTS, STATUS, WORDLESS, hostile
from .packaged import as_json

_QUESTIONS: tuple[Command, ...] = (
    {"command": "status", "parts": None, "frames": True},
    *({"command": "status", "parts": [part]} for part in ("entries", "cluster", "verdicts", "reload", "statistics")),
    *({"command": name} for name in ("fault-list", "record-start", "set")),
)
_ACTING = set(map(chr, (*range(32), *range(0x7F, 0xA0), 0x202E))) - {"\n"}
SEEDS = [
    b"\0" + as_json(STATUS),
    b"\0" + as_json(hostile(STATUS)),
    b"\1" + as_json({"entries": {"vehicle": {"vehicle.EngineRpm": {"value": 1.5, "unit": "rpm"}}}, "time": 1}),
    b"\2" + as_json({"cluster": {"can": {"question": {"request": 1, "outcome": "answered", "answer": "6200"}}}}),
    b"\0" + as_json({"error": "no", "sought": ["a", ["b", "c"]], "place": ["x", 1]}),
    *(b"\0" + content[:4000] for content in (*WORDLESS.values(), *OBJECTS.values())),
]


def one_input(data: bytes) -> None:
    question, content = _QUESTIONS[(data[0] if data else 0) % len(_QUESTIONS)], data[1:]
    printed = io.StringIO()
    with redirect_stdout(printed):
        lab._list([read_summary("x", content)], as_json=False)
        with suppress(ConfigurationError):
            answer = accepted(read_answer(content, question))
            if question is _QUESTIONS[0]:  # of other answers the usual parts are not checked
                _show(answer)
        with suppress(ConfigurationError, StopIteration):
            talk = talks.values()
            asked = next(talk)
            assert isinstance(asked, dict)
            talk.send(read_answer(content, asked))
    assert not set(printed.getvalue()) & _ACTING


def _show(answer: Answer) -> None:
    print_status(answer)
    with suppress(ConfigurationError, KeyError):
        print_rows(answer, "faults")
    with suppress(ConfigurationError):
        print_troubles(answer["troubles"])
    view = TopView()
    view.take(answer)
    view.take(answer)
    for chosen in view.lists:
        render(view, chosen, 0, (100, 40))
