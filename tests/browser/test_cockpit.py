"""The cockpit as people meet it: a real browser on a real run of the demo bench."""

import os
import signal
import time

import pytest

from hilbridge.client import Client

from .scene import NEEDLE, RPM, SPEED, Scene, choose, choose_in, sent, slide, start_engine


def test_needle_and_table_follow_the_driver(scene: Scene) -> None:
    """Key on, start, throttle: the rev counter rises and its needle turns; frames are counted on."""
    page = scene.page()
    start_engine(page)
    idle, before = page.evaluate(NEEDLE), sent(page, "EngineData1")
    slide(page, "input.Throttle", 0.5)
    page.wait_for(f"{RPM} > 2500 && {NEEDLE} > {idle} + 40")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.5'")
    assert sent(page, "EngineData1") > before
    slide(page, "input.Throttle", 0)
    page.wait_for(f"{RPM} < 1500")
    choose(page, "key", -1)
    page.wait_for(f"{RPM} === 0")
    page.wait_for("document.querySelector('#terminal').textContent === 'Key off'")
    assert page.errors == []


def test_the_page_drives_off_with_the_clutch_worked_for_it(scene: Scene) -> None:
    page = scene.page()
    start_engine(page)
    slide(page, "input.Handbrake", 0)
    slide(page, "input.Brake", 0)
    choose(page, "lever", 1)
    slide(page, "input.Throttle", 0.4)
    page.wait_for(f"{SPEED} > 15 && document.querySelector('#gear').textContent === '1'")
    slide(page, "input.Steer", -0.5)  # a left turn: the acceleration is to the left
    page.wait_for("Number(document.querySelector('#g-circle .point').getAttribute('cx')) < 62")
    assert page.errors == []


@pytest.mark.nightly
def test_a_second_page_shows_the_same(scene: Scene) -> None:
    """What one page holds, all pages show; it is given back when that page goes."""
    one, other = scene.page(), scene.page()
    one.show()
    start_engine(one)
    slide(one, "input.Throttle", 0.3)
    one.wait_for(f"{RPM} > 1500")
    other.show()
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.3'")
    other.wait_for(f"{RPM} > 1500")
    other.wait_for("document.querySelector('#who').textContent.startsWith('Driven by: viewer 1 (127.0.0.1)')")
    one.call("Page.navigate", url="about:blank")
    other.wait_for("document.querySelector('#control-input\\\\.Throttle').value !== '0.3'")


def test_one_page_drives_at_a_time(scene: Scene) -> None:
    """Who touches a control while another page drives is told; who takes the wheel has it, and the other is told."""
    one, other = scene.page(), scene.page()
    who, refusal = "document.querySelector('#who').textContent", "document.querySelector('#refusal').textContent"
    one.click("#take")
    other.wait_for(f"{who}.startsWith('Driven by: viewer 1')")
    slide(other, "input.Throttle", 0.5)
    other.wait_for(f"{refusal}.includes('viewer 1 (127.0.0.1) drives')")
    other.click("#take")
    one.wait_for(f"{who}.startsWith('Driven by: viewer 2')")
    one.wait_for(f"{refusal} === 'viewer 2 (127.0.0.1) took the wheel.'")
    other.wait_for(f"{who}.startsWith('You drive.')")


@pytest.mark.nightly
def test_a_motion_that_is_not_the_drivers_is_said(scene: Scene) -> None:
    """Pedals do not move a car whose motion is prescribed, whoever has the wheel."""
    page = scene.page()
    who = "document.querySelector('#who').textContent"
    with Client(scene.folder / "control.sock") as bench:
        bench.set("request.MotionSpeed", 20.0)
        page.wait_for(f"{who}.includes('The motion is that of command')")
        page.wait_for("Number(document.querySelector('#speed .value').textContent) > 60")
        bench.release("request.MotionSpeed")
        page.wait_for(f"!{who}.includes('The motion')")
    assert page.errors == []


@pytest.mark.nightly
def test_a_page_that_hangs_lets_go(scene: Scene) -> None:
    """Its browser may keep the connection open; when the page goes on, it knows that it drives no more."""
    page = scene.page()
    slide(page, "input.Throttle", 0.6)
    with Client(scene.folder / "control.sock") as bench:
        bench.wait_until("input.Throttle > 0.55", 30)
        page.evaluate("setTimeout(() => { for (const end = Date.now() + 12000; Date.now() < end; ); }, 0); 0")
        bench.wait_until("input.Throttle < 0.55", 11)
    page.wait_for("!document.querySelector('#who').textContent.startsWith('You drive.')")
    assert page.errors == []


