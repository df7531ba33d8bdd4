"""`hilbridge fmu`: writes a vehicle, or a bench with its buses, as a Functional Mock-up Unit for other simulators."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.desk.fmu.archive import VERSIONS, write
from hilbridge.desk.fmu.terminals import CLOCKS, COUNTDOWN
from hilbridge.files.configuration.vehiclefile import load_vehicle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the vehicle or the bench, the file and the version."""
    parser.add_argument("vehicle", nargs="?", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument(
        "--bench",
        metavar="BENCH",
        help="in place of VEHICLE: a bench with its CAN buses, as FMI-LS-BUS has them (FMI 3.0; needs hilbridge there)",
    )
    parser.add_argument(
        "--clock",
        choices=CLOCKS,
        help="of --bench: when it sends; triggered: at the end of the importer's steps (default: countdown)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file (default: NAME.fmu)")
    parser.add_argument("--version", type=int, choices=VERSIONS, default=3, help="of FMI (default: 3)", dest="fmi")


def run(args: argparse.Namespace) -> int:
    """Write the unit and say what is in it; exit status 0."""
    if (args.vehicle is None) == (args.bench is None):
        raise ConfigurationError("say what the unit is of: VEHICLE, or --bench BENCH, which has a vehicle")
    if args.clock is not None and args.bench is None:
        raise ConfigurationError("--clock: the unit of a vehicle has none; it is of --bench")
    try:
        return _write_vehicle(args) if args.bench is None else _write_network(args)
    except FileExistsError as error:
        raise ConfigurationError(f"{error.filename} exists") from None
    except OSError as error:
        raise ConfigurationError(f"{error.filename or args.output}: {error.strerror}") from None


def _write_vehicle(args: argparse.Namespace) -> int:
    vehicle = load_vehicle(args.vehicle)
    path = args.output or Path(f"{vehicle.path.stem}.fmu")
    made = write(vehicle, path, args.fmi)
    print(f"{path}: FMI {args.fmi}.0, co-simulation, Linux on x86-64; {made.size / 1e6:.1f} MB")
    print(f"  {counted(made.inputs, 'input')}, {counted(made.outputs, 'output')}")
    print(f"  not in it: {', '.join(made.left_out)}")
    return 0


def _write_network(args: argparse.Namespace) -> int:
    from hilbridge.desk.fmu.network_archive import write_network
    from hilbridge.files.configuration.benchfile import load_bench

    if args.fmi != VERSIONS[-1]:
        raise ConfigurationError("--bench: FMI-LS-BUS has clocks and binary variables, which are of FMI 3.0")
    bench = load_bench(args.bench)
    path = args.output or Path(f"{bench.path.stem}.fmu")
    try:
        made = write_network(bench, path, clock=args.clock or COUNTDOWN)
    except ConfigurationError as error:
        raise bench.locate(error) from error
    print(f"{path}: FMI 3.0 with FMI-LS-BUS 1.0, co-simulation, Linux on x86-64; {made.size / 1e3:.0f} kB")
    print(f"  CAN: {', '.join(made.buses)}")
    print(f"  not in it: {', '.join(made.left_out)}")
    if made.not_connected:
        print(f"  nothing is connected to: {', '.join(made.not_connected)}")
    print("  needs this hilbridge, at the place of this Python, or where HILBRIDGE_PYTHON says")
    return 0
