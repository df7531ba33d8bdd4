"""Every frame of every profile, left out or falsified in turn, is named from a log of the bus."""

from pathlib import Path

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.faces.explain.causes import PARTS
from hilbridge.faces.explain.log_check import Judgement, LogCheck
from hilbridge.faces.explain.verdicts import judge_status
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame
from hilbridge.testing import VirtualBench

from ....clusters.catalogue import CLUSTERS
from ....clusters.mutations import mutations
from ....clusters.recording import Heard, Recorder, bench_of
from .cluster import status

PROFILES = Path(__file__).parents[4] / "config/clusters"
SHARE = 0.95

FROM, UNTIL = 1.5, 4.5
"""[s] When a frame begins to go wrong, and the end of the log."""


def judged(bench: Bench, heard: list[Heard]) -> dict[int, Judgement]:
    """What the log shows of each frame, by identifier."""
    (selection,) = bench.wiring.plan.selections.values()
    frames = selection.outgoing
    check = LogCheck(frames)
    whole = {frame.can_id & EXTENDED_MASK: frame.can_id for frame in frames}  # what a recording says without its flag
    for one in heard:
        check.note(round(one.t * 1e9), Frame(whole.get(one.can_id, one.can_id), one.data))
    judgements = check.judgements()
    return {frame.can_id & EXTENDED_MASK: judgements[frame.message] for frame in frames}


@pytest.mark.parametrize("name", sorted(set(CLUSTERS) & {file.stem for file in PROFILES.glob("*.yaml")}))
def test_what_is_wrong_with_a_frame_is_named(name: str, tmp_path: Path) -> None:
    """The oracle is the virtual cluster's: left out, late, short, counter stuck or jumping, checksum wrong."""
    file, heard = bench_of([CLUSTERS[name]], tmp_path), list[Heard]()
    plan = Bench(load_bench(str(file)))
    with VirtualBench(file) as bench:
        bench.attach(name, Recorder(bench, name, heard))
        bench.set("input.Key", 0)
        bench.advance(UNTIL)
        verdicts = judge_status(status(bench, *PARTS), running=True)
    assert [one for one in verdicts if one.state in {"wrong", "off"}] == []
    assert {hex(can_id): one.causes for can_id, one in judged(plan, heard).items() if one.causes} == {}
    named, missed = 0, []
    for mutation in mutations(CLUSTERS[name], heard, FROM):
        if len(CLUSTERS[name].frames) == 1 and mutation.how == "left out":
            continue  # the log ends with its only frame
        if mutation.frame.period < 1000 * (UNTIL - FROM) / 6:
            found = judged(plan, list(mutation.heard))
            if mutation.frame.id in found and found[mutation.frame.id].causes:
                named += 1
            else:
                missed.append(f"{mutation.frame.name} {mutation.how}")
            assert not any(one.causes for can_id, one in found.items() if can_id != mutation.frame.id)
    assert named >= SHARE * (named + len(missed)), missed
