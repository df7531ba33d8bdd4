"""Names from diagnostic databases (ODX): what the requests and the trouble codes of a cloned control unit are called.

[UNIT=]FILE[#VARIANT]   without UNIT: the one with the addresses of the file, or the only one
"""

from collections.abc import Sequence
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.files.odx.reader import OdxAccount, read_odx
from hilbridge.frames.codec.database import unknown


def take_names(units: Sequence[ClonedUnit], sources: Sequence[str]) -> list[str]:
    """Give control units the names of ODX files; return a line about each file.

    ConfigurationError: a file cannot be read, or it is not clear of which unit it is.
    """
    lines = []
    for source in sources:
        named, path, variant = _parts(source)
        account = read_odx(path, variant, obd=True, vin=False)
        unit = _unit_of(units, named, account)
        unit.names.update({bytes.fromhex(request): name for request, name in account.names.items()})
        codes = account.keys.get("codes", {})
        unit.code_texts.update({code: settings["text"] for code, settings in codes.items()})
        requests = {one.request for one in unit.exchanges}
        known = sum(1 for request in requests if unit.name_of(request))
        lines.append(
            f"{path.name}, {account.variant}: names {known} of {counted(len(requests), 'request')} of {unit.name}, and "
            f"{counted(len(codes), 'trouble code')}"
        )
    return lines


def _parts(source: str) -> tuple[str | None, Path, str | None]:
    """Return unit, file and variant."""
    if Path(source).exists():
        return None, Path(source), None
    named, equals, rest = source.partition("=")
    unit, text = (named, rest) if equals else (None, source)
    if Path(text).exists():
        return unit, Path(text), None
    file, _, variant = text.rpartition("#")
    return (unit, Path(file), variant) if file else (unit, Path(text), None)


def _unit_of(units: Sequence[ClonedUnit], named: str | None, account: OdxAccount) -> ClonedUnit:
    if named is not None:
        found = [unit for unit in units if unit.name == named]
        if not found:
            raise unknown("control unit", named, [unit.name for unit in units], ())
        return found[0]
    wanted = [(one["request"], one["answer"]) for one in account.keys.get("addresses", ())]
    found = [unit for unit in units if any((one.get("request"), one.get("answer")) in wanted for one in unit.addresses)]
    if len(found or units) != 1:
        listed = ", ".join(unit.name for unit in units)
        raise ConfigurationError(
            f"{account.path}: of which control unit? write UNIT={account.path}; there are {listed}"
        )
    return (found or [*units])[0]
