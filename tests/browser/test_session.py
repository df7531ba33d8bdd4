"""Recordings and scenarios, started and stopped on the page."""

from pathlib import Path

import pytest

from .scene import Scene

STEPS = "steps:\n  - set: {input.Key: 0}\n  - wait: {until: 'vehicle.EngineRpm > 100000', timeout: 600}\n"


def choose(scenario: str) -> str:
    """The expression that chooses a scenario and starts it."""
    menu, form = "document.querySelector('#scenario-name')", "document.querySelector('#play')"
    return f"{menu}.value = '{scenario}'; {form}.requestSubmit()"


@pytest.mark.nightly
def test_a_recording_is_made(scene: Scene) -> None:
    """The page says where it goes, and there it is."""
    page = scene.page()
    page.click("#record")
    page.wait_for("document.querySelector('#recording-state').textContent === 'recording'")
    folder = page.evaluate("document.querySelector('#recording').textContent")
    assert page.evaluate("document.querySelector('#record').textContent") == "Stop recording"
    page.click("#record")
    page.wait_for("document.querySelector('#recording-state').textContent === 'not recording'")
    assert Path(folder).is_dir()
    assert Path(folder).is_relative_to(scene.folder)
    page.wait_for(f"document.querySelector('#recordings b')?.textContent === '{Path(folder).name}'")
    assert page.errors == []


def test_a_scenario_beside_the_bench_is_played_and_stopped(scene: Scene) -> None:
    (scene.folder / "long.yaml").write_text(STEPS, encoding="utf-8")
    page = scene.page()
    page.evaluate(choose("long"))
    page.wait_for("document.querySelector('#scenario-state').textContent === 'running'")
    page.wait_for("document.querySelector('#scenario').textContent.startsWith('long: step 1 of 2')")
    page.click("#scenario-button")
    page.wait_for("document.querySelector('#scenario-state').textContent === 'stopped'")


def test_what_is_wrong_with_a_scenario_is_shown(scene: Scene) -> None:
    (scene.folder / "wrong.yaml").write_text("steps:\n  - wait: {until: 'no.Such > 1', timeout: 5}\n", encoding="utf-8")
    page = scene.page()
    page.evaluate(choose("wrong"))
    page.wait_for("document.querySelector('#session-refusal').textContent.includes('no.Such')")
    assert page.evaluate("document.querySelector('#scenario-state').textContent") == "no scenario"