@pytest.mark.nightly
def test_a_viewer_has_a_name_for_the_others(scene: Scene) -> None:
    one, other = scene.page(), scene.page()
    one.evaluate(
        "(() => { const box = document.querySelector('#viewer-name'); box.value = 'Ann';"
        " box.dispatchEvent(new Event('change')); })()"
    )
    one.click("#take")
    other.wait_for("document.querySelector('#who').textContent.startsWith('Driven by: Ann (viewer ')")


@pytest.mark.nightly
def test_taking_the_wheel_lets_the_pedals_come_up(scene: Scene) -> None:
    """What another had its foot on is released; what has no spring stays: lever, hand brake."""
    page, other = scene.page(), scene.page()
    start_engine(other)
    slide(other, "input.Throttle", 0.6)
    slide(other, "input.Handbrake", 1)
    page.show()
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.6'")
    page.click("#take")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0'")
    assert page.evaluate("document.querySelector('#control-input\\\\.Handbrake').value") == "1"


def test_every_control_names_its_source_and_all_of_them_are_released(scene: Scene) -> None:
    page = scene.page()
    source = "document.querySelector('#control-input\\\\.Throttle').closest('.slider').querySelector('.source')"
    page.wait_for(f"{source}.textContent !== ''")
    before = page.evaluate(f"{source}.textContent")
    slide(page, "input.Throttle", 0.5)
    page.wait_for(f"{source}.textContent === 'you'")
    page.click("#release")
    page.wait_for("document.querySelector('#take').getAttribute('aria-pressed') === 'false'")
    page.wait_for(f"{source}.textContent === '{before}'")


@pytest.mark.nightly
def test_an_overload_is_shown_while_it_lasts(scene: Scene) -> None:
    """The tick process is stopped for a twentieth of a second, again and again, until the page says so."""
    page = scene.page()
    shown = "document.querySelector('#overload').textContent"
    daemon = scene.program.process.pid
    for _ in range(400):
        os.kill(daemon, signal.SIGSTOP)
        time.sleep(0.05)
        os.kill(daemon, signal.SIGCONT)
        if page.evaluate(shown).startswith("overloaded: "):
            break
    else:
        pytest.fail("no overload is shown")
    page.wait_for(f"{shown} === ''")


def test_a_page_without_data_says_so(scene: Scene) -> None:
    """The server process stands still with its connection open: the page does not claim to be live."""
    page = scene.page()
    server = scene.program.child("hilbridge.faces.cockpit.server")
    os.kill(server, signal.SIGSTOP)
    try:
        page.wait_for("document.querySelector('#connection').textContent.startsWith('no data for ')")
        assert page.evaluate("document.querySelector('#connection').dataset.state") == "lost"
    finally:
        os.kill(server, signal.SIGCONT)
    page.wait_for("document.querySelector('#connection').textContent === 'live'")


def test_keys_are_pedals(scene: Scene) -> None:
    """W is pressed and let go: the pedal goes down and springs back; not while the focus is in a menu."""
    page = scene.page()
    start_engine(page)
    page.key("keyDown", "KeyW")
    page.wait_for("Number(document.querySelector('#control-input\\\\.Throttle').value) > 0.5")
    page.key("keyUp", "KeyW")
    page.wait_for("Number(document.querySelector('#control-input\\\\.Throttle').value) === 0")
    page.key("keyDown", "KeyE")
    page.key("keyUp", "KeyE")
    page.wait_for("document.querySelector('#lever :checked').value === '1'")
    page.evaluate("document.querySelector('#signal').focus()")
    page.key("keyDown", "KeyE")
    page.key("keyUp", "KeyE")
    page.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert page.evaluate("document.querySelector('#lever :checked').value") == "1"


