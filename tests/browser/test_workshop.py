"""The engine workshop in a real browser."""

import json
from pathlib import Path

import pytest

from hilbridge.client.sync_client import Client

from ..program import hilbridge
from .chromium import Page
from .scene import Scene

TORQUE = "parseFloat(document.querySelector('#sheet dd').textContent)"
CURVE = "document.querySelector('#plots path.torque').getAttribute('d')"


def slider(name: str) -> str:
    return f"document.querySelector('#{name}').closest('.parameter').querySelector('[type=range]')"


def move(page: Page, name: str, value: float) -> None:
    """Moves the slider of a parameter as a hand does."""
    page.evaluate(
        f"(() => {{ const slider = {slider(name)}; slider.value = {value};"
        " slider.dispatchEvent(new Event('input')); })()"
    )


def test_a_slider_changes_the_numbers_and_the_export_is_an_engine(steady: Scene, tmp_path: Path) -> None:
    """What the page shows is what `hilbridge engine` says of the file that it exports."""
    page = steady.workshop()
    assert page.evaluate("document.querySelector('#vehicle').value") == "compact"
    before = page.evaluate(CURVE)
    assert abs(page.evaluate(TORQUE) - 191) < 0.5  # Vehicle Physics Pro
    move(page, "peak_rpm_torque", 240)
    page.wait_for(f"{TORQUE} > 230")
    assert page.evaluate(CURVE) != before
    assert page.evaluate("document.querySelector('#changed').textContent") == "1 changed"
    page.download_to(tmp_path)
    page.click("#export")
    file = page.downloaded(tmp_path, "compact-workshop.yaml")
    answer = hilbridge("engine", file, "--json")
    assert answer.returncode == 0, answer.stderr
    assert round(json.loads(answer.stdout)["specifications"]["max_torque_at_peak"], 1) == page.evaluate(TORQUE)
    assert "# VPP: default of the engine block" in file.read_text(encoding="utf-8")
    page.click("#reset")
    page.wait_for(f"{TORQUE} < 192 && {CURVE} === {json.dumps(before)}")
    assert page.errors == []


def test_an_engine_that_cannot_be_is_refused_with_the_reason(steady: Scene) -> None:
    """The graph stays, paler; the parameter is marked; nothing is to be exported."""
    page = steady.workshop()
    move(page, "max_rpm", 4000)
    page.wait_for("document.querySelector('#refusal').textContent === 'max_rpm: 4000 is not above peak_rpm 4200'")
    assert page.evaluate("document.querySelector('#max_rpm').getAttribute('aria-invalid')") == "true"
    assert page.evaluate("document.querySelector('#export').disabled")
    move(page, "max_rpm", 6600)
    page.wait_for(
        "document.querySelector('#refusal').textContent === '' && !document.querySelector('#export').disabled"
    )


def test_parameters_move_by_keyboard(steady: Scene) -> None:
    page = steady.workshop()
    page.show()
    page.evaluate(f"{slider('friction_torque')}.focus()")
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
    page.wait_for("Number(document.querySelector('#friction_torque').value) > 20")
    page.wait_for("document.querySelector('#changed').textContent === '1 changed'")


@pytest.mark.nightly
def test_switches_choices_and_numbers_count_too(steady: Scene) -> None:
    page = steady.workshop()
    page.click("#torque_cap")
    page.evaluate(
        "(() => { const box = document.querySelector('#torque_cap_limit'); box.value = '150';"
        " box.dispatchEvent(new Event('input')); })()"
    )
    page.wait_for(f"{TORQUE} === 150 && document.querySelector('#plots path.uncapped') !== null")


@pytest.mark.nightly
def test_a_measured_engine_has_a_slider_for_each_point(steady: Scene) -> None:
    """The 320d: 400 Nm from 1750 to 2500 rpm; the first of them lifted."""
    page = steady.workshop()
    page.evaluate(
        "(() => { const menu = document.querySelector('#vehicle'); menu.value = '320d-g20';"
        " menu.dispatchEvent(new Event('change')); })()"
    )
    page.wait_for(f"{TORQUE} === 400")
    page.evaluate(
        "(() => { const box = document.querySelector('#table_torque-4'); box.value = '420';"
        " box.dispatchEvent(new Event('input')); })()"
    )
    page.wait_for(f"{TORQUE} === 420")


