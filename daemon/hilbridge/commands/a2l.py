"""`hilbridge a2l BENCH`: writes the A2L file with which measurement and calibration tools read a bench by XCP."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.faces.xcp.description import description_of, where
from hilbridge.faces.xcp.setup import Setup, setup_of
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.custom import entries_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the bench and the file."""
    parser.add_argument("bench", metavar="BENCH", help="name of a bench, or path of a bench file, with 'xcp'")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="a new file (default: NAME.a2l)")


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it; exit status 0."""
    bench = load_bench(args.bench)
    settings = bench.settings
    xcp = settings.xcp
    if xcp is None:
        raise ConfigurationError("is missing: this bench has no XCP slave", ("xcp",))
    if xcp.transport != "can" and not xcp.port:
        raise ConfigurationError("xcp.port is 0, any free one; an A2L file has to say which one")
    path = args.output or Path(f"{settings.name}.a2l")
    entries = entries_of(settings.custom)
    setup = setup_of(settings, bench.vehicle.settings, entries.custom, Path())
    try:
        with path.open("xb") as file:
            file.write(description_of(setup, xcp.port))
    except FileExistsError:
        raise ConfigurationError(f"{path} exists") from None
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None
    print(f"{path}: ASAP2 1.61 with IF_DATA XCPplus; {where(setup, xcp.port)}")
    held = sum(entry.limits is not None for entry in entries.all()) if xcp.write else 0
    print(f"  {counted(len(entries.all()), 'measurement')}, {counted(held, 'characteristic')}{_engine(setup)}")
    return 0


def _engine(setup: Setup) -> str:
    """Return the number of parameters of the engine, as text."""
    return (
        "" if setup.parameters is None else f", {counted(len(setup.parameters.parameters), 'parameter')} of the engine"
    )