def test_no_engine_stalls_while_the_page_hangs(scene: Scene) -> None:
    """Driven off by W, braked to rest by S; nothing of the page runs while it brakes. The clutch is the daemon's."""
    page = scene.page()
    start_engine(page)
    slide(page, "input.Handbrake", 0)
    choose(page, "lever", 1)
    page.key("keyDown", "KeyW")
    page.wait_for(f"{SPEED} > 15")
    source = "document.querySelector('#control-input\\\\.Clutch').closest('.slider').querySelector('.source')"
    page.wait_for(f"{source}.textContent === 'automatic'")
    page.key("keyUp", "KeyW")
    page.key("keyDown", "KeyS")
    page.evaluate("(() => { const end = performance.now() + 4000; while (performance.now() < end); })(); 0")
    page.wait_for(f"{SPEED} === 0")
    page.key("keyUp", "KeyS")
    page.wait_for("document.querySelector('#control-input\\\\.Brake').value === '0'")
    assert page.evaluate(RPM) > 700
    assert page.errors == []


def test_a_held_key_is_let_go_with_its_page(scene: Scene) -> None:
    """The page is left with W held: the daemon, which held the pedal for it, gives it back."""
    page = scene.page()
    start_engine(page)
    page.key("keyDown", "KeyW")
    page.wait_for("Number(document.querySelector('#control-input\\\\.Throttle').value) > 0.9")
    with Client(scene.folder / "control.sock") as bench:
        assert bench.get("input.Throttle") > 0.9
        page.call("Page.navigate", url="about:blank")
        bench.wait_until("input.Throttle < 0.9", timeout=60)
        assert not [row for row in bench.status("inputs")["inputs"] if row["source"].startswith("viewer")]


@pytest.mark.nightly
def test_a_gamepad_drives(scene: Scene) -> None:
    """A stub of the standard layout: trigger, stick and bumper move pedal, wheel and lever. Untouched it is idle."""
    page = scene.page()
    page.evaluate(
        "globalThis.pad = {mapping: 'standard', id: 'Stub', axes: [0, 0, 0, 0],"
        " buttons: Array.from({length: 17}, () => ({pressed: false, value: 0}))};"
        " navigator.getGamepads = () => [globalThis.pad]; 0"
    )
    page.wait_for("document.querySelector('#gamepad').textContent.startsWith('Stub')")
    assert page.evaluate("document.querySelector('#take').getAttribute('aria-pressed')") == "false"
    page.evaluate("pad.buttons[7].value = 0.6; pad.axes[0] = -0.54; 0")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0.6'")
    page.wait_for("document.querySelector('#control-input\\\\.Steer').value === '-0.5'")
    assert page.evaluate("document.querySelector('#take').getAttribute('aria-pressed')") == "true"
    choose(page, "lever", 0)
    page.evaluate("pad.buttons[5].pressed = true; 0")
    page.wait_for("document.querySelector('#lever :checked').value === '1'")


def test_a_wheel_of_any_mapping_drives(scene: Scene) -> None:
    """Two pedals on one axis at rest in its middle, assigned by moving them; kept for the device."""
    page = scene.page()
    page.evaluate(
        "globalThis.pad = {mapping: '', id: 'Wheel', axes: [0, 0], buttons: [{pressed: false, value: 0}]};"
        " navigator.getGamepads = () => [globalThis.pad]; 0"
    )
    page.wait_for("document.querySelector('#gamepad').textContent === 'Wheel: nothing assigned yet.'")
    page.click("#gamepad-setup")
    for control, end in (("Throttle", -1), ("Brake", 1)):
        page.click(f"[aria-label='Assign {control}']")
        page.evaluate(f"pad.axes[1] = {end}; 0")
        page.evaluate("new Promise((done) => setTimeout(done, 200))")
        page.click(f"[aria-label='Done with {control}']")
        page.evaluate("pad.axes[1] = 0; 0")
    page.evaluate("document.querySelector('#gamepad-dialog').close()")
    page.wait_for("document.querySelector('#gamepad').textContent === 'Wheel: 2 controls assigned.'")
    page.evaluate("new Promise((done) => setTimeout(done, 200))")
    page.evaluate("pad.axes[1] = -1; 0")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '1'")
    page.wait_for("document.querySelector('#control-input\\\\.Brake').value === '0'")
    page.evaluate("pad.axes[1] = 1; 0")
    page.wait_for("document.querySelector('#control-input\\\\.Brake').value === '1'")
    page.wait_for("document.querySelector('#control-input\\\\.Throttle').value === '0'")
    assert page.errors == []


