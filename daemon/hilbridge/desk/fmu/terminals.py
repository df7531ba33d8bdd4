"""The buses of a network unit in its files: their variables, their terminals, and the manifest of the standard.

| variable of a bus | type | |
|---|---|---|
| Rx_Data, Rx_Clock | binary, triggered clock | inputs: what arrives, and when |
| Tx_Data, Tx_Clock | binary output, clock | what is sent, and when |
| BusNotifications | Boolean parameter | whether a bus simulation confirms frames and tells errors |
| FramesSent, ... | integer outputs | counters since the start |

A Tx clock that counts down is an input: the unit asks the importer for the time of each tick of the bench. One that is
triggered is an output, and ticks at the end of a step of the importer; so its frames come as late as that.

Value references: behind the entries of the data bus those of parameters and counters, then the time, then the
variables with clocks (native/fmi3_network.c).

Source: FMI-LS-BUS 1.0.0, Network Abstraction: variables, terminal definitions; its schema of the manifest.
"""

from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree as ET

from hilbridge.desk.fmu.bus_operations import MIME_TYPE, VERSION
from hilbridge.desk.fmu.bus_terminal import COUNTERS

Element = ET.Element

STANDARD: Final = "org.fmi-standard.fmi-ls-bus"
MANIFEST: Final = f"extra/{STANDARD}/fmi-ls-manifest.xml"
TERMINALS: Final = "icons/terminalsAndIcons.xml"
TERMINALS_PLACE: Final = "terminalsAndIcons/terminalsAndIcons.xml"
"""Where FMI 3.0 has the file; the layered standard's text says `icons`."""

COUNTDOWN: Final = "countdown"
TRIGGERED: Final = "triggered"
CLOCKS: Final = (COUNTDOWN, TRIGGERED)
"""Kinds of Tx clocks; the standard recommends the first."""

_NAMESPACE: Final = "http://fmi-standard.org/fmi-ls-manifest"
_DESCRIPTION: Final = (
    "Layered Standard for the simulation of bus communication on a Physical Signal Abstraction or Network Abstraction "
    "based level."
)
"""The schema fixes these words."""

_MEANINGS: Final = {
    "sent": ("FramesSent", "frames that were handed to Tx_Data"),
    "received": ("FramesReceived", "frames of Rx_Data that were on the bus"),
    "refused": ("FramesRefused", "frames that this bus cannot carry: CAN XL, CAN FD on a classic bus, off the bus"),
    "errors": ("Errors", "operations that were wrong, and errors that the bus has told"),
    "dropped": ("FramesDropped", "frames without room: no Tx_Clock has ticked for too long, or too many have arrived"),
}


def name_of(bus: str, member: str) -> str:
    """Return the name of a variable; a bus whose name is no identifier is quoted (FMI 3.0: structured names)."""
    return f"{bus if bus.replace('_', 'a').isalnum() else repr(bus)}.{member}"


def counted_values(buses: Sequence[str]) -> int:
    """Return the number of parameters and counters."""
    return len(buses) * (1 + len(COUNTERS))


def put_buses(variables: Element, structure: Element, buses: Sequence[str], first: int, clock: str) -> None:
    """Add the variables of the buses; `first`: the value reference behind the entries of the data bus."""
    clocked = first + counted_values(buses) + 1
    for bus in buses:
        _put(variables, "Boolean", name_of(bus, "BusNotifications"), first, "parameter", "fixed", start="false")
        for reference, counter in enumerate(COUNTERS, first + 1):
            name, meaning = _MEANINGS[counter]
            one = _put(variables, "Int64", name_of(bus, name), reference, "output", "discrete", initial="calculated")
            one.set("description", meaning)
            for kind in ("Output", "InitialUnknown"):
                ET.SubElement(structure, kind, valueReference=str(reference))
        first += 1 + len(COUNTERS)
    for number, bus in enumerate(buses):
        _put_clocked(variables, structure, bus, clocked + 4 * number, clock)
    rank = ("Output", "InitialUnknown")
    structure[:] = sorted(structure, key=lambda one: rank.index(one.tag))


def _put_clocked(variables: Element, structure: Element, bus: str, first: int, clock: str) -> None:
    for place, (way, causality, interval) in enumerate((("Rx", "input", TRIGGERED), ("Tx", "output", clock))):
        data, ticks = first + 2 * place, first + 2 * place + 1
        one = _put(variables, "Binary", name_of(bus, f"{way}_Data"), data, causality, "discrete")
        one.attrib |= {"clocks": str(ticks), "mimeType": MIME_TYPE}
        of_clock = causality if interval == TRIGGERED else "input"
        other = _put(variables, "Clock", name_of(bus, f"{way}_Clock"), ticks, of_clock, "discrete")
        other.set("intervalVariability", interval)
        if causality == "input":
            ET.SubElement(one, "Start", value="")
            continue
        one.set("initial", "calculated")
        for reference in (data, *((ticks,) if of_clock == "output" else ())):
            ET.SubElement(structure, "Output", valueReference=str(reference))


def _put(
    variables: Element, kind: str, name: str, reference: int, causality: str, variability: str, **more: str
) -> Element:
    given = {"name": name, "valueReference": str(reference), "causality": causality, "variability": variability}
    return ET.SubElement(variables, kind, given | more)


def terminals(buses: Sequence[str]) -> Element:
    """Return the content of terminalsAndIcons.xml."""
    root = Element("fmiTerminalsAndIcons", fmiVersion="3.0")
    parent = ET.SubElement(root, "Terminals")
    for bus in buses:
        rule = {"matchingRule": "org.fmi-ls-bus.transceiver", "terminalKind": "org.fmi-ls-bus.network-terminal"}
        terminal = ET.SubElement(parent, "Terminal", {"name": bus, "description": f"the CAN bus {bus}", **rule})
        for member in ("Rx_Clock", "Rx_Data", "Tx_Clock", "Tx_Data"):
            _member(terminal, bus, member)
        rule = {"matchingRule": "bus", "terminalKind": "org.fmi-ls-bus.network-terminal.configuration"}
        _member(ET.SubElement(terminal, "Terminal", {"name": "Configuration", **rule}), bus, "BusNotifications")
    return root


def _member(terminal: Element, bus: str, member: str) -> None:
    given = {"variableKind": "signal", "variableName": name_of(bus, member), "memberName": member}
    ET.SubElement(terminal, "TerminalMemberVariable", given)


def manifest() -> Element:
    """Return the manifest: this is a network unit, and no simulation of a bus."""
    ET.register_namespace("fmi-ls", _NAMESPACE)
    said = {"name": STANDARD, "version": VERSION, "description": _DESCRIPTION}
    root = Element("fmiLayeredStandardManifest", {f"{{{_NAMESPACE}}}fmi-ls-{key}": text for key, text in said.items()})
    root.set("isBusSimulationFMU", "false")
    return root