def test_steps_are_undone_and_redone(steady: Scene) -> None:
    page = steady.workshop()
    move(page, "peak_rpm_torque", 240)
    page.wait_for("!document.querySelector('#undo').disabled")
    page.click("#undo")
    page.wait_for(f"{TORQUE} < 192 && document.querySelector('#changed').textContent === ''")
    page.click("#redo")
    page.wait_for(f"{TORQUE} > 230 && document.querySelector('#redo').disabled")


@pytest.mark.nightly
def test_changes_and_data_sheet_outlast_a_reload(steady: Scene) -> None:
    """The deviation is that of the curve from the point: 191 Nm at the peak of 200 asked for is 4 % too little."""
    page = steady.workshop()
    page.click("#add-target")
    page.evaluate(
        "(() => { const [value, rpm] = document.querySelectorAll('.target-row input'); value.value = 200;"
        " rpm.value = 3850; rpm.dispatchEvent(new Event('input')); })()"
    )
    page.wait_for("document.querySelector('.target-row output').textContent.startsWith('−4.')")
    move(page, "friction_torque", 25)
    page.wait_for("document.querySelector('#changed').textContent === '1 changed'")
    page.reload()
    page.wait_for("document.querySelector('#changed')?.textContent === '1 changed'")
    assert page.evaluate("document.querySelector('#friction_torque').value") == "25"
    assert page.evaluate("document.querySelectorAll('#plots path.target').length") == 1
    assert page.errors == []


def test_a_targets_file_is_a_data_sheet(steady: Scene) -> None:
    """Its three figures take the place of those that were there, and are drawn."""
    page = steady.workshop()
    page.click("#add-target")
    text = json.dumps("name: x\ntorque: {value: 200, rpm: [2000, 3850]}\npower: {value: 90, rpm: 5500}\n")
    page.evaluate(
        f"(() => {{ const box = new DataTransfer(); box.items.add(new File([{text}], 'x.yaml'));"
        " const input = document.querySelector('#targets-file'); input.files = box.files;"
        " input.dispatchEvent(new Event('change')); })()"
    )
    page.wait_for("document.querySelectorAll('#plots path.target').length === 3")
    assert page.evaluate("document.querySelectorAll('.target-row').length") == 3
    assert page.errors == []


@pytest.mark.nightly
def test_a_second_engine_is_drawn_beside(steady: Scene) -> None:
    page = steady.workshop()
    page.evaluate(
        "(() => { const menu = document.querySelector('#compare'); menu.value = 'mx5-nd';"
        " menu.dispatchEvent(new Event('change')); })()"
    )
    page.wait_for("document.querySelectorAll('#plots path.other').length === 3")
    page.wait_for("document.querySelector('#sheet').textContent.includes('compared 200')")  # its maker's data sheet


def test_an_impossible_engine_is_called_so(steady: Scene) -> None:
    page = steady.workshop()
    move(page, "peak_rpm_torque", 330)
    page.wait_for("document.querySelector('#warnings').textContent.includes('No such engine exists')")
    page.click("#reset")
    page.wait_for("document.querySelector('#warnings').textContent === ''")


def test_the_running_engine_is_driven_and_given_back(scene: Scene) -> None:
    """The daemon has the values, the page says so, and no parameter goes by that cannot be."""
    page = scene.workshop()
    page.wait_for("document.querySelector('#drive-state').textContent === 'compact runs as in its file'")
    move(page, "idle_rpm", 1500)
    page.wait_for("!document.querySelector('#drive').disabled")
    page.click("#drive")
    page.wait_for("document.querySelector('#drive-state').textContent.startsWith('compact runs with 1 changed')")
    with Client(scene.folder / "control.sock") as bench:
        assert bench.command("status", parts=["engine"])["engine"] == {"changes": {"idle_rpm": 1500}}
    page.click("#drive-file")
    page.wait_for("document.querySelector('#drive-state').textContent === 'compact runs as in its file'")