@pytest.mark.nightly
def test_a_button_of_a_wheel_sets_any_entry(scene: Scene) -> None:
    """A light by each press, by the keyboard alone; a gear while the gate of a shifter is held."""
    page = scene.page()
    page.evaluate(
        "globalThis.pad = {mapping: '', id: 'Box', axes: [],"
        " buttons: Array.from({length: 2}, () => ({pressed: false, value: 0}))};"
        " navigator.getGamepads = () => [globalThis.pad]; 0"
    )
    page.wait_for("document.querySelector('#gamepad').textContent === 'Box: nothing assigned yet.'")
    page.click("#gamepad-setup")
    added = (
        ("body.RearFogLights", "1", "press", "Rear fog lights: on"),
        ("input.ManualGear", "2", "hold", "Gear lever: 2"),
    )
    for number, (entry, value, manner, title) in enumerate(added):
        for name, chosen in (("entry", entry), ("value", value), ("manner", manner)):
            page.evaluate(
                f"(() => {{ const menu = document.querySelector('#gamepad-{name}'); menu.value = '{chosen}';"
                " menu.dispatchEvent(new Event('change')); })(); 0"
            )
        page.evaluate("document.querySelector('#gamepad-add').focus()")
        page.call(
            "Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r"
        )
        page.wait_for(f"document.querySelector(\"[aria-label='Assign {title}']\") !== null")
        page.click(f"[aria-label='Assign {title}']")
        page.evaluate(f"pad.buttons[{number}].pressed = true; 0")
        page.evaluate("new Promise((done) => setTimeout(done, 200))")
        page.click(f"[aria-label='Done with {title}']")
        page.evaluate(f"pad.buttons[{number}].pressed = false; 0")
    page.evaluate("document.querySelector('#gamepad-dialog').close()")
    page.wait_for("document.querySelector('#gamepad').textContent === 'Box: 2 controls assigned.'")
    page.evaluate("pad.buttons[0].pressed = true; 0")
    lit = "document.querySelector('[data-lamp=fogRear]').dataset.lit"
    page.wait_for(f"{lit} === 'true'")
    page.evaluate("pad.buttons[0].pressed = false; pad.buttons[1].pressed = true; 0")
    page.wait_for("document.querySelector('#lever :checked').value === '2'")
    assert page.evaluate(lit) == "true"
    page.evaluate("pad.buttons[0].pressed = true; pad.buttons[1].pressed = false; 0")
    page.wait_for(f"{lit} === 'false'")
    page.wait_for("document.querySelector('#lever :checked').value === '0'")
    assert page.errors == []


def test_the_bench_s_own_pedals_are_calibrated_step_by_step(scene: Scene) -> None:
    """Nobody sends the message of the demo bench's input: the step says so, and nothing can be written."""
    page = scene.page()
    page.wait_for("!document.querySelector('#calibrate').disabled")
    page.click("#calibrate")
    page.wait_for("document.querySelector('#calibration-control').textContent.includes('Throttle (can DriverInputs)')")
    page.wait_for("document.querySelector('#calibration-step').textContent.endsWith(', then Next.')")
    page.click("#calibration-next")
    page.wait_for("document.querySelector('#calibration-refusal').textContent.includes('is silent')")
    assert page.evaluate("document.querySelector('#calibration-write').hidden")
    assert page.errors == []


def test_any_value_is_found_set_and_released(scene: Scene) -> None:
    """In the unit that is shown: a slope of 5 % is 0.05; a refused value says why."""
    page = scene.page()
    page.evaluate(
        "(() => { const box = document.querySelector('#values-filter'); box.value = 'slope';"
        " box.dispatchEvent(new Event('input')); })()"
    )
    assert page.evaluate("document.querySelectorAll('#values tr').length") == 1
    page.evaluate("document.querySelector('#values input').value = '5'")
    page.click("#values [type=submit]")
    page.wait_for("document.querySelector('#values .number').textContent === '5.00 %'")
    page.click("#values [aria-label='Release Slope']")
    page.wait_for("document.querySelector('#values .number').textContent === '0.00 %'")


@pytest.mark.nightly
def test_a_fault_of_a_frame_is_set(scene: Scene) -> None:
    page = scene.page()
    page.wait_for("document.querySelector('#frame-fault-frame').value === 'powertrain.EngineData1'")
    choose_in(page, "frame-fault-effect", "0")
    page.click("#frame-fault button")
    page.wait_for("document.querySelector('#faults').textContent.includes('powertrain.EngineData1 drop (active)')")
    page.wait_for("document.querySelector('#frames .verdict').textContent !== 'ok'")


