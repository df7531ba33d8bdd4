"""Diagnostic databases of other projects as control units of a bench, and odxtools as the tester of each.

    make test-odx

has the somersault example, of the source archive 5.0.4; newer ones have none. Right: every service of every variant is
answered as the file says: odxtools encodes the request and decodes the answer; and written as a package again, the
bench has the same services and codes for odxtools, each of which decodes. Told loss: a service listed as not read.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.odx.export import write_pdx
from hilbridge.testing import VirtualBench

from ..odx_tester import Asked, codes, load, talk
from .outcome import Verdict, print_table

_BENCH: Final = """
name: corpus
vehicle: compact
buses: {{can: {{interface: embedded}}}}
diagnostics:
  units:
    unit: {{odx: {odx}, bus: can, addresses: [{{request: 0x7A0, answer: 0x7A8}}]}}
"""


def found(folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the packages of folders."""
    for folder in folders:
        yield from sorted(folder.rglob("*.pdx"))


def judged(path: Path, folder: Path) -> dict[str, tuple[Verdict, str]]:
    """Return what comes of each variant of a package."""
    database = load(path, strict=False)
    layers = [*database.base_variants, *database.ecu_variants]
    return {f"{path.name} {layer.short_name}": _of_variant(path, layer, folder) for layer in layers}


def _of_variant(path: Path, layer: Any, folder: Path) -> tuple[Verdict, str]:
    bench = folder / "bench.yaml"
    odx = json.dumps({"file": str(path.resolve()), "variant": layer.short_name})
    bench.write_text(_BENCH.format(odx=odx), encoding="utf-8")
    try:
        car = VirtualBench(bench, seed=1)
    except ConfigurationError as error:
        return Verdict.REFUSED, str(error)
    with car:
        car.set("input.Key", 1)
        car.advance(0.5)
        account = car.parts.wiring.bench_files.file.odx["unit"]
        heard = [one for one in talk(layer, car.uds) if one.name not in account.unread]
        write_pdx(car.parts, folder / "again.pdx")
        (again,) = load(folder / "again.pdx").base_variants
        written = list(talk(again, car.uds))
    wrong = [f"{one.name}: {one.answer.hex(' ')}: {one.error}" for one in (*heard, *written) if one.error]
    wrong += _lost(heard, again)
    if codes(layer) - codes(again):
        wrong.append(f"trouble codes {codes(layer)} came back as {codes(again)}")
    if wrong:
        return Verdict.WRONG, "; ".join(wrong)
    lost = "; ".join(account.doubts())
    return (Verdict.LOSS, lost) if account.unread else (Verdict.RIGHT, f"{len(heard)} services")


def _lost(heard: Sequence[Asked], again: Any) -> list[str]:
    """Return the services of a variant that the package written of its bench does not have, with their first bytes."""
    begins = tuple(bytes(service.request.coded_const_prefix()) for service in again.services)
    return [f"{one.name}: {one.request.hex(' ')} is lost" for one in heard if not one.request.startswith(begins)]


def main(folders: Sequence[Path]) -> int:
    """Judge every variant, print the table; return the exit status: that of a failure where none is read."""
    with tempfile.TemporaryDirectory() as place:
        verdicts: dict[str, tuple[Verdict, str]] = {}
        for path in found(folders):
            verdicts |= judged(path, Path(place))
        return print_table(verdicts) or int({verdict for verdict, _ in verdicts.values()} <= {Verdict.REFUSED})
