"""`make pictures`: the pictures of README.md, made by the running program, so that they stay true.

cockpit.png, workshop.png       the pages, in headless Chromium
moving.png                      the page while the demo driver drives off: an animated PNG
top.svg                         the terminal's screen, from the same run
scenario.svg                    hilbridge run demo --clock virtual --scenario launch --plot
game.svg                        hilbridge run game --clock virtual --scenario game --plot
drive.png                       hilbridge drive mx5-nd --cycle NEDC --plot
engine.svg                      hilbridge engine mx5-nd --plot
calibration.png                 the page's dialog, a pedal half pressed
crank.svg                       what the sketch of config/boards, compiled for this machine, puts on its pins

python -m tests.browser.pictures [NAME ...]     some: pages, moving, scenario, game, drive, engine, calibration, crank
"""

import io
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
from PIL import Image
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from hilbridge.base.plots.style import BLUE, LINE, RED, finish, save
from hilbridge.client import Client
from hilbridge.faces.top.screen import render
from hilbridge.faces.top.top_view import TopView

from ..clients.board.host_board import TICKS
from ..clients.test_board import CAM, CRANK, Bench, gaps_of
from ..program import CHECKOUT, demo_bench, running
from .chromium import Page, browser
from .scene import Scene

PICTURES = CHECKOUT / "daemon/pictures"

WIDTH = 1280
MARGIN = 12
"""[px], of a picture of a page."""
COLOURS = 128
"""Of it: fewer would be seen."""

COLUMNS, ROWS = 110, 27
"""Of the terminal."""

HISTORY = 40
"""Answers before the terminal's screen is taken: its courses are full then."""

MOVING, MOVING_PERIOD = 32, 0.25
"""Pictures of the moving one, and [s] between them."""
MOVING_WIDTH, MOVING_HEIGHT, MOVING_COLOURS = 800, 720, 64
"""[px] of it, [px] of the page, and colours."""
MOVING_SIZE = 1_000_000
"""[byte] at most: it is the first thing that a visitor loads."""

DRIVING_OFF = "Number(document.querySelector('#speed .value')?.textContent) > 3"

DRIVING = """(() => {
  const value = (selector) => Number(document.querySelector(selector).textContent);
  return value('#speed .value') > 50 && value('#rpm .value') > 1500
    && Number(document.getElementById('control-input.Throttle').value) > 0.2;
})()"""
"""Something to see on every instrument."""


def pages() -> None:
    """The demo bench on free ports, its driver under way."""
    with tempfile.TemporaryDirectory() as name, browser(Path(name, "profile")) as chromium:
        folder = Path(name)
        control = folder / "control.sock"
        own = f"\ncockpit: {{port: 0}}\nstate: {folder}/state.json\ncontrol: {{socket: {control}}}\n"
        bench = demo_bench(folder, ("rate: 1000 ", "rate: 500 "))
        bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
        with running(bench, page=True) as program:
            scene = Scene(chromium, program, program.wait_for("cockpit")["url"], folder)
            page = scene.page()
            page.colour_scheme("dark")
            _terminal(control)
            page.show()
            _await(page, DRIVING)
            _take(page, ".strips", PICTURES / "cockpit.png")
            workshop = scene.workshop()
            workshop.colour_scheme("light")
            workshop.show()
            _take(workshop, "main > :first-child", PICTURES / "workshop.png")


def moving() -> None:
    """The page of the demo while it drives off: pictures at equal distances, in one palette, less than 1 MB."""
    with tempfile.TemporaryDirectory() as name, browser(Path(name, "profile")) as chromium:
        folder = Path(name)
        own = f"\ncockpit: {{port: 0}}\nstate: {folder}/state.json\ncontrol: {{socket: {folder}/control.sock}}\n"
        bench = demo_bench(folder, ("rate: 1000 ", "rate: 500 "))
        bench.write_text(bench.read_text(encoding="utf-8") + own, encoding="utf-8")
        with running(bench, page=True) as program:
            page = chromium.page(program.wait_for("cockpit")["url"])
            page.colour_scheme("dark")
            page.show()
            page.call("Emulation.setScrollbarsHidden", hidden=True)
            page.resize(WIDTH, MOVING_HEIGHT)
            _await(page, DRIVING_OFF)
            shots, begin = [], time.monotonic()
            for number in range(MOVING):
                time.sleep(max(0.0, begin + number * MOVING_PERIOD - time.monotonic()))
                page.screenshot(folder / f"{number}.png", whole=False)
            for number in range(MOVING):
                with Image.open(folder / f"{number}.png") as picture:
                    size = MOVING_WIDTH, round(MOVING_HEIGHT * MOVING_WIDTH / WIDTH)
                    shots.append(picture.convert("RGB").resize(size, Image.Resampling.LANCZOS))
    palette = shots[-1].quantize(MOVING_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    first, *rest = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in shots]
    file = PICTURES / "moving.png"
    first.save(file, save_all=True, append_images=rest, duration=round(1000 * MOVING_PERIOD), loop=0, optimize=True)
    assert file.stat().st_size < MOVING_SIZE, file.stat().st_size


