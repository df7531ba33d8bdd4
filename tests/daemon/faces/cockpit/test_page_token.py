"""Which secret opens the page: it outlives a run, and is never one that others know."""

from pathlib import Path

import pytest

from hilbridge.faces.cockpit.page_token import token_of
from hilbridge.files.settings.bench import CockpitSettings

OTHERS = "0123456789abcdef0123456789abcdef"


def test_the_next_run_of_a_bench_has_the_same_and_another_bench_another(tmp_path: Path) -> None:
    first = token_of(CockpitSettings(), tmp_path / "state/one.json")
    assert token_of(CockpitSettings(), tmp_path / "state/one.json") == first
    assert token_of(CockpitSettings(), tmp_path / "state/two.json") != first
    assert (tmp_path / "state/one.page").stat().st_mode & 0o777 == 0o600


def test_where_nothing_is_stored_each_run_has_its_own() -> None:
    assert token_of(CockpitSettings()) != token_of(CockpitSettings())


def test_that_of_the_bench_file_comes_first(tmp_path: Path) -> None:
    settings = CockpitSettings.model_validate({"token": "a-token-of-the-bench-file"})
    assert token_of(settings, tmp_path / "one.json") == "a-token-of-the-bench-file"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "mode"), [(f"{OTHERS}\n", 0o644), (f"{OTHERS}\n", 0o620), ("", 0o600), ("short\n", 0o600)]
)
def test_one_that_others_may_know_is_made_anew(content: str, mode: int, tmp_path: Path) -> None:
    kept = tmp_path / "one.page"
    kept.write_text(content)
    kept.chmod(mode)
    token = token_of(CockpitSettings(), tmp_path / "one.json")
    assert token not in (OTHERS, "", "short")
    assert (kept.read_text(), kept.stat().st_mode & 0o777) == (f"{token}\n", 0o600)


def test_a_link_is_not_followed_when_it_is_made_anew(tmp_path: Path) -> None:
    """What it leads to stays as it is."""
    precious = tmp_path / "precious"
    precious.write_text("stays")
    (tmp_path / "one.page").symlink_to(precious)
    token_of(CockpitSettings(), tmp_path / "one.json")
    assert precious.read_text() == "stays"


def test_where_nothing_can_be_kept_the_run_has_one(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")
    assert len(token_of(CockpitSettings(), tmp_path / "state/one.json")) == 32
