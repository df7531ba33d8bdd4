"""The bench file: YAML to checked settings, the files it names, and the line of every setting."""

from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import CollectedError, ConfigurationError, Doubt, InvalidFileError, Problem
from hilbridge.base.common.kept_texts import KeptTexts
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.changes import UNCHANGED, Changes, change
from hilbridge.files.configuration.consistency import findings
from hilbridge.files.configuration.layouts import LayoutFile, load_layout
from hilbridge.files.configuration.odx import with_odx
from hilbridge.files.configuration.profiles import Profile, with_profiles
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.units import with_units
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle
from hilbridge.files.configuration.yamlfile import YamlFile, read_text
from hilbridge.files.odx.reader import OdxAccount
from hilbridge.files.settings import BenchSettings, UdpInput
from hilbridge.files.settings.dtc import TroubleCodesSettings
from hilbridge.files.settings.secrets import secret_places

TITLE: Final = "hilbridge bench file"


CODES_TITLE: Final = "hilbridge file of trouble codes"


@dataclass(frozen=True, slots=True)
class BenchFile:
    """A bench that can be built, as far as its files show it. `databases`: the files of each bus that has any.

    `file` has the keys of the profiles, and of the templates and databases of control units too; `profiles` are by bus,
    `layouts` by the names that inputs give them, `odx` by control unit: what its database says.
    """

    file: YamlFile
    settings: BenchSettings
    vehicle: VehicleFile
    databases: dict[str, tuple[Path, ...]]
    profiles: dict[str, Profile]
    layouts: dict[str, LayoutFile]
    odx: dict[str, OdxAccount]

    @property
    def path(self) -> Path:
        """The bench file."""
        return self.file.path

    def locate(self, error: ConfigurationError) -> ConfigurationError:
        """Return an error that a part of the daemon raised with a key path, with file and line; others as they are."""
        if not error.place:
            return error
        errors = error.errors if isinstance(error, CollectedError) else [error]
        located = InvalidFileError(self.file.problem(each.place, each.message) for each in errors)
        located.may_pass = error.may_pass
        return located

    def describe(self, doubt: Doubt) -> str:
        """Return a doubt about this file as text, with file and line where it has a place."""
        return str(self.file.problem(doubt.place, doubt.message)) if doubt.place else doubt.message

    def altered(self, **keys: Any) -> "BenchFile":
        """Return the same bench with other values for keys of the file's top level, as if they were there."""
        file = self._with(keys)
        return replace(self, file=file, settings=_settings(file))

    def seeded(self, seed: int) -> "BenchFile":
        """Return the same bench with a seed that is known to be one: the file is not checked again."""
        return replace(self, file=self._with({"seed": seed}), settings=self.settings.model_copy(update={"seed": seed}))

    def with_vehicle(self, changes: Mapping[str, Any]) -> "BenchFile":
        """Return the same bench with other values of its vehicle; nothing but the vehicle is read and checked again.

        ConfigurationError: see `load_bench`.
        """
        problems: list[Problem] = []
        vehicle = _vehicle(self.file, changes, problems)
        if vehicle is None:
            raise InvalidFileError(problems)
        return replace(self, vehicle=vehicle)

    def _with(self, keys: dict[str, Any]) -> YamlFile:
        file = copy(self.file)
        file.data = self.file.data | keys
        return file

    @property
    def has_demo_driver(self) -> bool:
        """Whether the bench drives by itself while no one else does."""
        return any(one["source"] == "demo-driver" for one in self.file.data.get("inputs") or [])

    def without_demo_driver(self) -> "BenchFile":
        """Return the same bench without its demo driver."""
        inputs = self.file.data.get("inputs") or []
        return self.altered(inputs=[one for one in inputs if one["source"] != "demo-driver"])


