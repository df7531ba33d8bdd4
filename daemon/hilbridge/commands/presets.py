"""`hilbridge presets`: the makers' counters and checksums that a bench file can name."""

import argparse
import json
from typing import get_args

from hilbridge.base.common.errors import ConfigurationError, near, question
from hilbridge.files.settings.protection import Preset
from hilbridge.frames.protection.preset_list import preset_facts, presets_page
from hilbridge.frames.protection.presets import PRESETS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="all about one preset, or a word: those that are about it"
    )
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="as a list of objects")
    style.add_argument("--reference", action="store_true", help="print config/PRESETS.md instead")


def run(options: argparse.Namespace) -> int:
    if options.reference:
        print(presets_page(), end="")
        return 0
    names = [one for one in get_args(Preset) if options.name in (None, one)]
    if not names:
        names = [one for one in get_args(Preset) if _is_about(one, options.name)]
        if not names:
            meant = near(options.name, get_args(Preset))
            hint = f": {question(meant)}" if meant else "; `hilbridge presets` lists all"
            raise ConfigurationError(f"unknown preset {options.name!r}{hint}")
    if options.json:
        print(json.dumps([*map(preset_facts, names)], indent=2, ensure_ascii=False))
    elif options.name is None or names != [options.name]:
        for name in names:
            print(f"{name:<13}  {PRESETS[name].used_by}")
    else:
        _print_facts(names[0])
    return 0


def _is_about(preset: Preset, word: str) -> bool:
    """Return whether a preset's name, or what is said of its users, has a word."""
    return word.casefold() in f"{preset} {PRESETS[preset].used_by}".casefold()


def _print_facts(name: Preset) -> None:
    for key, value in preset_facts(name).items():
        if isinstance(value, dict):
            print(
                f"{key.replace('_', ' ')}:",
                *(f"  {frame:<6}  {constant}" for frame, constant in value.items()),
                sep="\n",
            )
        elif value:
            print(f"{key.replace('_', ' ')}: {value}")
