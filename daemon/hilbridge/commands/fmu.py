"""`hilbridge fmu VEHICLE`: writes a vehicle as a Functional Mock-up Unit for other simulators."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.desk.fmu.archive import VERSIONS, write
from hilbridge.files.configuration.vehiclefile import load_vehicle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the vehicle, the file and the version."""
    parser.add_argument("vehicle", metavar="VEHICLE", help="name of a vehicle, or path of a vehicle file")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file (default: NAME.fmu)")
    parser.add_argument("--version", type=int, choices=VERSIONS, default=3, help="of FMI (default: 3)", dest="fmi")


def run(args: argparse.Namespace) -> int:
    """Write the unit and say what is in it; exit status 0."""
    vehicle = load_vehicle(args.vehicle)
    path = args.output or Path(f"{vehicle.path.stem}.fmu")
    try:
        made = write(vehicle, path, args.fmi)
    except FileExistsError:
        raise ConfigurationError(f"{path} exists") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
    print(f"{path}: FMI {args.fmi}.0, co-simulation, Linux on x86-64; {made.size / 1e6:.1f} MB")
    print(f"  {counted(made.inputs, 'input')}, {counted(made.outputs, 'output')}")
    print(f"  not in it: {', '.join(made.left_out)}")
    return 0
