"""Why a lamp is on: the page of a bench with a cluster, whose frames are disturbed on the page itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .chromium import Browser, Page
from .scene import RPM, choose, choose_in, cockpit_of

NEEDLE_PATH = "document.querySelector('#rpm .needle')"


@pytest.fixture
def page(chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    changes = (
        ("slcan: 29537", "slcan: 0"),
        ("name: cluster-mazda-rx8", "name: browser-lamps"),
        ("inputs:\n  - source: demo-driver\n", ""),
    )
    with cockpit_of(chromium, tmp_path, "cluster-mazda-rx8", changes) as page:
        yield page


def test_a_lamp_is_explained_by_its_frame(page: Page) -> None:
    """Off without ignition, then good; the frame that is dropped is named with its lamp, which stands first."""
    row = "[...document.querySelectorAll('#lamps li')].find((one) => one.textContent.includes('power steering (lamp)'))"
    page.wait_for(f"{row}?.textContent.includes('terminal 15 is off')")
    page.click("#take")
    choose(page, "key", 0)
    page.wait_for(f"{row}?.querySelector('.state').dataset.state === 'good'")
    page.wait_for("document.querySelector('#frame-fault-frame option[value=\"cluster.PowerSteering\"]') !== null")
    choose_in(page, "frame-fault-frame", "cluster.PowerSteering")
    choose_in(page, "frame-fault-effect", "0")
    page.click("#frame-fault button")
    page.wait_for(f"{row}?.querySelector('.state').dataset.state === 'bad'")
    assert "PowerSteering (0x300): fault 1" in page.evaluate(f"{row}.textContent")
    assert "power steering" in page.evaluate("document.querySelector('#lamps li').textContent")
    steering = "document.querySelector('[data-lamp=steering]')"
    page.wait_for(f"{steering}.dataset.wrong === 'true'")
    page.click("[data-lamp=steering] button")
    page.wait_for("document.querySelector('#lamp-why').textContent.includes('PowerSteering (0x300): fault 1')")
    assert page.errors == []


def test_the_drawn_cluster_says_what_the_frames_carry(page: Page) -> None:
    """A lamp that a profile names follows its frame, one that none names the model; a touch says which.

    The needle is what the frame carries, and the mark on the scale the model's: with the ignition on they are one, and
    2,000 rpm apart once a fault of the signal adds that, which is told.
    """
    page.click("#take")
    choose(page, "key", 0)
    page.wait_for("document.querySelector('[data-lamp=battery]').dataset.from === 'frames'")
    page.wait_for("document.querySelector('[data-lamp=battery]').dataset.lit === 'true'")  # the engine rests
    assert page.evaluate("document.querySelector('[data-lamp=main]').dataset.from") == "model"
    page.click("[data-lamp=battery] button")
    page.wait_for("/lit, by StatusLamps .0x420.: lit by Charge/.test(document.querySelector('#lamp-why').textContent)")
    page.click("[data-lamp=main] button")
    page.wait_for("document.querySelector('#lamp-why').textContent.includes('dark, by the model')")
    sources = "document.querySelector('#sources')"
    page.wait_for(f"{sources}.textContent.includes('Engine.EngineSpeed 0 ')")
    assert page.evaluate(f"{sources}.dataset.apart") == "false"
    choose_in(page, "frame-fault-frame", "cluster.Engine")
    choose_in(page, "frame-fault-effect", "6")
    page.wait_for("document.querySelector('#frame-fault-signal option[value=EngineSpeed]') !== null")
    page.evaluate("document.querySelector('#frame-fault-signal').value = 'EngineSpeed'")
    page.evaluate("document.querySelector('#frame-fault-value').value = '2000'")
    page.click("#frame-fault button")
    page.wait_for(f"{sources}.textContent.includes('Engine.EngineSpeed 2000 (not as the model)')")
    assert page.evaluate(f"{sources}.dataset.apart") == "true"
    mark = "document.querySelector('#rpm .mark-of-other')"
    assert page.evaluate(f"{mark}.getAttribute('visibility')") == "visible"
    assert page.evaluate("document.querySelector('#rpm').dataset.from") == "frames"
    page.wait_for(f"{RPM} === 2000")
    turned = "Number(%s.getAttribute('transform').match(/-?[\\d.]+/)[0])"
    by_hand = 270 * 2000 / 7000  # degrees of a scale of 7,000 rpm
    assert abs(page.evaluate(turned % NEEDLE_PATH) - page.evaluate(turned % mark) - by_hand) < 1
    assert page.errors == []


def test_the_last_value_of_a_lost_frame_is_not_told(page: Page) -> None:
    """The needle is the model's then, which is seen."""
    page.click("#take")
    choose(page, "key", 0)
    sources = "document.querySelector('#sources')"
    page.wait_for(f"{sources}.textContent.includes('Engine.EngineSpeed 0 ')")
    choose_in(page, "frame-fault-frame", "cluster.Engine")
    choose_in(page, "frame-fault-effect", "0")
    page.click("#frame-fault button")
    page.wait_for(f"{sources}.textContent.includes('Engine.EngineSpeed nothing is sent')")
    page.wait_for("document.querySelector('#rpm').dataset.from === 'model'")
    assert page.evaluate("document.querySelector('#rpm .mark-of-other').getAttribute('visibility')") == "hidden"
    assert "hollow needle: the model" in page.evaluate(f"{sources}.textContent")


def test_a_bus_shows_how_full_it_is(page: Page) -> None:
    """By hand: 135 bits of a frame of 8 bytes at worst, as in Tindell and Burns, and 10 fewer a byte; 500 kbit/s.

    With the ignition on two frames of 8 bytes go every 20 ms; every 100 ms three of 8, four of 7, one of 5, two of 1.
    """
    page.click("#take")
    choose(page, "key", 0)
    bits = 2 * 50 * 135 + 10 * (3 * 135 + 4 * 125 + 105 + 2 * 65)
    said = "document.querySelector('.load p')?.textContent ?? ''"
    load = f"Number(({said}).match(/load ([\\d.]+) % of 500 kbit/)?.[1])"
    page.wait_for(f"Math.abs({load} - {100 * bits / 500_000}) < 0.5")
    page.wait_for("document.querySelector('.load .trail').getAttribute('d').split('L').length > 2")
    assert page.evaluate(f"({said}).endsWith('most of it Engine') || ({said}).endsWith('most of it WheelSpeeds')")
