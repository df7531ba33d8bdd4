"""The panel of the body: lamps, levers and switches, and the entries that the bench declares by itself."""

from .chromium import Page
from .scene import Scene, choose


def lit(lamp: str) -> str:
    """The expression for a lamp of the drawn cluster that is lit."""
    return f"document.querySelector('[data-lamp={lamp}]').dataset.lit === 'true'"


def control(name: str) -> str:
    """The element with a name of a control."""
    return f"[...document.querySelectorAll('.body .controls > *')].find((one) => one.textContent.startsWith('{name}'))"


def choose_state(page: Page, name: str, value: str) -> None:
    """Choose in a menu, or write a number."""
    page.evaluate(
        f"(() => {{ const field = {control(name)}.querySelector('select, input'); field.value = '{value}';"
        " field.dispatchEvent(new Event('change')); })(); 0"
    )


def test_lights_doors_and_levers_are_set_and_seen(scene: Scene) -> None:
    """The lamp follows the bench, not the click; what is held is released together, and levers stay."""
    page = scene.page()
    page.wait_for(f"{control('Hazard lights')} !== undefined")
    page.evaluate(f"{control('Hazard lights')}.click(); {control('Door front left')}.click(); 0")
    for lamp in ("left", "right", "doors"):
        page.wait_for(lit(lamp))
    page.wait_for(f"!({lit('left')})")  # the other half of the flash
    page.wait_for(f"{control('Door front left')}.getAttribute('aria-pressed') === 'true'")
    assert "open" in page.evaluate(f"{control('Door front left')}.textContent")
    page.evaluate(f"{control('Hazard lights')}.click(); 0")
    page.wait_for(f"{control('Hazard lights')}.getAttribute('aria-pressed') === 'false'")
    page.click("#take")
    choose(page, "key", 0)
    choose_state(page, "Turn signal", "2")
    page.wait_for(lit("right"))
    page.click("#body-release")
    page.wait_for("document.querySelector('#body-release').hidden")
    page.wait_for(f"{control('Door front left')}.getAttribute('aria-pressed') === 'true'")


def test_entries_of_the_bench_are_set_and_computed(scene: Scene) -> None:
    page = scene.page()
    page.wait_for(f"{control('Half')}?.textContent.includes('40.0 %')")
    choose_state(page, "Oil life", "30")
    choose_state(page, "Service", "2")
    page.wait_for(f"{control('Half')}.textContent.includes('15.0 %')")
    page.wait_for(f"{control('Service')}.querySelector('select').value === '2'")
    choose_state(page, "Oil life", "300")
    page.wait_for("document.querySelector('#body-refusal').textContent.includes('not within 0..100 %')")


def test_the_car_from_above_is_clicked(scene: Scene) -> None:
    """A door swings, a belt opens and its lamp lights, a stalk flashes; by mouse and by keyboard."""
    page = scene.page()
    page.evaluate("location.hash = 'drive'; 0")
    page.show()
    door, belt = (f"document.querySelector('#car [data-entry={name}]')" for name in ("DoorRearLeft", "BeltDriver"))
    page.wait_for(f"{belt}?.dataset.on === 'true' && {door}.dataset.on === 'false'")
    x, y = page.evaluate(
        f"(() => {{ const box = {door}.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, x=x, y=y)
    page.wait_for(f"{door}.dataset.on === 'true' && {door}.getAttribute('transform').startsWith('rotate')")
    page.wait_for(lit("doors"))
    page.evaluate(f"{belt}.focus(); 0")
    press = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
    page.call("Input.dispatchKeyEvent", type="keyDown", **press)
    page.wait_for(lit("belt"))
    assert page.evaluate(f"{belt}.getAttribute('aria-pressed')") == "false"
    page.click("#body-release")
    page.wait_for("document.querySelector('#body-release').hidden")
    assert page.errors == []