def load_bench(name: str, changes: Changes = UNCHANGED) -> BenchFile:
    """Find and read a bench file, its vehicle file, profiles and templates, and find its databases.

    `changes`: values in place of those of the bench file, profiles and templates included, and of the vehicle file.

    ConfigurationError when there is no such bench, InvalidFileError with everything that is wrong with its files.
    """
    file, profiles = with_profiles(YamlFile.load(find(Kind.BENCH, name)))
    file, odx = with_odx(with_units(file))
    change(file, changes.bench)
    problems: list[Problem] = []
    settings = _validate(file, problems)
    if settings and changes.bench and (told := _secrets(settings, changes.bench)):
        words = "is a secret, which belongs into the bench file: commands and campaigns are written down"
        raise ConfigurationError(f"bench.{told[0]} {words}")
    vehicle = _vehicle(file, changes.vehicle, problems)
    databases = _databases(file, settings, problems) if settings else {}
    layouts = _layouts(file, settings, problems) if settings else {}
    if settings:
        problems += [file.problem(error.place, error.message) for error in findings(settings)]
    if problems or settings is None or vehicle is None:
        raise InvalidFileError(problems)
    return BenchFile(file, settings, vehicle, databases, profiles, layouts, odx)


@cache
def bench_schema() -> Schema:
    """Return the JSON Schema of a bench file."""
    return schema_of(TypeAdapter(BenchSettings), TITLE)


def _secrets(settings: BenchSettings, changes: Collection[str]) -> list[str]:
    """Return the key paths of secrets among `changes`."""
    return sorted({".".join(map(str, place)) for place, _ in secret_places(settings)}.intersection(changes))


def _settings(file: YamlFile) -> BenchSettings:
    return BenchSettings.model_validate(file.data, strict=True, context={"folder": file.path.parent})


def _validate(file: YamlFile, problems: list[Problem]) -> BenchSettings | None:
    try:
        return _settings(file)
    except ValidationError as error:
        problems += [file.problem(each.place, each.message) for each in explain(error, file.data, bench_schema())]
        return None


def _vehicle(file: YamlFile, changes: Mapping[str, Any], problems: list[Problem]) -> VehicleFile | None:
    """Return the vehicle; its errors are reported even when the bench file has some of its own."""
    name: Any = file.data.get("vehicle")
    if not isinstance(name, str):
        return None
    try:
        return load_vehicle(name, file.path, changes)
    except InvalidFileError as error:
        problems += error.problems
    except ConfigurationError as error:
        problems.append(file.problem(("vehicle",), error.message))
    return None


def _databases(file: YamlFile, settings: BenchSettings, problems: list[Problem]) -> dict[str, tuple[Path, ...]]:
    databases: dict[str, tuple[Path, ...]] = {}
    for name, bus in settings.buses.items():
        for one in bus.database_files:
            try:
                databases[name] = (*databases.get(name, ()), find(Kind.DATABASE, one, file.path))
            except ConfigurationError as error:
                problems.append(file.problem(("buses", name, "database"), error.message))
    return databases


def _layouts(file: YamlFile, settings: BenchSettings, problems: list[Problem]) -> dict[str, LayoutFile]:
    layouts: dict[str, LayoutFile] = {}
    for index, one in enumerate(settings.inputs):
        if isinstance(one, UdpInput) and one.layout not in layouts:
            try:
                layouts[one.layout] = load_layout(one.layout, file.path)
            except InvalidFileError as error:
                problems += error.problems
            except ConfigurationError as error:
                problems.append(file.problem(("inputs", index, "layout"), error.message))
    return layouts


def load_codes(path: Path) -> TroubleCodesSettings:
    """Read a file of trouble codes. InvalidFileError with everything that is wrong with it."""
    text = read_text(path)
    return _kept_codes.made(str(path), text, lambda: _checked_codes(YamlFile.of(path, text)))


_kept_codes: Final[KeptTexts[TroubleCodesSettings]] = KeptTexts(1 << 18, 1 << 17)
"""Files of codes that are kept checked: settings never change, so several benches may share them."""


def _checked_codes(file: YamlFile) -> TroubleCodesSettings:
    try:
        return TroubleCodesSettings.model_validate(file.data, strict=True)
    except ValidationError as error:
        reasons = explain(error, file.data, codes_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


@cache
def codes_schema() -> Schema:
    """Return the JSON Schema of a file of trouble codes."""
    return schema_of(TypeAdapter(TroubleCodesSettings), CODES_TITLE)