def _terminal(control: Path) -> None:
    """What `hilbridge top` shows after a while."""
    watch = TopView()
    for _ in range(HISTORY):
        watch.take(Client(control).status(*watch.parts))
        time.sleep(0.5)
    console = Console(record=True, width=COLUMNS, height=ROWS, file=io.StringIO(), force_terminal=True, highlight=False)
    console.print(render(watch, "1", 0, console.size))
    # The fonts of rich's own form would be fetched from elsewhere.
    form = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    text = console.export_svg(title="hilbridge top", code_format=form, unique_id="top")
    (PICTURES / "top.svg").write_text(text, encoding="utf-8")


def _await(page: Page, expression: str) -> None:
    """Polled, for the demo driver takes its time: 80 s for a loop."""
    deadline = time.monotonic() + 120.0
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, page.errors
        time.sleep(0.1)


def _take(page: Page, last: str, file: Path) -> None:
    """A page down to the end of the element `last`."""
    page.call("Emulation.setScrollbarsHidden", hidden=True)
    page.resize(WIDTH, 900)
    bottom = page.evaluate(f"document.querySelector({json.dumps(last)}).getBoundingClientRect().bottom + scrollY")
    page.resize(WIDTH, round(bottom) + MARGIN)
    time.sleep(0.5)  # until it is drawn in this size
    page.screenshot(file, whole=False)
    _reduce(file)


def _reduce(file: Path) -> None:
    """To the width of all pictures, in a palette: a third of the bytes of 16 million colours."""
    with Image.open(file) as picture:
        size = WIDTH, round(picture.height * WIDTH / picture.width)
        whole = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    whole.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE).save(file, optimize=True)


def scenario() -> None:
    _made("run", "demo", "--clock", "virtual", "--scenario", "launch", "--plot", PICTURES / "scenario.svg")


def game() -> None:
    _made("run", "game", "--clock", "virtual", "--scenario", "game", "--plot", PICTURES / "game.svg")


def drive() -> None:
    _made("drive", "mx5-nd", "--cycle", "NEDC", "--plot", PICTURES / "drive.png")
    _reduce(PICTURES / "drive.png")


def engine() -> None:
    _made("engine", "mx5-nd", "--plot", PICTURES / "engine.svg")


def _made(*words: object) -> None:
    subprocess.run([sys.executable, "-m", "hilbridge", *map(str, words)], stdout=subprocess.DEVNULL, check=True)


PEDALS = """
name: pedals
vehicle: compact
rate: 500
buses: {car: {interface: embedded, slcan: 0, database: powertrain.dbc, transmit: [HILBRIDGE]}}
inputs:
  - source: serial
    port: pty
    signals: {Throttle: {field: gas, minimum: 0, maximum: 1023}, Brake: {field: brake, minimum: 0, maximum: 1023}}
cockpit: {port: 0}
state: none
"""


STEP = "document.querySelector('#calibration-step').textContent"


def calibration() -> None:
    """A pedal of a serial line, let go of, then in the middle of its travel."""
    with tempfile.TemporaryDirectory() as name, browser(Path(name, "profile")) as chromium:
        folder = Path(name)
        bench = folder / "pedals.yaml"
        bench.write_text(f"{PEDALS}control: {{socket: {folder}/control.sock}}\n", encoding="utf-8")
        with running(bench, page=True) as program, Path(program.pedal_port()).open("wb", buffering=0) as board:
            page = Scene(chromium, program, program.wait_for("cockpit")["url"], folder).page()
            page.colour_scheme("light")
            page.show()
            page.resize(WIDTH, 640)
            page.wait_for("!document.querySelector('#calibrate').disabled")
            page.click("#calibrate")
            page.wait_for(f"{STEP}.includes('Let go of it')")
            _hold(board, 12)
            page.click("#calibration-next")
            page.wait_for(f"{STEP}.includes('Press it')")
            _hold(board, 505)
            page.screenshot(PICTURES / "calibration.png", whole=False)
            _reduce(PICTURES / "calibration.png")


def _hold(board: io.FileIO, reading: int) -> None:
    """The pedal stands there for three seconds."""
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        board.write(b"gas=%d brake=12\n" % reading)
        time.sleep(0.03)


def crank() -> None:
    """Two revolutions at 1,800 rpm."""
    bench = Bench()
    bench.run(3000, 1800)
    edges = bench.board.edges()
    gap = gaps_of(edges.rising(CRANK))[-3]
    begin = edges.rising(CRANK)[gap] / TICKS - 1
    figure, panels = plt.subplots(2, sharex=True, figsize=(10, 3), layout="constrained")
    for axes, pin, label, colour in ((panels[0], CRANK, "crank", BLUE), (panels[1], CAM, "cam", RED)):
        mine = edges.pins == pin
        axes.step(edges.times[mine] / TICKS - begin, edges.levels[mine], where="post", color=colour, linewidth=LINE)
        finish(axes, label)
        axes.set_yticks([0, 1])
    panels[1].set_xlim(0, 2 * 60_000 / 1800 + 4)
    panels[1].set_xlabel("ms")
    panels[0].set_title("60-2 and a cam wheel at 1,800 rpm, two revolutions")
    save(figure, PICTURES / "crank.svg")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    makers = {"pages": pages, "scenario": scenario, "game": game, "drive": drive, "engine": engine}
    makers |= {"moving": moving, "calibration": calibration, "crank": crank}
    for name in sys.argv[1:] or makers:
        makers[name]()
    for picture in sorted(PICTURES.iterdir()):
        print(f"{picture.relative_to(CHECKOUT)}  {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
