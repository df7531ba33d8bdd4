"""Profiles: the keys of a file in config/clusters, taken over into the bus of a bench that names it.

The bench's own keys win, key by key and at any depth; a key with the value null leaves out what the profile has there;
a signal's `from`, `expression` or `constant` takes the place of the profile's, whichever of them that is. A list of the
bench replaces the profile's. Every key remembers the file and line where it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem, nearest
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.known import Known, doubts, is_outdone, known_frames
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlEntry, YamlFile, YamlNode
from hilbridge.files.settings.profiles import CONFIDENCE, ProfileSettings

TITLE: Final = "hilbridge profile"

_REPLACES: Final = {
    "from": {"expression", "constant"},
    "expression": {"from", "constant", "unit"},
    "constant": {"from", "expression", "unit", "table", "slew"},
}
"""Origins of a signal's value: the keys of the profile with which each does not go."""

_BYTES: Final = {"text", "data", "fields", "hook"}
"""Origins of a data identifier that are no number; beside them and in their place no key of another origin is left."""

TAKEN_OVER: Final = ("bus", "lines", "boards", "custom", "known")
"""The sections of a profile that a bench or another profile takes over."""

_FILES: Final = {"database", "file", "function", "hook", "provider"}
"""Keys of a bus or a control unit that name files beside the profile."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile and where it comes from."""

    file: YamlFile
    settings: ProfileSettings
    frames: Sequence[Known]

    @property
    def path(self) -> Path:
        """The profile's file."""
        return self.file.path

    @property
    def name(self) -> str:
        """The word that finds it: the plain name of one of the installed profiles, or else the path."""
        return self.path.stem if self.is_installed else str(self.path)

    @property
    def is_installed(self) -> bool:
        """Whether it is found by its name alone."""
        return self.path.parent in Kind.PROFILE.folders

    @property
    def headline(self) -> str:
        """Title and confidence, as one line."""
        settings = self.settings
        known = f"{settings.title} (confidence {settings.confidence}: {CONFIDENCE[settings.confidence]})"
        return "; ".join([known, *self.doubts])

    @property
    def doubts(self) -> list[str]:
        """Return as text what is guessed in it, what may be any bytes, and what no car was seen to send."""
        return doubts(self.frames)

    def facts(self) -> dict[str, Any]:
        """Return what the profile says about itself and about each frame, without the other keys of its bus."""
        told = self.settings.model_dump(exclude={"bus", "lines", "boards", "custom", "known"})
        told["wiring"] = {pin: wire.text for pin, wire in self.settings.wiring.items()}
        told["wires"] = {pin: wire.to for pin, wire in self.settings.wiring.items() if wire.to is not None}
        return {"name": self.name} | told | {"frames": [frame.facts() for frame in self.frames]}


