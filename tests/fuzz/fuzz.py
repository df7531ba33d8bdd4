"""Fuzzes by coverage, with atheris (libFuzzer for Python); the extra `fuzz` installs it.

    python tests/fuzz/fuzz.py [--seconds S] [TARGET ...]

Every target runs for so long in a process of its own, as many at a time as there are processors; all are forked from
one that has imported what they need, which takes longer than a short run. A target begins with its seeds and with what
earlier runs found (build/fuzz/TARGET/corpus). An input that breaks something stays in build/fuzz/TARGET; exit status 1
then, and

    python tests/fuzz/fuzz.py --once TARGET FILE

runs it alone.
"""

import argparse
import importlib
import io
import os
import sys
from contextlib import redirect_stderr
from multiprocessing import connection, get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import ModuleType
from typing import Any

CHECKOUT = Path(__file__).parents[2]
BUILD = CHECKOUT / "build/fuzz"
LONGEST_INPUT = 4096
SECONDS_FOR_AN_INPUT = 20


def main() -> int:
    sys.path.insert(0, str(CHECKOUT))
    from tests.fuzz.targets import NAMES

    parser = argparse.ArgumentParser(description="fuzz what comes in from outside")
    parser.add_argument("targets", nargs="*", default=NAMES, metavar="TARGET", help=", ".join(NAMES))
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    parser.add_argument("--once", nargs=2, metavar=("TARGET", "FILE"), help="one input, without atheris")
    options = parser.parse_args()
    if options.once:
        target = importlib.import_module(f"tests.fuzz.targets.{options.once[0]}")
        target.one_input(Path(options.once[1]).read_bytes())
        return 0
    broken = _fuzz_all(options.targets, options.seconds)
    print(f"broken: {', '.join(broken)}" if broken else f"{len(options.targets)} targets, nothing broken")
    return 1 if broken else 0


def _fuzz_all(names: list[str], seconds: int) -> list[str]:
    """Return the names of the targets that broke."""
    atheris: Any = importlib.import_module("atheris")
    with redirect_stderr(io.StringIO()), atheris.instrument_imports(include=["hilbridge"]):  # a line for each module
        targets = {name: importlib.import_module(f"tests.fuzz.targets.{name}") for name in names}
    waiting, running, broken = list(names), dict[str, ForkProcess](), []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            name = waiting.pop(0)
            running[name] = get_context("fork").Process(target=_fuzz, args=(atheris, name, targets[name], seconds))
            running[name].start()
        connection.wait([process.sentinel for process in running.values()])
        for name in [name for name, process in running.items() if process.exitcode is not None]:
            status = running.pop(name).exitcode
            broken += [name] if status else []
            _report(name, status)
    return broken


def _report(name: str, status: int | None) -> None:
    """Print what came of a target, or where its log lies."""
    log = BUILD / name / "log"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    print(f"{name}: {f'broken, see {log}' if status else next((x for x in reversed(lines) if 'Done' in x), 'done')}")


def _fuzz(atheris: Any, name: str, target: ModuleType, seconds: int) -> None:
    """Fuzz one target in this process, with what it writes in a log; does not return."""
    (BUILD / name).mkdir(parents=True, exist_ok=True)
    with (BUILD / name / "log").open("wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    corpus, seeds = BUILD / name / "corpus", BUILD / name / "seeds"
    for folder in (corpus, seeds):
        folder.mkdir(exist_ok=True)
    for number, seed in enumerate(target.SEEDS):
        (seeds / str(number)).write_bytes(seed)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={max(LONGEST_INPUT, *map(len, target.SEEDS))}",
        f"-timeout={SECONDS_FOR_AN_INPUT}",
        f"-artifact_prefix={BUILD / name}/",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus), str(seeds)], target.one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
