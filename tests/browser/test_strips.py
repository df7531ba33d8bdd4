"""The strips of signals: history, cursor, zoom, overlays, markers."""

import re

import pytest

from .chromium import Page
from .scene import Scene, choose_in

pytestmark = pytest.mark.nightly

SPAN = "document.querySelector('#span').value"
LAST = "[...document.querySelectorAll('.strip output')].at(-1).textContent"
CURSOR = "document.querySelector('#strips').dataset.cursor"
LEGEND = "[...document.querySelectorAll('.strip .legend')].map((one) => one.children.length)"


def strip(page: Page, kind: str, x: float, **more: object) -> None:
    """The mouse over the first strip, `x` of its width from the left."""
    page.evaluate("document.querySelector('.strip canvas').scrollIntoView({block: 'center'})")
    box = page.evaluate(
        "(() => { const box = document.querySelector('.strip canvas').getBoundingClientRect();"
        " return [box.x, box.y, box.width, box.height]; })()"
    )
    place = {"x": box[0] + x * box[2], "y": box[1] + box[3] / 2}
    page.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place, **more)


def under_cursor(page: Page, x: float) -> tuple[float, float]:
    """The time of the run at `x` of the strips [s], and the value that the last strip says of it."""
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
    page.wait_for(f"{CURSOR} === ''")
    strip(page, "mouseMoved", x)
    page.wait_for(f"{CURSOR} > ''")
    time, value = page.evaluate(f"[Number({CURSOR}), parseFloat({LAST})]")
    return float(time), float(value)


def drawn(page: Page) -> int:
    """How many columns of the first strip have a line's colour."""
    count = page.evaluate(
        "(() => { const canvas = document.querySelector('.strip canvas'); const pen = canvas.getContext('2d');"
        " const {width, height} = canvas; const data = pen.getImageData(0, 0, width, height).data;"
        " const line = [...'0b6788'.matchAll(/../g)].map(([one]) => parseInt(one, 16)); let columns = 0;"
        " for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) { const i = 4 * (y * width + x);"
        " if (line.every((one, k) => Math.abs(data[i + k] - one) < 12)) { columns++; break; } } return columns; })()"
    )
    assert isinstance(count, int)
    return count


def test_what_was_before_the_page_was_opened_is_shown(steady: Scene) -> None:
    """The page process keeps a history; a page that was opened this moment shows the run from its start.

    The values in it are those of their time, as the time since the start of the run shows, to a tenth or more.
    """
    first = steady.page()
    first.wait_for("document.querySelector('#clock').textContent >= '0:00:08'")
    page = steady.page()
    page.colour_scheme("light")
    page.show()
    choose_in(page, "span", "Infinity")
    width = page.evaluate("document.querySelector('.strip canvas').clientWidth")
    page.wait_for("new Promise((done) => setTimeout(() => done(true), 600))")
    assert drawn(page) > 0.6 * width
    choose_in(page, "signal", "clock.Elapsed")
    for _ in range(100):  # until what was before has come
        if under_cursor(page, 0.02)[0] < 0.2 * under_cursor(page, 0.98)[0]:
            break
    page.click("#pause")
    read = [under_cursor(page, x) for x in (0.4, 0.6, 0.8)]
    assert all(abs(time - value) < 0.5 for time, value in read), read
    assert read[0][0] + 1.0 < read[1][0] < read[2][0] - 1.0, read
    page.click("[aria-label='Remove Elapsed']")
    assert page.errors == []


def test_a_span_is_marked_and_shown_until_live_is_chosen(steady: Scene) -> None:
    page = steady.page()
    page.show()
    assert page.evaluate(SPAN) == "30"
    strip(page, "mousePressed", 0.7)
    strip(page, "mouseMoved", 0.9)
    strip(page, "mouseReleased", 0.9)
    page.wait_for("document.querySelector('#pause').textContent === 'Live'")
    assert page.evaluate(SPAN) == ""
    page.click("#pause")
    page.wait_for("document.querySelector('#pause').textContent === 'Pause'")


def test_the_cursor_reads_all_strips_at_its_time(steady: Scene) -> None:
    """The time since the start stands still under the cursor of another strip, and not without it."""
    page = steady.page()
    page.show()
    choose_in(page, "signal", "clock.Elapsed")
    page.click("#pause")
    before = page.evaluate(LAST)
    page.wait_for(f"{LAST} !== {before!r}")
    time, value = under_cursor(page, 0.5)
    page.wait_for("new Promise((done) => setTimeout(() => done(true), 500))")
    assert page.evaluate(f"[Number({CURSOR}), parseFloat({LAST})]") == [time, value]
    page.click("[aria-label='Remove Elapsed']")


def test_entries_share_a_strip_and_are_kept(scene: Scene) -> None:
    page = scene.page()
    assert page.evaluate(LEGEND) == [1, 1, 2]
    choose_in(page, "strip-target", "0")
    choose_in(page, "signal", "vehicle.EngineTorque")
    assert page.evaluate(LEGEND) == [2, 1, 2]
    page.reload()
    page.wait_for(f"JSON.stringify({LEGEND}) === '[2,1,2]'")
    page.click("[aria-label='Remove Engine torque']")
    assert page.evaluate(LEGEND) == [1, 1, 2]


