"""The page on a campaign in a browser: ten thousand rows, of which the table shows those that one looks for."""

from pathlib import Path

from hilbridge.runs.campaign.page import page as page_of

from ..daemon.runs.campaign.campaigns import CAMPAIGN, made_up, planned
from .chromium import Browser, Page

SEEDS = 1700
RUNS = 6 * SEEDS


def count(page: Page, words: str) -> str:
    """What the page says of a filter that is typed in."""
    page.evaluate("document.querySelector('#filter input').focus(); document.querySelector('#filter input').value = ''")
    page.call("Input.insertText", text=words)
    return str(page.evaluate("document.getElementById('count').textContent"))


def column(page: Page, number: int) -> list[str]:
    return [*page.evaluate(f"[...document.querySelectorAll('#table td:nth-child({number})')].map(c => c.textContent)")]


def test_the_table_is_filtered_sorted_and_opened(tmp_path: Path, chromium: Browser) -> None:
    """A part of it at a time; with words, comparisons, a wrong one; by keys of the keyboard, without errors."""
    campaign = planned(tmp_path, CAMPAIGN + f"seeds: {SEEDS}\n")
    rows = [*made_up(campaign, "failed", "passed", "passed", "passed", "died").values()]
    file = tmp_path / "page.html"
    file.write_text(page_of(campaign, rows, tmp_path, {}), encoding="utf-8")
    page = chromium.page(file.as_uri())
    page.wait_for("document.querySelectorAll('#table tbody tr').length === 200")
    page.click("#more")
    assert page.evaluate("document.querySelectorAll('#table tbody tr').length") == 400
    assert count(page, "verdict=failed mass>=1200") == "200 shown of 1360 that fit, of 10200 runs"
    assert count(page, "verdict=died seed<=5 most=4000") == "3 shown of 3 that fit, of 10200 runs"
    assert count(page, rows[17]["run"]) == "1 shown of 1 that fit, of 10200 runs"
    assert count(page, "colour=red") == "no column colour"
    assert count(page, "mass<red") == "red is no number"
    count(page, "")
    for order, expected in (("descending", f"{100 * (RUNS - 2)}"), ("ascending", "0")):
        while page.evaluate("document.querySelector('th:nth-child(7)').ariaSort") != order:
            page.click("th:nth-child(7) button")
        assert column(page, 7)[0] == expected
    page.evaluate("document.querySelector('td button').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r")
    assert column(page, 1)[0] == rows[0]["run"]
    commands = page.evaluate("[...document.querySelectorAll('#table code')].map(c => c.textContent)")
    assert [words.split()[:2] for words in commands] == [["hilbridge", "run"], ["hilbridge", "campaign"]]
    assert commands[1].endswith(f"--rerun {rows[0]['run']}")
    assert page.errors == []
