"""The screen, made of the newest status: instruments, tick and endpoints above; below one list, chosen by its digit."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from rich.console import Group, JustifyMethod, RenderableType
from rich.layout import Layout
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hilbridge.base.common.remedies import arm_remedy
from hilbridge.boundary.control.outlets import outlets, unarmed
from hilbridge.boundary.observe.status_line import gear_name
from hilbridge.faces.top import lists
from hilbridge.faces.top.top_view import BusRates, TopView

_BARS: Final = " ▁▂▃▄▅▆▇█"
_FULL: Final = len(_BARS) - 1
_COURSE: Final = 30
"""[columns] Width of a course."""
_UPPER: Final = 13
"""[rows] Height of the instruments."""
_COMPACT: Final = 6
"""[rows] Height of the instruments on a small terminal: their values without the courses, and lamps that are lit."""
_WIDE: Final = 100
_TALL: Final = 28
"""[columns, rows] Size from which on instruments and tick stand side by side."""
_ROOMY: Final = 76
"""[columns] Width from which on small instruments have the readouts beside them."""

_DIALS: Final = (
    ("EngineRpm", "engine", 1.0, "rpm", 0, 1000.0),
    ("Speed", "speed", 3.6, "km/h", 1, 20.0),
    ("EngineTorque", "torque", 1.0, "Nm", 0, 50.0),
)
"""Entry, name, factor, unit, digits, and what the end of its scale is a multiple of."""

_READOUTS: Final = (
    ("values", "EnginePower", "power", 1.0, "kW", 1),
    ("values", "EngineFuelRate", "fuel", 1.0, "g/s", 2),
    ("values", "EngineLoad", "load", 100.0, "%", 0),
    ("auxiliary", "CoolantTemperature", "coolant", 1.0, "°C", 1),
    ("auxiliary", "OilTemperature", "oil", 1.0, "°C", 1),
    ("auxiliary", "BatteryVoltage", "battery", 1.0, "V", 1),
    ("auxiliary", "FuelLevel", "tank", 1.0, "l", 1),
    ("auxiliary", "Odometer", "odometer", 0.001, "km", 1),
)


def _charge_lamp(status: dict[str, Any]) -> bool:
    return bool(_read(status, "auxiliary", "ChargeIndicator")) and not _read(status, "auxiliary", "AutoStop")


_TELLTALES: Final[tuple[tuple[str, str, Callable[[dict[str, Any]], bool]], ...]] = (
    ("MIL", "black on yellow", lambda status: any(one["indicator"] for one in status["troubles"].values())),
    ("ABS", "black on yellow", lambda status: _flag(status, "AbsEngaged")),
    ("TCS", "black on yellow", lambda status: _flag(status, "TcsEngaged")),
    ("ESC", "black on yellow", lambda status: _flag(status, "EscEngaged")),
    ("LIM", "white on red", lambda status: _flag(status, "EngineLimiter")),
    ("STALL", "white on red", lambda status: _flag(status, "EngineStalled")),
    ("START", "white on blue", lambda status: _flag(status, "EngineStarting")),
    ("BATT", "white on red", _charge_lamp),
)
"""Text, style when lit, and when that is."""


def render(watch: TopView, chosen: str, offset: int, size: tuple[int, int]) -> RenderableType:
    """Render the screen of `size` (columns, rows). `chosen`: the digit of the list; `offset`: its first row shown."""
    if not watch.status:
        return Text(watch.trouble)
    columns, rows = size
    compact = columns < _WIDE or rows < _TALL
    height = _COMPACT if compact else _UPPER
    screen, upper = Layout(), Layout(name="upper", size=height)
    if compact:
        upper.update(_compact_instruments(watch, columns))
    else:
        upper.split_row(Layout(_instruments(watch), ratio=3), Layout(_tick(watch), ratio=2))
    screen.split_column(
        Layout(_title(watch), size=1),
        upper,
        Layout(_list(watch, chosen, offset, (columns, rows - height - 2))),
        Layout(_keys(watch), size=1),
    )
    return screen


def _title(watch: TopView) -> RenderableType:
    status = watch.status
    title = Text(no_wrap=True, overflow="ellipsis")
    title.append(f" {status['bench']} ", "reverse bold")
    if watch.trouble:
        title.append(f" {watch.trouble}", "white on red")
    if watch.unreadable:
        title.append(f" unreadable: {watch.unreadable} ", "white on red")
    if overload := status["overload"]["percent"]:
        title.append(f" overloaded: {overload} % of the ticks missed ", "white on red")
    if silent := unarmed(status):
        held_back = sum(rates.held_back for rates in watch.rates.values())
        title.append(f" out: {held_back:,.0f}/s held back: {arm_remedy(silent[0])} ", "black on yellow")
    if failed := status["service"].get("failed_end"):
        title.append(f" the run before {failed.partition(':')[0]} ", "black on yellow")
    title.append(f" {status['vehicle']}  {status['rate_hz']} ticks/s  {_clock(watch.seconds)}  ")
    missed = status["missed_ticks"]
    title.append(f"missed {missed}", "bold yellow" if watch.missed else "yellow" if missed else "green")
    if status["recording"]:
        title.append(f"  ● {status['recording']['folder']}", "red")
    if status["scenario"]:
        title.append(f"  {status['scenario']['name']}: {status['scenario']['state']}", "cyan")
    for words in status["service"].get("troubles", {}).values():
        title.append(f"  {words}", "yellow")
    return title


def _instruments(watch: TopView) -> RenderableType:
    status = watch.status
    dials = Table.grid(padding=(0, 1))
    for entry, name, factor, unit, digits, step in _DIALS:
        course = [factor * value for value in watch.courses[entry]]
        end = step * (1 + max(map(abs, course)) // step)
        dials.add_row(
            Text(name, "dim"),
            Text(_number(_read(status, "values", entry), factor, digits), "bold", justify="right"),
            Text(unit, "dim"),
            Text(sparkline(course[-_COURSE:], end), "cyan"),
            Text(f"{end:g}", "dim"),
        )
    readouts = Table.grid(padding=(0, 1))
    cells = [
        (Text(name, "dim"), Text(_number(_read(status, part, entry), factor, digits), justify="right"), Text(unit))
        for part, entry, name, factor, unit, digits in _READOUTS
    ]
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        readouts.add_row(*left, "  ", *right)
    return Panel(Group(dials, "", readouts, "", _lamps(status)), title="vehicle", border_style="dim")


def _compact_instruments(watch: TopView, columns: int) -> RenderableType:
    """Draw the dials without their courses, beside them as many readouts as fit, below them the lamps that are lit."""
    status = watch.status
    grid = Table.grid(padding=(0, 1))
    readouts = iter(_READOUTS if columns >= _ROOMY else ())
    for entry, name, factor, unit, digits, _ in _DIALS:
        row = [Text(name, "dim"), Text(_number(_read(status, "values", entry), factor, digits), "bold"), Text(unit)]
        for part, readout, title, scale, its_unit, places in islice(readouts, 2):
            number = _number(_read(status, part, readout), scale, places)
            row += [Text(f"  {title}", "dim"), Text(number, justify="right"), Text(its_unit)]
        grid.add_row(*row)
    return Panel(Group(grid, _lamps(status, lit_only=True)), title="vehicle", border_style="dim")


def _lamps(status: dict[str, Any], *, lit_only: bool = False) -> Text:
    gear = gear_name(*(int(_read(status, "values", entry) or 0) for entry in ("GearboxGear", "GearboxMode")))
    lamps = Text.assemble(("gear ", "dim"), (f"{gear:<4}", "bold"), " ", no_wrap=True)
    for text, style, is_lit in _TELLTALES:
        if (lit := is_lit(status)) or not lit_only:
            lamps.append(f" {text} ", style if lit else "dim").append(" ")
    return lamps


def _tick(watch: TopView) -> RenderableType:
    status = watch.status
    times = Table.grid(padding=(0, 1))
    times.add_row("", *(Text(name, "dim", justify="right") for name in ("p50", "p99", "p99.9", "max")), "")
    for key, name in (("lateness_us", "late"), ("tick_us", "tick")):
        if key in status:
            figures = (f"{status[key][which]:,.0f}" for which in ("p50", "p99", "p99_9", "max"))
            times.add_row(Text(name, "dim"), *(Text(figure, justify="right") for figure in figures), "µs")
    buses = Table.grid(padding=(0, 1))
    for name, bus in outlets(status).items():
        rates = watch.rates.get(name, BusRates())
        state = bus["trouble"] or ("armed" if bus["armed"] else "listens only")
        buses.add_row(
            name,
            Text(f"in {rates.received:,.0f}/s" if "received" in bus else "", justify="right"),
            Text(f"out {rates.sent:,.0f}/s", justify="right"),
            Text(state, "red" if bus["trouble"] else "green" if bus["armed"] else "yellow"),
        )
    observer = status["observer"]
    lost = f"observer: {observer['restarts']} restarts, {observer['events_lost']} events lost"
    return Panel(Group(times, "", buses, "", Text(lost, "dim")), title="tick and buses", border_style="dim")


def _list(watch: TopView, chosen: str, offset: int, size: tuple[int, int]) -> RenderableType:
    width, height = size
    one = watch.lists.get(chosen, lists.LISTS["1"])
    rows = one.rows(watch.status)
    columns = lists.fitting(one, rows, width - 4)  # inside of the frame
    shown = max(height - 3, 0)  # between frame and head of the table
    first = min(offset, max(len(rows) - shown, 0))
    table = Table(box=None, expand=True, padding=(0, 1), header_style="dim")
    for name in (one.columns[index] for index in columns):
        justify: JustifyMethod = "right" if name in lists.NUMBERS else "left"
        last = name == one.columns[-1]  # of any length where it is prose
        least = None if last else max(map(len, (name, *(row[one.columns.index(name)] for row in rows))))
        table.add_column(name, no_wrap=True, justify=justify, min_width=least)
    for row in rows[first : first + shown]:
        table.add_row(*(row[index] for index in columns))
    hidden = len(rows) - shown
    place = f" {first + 1}–{min(first + shown, len(rows))} of {len(rows)}" if hidden > 0 else f" {len(rows)}"
    return Panel(table, title=one.title + place, border_style="dim")


def _keys(watch: TopView) -> RenderableType:
    line = Text(no_wrap=True, overflow="ellipsis")
    for digit, one in watch.lists.items():
        line.append(f" {digit} ", "reverse").append(f" {one.title}  ")
    return line.append(" ↑↓ ", "reverse").append(" scroll  ").append(" q ", "reverse").append(" quit")


def sparkline(values: Sequence[float], end: float) -> str:
    """Draw a column for each value, as high as its share of `end`."""
    return "".join(_BARS[min(max(round(_FULL * value / end), 0), _FULL)] for value in values)


def _read(status: dict[str, Any], part: str, entry: str) -> float | None:
    value: float | None = status[part].get(entry, {}).get("value")
    return value


def _flag(status: dict[str, Any], entry: str) -> bool:
    return (_read(status, "values", entry) or 0.0) > 0.0


def _number(value: float | None, factor: float, digits: int) -> str:
    return "–" if value is None else f"{factor * value:.{digits}f}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