@pytest.mark.nightly
def test_a_fault_of_a_control_unit_is_set(scene: Scene) -> None:
    """With a number where its effect has one; what cannot be is told."""
    page = scene.page()
    page.wait_for("document.querySelector('#unit-fault-unit').value === 'engine'")
    assert page.evaluate("document.querySelector('#unit-fault-value').value") == "500"
    page.click("#unit-fault button")
    page.wait_for("document.querySelector('#faults').textContent.includes('engine late delay=500 ms (active)')")
    choose_in(page, "unit-fault-effect", "2")
    assert page.evaluate("document.querySelector('#unit-fault-value').parentElement.hidden")
    page.click("#unit-fault button")
    page.wait_for("document.querySelector('#faults').textContent.includes('engine pending (active)')")


def test_a_reload_reports_its_outcome_and_the_log_shows_it(scene: Scene) -> None:
    page = scene.page()
    page.click("#reload")
    page.wait_for("/^Reloaded in /.test(document.querySelector('#reload-outcome').textContent)")
    page.wait_for("document.querySelector('#log').textContent.includes('reload')")
    bench = scene.folder / "bench.yaml"
    bench.write_text(bench.read_text(encoding="utf-8").replace("rate: 500", "rate: 1000"), encoding="utf-8")
    page.click("#reload")
    page.wait_for("/^Reload refused: /.test(document.querySelector('#reload-outcome').textContent)")
    choose_in(page, "log-level", "warning")
    page.wait_for("![...document.querySelectorAll('#log .level')].some((one) => one.textContent === 'info')")


@pytest.mark.nightly
def test_trouble_codes_are_set_and_cleared(scene: Scene) -> None:
    """A code of one trip lights the malfunction indicator; clearing puts it out. It stays permanent (SAE J1979)."""
    page = scene.page()
    start_engine(page)
    page.evaluate("document.querySelector('#troubles select').value = 'P2122'")
    page.click("#troubles [type=submit]")
    page.wait_for("document.querySelector('#troubles .code')?.textContent === 'P2122'")
    page.wait_for("document.querySelector('[data-lamp=engine]').dataset.lit === 'true'")
    page.click("#troubles .title button")
    page.wait_for("document.querySelector('#troubles .states').textContent === 'permanent'")
    page.wait_for("document.querySelector('[data-lamp=engine]').dataset.lit === 'false'")


def test_a_bus_is_disarmed_and_armed(scene: Scene) -> None:
    page = scene.page()
    page.click("#buses button")
    page.wait_for("document.querySelector('#buses .state').textContent === 'listens only'")
    rate = "document.querySelector('#buses .rate').textContent"
    page.wait_for(f"/out 0\\/s \\(\\d+ held back: hilbridge ctl arm powertrain\\)/.test({rate})")
    page.wait_for(
        "/, 0 per second \\(\\d+ held back: not armed\\)/.test(document.querySelector('#frames-rate').textContent)"
    )
    page.wait_for("document.querySelector('#frames .verdict').textContent === 'held back'")
    assert page.evaluate("document.querySelector('#unarmed').textContent") == "not armed"
    page.click("#buses button")
    page.wait_for("document.querySelector('#buses .state').textContent === 'transmits'")
    page.wait_for("document.querySelector('#unarmed').textContent === ''")


def test_a_fault_of_the_vehicle_is_set_and_ended(scene: Scene) -> None:
    page = scene.page()
    page.click("#fault button")
    page.wait_for("document.querySelector('#faults').textContent.includes('fault.Misfire 0.5 (active)')")
    page.click("#faults button")
    page.wait_for("document.querySelector('#faults').textContent === 'Nothing is wrong on purpose'")


def test_the_map_of_the_engine_is_coloured_by_consumption(steady: Scene) -> None:
    """A cell for each speed and load at which the engine does work; the best of them is named."""
    page = steady.page()
    page.wait_for("document.querySelectorAll('#engine-map .cell').length > 200")
    assert page.evaluate("/darkest: [0-9]+ g.kWh/.test(document.querySelector('#engine-map').textContent)")
    assert page.errors == []
