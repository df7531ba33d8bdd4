"""Rules between several settings of a bench: whether its parts fit.

Each check yields errors with the key path of the setting that has to change.
"""

from collections.abc import Hashable, Iterable, Iterator
from typing import Final

from hilbridge.base.common.addresses import is_loopback, normal
from hilbridge.base.common.errors import ConfigurationError, Doubt, KeyPath, dotted, nearest
from hilbridge.files.settings import BenchSettings, BoardInput, CanInput, DemoDriverInput, SerialInput, UdpInput
from hilbridge.files.settings.boards import LOCKSTEP
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.diagnostics import Elm327Settings, J1939Settings
from hilbridge.files.settings.inputs import timeout_problem
from hilbridge.files.settings.units import MIXED, NORMAL_FIXED, AddressSettings, UnitSettings

LOWEST_DIAGNOSTICS_RATE: Final = 100
"""[Hz]. Below it an answer may miss the 50 ms that ISO 15765-4 allows for it, and frame separation times."""

_OWN_INTERFACES: Final = ("embedded", "socketcan")


def _periods(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """The period, phase and repetition period of a message are whole numbers of ticks (1 tick = 1 / rate)."""
    for bus_name, bus in settings.buses.items():
        for name, message in bus.messages.items():
            for key in ("period", "phase", "repetition_period"):
                if value := getattr(message, key):
                    try:
                        in_whole_ticks(value, settings.period)
                    except ConfigurationError as error:
                        yield ConfigurationError(error.message, ("buses", bus_name, "messages", name, key))


def _outputs(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """Buses, outputs, boards and lines have different names, for `arm` names them all; a board is read by one input."""
    known = {*settings.buses}
    for key in ("outputs", "boards", "lines"):
        for name in getattr(settings, key):
            if name in known:
                reason = "a bus or an output has this name: `hilbridge ctl arm` could not tell them apart"
                yield ConfigurationError(reason, (key, name))
            known.add(name)
    readers = [(i, one.board) for i, one in enumerate(settings.inputs) if isinstance(one, BoardInput)]
    for index, board in readers:
        if board not in settings.boards:
            reason = _nothing_called("board", board, list(settings.boards))
            yield ConfigurationError(reason, ("inputs", index, "board"))
    yield from _twice(((board, ("inputs", index, "board")) for index, board in readers), "board")


def _lockstep(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """A lockstep client is on buses that there are, turns are whole ticks apart, socket and board are its own."""
    for name, client in settings.lockstep.items():
        for i, bus in enumerate(client.buses):
            if bus not in settings.buses:
                place: KeyPath = (
                    ("lockstep", name, "bus") if isinstance(client.bus, str) else ("lockstep", name, "bus", i)
                )
                yield ConfigurationError(_nothing_called("bus", bus, list(settings.buses)), place)
        yield from _twice(((bus, ("lockstep", name, "bus", i)) for i, bus in enumerate(client.buses)), "bus")
        if client.every is not None:
            try:
                in_whole_ticks(client.every, settings.period)
            except ConfigurationError as error:
                yield ConfigurationError(error.message, ("lockstep", name, "every"))
        yield from _pins(name, client.board, settings)
    pins = [(one.board, ("lockstep", name, "board")) for name, one in settings.lockstep.items() if one.board]
    yield from _twice(pins, "board")
    for name, board in settings.boards.items():
        if board.port == LOCKSTEP and name not in dict(pins):
            yield ConfigurationError("no client of 'lockstep' has this board", ("boards", name, "port"))
    sockets = ((one.socket, ("lockstep", name, "socket")) for name, one in settings.lockstep.items() if one.socket)
    yield from _twice(sockets, "socket")


def _pins(name: str, board: str | None, settings: BenchSettings) -> Iterator[ConfigurationError]:
    place = ("lockstep", name, "board")
    if board is not None and board not in settings.boards:
        yield ConfigurationError(_nothing_called("board", board, list(settings.boards)), place)
    elif board is not None and settings.boards[board].port != LOCKSTEP:
        yield ConfigurationError(f"the port of board '{board}' is not '{LOCKSTEP}'", place)


def _fmus(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """The step of an FMU is whole ticks, and an entry is an output of one alone."""
    writers = []
    for name, one in settings.fmu.items():
        if one.step is not None:
            try:
                in_whole_ticks(one.step, settings.period)
            except ConfigurationError as error:
                yield ConfigurationError(error.message, ("fmu", name, "step"))
        for number, (variable, entry) in enumerate(one.writes.items()):
            key = variable if isinstance(one.outputs, dict) else number
            writers.append((entry, ("fmu", name, "outputs", key)))
    yield from _twice(writers, "entry")


def _timeouts(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """The time-out of an input lasts two ticks or more."""
    for index, source in enumerate(settings.inputs):
        if isinstance(source, CanInput | SerialInput | BoardInput | UdpInput) and (
            problem := timeout_problem(source.timeout, settings.period)
        ):
            yield ConfigurationError(problem, ("inputs", index, "timeout"))


def _interfaces(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """An interface is `embedded`, `socketcan`, or one that python-can knows."""
    for name, bus in settings.buses.items():
        if bus.interface in _OWN_INTERFACES:
            continue
        from can.interfaces import VALID_INTERFACES  # a tenth of a second that the demo need not wait

        if bus.interface not in VALID_INTERFACES:
            known = sorted({*_OWN_INTERFACES, *VALID_INTERFACES})
            yield ConfigurationError(_nothing_called("interface", bus.interface, known), ("buses", name, "interface"))


def _shared(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """A channel, a TCP port and a serial port are used once each."""
    buses = settings.buses.items()
    yield from _twice(
        (((bus.interface, bus.channel), ("buses", name, "channel")) for name, bus in buses if bus.channel is not None),
        "channel",
    )
    slcan = [(way, ("buses", name, "slcan")) for name, bus in buses for way in bus.slcan_ways]
    slcan += [(bus.socketcand, ("buses", name, "socketcand")) for name, bus in buses if bus.socketcand is not None]
    elm327 = [
        (way, ("diagnostics", "elm327", i, "ways"))
        for i, one in enumerate(settings.diagnostics.elm327)
        for way in one.ways
    ]
    inputs = [
        (source.port, ("inputs", index, "port"))
        for index, source in enumerate(settings.inputs)
        if isinstance(source, SerialInput)
    ]
    outputs = [(output.port, ("outputs", name, "port")) for name, output in settings.outputs.items()]
    outputs += [(board.port, ("boards", name, "port")) for name, board in settings.boards.items()]
    outputs += [(line.port, ("lines", name, "port")) for name, line in settings.lines.items()]
    doip = [(one.port, ("doip", "port")) for one in (settings.doip,) if one is not None]
    doip += [(one.port, ("xcp", "port")) for one in (settings.xcp,) if one is not None and one.transport == "tcp"]
    ways = (*slcan, *elm327, *doip, *inputs, *outputs)
    yield from _twice((each for each in ways if isinstance(each[0], int) and each[0]), "TCP port")  # 0: any free one
    yield from _twice(
        (each for each in ways if isinstance(each[0], str) and each[0] not in ("pty", LOCKSTEP)),
        "serial port",
    )
    yield from _udp_ports(settings)


def _xcp(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """XCP on CAN is on socketcan, or on an embedded bus with a port for SLCAN; to write over hardware needs a key."""
    xcp = settings.xcp
    if xcp is None or xcp.bus is None:
        return
    if unknown := _unknown_bus(xcp.bus, settings):
        yield ConfigurationError(unknown, ("xcp", "bus"))
        return
    bus = settings.buses[xcp.bus]
    if bus.interface == "embedded" and not any(isinstance(way, int) and way for way in bus.slcan_ways):
        yield ConfigurationError(
            "is missing: XCP on CAN joins the bus by a port for SLCAN", ("buses", xcp.bus, "slcan")
        )
    elif bus.interface not in ("embedded", "socketcan"):
        reason = f"'{xcp.bus}' is opened by {bus.interface}, which serves one program alone; known: socketcan, embedded"
        yield ConfigurationError(reason, ("xcp", "bus"))
    if bus.is_hardware and xcp.write and xcp.unlock is None:
        yield ConfigurationError("is missing: who writes over a bus needs a key", ("xcp", "unlock"))


def _udp_ports(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """An IP address and port of UDP has one user; 0.0.0.0 is every one of IPv4, :: every one."""
    users: list[tuple[str, int, KeyPath]] = [
        (normal(source.address), source.port, ("inputs", index, "port"))
        for index, source in enumerate(settings.inputs)
        if isinstance(source, UdpInput)
    ]
    if (xcp := settings.xcp) is not None and xcp.transport == "udp" and xcp.port:
        users.append((normal(xcp.address), xcp.port, ("xcp", "port")))
    known = {(address, port) for address, port, _ in users}

    def widest(address: str, port: int) -> str:
        if ("::", port) in known:
            return "::"
        return "0.0.0.0" if ":" not in address and ("0.0.0.0", port) in known else address  # noqa: S104 - compared

    yield from _twice((((widest(address, port), port), place) for address, port, place in users), "UDP port")


def _twice(users: Iterable[tuple[Hashable, KeyPath]], what: str) -> Iterator[ConfigurationError]:
    first: dict[Hashable, KeyPath] = {}
    for key, place in users:
        if key in first:
            yield ConfigurationError(f"the same {what} as {dotted(first[key][:-1])}", place)
        else:
            first[key] = place


def _routes(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """A route leads from one bus of the bench to another, where its units are; its times are whole numbers of ticks."""
    for name, route in settings.gateway.items():
        for key, bus in (("from", route.source), ("to", route.target)):
            if (problem := _unknown_bus(bus, settings)) is not None:
                yield ConfigurationError(problem, ("gateway", name, key))
        for key in ("period", "delay"):
            if (value := getattr(route, key)) is not None:
                try:
                    in_whole_ticks(value, settings.period)
                except ConfigurationError as error:
                    yield ConfigurationError(error.message, ("gateway", name, key))
        units = settings.diagnostics.units
        for index, unit in enumerate(route.units):
            place = ("gateway", name, "units", index)
            if unit not in units:
                yield ConfigurationError(_nothing_called("control unit", unit, list(units)), place)
            elif units[unit].bus != route.target:
                reason = f"control unit '{unit}' is on bus '{units[unit].bus}', and the route leads to '{route.target}'"
                yield ConfigurationError(reason, place)


def _inputs(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """An input message comes from a bus with a database; there is at most one demo driver, and it comes last."""
    last = len(settings.inputs) - 1
    for index, source in enumerate(settings.inputs):
        if isinstance(source, CanInput):
            place = ("inputs", index, "bus")
            if (problem := _unknown_bus(source.bus, settings)) is not None:
                yield ConfigurationError(problem, place)
            elif settings.buses[source.bus].database is None:
                yield ConfigurationError(f"bus '{source.bus}' has no database that describes '{source.message}'", place)
        elif isinstance(source, DemoDriverInput) and index < last:
            reason = "the demo driver must be the last input: it drives only while all others are silent"
            yield ConfigurationError(reason, ("inputs", index, "source"))


def _diagnostics(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """Diagnostic servers need a bus and a rate of 100 Hz or more; J1939 needs a database too."""
    diagnostics = settings.diagnostics
    servers: list[tuple[KeyPath, UnitSettings | J1939Settings | Elm327Settings]]
    servers = [(("units", name), unit) for name, unit in diagnostics.units.items()]
    servers += [(("j1939",), one) for one in (diagnostics.j1939,) if one is not None]
    servers += [(("elm327", i), one) for i, one in enumerate(diagnostics.elm327)]
    for key, server in servers:
        place = ("diagnostics", *key)
        if (problem := _unknown_bus(server.bus, settings)) is not None:
            yield ConfigurationError(problem, (*place, "bus"))
        elif server is diagnostics.j1939 and settings.buses[server.bus].database is None:
            yield ConfigurationError(f"bus '{server.bus}' has no database", (*place, "bus"))
        if settings.rate < LOWEST_DIAGNOSTICS_RATE:
            text = f"diagnostics need a rate of {LOWEST_DIAGNOSTICS_RATE} Hz or more, but 'rate' is {settings.rate}"
            yield ConfigurationError(text, place)


def _addresses(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """Each request reaches one control unit of its bus, by identifier and, where there is one, address byte."""
    first: dict[tuple[Hashable, ...], str] = {}
    for name, unit in settings.diagnostics.units.items():
        for index, address in enumerate(unit.addresses):
            key = (unit.bus, *_requests_of(address))
            if key in first:
                place = ("diagnostics", "units", name, "addresses", index)
                yield ConfigurationError(f"requests to it are those to {first[key]}", place)
            else:
                first[key] = name


def _requests_of(address: AddressSettings) -> tuple[int | None, int | None]:
    """Return the identifier of the requests to an address, and the byte with which they begin, if there is one.

    The tester's address is part of a 29-bit identifier (ISO 15765-2), and with `target` only of the answers.
    """
    if address.address is None:
        return address.request, address.extension if address.target is None else address.target
    kind = NORMAL_FIXED if address.extension is None else MIXED
    return kind | address.address << 8 | address.source, address.extension


def _unknown_bus(name: str, settings: BenchSettings) -> str | None:
    if name in settings.buses:
        return None
    return _nothing_called("bus", name, list(settings.buses))


def _nothing_called(what: str, name: str, known: list[str]) -> str:
    if meant := nearest(name, known):
        return f"there is no {what} '{name}'; did you mean '{meant}'?"
    return f"there is no {what} '{name}'; known: {', '.join(known) or 'none'}"


RULES: Final = (
    _periods,
    _lockstep,
    _fmus,
    _timeouts,
    _interfaces,
    _shared,
    _xcp,
    _outputs,
    _routes,
    _inputs,
    _diagnostics,
    _addresses,
)
"""All checks; the docstring of each is its rule, as the reference page prints it."""


def findings(settings: BenchSettings) -> Iterator[ConfigurationError]:
    """Everything that does not fit."""
    for rule in RULES:
        yield from rule(settings)


def doubts(settings: BenchSettings) -> Iterator[Doubt]:
    """Return what runs, but should be seen: ports without a password that other machines reach."""
    for i, one in enumerate(settings.diagnostics.elm327):
        if not is_loopback(one.address):
            reason = f"whoever reaches {one.address} may use this scan tool port, which has no password"
            yield Doubt(reason, ("diagnostics", "elm327", i, "address"))
