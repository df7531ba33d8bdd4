"""The commands: a module each, which is imported only when its command is run.

A module has `add_arguments`, which describes its options to argparse, and `run`, which returns the exit status.
"""

import argparse
import importlib
from collections.abc import Iterator
from typing import Final

from hilbridge.commands.examples import examples

GROUPS: Final[dict[str, dict[str, str]]] = {
    "drive and look": {
        "demo": "start the packaged demo, and open its page where there is a browser",
        "run": "start a bench",
        "top": "watch a running bench on this terminal",
        "page": "print the address of a running bench's page, and open it in a browser",
        "ctl": "talk to a running bench: status, get, watch, set, arm, fault, record, scenario, reload, stop",
        "explain": "say why a lamp of the cluster shines and a needle rests, of a run, a plan or a log",
        "calibrate": "find the ends of pedals, levers and wheels, and write them into the bench file",
    },
    "make a bench": {
        "new": "write a bench file to start from, out of a database, a profile or another bench",
        "learn": "find out from a log what a bus carries: periods, counters, checksums, signals; write a bench of it",
        "clone": "find out from a log of a tester's talk what control units answer; write a bench file that answers so",
        "check": "report what a bench would send and receive, without starting it",
        "profiles": "list the instrument clusters whose frames a bench can take over: wiring, sources, confidence",
        "presets": "list the makers' counters and checksums that a bench file can name",
        "values": "list the values of the data bus: unit, range, meaning, codes",
        "schema": "print the JSON Schema of the configuration files",
    },
    "run many, look back": {
        "campaign": "make many runs: benches, scenarios, values and seeds in every combination; one row for each",
        "replay": "feed the inputs of a recording to its bench again, and compare every frame",
        "bisect": "find the first tick of a recording where a condition holds, with its values and frames",
        "shrink": "find the shortest inputs with which a run still fails, and write them as a scenario",
        "export": "write the frames or the values of a recording for other tools: BLF, ASC, candump, MF4, CSV, Parquet",
        "plot": "draw values of a recording over time",
    },
    "engines and cars": {
        "engine": "show specifications and curves of a vehicle's engine",
        "fit": "find the engine that meets a published data sheet",
        "drive": "follow a speed trace: time, distance, fuel, energy",
        "perform": "measure acceleration, braking, cornering and consumption, beside what is published",
        "fmu": "write a vehicle as a unit of FMI, which runs without Python, or a bench with its buses",
        "a2l": "write the A2L file with which measurement and calibration tools read a bench by XCP",
    },
    "firmware": {
        "lockstep": "print the C header that firmware includes to be waited for, or what runs firmware here",
    },
    "machine and service": {
        "doctor": "report what is missing on this machine",
        "service": "show on one screen how the service is: unit, last end, armed, adapters, clock, disk, state, page",
        "mend": "watch a bench file with which no run starts, until it is right; meanwhile its page says why",
        "state": "show, back up and restore what is kept of a bench from run to run: odometer, trouble codes ...",
        "lab": "list the benches that are on the fabric; follow one, command one",
        "mcp": "give an assistant a running bench, by the Model Context Protocol; read-only by default",
        "vss": "publish the values of a running bench at the paths of VSS, to a databroker of Eclipse KUKSA",
        "trust": "let the Python code of a bench, a vehicle or a recording run here",
        "completion": "print what completes commands, options and names in a shell",
        "manual": "print the manual page of all commands",
        "benchmark": "measure step, encode, tick and lateness on this machine",
    },
}
"""The commands by what one wants to do, with what each does."""

COMMANDS: Final = {name: text for group in GROUPS.values() for name, text in group.items()}

SUMMARY: Final = "A virtual engine on a real bus: a vehicle model at a fixed rate, as CAN frames and OBD-II."


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser of all commands with all their options; that imports every command."""
    top = argparse.ArgumentParser(prog="hilbridge", description=SUMMARY)
    actions = top.add_subparsers(metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        parser = actions.add_parser(
            name,
            help=text,
            description=text,
            epilog=examples(name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        importlib.import_module(f"hilbridge.commands.{name}").add_arguments(parser)
    return top


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser and those of all commands below it, in their order."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from every_parser(inner)