def load_profile(name: str, beside: Path | None = None) -> Profile:
    """Find and read a profile; `beside` is the file that names it.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with it.
    """
    file = _extended(YamlFile.load(find(Kind.PROFILE, name, beside)))
    try:
        settings = ProfileSettings.model_validate(file.data, strict=True)
    except ValidationError as error:
        reasons = explain(error, file.data, profile_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None
    return Profile(file, settings, known_frames(settings))


def _extended(file: YamlFile, below: tuple[Path, ...] = ()) -> YamlFile:
    """Return a profile's file with `bus` and `custom` of the profiles and parts that it extends; its own keys go first.

    What a profile says about itself is not taken over: another car has other sources. `below`: the files that extend
    this one. InvalidFileError: no such file, one without a `bus`, or one that extends itself.
    """
    root, named = file.root.value, file.root.child("extends")
    if not isinstance(root, dict) or named is None:
        return file
    whole = {key: entry for key, entry in root.items() if key != "extends"}
    for node in named.value if isinstance(named.value, list) else [named]:
        if not isinstance(node.value, str):
            return file  # refused by the settings
        try:
            base = YamlFile.load(find(Kind.PROFILE, node.value, file.path))
        except ConfigurationError as error:
            raise InvalidFileError([file.problem(("extends",), error.message)]) from None
        chain = (*below, file.path)
        if base.path in chain:
            names = " extends ".join(path.stem for path in (*chain[chain.index(base.path) :], base.path))
            raise InvalidFileError([file.problem(("extends",), f"goes in a circle: {names}")])
        if "bus" not in base.data and "extends" not in base.data:
            raise InvalidFileError([base.problem((), "what a profile extends has a 'bus'")])
        if strange := [key for key in base.data if key not in ProfileSettings.model_fields]:
            raise InvalidFileError([base.problem((strange[0],), "is no key of a profile, nor of a part of one")])
        base = _extended(base, chain)
        for key in TAKEN_OVER:
            if (section := base.root.child(key)) is not None:
                whole[key] = _merged(whole.get(key), located(section, base.path.parent), base.path)
    return YamlFile(file.path, replace(file.root, value=_without_outdone(whole, file.path)))


def _without_outdone(whole: dict[str, YamlEntry], path: Path) -> dict[str, YamlEntry]:
    """Return a profile's keys without what a taken-over `known` says of frames that are not here, or less known."""
    known = whole.get("known")
    if known is None or not isinstance(known.node.value, dict):
        return whole
    plain = {key: entry.node.plain() for key, entry in whole.items() if key in ("bus", "lines", "boards", "confidence")}
    kept = {
        name: entry
        for name, entry in known.node.value.items()
        if (entry.file or known.file or path) == path or not is_outdone(name, entry.node.plain(), plain)
    }
    return whole | {"known": replace(known, node=replace(known.node, value=kept))}


def _merged(own: YamlEntry | None, base: YamlNode, path: Path) -> YamlEntry:
    """Return a section with the keys of `base`, which is in the file `path`."""
    if own is None or own.node.value is None:
        return YamlEntry(base.line, base, path)
    return replace(own, node=merge(own.node, base, path))


@cache
def profile_schema() -> Schema:
    """Return the JSON Schema of a profile."""
    return schema_of(TypeAdapter(ProfileSettings), TITLE)


def with_profiles(file: YamlFile) -> tuple[YamlFile, dict[str, Profile]]:
    """Return a bench file with the keys of the profiles that its buses name, and the profiles by bus.

    InvalidFileError: all that is wrong with the profiles, and with the bench's keys for their frames.
    """
    problems: list[Problem] = []
    file = _with_wires(file, problems)
    root, buses = file.root.value, file.root.child("buses")
    profiles: dict[str, Profile] = {}
    if not isinstance(root, dict) or buses is None or not isinstance(buses.value, dict):
        if problems:
            raise InvalidFileError(problems)
        return file, profiles
    whole, custom = dict(buses.value), root.get("custom")
    for bus, entry in buses.value.items():
        named = entry.node.child("profile")
        if named is None or not isinstance(named.value, str):
            continue
        try:
            profile = profiles[bus] = load_profile(named.value, file.path)
        except InvalidFileError as error:
            problems += error.problems
            continue
        except ConfigurationError as error:
            problems.append(file.problem(("buses", bus, "profile"), error.message))
            continue
        base = profile.file.root.child("bus")
        if base is not None:
            problems += _strangers(file, bus, entry.node, base, profile)
            whole[bus] = replace(entry, node=merge(entry.node, located(base, profile.path.parent), profile.path))
        custom = _declared(custom, profile)
    if problems:
        raise InvalidFileError(problems)
    if not profiles:
        return file, profiles
    section = replace(root["buses"], node=replace(buses, value=whole))
    declared = {} if custom is None else {"custom": custom}
    return YamlFile(file.path, replace(file.root, value=root | {"buses": section} | declared)), profiles


def _with_wires(file: YamlFile, problems: list[Problem]) -> YamlFile:
    """Return a bench file with the keys of the profiles that its serial buses and boards name."""
    root = file.root.value
    for section in ("lines", "boards"):
        named = file.root.child(section)
        if not isinstance(root, dict) or named is None or not isinstance(named.value, dict):
            continue
        whole, custom = dict(named.value), root.get("custom")
        for name, entry in named.value.items():
            wanted = entry.node.child("profile")
            if wanted is None or not isinstance(wanted.value, str):
                continue
            try:
                profile = load_profile(wanted.value, file.path)
            except InvalidFileError as error:
                problems += error.problems
                continue
            except ConfigurationError as error:
                problems.append(file.problem((section, name, "profile"), error.message))
                continue
            own = profile.file.root.child(section)
            base = None if own is None else own.child(name)
            if base is None:
                known = ", ".join(getattr(profile.settings, section)) or "none"
                reason = f"{profile.path.stem} has no {section.removesuffix('s')} of the name {name} (it has: {known})"
                problems.append(file.problem((section, name, "profile"), reason))
                continue
            merged = merge(entry.node, located(base, profile.path.parent), profile.path)
            whole[name] = replace(entry, node=merged)
            custom = _declared(custom, profile)
        declared = {} if custom is None else {"custom": custom}
        root = root | {section: replace(root[section], node=replace(named, value=whole))} | declared
        file = YamlFile(file.path, replace(file.root, value=root))
    return file


def _declared(own: YamlEntry | None, profile: Profile) -> YamlEntry | None:
    """Return the section `custom` of a bench with the entries that a profile declares."""
    root = profile.file.root.value
    base = root.get("custom") if isinstance(root, dict) else None
    if base is None:
        return own
    if own is None or own.node.value is None:
        return replace(base, file=profile.path)
    return replace(own, node=merge(own.node, base.node, profile.path))


def merge(own: YamlNode, base: YamlNode, path: Path) -> YamlNode:
    """Return the keys of `own`, and those of `base` that it does not have; `path` is the file of `base`."""
    if not isinstance(base.value, dict):
        return own
    if isinstance(own.value, str) and base.value.keys() & _REPLACES.keys():
        own = YamlNode(own.line, {"from": YamlEntry(own.line, own)})  # the short form of a signal
    if not isinstance(own.value, dict):
        return own
    mine, theirs = (keys & (_REPLACES.keys() | _BYTES) for keys in (own.value.keys(), base.value.keys()))
    if mine and theirs and mine.isdisjoint(theirs) and (mine | theirs) & _BYTES:
        return own
    hidden = {key for origin in own.value.keys() & _REPLACES.keys() for key in _REPLACES[origin]}
    entries: dict[str, YamlEntry] = {}
    for key, entry in base.value.items():
        kept = own.value.get(key)
        if kept is None and key not in hidden:
            entries[key] = replace(entry, file=entry.file or path)
        elif kept is not None and kept.node.value is not None:
            entries[key] = replace(kept, node=merge(kept.node, entry.node, path))
    entries |= {key: entry for key, entry in own.value.items() if key not in base.value}
    return replace(own, value=entries)


def _strangers(file: YamlFile, bus: str, own: YamlNode, base: YamlNode, profile: Profile) -> Iterator[Problem]:
    """Yield a problem for each raw frame of the bench that is no frame by itself, and none of the profile's either."""
    frames, known = own.child("raw"), base.child("raw")
    if frames is None or known is None or not isinstance(frames.value, dict) or not isinstance(known.value, dict):
        return
    for name, entry in frames.value.items():
        if name not in known.value and entry.node.child("id") is None:
            meant = nearest(name, known.value)
            hint = f": did you mean {meant}?" if meant else f" (it has {', '.join(known.value)})"
            reason = f"has no 'id', and {profile.path.stem} has no frame of that name{hint}"
            yield file.problem(("buses", bus, "raw", name), reason)


def located(node: YamlNode, folder: Path) -> YamlNode:
    """Return a section with the files that lie in `folder` named by their whole paths."""
    if isinstance(node.value, list):
        return replace(node, value=[located(item, folder) for item in node.value])
    if not isinstance(node.value, dict):
        return node
    entries = {
        key: replace(entry, node=(_whole if key in _FILES else located)(entry.node, folder))
        for key, entry in node.value.items()
    }
    return replace(node, value=entries)


def _whole(node: YamlNode, folder: Path) -> YamlNode:
    """Return the name of a file, or a list of such names, with the folder; names that are not there as they are."""
    if isinstance(node.value, list):
        return replace(node, value=[_whole(item, folder) for item in node.value])
    if isinstance(node.value, dict):
        return located(node, folder)
    text: Any = node.value
    if isinstance(text, str):
        file = text.rpartition(":")[0] or text
        if is_file(folder / file):
            return replace(node, value=str(folder.resolve() / text))
    return node
