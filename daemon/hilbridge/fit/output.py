"""The fitted engine as a vehicle file: every parameter, and where its value comes from."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import yaml

from hilbridge.common.errors import ConfigurationError
from hilbridge.fit.result import Result
from vehiclesim.parameters import EngineSettings, quantities

_COLUMN: Final = 40
"""Where the comments begin."""

_BY_FUEL: Final = ("inertia", "fuel_density")


def write_engine(result: Result, path: Path) -> None:
    """Writes the file; ConfigurationError when it cannot be written."""
    try:
        path.write_text("\n".join(_lines(result)) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"the engine {path} cannot be written: {error.strerror}") from None


def _lines(result: Result) -> Iterator[str]:
    settings = result.targets.settings
    yield f"# Fitted by hilbridge to {result.targets.file.path.name}; a comment says where a value comes from."
    yield ""
    yield yaml.safe_dump({"name": settings.name}, allow_unicode=True, width=1000).rstrip()
    yield ""
    yield "engine:"
    for entry, _, _ in quantities(EngineSettings):
        if not entry.name.startswith("table_"):
            text = f"  {entry.name}: {_word(getattr(result.engine, entry.name))}"
            yield f"{text:<{_COLUMN - 1}} # {_source(result, entry.name)}"


def _word(value: Any) -> str:
    """A value as YAML has it."""
    if isinstance(value, Enum):
        return str(value.value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _source(result: Result, name: str) -> str:
    targets = result.targets.settings
    for parameter in result.parameters:
        if parameter.name == name:
            return f"{'assumed' if parameter.assumed else 'fitted'}, ±{parameter.deviation:g}"
    if name in targets.fixed:
        return "given"
    keys = {"idle_rpm": targets.idle, "rpm_limiter": targets.limiter_rpm, "rpm_limiter_max": targets.limiter_rpm}
    if keys.get(name) is not None or (name.startswith("torque_cap") and targets.torque.plateau):
        return "target"
    if name in _BY_FUEL:
        return f"assumed for {targets.fuel}"
    return "assumed" if name in {"idle_rpm", "can_stall"} else "default"
