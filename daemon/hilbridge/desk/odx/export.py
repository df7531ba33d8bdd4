"""A bench as a PDX package: what its control units answer, for testers and for `odx:` of another bench."""

import io
import zipfile
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.bench.bench import Bench
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.desk.odx.document import Unit, addresses, document, index, short_name
from hilbridge.desk.odx.served import services_of
from hilbridge.frames.codec.frame import EXTENDED_MASK

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The date of the members: the same bench makes the same package."""


class Exported(NamedTuple):
    """The numbers of what was written; `left_out`: what ODX has no words for, a line each."""

    units: int
    services: int
    left_out: list[str]


def write_pdx(bench: Bench, path: Path) -> Exported:
    """Write what the control units of a bench answer. ConfigurationError: there is none. OSError: no such place."""
    units, left_out = [], []
    settings = bench.settings.diagnostics.units
    for ecu in bench.wiring.control_units.ecus:
        if ecu.name not in settings:
            continue
        services, missing = services_of(ecu, settings[ecu.name], bench.wiring.control_units)
        left_out += [f"{ecu.name}: {line}" for line in missing]
        server = bench.wiring.control_units.uds.get(ecu.name)
        sessions = [] if server is None else sorted(server.session.sessions)
        codes = [trouble.code for trouble in ecu.store.troubles.values()]
        request, answer = _identifiers(ecu)
        if request is None:
            left_out.append(f"{ecu.name}: its addresses: not those of normal addressing")
        units.append(
            Unit(ecu.name, f"{ecu.name} of bench {bench.settings.name}", services, sessions, codes, request, answer)
        )
    if not units:
        raise ConfigurationError(f"bench {bench.settings.name} has no control units: nothing answers")
    name = short_name(bench.settings.name)
    files = {f"{name}.odx-d": document(name, units), "hilbridge_can.odx-cs": addresses()}
    kinds = {file: file.rpartition(".")[2] for file in files}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        for member, root in {"index.xml": index(kinds), **files}.items():
            text = ET.tostring(root, "utf-8", xml_declaration=True)
            package.writestr(zipfile.ZipInfo(member, _EPOCH), text, zipfile.ZIP_DEFLATED)
    write_output(path, content.getvalue())
    return Exported(len(units), sum(len(unit.services) for unit in units), left_out)


def _identifiers(ecu: Ecu) -> tuple[int | None, int | None]:
    """Return the identifiers of requests and answers, of a unit with normal addressing."""
    if not ecu.addresses or ecu.addresses[0].request_prefix:
        return None, None
    return ecu.addresses[0].request_id & EXTENDED_MASK, ecu.addresses[0].response_id & EXTENDED_MASK