def test_keys_zoom_move_and_return(steady: Scene) -> None:
    page = steady.page()
    page.show()
    page.evaluate("document.querySelector('#strips').focus()")
    for key, code in (("+", 187), ("ArrowLeft", 37)):
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
    page.wait_for("document.querySelector('#pause').textContent === 'Live'")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Home", windowsVirtualKeyCode=36)
    page.wait_for("document.querySelector('#pause').textContent === 'Pause'")


FIELDS = "['a', 'b'].map((name) => Number(document.querySelector(`#cursor-${name}`).value))"
BETWEEN = "parseFloat(document.querySelector('#between').textContent)"


def at_cursors(page: Page) -> list[float]:
    """What the last strip says at A, at B, and of their difference."""
    text = page.evaluate("[...document.querySelectorAll('.at-cursors')].at(-1).textContent")
    return [float(one) for one in re.findall(r"[AB\u0394] ([+-]?[\d.]+)", text.replace("\u2212", "-"))]


def measuring(page: Page) -> None:
    """The time since the start in a strip of its own, ten seconds of it, and two cursors."""
    page.show()
    choose_in(page, "signal", "clock.Elapsed")
    choose_in(page, "span", "10")
    page.wait_for("parseFloat([...document.querySelectorAll('.strip output')].at(-1).textContent) > 12")
    page.click("#measure")
    page.wait_for("!document.querySelector('#measured').hidden")


def test_two_cursors_say_the_time_between_them_and_the_values(steady: Scene) -> None:
    """Of the time since the start, which grows by a second each second: the difference is that of the times.

    A key brings a cursor to the middle; its field takes a time, and the inverse of a quarter of a second is 4 Hz.
    """
    page = steady.page()
    measuring(page)
    a, b = page.evaluate(FIELDS)
    assert page.evaluate("document.querySelector('#pause').textContent") == "Live"
    assert 1.0 < b - a < 10 / 3 + 0.1  # thirds of what is known of ten seconds
    page.wait_for("[...document.querySelectorAll('.at-cursors')].every((one) => one.textContent.includes('\u0394'))")
    values = at_cursors(page)
    assert values[:2] == pytest.approx([a, b], abs=0.15)
    assert values[2] == pytest.approx(b - a, abs=0.15)
    page.evaluate(
        f"(() => {{ const field = document.querySelector('#cursor-b'); field.value = {a + 0.25};"
        " field.dispatchEvent(new Event('input')); })()"
    )
    page.wait_for(f"Math.abs({BETWEEN} - 0.25) < 0.0015")
    assert page.evaluate("document.querySelector('#rate-between').textContent") == "4.00 Hz"
    page.evaluate("document.querySelector('#strips').focus()")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="2", windowsVirtualKeyCode=50)
    page.wait_for(
        f"Math.abs({FIELDS}[1] - {2 * b - a - 5}) < 0.01"
    )  # the newest time is 2 b - a, five seconds after it
    page.click("#measure")
    page.wait_for("document.querySelector('#measured').hidden")
    assert page.evaluate("[...document.querySelectorAll('.at-cursors')].every((one) => one.textContent === '')")
    page.click("[aria-label='Remove Elapsed']")
    assert page.errors == []


def test_cursors_are_placed_and_dragged_by_mouse_and_finger(steady: Scene) -> None:
    """A click brings the nearer one; one that is held follows; a finger does both, and zooms nothing meanwhile."""
    page = steady.page()
    measuring(page)
    span = page.evaluate(SPAN)
    for kind in ("mousePressed", "mouseReleased"):
        strip(page, kind, 0.95)
    page.wait_for(f"{BETWEEN} > 4.5")
    b = page.evaluate(FIELDS)[1]
    left, width = page.evaluate(
        "(() => { const box = document.querySelector('.strip canvas').getBoundingClientRect();"
        " return [box.x, box.width]; })()"
    )
    shares = [(x - left) / width for x in (left + 0.3 * width, left + 0.5 * width)]
    for kind in ("mousePressed", "mouseReleased"):
        strip(page, kind, shares[0])
    placed = page.evaluate(FIELDS)[0]
    for kind, x in (("mousePressed", shares[0]), ("mouseMoved", shares[1]), ("mouseReleased", shares[1])):
        strip(page, kind, x)
    moved = page.evaluate(FIELDS)
    assert moved[0] > placed + 1
    assert moved[1] == b
    top = page.evaluate("document.querySelector('.strip canvas').getBoundingClientRect().y") + 30
    touch(page, "touchStart", left + 0.5 * width + 8, top)
    touch(page, "touchMove", left + 0.2 * width, top)
    touch(page, "touchEnd")
    page.wait_for(f"{FIELDS}[0] < {placed}")
    assert page.evaluate(SPAN) == span
    page.click("#measure")
    page.click("[aria-label='Remove Elapsed']")
    assert page.errors == []


def touch(page: Page, kind: str, *place: float) -> None:
    points = [{"x": place[0], "y": place[1]}] if place else []
    page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
