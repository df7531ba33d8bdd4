"""A machine with too little memory: one sentence, whatever the library in whose lines it ended."""

import resource
import subprocess
import sys
from functools import partial

import pytest


@pytest.mark.parametrize("mebibytes", [40, 50, 60])
@pytest.mark.parametrize(
    "words", [["check", "demo"], ["run", "--clock", "virtual", "--duration", "1"], ["learn", "x.log"]]
)
def test_too_little_memory_is_told_in_a_sentence(words: list[str], mebibytes: int) -> None:
    limit = mebibytes << 20
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hilbridge", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_AS, (limit, limit)),
    )
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert len(done.stderr.splitlines()) == 1
    if mebibytes == 40:
        assert done.stderr == f"hilbridge: there is not enough memory for {words[0]!r} here\n"
