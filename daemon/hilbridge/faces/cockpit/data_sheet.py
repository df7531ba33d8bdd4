"""Targets files of `hilbridge fit` as the data sheet that the workshop aims at: points of torque and power."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.desk.fit.targets import TargetsSettings, check_targets
from hilbridge.files.configuration.yamlfile import YamlFile


class Aim(NamedTuple):
    """A point of the full-load curve: torque [N m] or power [kW] at a speed [1/min]."""

    kind: Literal["torque", "power"]
    rpm: float
    value: float


def data_sheet(text: str) -> dict[str, Any]:
    """Return the points of a targets file for JSON; a plateau has two. ConfigurationError: it is none.

    A chart that it names is not read: a page may not choose files of this machine.
    """
    with TemporaryDirectory(prefix="hilbridge-") as folder:
        path = Path(folder, "file")
        path.write_text(text, encoding="utf-8")
        try:
            settings = check_targets(YamlFile.load(path))
        except InvalidFileError as error:
            raise ConfigurationError(str(error).replace(f"{path}:", "line ")) from None
    return {"points": [aim._asdict() for aim in _aims(settings)]}


def _aims(settings: TargetsSettings) -> Iterator[Aim]:
    if settings.idle is not None and settings.idle.torque is not None:
        yield Aim("torque", settings.idle.rpm, settings.idle.torque)
    torque, power = settings.torque, settings.power
    yield from (Aim("torque", rpm, torque.value) for rpm in (torque.rpm, torque.until) if rpm is not None)
    yield from (Aim("power", rpm, power.value) for rpm in (power.rpm, power.until) if rpm is not None)
    for point in settings.points:
        if point.torque is not None:
            yield Aim("torque", point.rpm, point.torque)
        elif point.power is not None:
            yield Aim("power", point.rpm, point.power)
