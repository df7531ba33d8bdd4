"""The folder of results: what is in it stays, whatever comes."""

import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.campaignfile import load_campaign
from hilbridge.runs.campaign.play import Made, line
from hilbridge.runs.campaign.results import FORMER, LOCK, MANIFEST, ROWS, UNREAD, Results
from hilbridge.runs.campaign.runs import CampaignRun, plan_campaign

from .campaigns import CAMPAIGN, planned, row_of


def row(run: CampaignRun) -> bytes:
    return line(row_of(run))


def test_a_full_disk_is_told_and_the_rows_before_it_stay(tmp_path: Path) -> None:
    """The next call goes on with them, and so with the run whose row was not kept."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    first, second, *_ = campaign.runs
    with Results(folder, campaign) as results:
        results.add(Made(row(first)))
        full = os.open("/dev/full", os.O_WRONLY)
        os.dup2(full, results._file)
        os.close(full)
        with pytest.raises(ConfigurationError, match=r"a row was not kept in .*: No space left on device"):
            results.add(Made(row(second)))
    assert (folder / ROWS).read_bytes() == row(first)
    with Results(folder, campaign) as results:
        assert [*results.rows] == [first.name]


def test_a_row_counts_once(tmp_path: Path) -> None:
    campaign = planned(tmp_path)
    name = campaign.runs[0]
    with Results(tmp_path / "results", campaign) as results:
        results.add(Made(row(name)))
        results.add(Made(row(name)))
    assert (tmp_path / "results" / ROWS).read_bytes() == row(name)


def test_results_of_another_campaign_are_left_alone(tmp_path: Path) -> None:
    campaign = planned(tmp_path)
    with Results(tmp_path / "results", campaign) as results:
        results.add(Made(row(campaign.runs[0])))
    other = tmp_path / "speeds.yaml"
    other.write_bytes((tmp_path / "masses.yaml").read_bytes())
    with pytest.raises(ConfigurationError, match="holds results of masses: name another folder with --into"):
        Results(tmp_path / "results", plan_campaign(load_campaign(other)))
    assert (tmp_path / "results" / ROWS).read_bytes() == row(campaign.runs[0])
    assert json.loads((tmp_path / "results/manifest.json").read_text())["campaign"] == "masses"


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/thesis.tex").write_text("years", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"holds something else \(thesis.tex\)"):
        Results(tmp_path / "results", planned(tmp_path))
    assert [each.name for each in (tmp_path / "results").iterdir()] == ["thesis.tex"]


def test_a_row_is_on_the_disk_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is synchronised holds the whole row, and only then the run is among those that were made."""
    campaign = planned(tmp_path)
    content = row(campaign.runs[0])
    seen = []
    with Results(tmp_path / "results", campaign) as results:

        def synchronised(descriptor: int) -> None:
            path = Path(f"/proc/self/fd/{descriptor}").readlink()
            seen.append((path.name, path.read_bytes(), dict(results.rows)))

        monkeypatch.setattr(os, "fsync", synchronised)
        results.add(Made(content))
        monkeypatch.undo()
        assert [*results.rows] == [campaign.runs[0].name]
    assert seen == [(ROWS, content, {})]


@pytest.mark.parametrize("verdict", ["hung", "died", "lost", "refused"])
def test_a_run_without_a_verdict_is_made_again_and_its_row_stays_until_then(tmp_path: Path, verdict: str) -> None:
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    old = line(row_of(campaign.runs[1], verdict, reason="it took too long"))
    with Results(folder, campaign) as results:
        results.add(Made(old))
        assert [*results.rows] == [campaign.runs[1].name]
    for _ in range(2):
        with Results(folder, campaign) as results:
            assert not results.rows
        assert (folder / ROWS).read_bytes() == old
    with Results(folder, campaign) as results:
        results.add(Made(row(campaign.runs[1])))
        assert (folder / ROWS).read_bytes() == old + row(campaign.runs[1]), "a kill here costs neither"
    assert (folder / ROWS).read_bytes() == row(campaign.runs[1])


