"""The table of frames: decoded, filtered, opened by keyboard, with what comes from outside."""

import re
from pathlib import Path

import can

from hilbridge.client import Client

from ..program import demo_bench, running, slcan_client
from .chromium import Browser, Page
from .scene import RPM, Scene, cockpit_of, row, slide, start_engine

VISIBLE = "[...document.querySelectorAll('#frames .open')].map((one) => one.textContent)"


def signal(message: str, name: str) -> str:
    """The expression for a signal's value in an opened row."""
    term = f"[...({row(message)}).querySelectorAll('dt')].find((one) => one.textContent === '{name}')"
    return f"{term}?.nextSibling.textContent"


def test_signals_follow_the_driver(scene: Scene) -> None:
    """The rpm of the frame's bytes is that of the dial; units are the database's, the raw number stands beside it."""
    page = scene.page()
    page.evaluate(f"{row('EngineData1')}.querySelector('.open').click()")
    start_engine(page)
    slide(page, "input.Throttle", 0.5)
    page.wait_for(f"{RPM} > 2500 && parseFloat({signal('EngineData1', 'EngineRpm')}) > 2500")
    assert re.fullmatch(r"[\d.]+ rpm \(raw \d+\)", page.evaluate(signal("EngineData1", "EngineRpm")))
    page.wait_for(f"{signal('EngineData1', 'ThrottleSignal')} .startsWith('50 % (raw ')")
    assert page.evaluate(signal("EngineData1", "EngineStalled")) == "No (raw 0)"
    assert page.errors == []


def test_the_filter_takes_names_identifiers_and_signals(steady: Scene) -> None:
    page = steady.page()
    for text, message in (("0x101", "EngineData2"), ("tripd", "TripData"), ("engine stalled", "EngineData1")):
        page.evaluate(
            f"(() => {{ const box = document.querySelector('#frames-filter'); box.value = '{text}';"
            " box.dispatchEvent(new Event('input')); })()"
        )
        page.wait_for(f"JSON.stringify({VISIBLE}) === '[\"{message}\"]'")


def test_rows_open_by_keyboard(steady: Scene) -> None:
    """Arrows go from name to name, Enter opens and closes."""
    page = steady.page("bus")
    page.show()
    page.evaluate("document.querySelector('#frames .open').focus()")
    press(page, "ArrowDown", 40)
    second = "document.querySelectorAll('#frames .open')[1]"
    assert page.evaluate(f"document.activeElement === {second}")
    press(page, "Enter", 13, text="\r")
    page.wait_for(f"{second}.getAttribute('aria-expanded') === 'true'")
    press(page, "Enter", 13, text="\r")
    page.wait_for(f"{second}.getAttribute('aria-expanded') === 'false'")


def test_a_frame_from_outside_has_a_row(chromium: Browser, tmp_path: Path) -> None:
    """Received, named, and with nothing to check; one that no database knows shows its bytes."""
    bench = demo_bench(tmp_path, ("name: demo", "name: browser-slcan"))
    bench.write_text(bench.read_text(encoding="utf-8") + "\ncockpit: {port: 0}\nstate: none\n", encoding="utf-8")
    with running(bench, page=True) as program:
        port = program.slcan_port()
        page = Scene(chromium, program, program.wait_for("cockpit")["url"], tmp_path).page()
        with slcan_client(port) as client:
            client.send(can.Message(arbitration_id=0x180, data=bytes(8), is_extended_id=False))
            client.send(can.Message(arbitration_id=0x7AB, data=b"\xca\xfe", is_extended_id=False))
            page.wait_for(f"{row('DriverInputs')}?.rows[0].cells[3].textContent === 'received'")
            page.wait_for(f"{row('DriverInputs')}.rows[0].cells[7].textContent === 'nothing to check'")
            page.wait_for(f"{row('unknown')} !== undefined")
            page.evaluate(f"{row('unknown')}.querySelector('.open').click()")
            page.wait_for(f"{row('unknown')}.querySelector('.bytes').textContent === 'CA FE'")
            page.wait_for(f"!{row('unknown')}.querySelector('td > .muted').hidden")
            page.evaluate(f"{row('DriverInputs')}.querySelector('.open').click()")
            page.wait_for(f"{row('DriverInputs')}.querySelector('td > .muted').hidden")


def test_arrivals_are_shown_against_the_period(scene: Scene) -> None:
    """EngineData1 goes each 10 ms, which is five ticks at 500 Hz. A fault that loses some is seen."""
    page = scene.page("bus")
    told = f"{row('EngineData1')}.querySelector('.arrivals').title"
    page.wait_for(f"{told} === 'Last 15 intervals: each the period, to the tick'")
    assert (
        page.evaluate(f"{row('EngineData1')}.querySelector('.arrivals .bars').getAttribute('d').split('M').length")
        == 16
    )
    with Client(scene.folder / "control.sock") as bench:
        bench.fault("frame powertrain.EngineData1 drop", probability=0.5)
        page.wait_for(f"/^Last 15 intervals: 0 to [+](5|10|15|20|25|30|35|40) ticks from the period$/.test({told})")
    page.wait_for(f"{row('EngineData1')}.querySelector('.arrivals .off').getAttribute('d').startsWith('M')")
    period = f"{row('EngineData1')}.rows[0].cells[4].lastChild.textContent"
    page.wait_for(f"/ms$/.test({period})")
    with Client(scene.folder / "control.sock") as bench:
        bench.fault("frame powertrain.EngineData1 drop")
        page.wait_for(f"{period} === '–'")
    assert page.errors == []


def press(page: Page, key: str, code: int, text: str = "") -> None:
    page.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, text=text)
    page.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)


def test_a_raw_frame_shows_its_counter_and_checksum(chromium: Browser, tmp_path: Path) -> None:
    """Bremse_8 of a VW: the counter goes on, the checksum is the exclusive or of all other bytes (r00li/CarCluster)."""
    changes = (("slcan: 29537", "slcan: 0"), ("name: cluster-vw-pq", "name: browser-raw"))
    with cockpit_of(chromium, tmp_path, "cluster-vw-pq", changes) as page:
        place = row("Bremse_8")
        page.wait_for(f"/^counter \\d+, checksum \\d+$/.test({place}?.querySelector('.check').textContent ?? '')")
        text = f"{place}.querySelector('.check').textContent"
        before = page.evaluate(text)
        page.wait_for(f"{text} !== {before!r}")
        page.wait_for(
            f"(() => {{ const text = {place}.querySelector('.bytes').textContent;"
            " const bytes = text.split(' ').map((one) => parseInt(one, 16));"
            f" const said = {text}.match(/checksum (\\d+)/)[1];"
            " return bytes.reduce((all, one) => all ^ one, 0) === 0 && bytes[0] === Number(said); })()"
        )
        marked = f"[...{place}.querySelectorAll('.bytes [data-role]')].map((one) => one.title)"
        assert page.evaluate(f"JSON.stringify({marked})") == '["checksum, byte 0","counter, byte 1"]'
        page.evaluate("location.hash = 'bus'")
        page.resize(390, 844, mobile=True)
        page.evaluate(f"{place}.querySelector('.open').click()")
        narrow = f"{place}.querySelector('.narrow')"
        page.wait_for(
            f"{narrow}.checkVisibility() && /^(.. ){{7}}.. counter \\d+, checksum \\d+( |$)/.test({narrow}.textContent)"
        )
        assert page.evaluate(f"{place}.querySelector('td.bytes').checkVisibility()") is False
