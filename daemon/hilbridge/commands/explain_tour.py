"""`hilbridge explain --tour`: asks at the terminal what a real cluster shows, and writes the answers into a report.

The report is a file of this machine. It is written anew after each answer, so that a tour may end at any time.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_there, replace_file
from hilbridge.base.common.remedies import arm_remedy
from hilbridge.bench.bench import Bench
from hilbridge.boundary.control.outlets import unarmed
from hilbridge.client.sync_client import Client
from hilbridge.faces.explain.tour import Answer, Step, proposals, report, steps_of, walk

_WORDS: Final = {"y": "yes", "yes": "yes", "n": "no", "no": "no"}

_INTRODUCTION: Final = """\
{count} steps. Answer y (as it should), n (not), what you read there, or nothing to leave a step out; q ends the tour.
A camera on the cluster helps. The report holds the bench, the profile, what you write of the unit, the date, each
question with the model's values, and your answers: no name, no address, and nothing is sent anywhere."""


def tour(bench: Bench, client: Client, path: Path, ask: Callable[[str], str] = input) -> int:
    """Take the tour on a running bench; return 0 if nothing was denied, else 1.

    ConfigurationError: nothing would leave, or the report is there already.
    """
    if is_there(path):
        raise ConfigurationError(f"{path} is there already: name another file by --report")
    _require_armed(client)
    profile = next(iter(bench.wiring.bench_files.file.profiles.values()), None)
    steps = steps_of(bench)
    print(_INTRODUCTION.format(count=len(steps)))
    unit = ask("which cluster is it (car, year, part number)? ").strip()
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    answers: list[Answer] = []

    def write() -> None:
        told = report(
            bench.settings.name,
            None if profile is None else profile.name,
            unit,
            date,
            answers,
            len(steps) - len(answers),
        )
        known = [] if profile is None else profile.frames
        told["proposes"] = proposals(answers, known, unit, date)
        replace_file(path, (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode())

    try:
        for answer in walk(client, steps, lambda step, model: _asked(step, model, ask)):
            answers.append(answer)
            write()
    except (EOFError, KeyboardInterrupt):
        print()
    finally:
        client.release()
    write()
    _print_end(path, answers, len(steps))
    return 1 if any(one.seen == "no" for one in answers) else 0


def _require_armed(client: Client) -> None:
    for name in unarmed(client.status("buses", "outputs", "lines")):
        raise ConfigurationError(f"{name} is not armed, and the cluster would hear nothing: {arm_remedy(name)}")


def _asked(step: Step, model: Mapping[str, float], ask: Callable[[str], str]) -> str | None:
    """Return an answer; None: the tour ends."""
    if model:
        print(f"\n{', '.join(f'{entry} {value:g}' for entry, value in model.items())}")
    words = ask(f"{step.question} ").strip()
    return None if words.casefold() in ("q", "quit") else _WORDS.get(words.casefold(), words)


def _print_end(path: Path, answers: list[Answer], steps: int) -> None:
    denied = [one.step.name for one in answers if one.seen == "no"]
    print(f"\n{len(answers)} of {steps} steps in {path}")
    if denied:
        print(f"not as they should: {', '.join(denied)}")
    print("Send the file in with your next issue: what it proposes goes into `known` of the profile.")