def test_opening_changes_no_rows(tmp_path: Path) -> None:
    """So whatever comes then, they are as they were: the same file, not another with the same content."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    with Results(folder, campaign) as results:
        for run in campaign.runs[:3]:
            results.add(Made(row(run)))
    before = (folder / ROWS).stat()
    with Results(folder, campaign):
        after = (folder / ROWS).stat()
        assert (after.st_ino, after.st_mtime_ns, after.st_size) == (before.st_ino, before.st_mtime_ns, before.st_size)


def test_rows_of_runs_that_the_campaign_no_longer_has_are_kept_and_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A value is taken out of the file and put in again: no run is made a second time."""
    whole = planned(tmp_path)
    folder = tmp_path / "results"
    with Results(folder, whole) as results:
        for run in whole.runs:
            results.add(Made(row(run)))
    content = (folder / ROWS).read_bytes()
    less = planned(tmp_path, CAMPAIGN.replace("[-1, 4000]", "[4000]"))
    for _ in range(2):
        with Results(folder, less) as results:
            assert len(results.rows) == 3
    assert "3 rows of runs that this campaign does not have as it is now: kept in" in capsys.readouterr().err
    assert (folder / FORMER).read_bytes().count(b"\n") == 3
    with Results(folder, planned(tmp_path)) as results:
        assert len(results.rows) == 6
    assert (folder / ROWS).read_bytes() == content


HOLDER = """
import sys
from pathlib import Path
from hilbridge.runs.campaign.results import Results
from hilbridge.runs.campaign.runs import plan_campaign
from hilbridge.files.configuration.campaignfile import load_campaign
results = Results(Path(sys.argv[2]), plan_campaign(load_campaign(Path(sys.argv[1]))))
print("open", flush=True)
sys.stdin.read()
"""


def test_of_two_campaigns_the_second_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    """It is told which process has the folder, and changes nothing there. Whoever was killed keeps nothing from it."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    command = [sys.executable, "-c", HOLDER, str(campaign.file.path), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        before = {each: each.stat().st_mtime_ns for each in folder.rglob("*")}
        words = (
            rf"another campaign, process {process.pid} on .*, writes its results into .*results: wait for its end, or"
        )
        with pytest.raises(ConfigurationError, match=words):
            Results(folder, campaign)
        assert {each: each.stat().st_mtime_ns for each in folder.rglob("*")} == before
        process.kill()
        process.wait()
    with Results(folder, campaign) as results:
        results.add(Made(row(campaign.runs[0])))
    with Results(folder, campaign) as results:
        assert len(results.rows) == 1


def test_the_owner_on_another_machine_is_named(tmp_path: Path) -> None:
    """Where the file system carries locks from host to host; its process number means nothing here."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    with Results(folder, campaign):
        (folder / LOCK).write_text("999999999 far.example\n")
        with pytest.raises(ConfigurationError, match=r"another campaign, process 999999999 on far\.example, writes"):
            Results(folder, campaign)


def test_where_there_are_no_locks_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", none)
    with Results(tmp_path / "results", planned(tmp_path)):
        pass
    assert "cannot be locked (Function not implemented): let no second campaign write there" in capsys.readouterr().err


def test_a_folder_whose_first_command_was_killed_is_taken_over(tmp_path: Path) -> None:
    """At any moment until the manifest is there."""
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / LOCK).write_text("1 here\n")
    (tmp_path / "results" / f"{MANIFEST}.new").write_text('{"for')
    with Results(tmp_path / "results", planned(tmp_path)):
        pass
    shutil.rmtree(tmp_path / "results/files")
    with Results(tmp_path / "results", planned(tmp_path)):
        assert (tmp_path / "results/files").is_dir()


@pytest.mark.parametrize(
    "name", ["files", "recordings", "printed", "rows.jsonl", "manifest.json", "campaign.yaml", "campaign.lock"]
)
def test_a_link_in_the_results_is_refused_and_not_followed(tmp_path: Path, name: str) -> None:
    campaign = planned(tmp_path)
    folder, outside = tmp_path / "results", tmp_path / "outside"
    with Results(folder, campaign):
        pass
    outside.mkdir()
    (outside / "file").write_bytes(b"mine")
    place = folder / name
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    place.symlink_to(outside if name in ("files", "recordings", "printed") else outside / "file")
    with pytest.raises(ConfigurationError, match="is a link: remove it"):
        Results(folder, campaign)
    assert [each.name for each in outside.iterdir()] == ["file"]
    assert (outside / "file").read_bytes() == b"mine"


