"""Fuzzes by coverage, with atheris (libFuzzer for Python); the extra `fuzz` installs it.

    python tests/fuzz/fuzz.py [--seconds S] [TARGET ...]

Every target runs for so long in a process of its own, as many at a time as there are processors. It begins with its
seeds and with what earlier runs found (build/fuzz/TARGET/corpus). An input that breaks something stays in
build/fuzz/TARGET; exit status 1 then, and

    python tests/fuzz/fuzz.py --once TARGET FILE

runs it alone.
"""

import argparse
import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
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
    parser.add_argument("--child", metavar="TARGET", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        target = importlib.import_module(f"tests.fuzz.targets.{options.once[0]}")
        target.one_input(Path(options.once[1]).read_bytes())
        return 0
    if options.child:
        _fuzz(options.child, options.seconds)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        stood = pool.map(lambda name: _run(name, options.seconds), options.targets)
        broken = [name for name, well in zip(options.targets, stood, strict=True) if not well]
    print(f"broken: {', '.join(broken)}" if broken else f"{len(options.targets)} targets, nothing broken")
    return 1 if broken else 0


def _run(name: str, seconds: int) -> bool:
    """Whether the target stood it; what its process wrote is in a log."""
    (BUILD / name).mkdir(parents=True, exist_ok=True)
    log = BUILD / name / "log"
    command = [sys.executable, __file__, "--child", name, "--seconds", str(seconds)]
    with log.open("wb") as output:
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, check=False).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    print(
        f"{name}: {'broken, see ' + str(log) if status else next((x for x in reversed(lines) if 'Done' in x), 'done')}"
    )
    return status == 0


def _fuzz(name: str, seconds: int) -> None:
    """Does not return."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["hilbridge"]):
        target = importlib.import_module(f"tests.fuzz.targets.{name}")
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
