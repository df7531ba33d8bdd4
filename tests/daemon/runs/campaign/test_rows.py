"""Rows of a campaign: what one makes is believed, and nothing else."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hilbridge.runs.campaign.engines import described
from hilbridge.runs.campaign.play import line, play, trouble
from hilbridge.runs.campaign.results import FILES, write_files
from hilbridge.runs.campaign.rows import RowError, Rows, StrangeRunError
from hilbridge.runs.campaign.runs import Campaign, CampaignRun

from .campaigns import planned, row_of


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return planned(tmp_path_factory.mktemp("campaign"))


@pytest.fixture(scope="module")
def run(campaign: Campaign) -> CampaignRun:
    return campaign.runs[0]


@pytest.fixture(scope="module")
def rows(campaign: Campaign) -> Rows:
    return Rows({run.name: run for run in campaign.runs}, frozenset(campaign.settings.figures))


def test_what_a_run_makes_is_believed(campaign: Campaign, rows: Rows, tmp_path: Path) -> None:
    """A run that passes, one that fails, and each kind of trouble."""
    write_files(tmp_path, campaign.files)
    verdicts = set()
    for run in campaign.runs[:2]:
        row = play(tmp_path / FILES, described(campaign, run))
        assert rows.read(line(row)) == row
        verdicts.add(row["verdict"])
        for verdict in ("hung", "died", "lost", "refused"):
            row = trouble(described(campaign, run), verdict, "why \0 \x9b \u202e\n\U0001f600")
            assert rows.read(line(row)) == row
    assert verdicts == {"passed", "failed"}


FORGED: dict[str, list[object]] = {
    "set": [[1], {}, {"vehicle.body.mass": 1}, None, "x"],
    "reason": [7, None, ["x"], "passed, they say"],
    "figures": ["x", {}, {"rpm": "1"}, {"rpm": True}, {"rpm": 1.0, "more": 2.0}, {"other": 1.0}, None, [1.5]],
    "verdict": ["great", 7, None, ["passed"], {}, True, "passed\x1b[2J", "failed"],
    "limits": ["x", {"a": 1}, {"a": {"low": "x"}}, {"a": {"low": 1.0}}, None],
    "steps": [[1], [1, 2, 3], [1, 2], [2, 1], [-1, -1], "22", [2.5, 2], [True, True], None],
    "duration": [-1, "1", None, True, [0.25]],
    "frames": [-1, 1.5, "7", None, True],
    "sha256": ["", "a" * 63, "A" * 64, "g" * 64, 7, None, "a" * 64 + "\n"],
    "seed": [2, "1", 1.5, True, None],
    "bench": ["other", 7, None, ["demo"]],
    "vehicle": ["compact", 7],
    "scenario": ["../short.yaml", None],
    "more": [1],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in FORGED.items() for value in values])
def test_a_value_that_no_campaign_writes_is_not_believed(
    campaign: Campaign, rows: Rows, key: str, value: object
) -> None:
    run = campaign.runs[0]
    assert rows.read(line(row_of(run)))
    with pytest.raises(RowError) as refused:
        rows.read(line(row_of(run, **{key: value})))
    assert refused.value.run == run.name


@pytest.mark.parametrize("key", ["bench", "set", "seed", "reason", "verdict", "steps", "frames", "sha256", "figures"])
def test_a_row_that_lacks_something_is_not_believed(campaign: Campaign, rows: Rows, key: str) -> None:
    row = row_of(campaign.runs[0])
    del row[key]
    with pytest.raises(RowError):
        rows.read(line(row))


def test_a_row_of_another_run_is_not_believed(campaign: Campaign, rows: Rows) -> None:
    """Under a name that is not the campaign's, or with the name of one run and the values of another."""
    one, other, *_ = campaign.runs
    with pytest.raises(StrangeRunError):
        rows.read(line(row_of(one, run="0123456789abcdef")))
    with pytest.raises(RowError, match="are not those of the run that it names"):
        rows.read(line(row_of(other, run=one.name)))


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\n", b"null\n", b"[]\n", b"7\n", b"{}\n", b'{"run": 7}\n', b"\xff\xfe{\n", b"[" * 200_000 + b"\n",
        b'{"run":' * 200_000 + b"\n", b'{"run":"a","n":' + b"9" * 10_000 + b"}\n", b'{"run":"a","n":NaN}\n',
        b'{"run":"a","n":1e999}\n', b'{"run":"a","n":-Infinity}\n', b'{"run":"\\ud800"}\n', b'{"run":"\x1b"}\n',
    ],
    ids=range(16),
)  # fmt: skip
def test_a_line_that_is_no_row_is_not_believed(rows: Rows, content: bytes) -> None:
    with pytest.raises(RowError):
        rows.read(content)


def test_a_row_in_other_bytes_is_not_believed(campaign: Campaign, rows: Rows) -> None:
    """Cut off anywhere, with a key twice, with blanks, in another encoding: the bytes of a row are always the same."""
    content = line(row_of(campaign.runs[0]))
    for end in range(len(content)):
        with pytest.raises(RowError):
            rows.read(content[:end])
    for other in (
        content.replace(b'"frames":7', b'"frames":7,"frames":7'),
        content.replace(b'"frames":7', b'"frames": 7'),
        content.replace(b'"duration":0.25', b'"duration":NaN'),
        content.replace(b'"duration":0.25', b'"duration":0.250'),
        content.replace(b"\n", b"\r\n"),
        content.decode().encode("utf-16"),
        b"\xef\xbb\xbf" + content,
    ):
        assert other != content
        with pytest.raises(RowError):
            rows.read(other)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    ),
    st.sampled_from(sorted({*FORGED, "run"})),
)
def test_whatever_stands_in_a_row_it_is_read_or_refused(run: CampaignRun, rows: Rows, value: object, key: str) -> None:
    row = row_of(run, **{key: value})
    with suppress(RowError):
        assert rows.read(line(row)) == row