def test_files_that_somebody_has_changed_in_the_results_are_not_run(tmp_path: Path) -> None:
    """The folder may come from elsewhere: what runs is what the campaign was planned with."""
    campaign = planned(tmp_path)
    with Results(tmp_path / "results", campaign):
        pass
    files = [each for each in (tmp_path / "results/files").rglob("*") if each.is_file()]
    before = {each: each.read_bytes() for each in files}
    for each in files:
        each.write_bytes(b"steps: [{set: {input.Key: 0}}]\n")
    with Results(tmp_path / "results", campaign):
        pass
    assert {each: each.read_bytes() for each in files} == before


@pytest.mark.parametrize(
    "manifest",
    [b"", b"[]", b"{}", b'{"format": 1}', b"[" * 100_000, b"\xff", b'{"format": 2, "campaign": "masses"}',
     b'{"format": 1, "campaign": 7, "purpose": "", "runs": 1, "software": {}}',
     b'{"format": 1, "campaign": "masses", "purpose": "", "runs": -1, "software": {}}'],
    ids=range(9),
)  # fmt: skip
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / MANIFEST).write_bytes(manifest)
    with pytest.raises(ConfigurationError, match="holds no results of a campaign that this program can read"):
        Results(tmp_path / "results", planned(tmp_path))
    assert (tmp_path / "results" / MANIFEST).read_bytes() == manifest


def test_a_forged_row_is_told_with_its_line_and_made_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others count. Nothing is thrown away, and what was told once is not told again."""
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    with Results(folder, campaign) as results:
        for run in campaign.runs:
            results.add(Made(row(run)))
    good = (folder / ROWS).read_bytes().splitlines(keepends=True)
    bad = line(row_of(campaign.runs[1], figures="\x9b2J"))
    (folder / ROWS).write_bytes(good[0] + bad + b"".join(good[2:5]) + good[5][:-30])
    with Results(folder, campaign) as results:
        assert [*results.rows] == [campaign.runs[number].name for number in (0, 2, 3, 4)]
    said = capsys.readouterr().err
    assert "rows.jsonl:2: figures: Input should be a valid dictionary: it is not believed" in said
    assert "rows.jsonl:6: is cut off: it is not believed" in said
    assert (folder / UNREAD).read_bytes() == bad + good[5][:-30] + b"\n"
    assert (folder / ROWS).read_bytes() == good[0] + b"".join(good[2:5])
    with Results(folder, campaign):
        assert not capsys.readouterr().err


def test_of_two_rows_of_one_run_that_differ_none_is_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    campaign = planned(tmp_path)
    folder = tmp_path / "results"
    one, same, _, *_ = campaign.runs
    with Results(folder, campaign):
        pass
    (folder / ROWS).write_bytes(row(one) + row(same) + line(row_of(one, frames=8)) + row(same) + row(one))
    with Results(folder, campaign) as results:
        assert [*results.rows] == [same.name]
    said = capsys.readouterr().err
    assert f"rows.jsonl:1: run {one.name} has another row below" in said
    assert f"rows.jsonl:3: run {one.name} is on line 1 already" in said
    assert f"rows.jsonl:4: run {same.name} is on line 2 already" in said


def test_a_worker_that_answers_nonsense_is_not_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign = planned(tmp_path)
    with Results(tmp_path / "results", campaign) as results:
        for content in (b"", b"\xff\n", b"[]\n", line({"run": "\x1b[2J"}), line(row_of(campaign.runs[0], frames=-1))):
            results.add(Made(content))
        assert not results.rows
    assert not (tmp_path / "results" / ROWS).read_bytes()
    said = capsys.readouterr().err
    assert said.count("is not believed") == 5
    assert "\x1b" not in said
