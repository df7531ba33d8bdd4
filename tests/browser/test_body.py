"""The panel of the body: lamps, levers and switches, and the entries that the bench declares by itself."""

from .chromium import Page
from .scene import Scene, choose


def lit(lamp: str) -> str:
    """The expression for a lamp that is lit."""
    return f'document.querySelector("#body-lamps [title=\'{lamp}\']").dataset.lit === "true"'


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
    for lamp in ("Left turn signals", "Right turn signals", "A door or lid is open"):
        page.wait_for(lit(lamp))
    page.wait_for(f"!({lit('Left turn signals')})")  # the other half of the flash
    page.wait_for(f"{control('Door front left')}.getAttribute('aria-pressed') === 'true'")
    assert "open" in page.evaluate(f"{control('Door front left')}.textContent")
    page.evaluate(f"{control('Hazard lights')}.click(); 0")
    page.wait_for(f"{control('Hazard lights')}.getAttribute('aria-pressed') === 'false'")
    page.click("#take")
    choose(page, "key", 0)
    choose_state(page, "Turn signal", "2")
    page.wait_for(lit("Right turn signals"))
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
