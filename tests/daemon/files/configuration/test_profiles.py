"""Profiles: the bench's keys win, key by key; what is wrong is named where it stands."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH, bundle
from hilbridge.files.configuration.profiles import merge
from hilbridge.files.configuration.yamlfile import YamlFile, YamlNode
from hilbridge.files.settings.identifiers import IdentifierRange

PROFILE = """\
title: A cluster
confidence: C
tested: nowhere
sources: [nobody]
wiring: {1: 12 V, 2: ground}
bus:
  bitrate: 125000
  never_send: [0x7FF]
  raw:
    Engine:
      id: 0x201
      data: "00 00 FF"
      period: 20
      signals:
        Speed: {bit: 0, width: 8, from: vehicle.Speed, unit: km/h}
        Rpm: {bit: 8, width: 8, scale: 50, expression: vehicle.EngineRpm + 1}
    Lamps: {id: 0x202, data: "01", period: 100}
"""
BENCH_TEXT = """\
name: mine
vehicle: compact
buses:
  cluster:
    profile: ./mine.cluster.yaml
    interface: embedded
"""


def write(folder: Path, bench: str = "", profile: str = PROFILE) -> Path:
    """A bench with the profile beside it; `bench`: further lines of its bus."""
    (folder / "mine.cluster.yaml").write_text(profile, encoding="utf-8")
    path = folder / "bench.yaml"
    path.write_text(BENCH_TEXT + bench, encoding="utf-8")
    return path


def complaints(path: Path) -> str:
    with pytest.raises(InvalidFileError) as raised:
        load_bench(str(path))
    return str(raised.value)


def test_a_bus_has_what_its_profile_says(tmp_path: Path) -> None:
    bench = load_bench(str(write(tmp_path)))
    bus = bench.settings.buses["cluster"]
    assert (bus.bitrate, list(bus.raw), bus.never_send) == (
        125_000,
        ["Engine", "Lamps"],
        [IdentifierRange.model_validate(0x7FF)],
    )
    wiring = bench.profiles["cluster"].settings.wiring
    assert {pin: wire.text for pin, wire in wiring.items()} == {"1": "12 V", "2": "ground"}


def test_the_keys_of_the_bench_go_before_those_of_the_profile(tmp_path: Path) -> None:
    """Deep inside a frame too; null leaves out; the origin of a value replaces the other origin; lists are whole."""
    bus = load_bench(
        str(
            write(
                tmp_path,
                """\
    never_send: []
    raw:
      Lamps: null
      Engine: {period: 50, signals: {Rpm: vehicle.EngineRpm, Speed: {expression: vehicle.Speed * 2}}}
      Own: {id: 3, data: "00", period: 10}
""",
            )
        )
    ).settings.buses["cluster"]
    engine = bus.raw["Engine"]
    assert (list(bus.raw), bus.never_send, bus.bitrate) == (["Engine", "Own"], [], 125_000)
    assert (engine.id, engine.period, engine.data) == (0x201, 50, "00 00 FF")
    rpm, speed = engine.signals["Rpm"], engine.signals["Speed"]
    assert (rpm.source, rpm.expression, rpm.scale) == ("vehicle.EngineRpm", None, 50)
    assert (speed.source, speed.expression, speed.unit, speed.width) == (None, "vehicle.Speed * 2", None, 8)


@pytest.mark.parametrize(
    ("bench", "change", "words"),
    [
        ("", ("period: 20", "perod: 20"), "mine.cluster.yaml:13: buses.cluster.raw.Engine.perod: unknown key"),
        ("", ("confidence: C", "confidence: D"), "mine.cluster.yaml:2: confidence: needs 'A', 'B' or 'C'"),
        ("", ("tested", "tetsed"), "mine.cluster.yaml:3: tetsed: unknown key; did you mean 'tested'?"),
        ("", ("  bitrate", "  armed: true\n  bitrate"), "mine.cluster.yaml:7: bus.armed: is for the bench to say"),
        ("    raw: {Engine: {perod: 5}}\n", ("", ""), "bench.yaml:7: buses.cluster.raw.Engine.perod: unknown key"),
        (
            "    raw:\n      Engin: {period: 5}\n",
            ("", ""),
            "bench.yaml:8: buses.cluster.raw.Engin: has no 'id', and mine.cluster has no frame of that name: did",
        ),
        ("    raw: {Other: null}\n", ("", ""), "bench.yaml:7: buses.cluster.raw.Other: "),
    ],
)
def test_what_is_wrong_is_named_in_the_file_where_it_stands(
    tmp_path: Path, bench: str, change: tuple[str, str], words: str
) -> None:
    """With line and key path; a frame that no profile has is most likely misspelt."""
    assert f"{tmp_path}/{words}" in complaints(write(tmp_path, bench, PROFILE.replace(*change, 1)))


def test_an_unknown_profile_is_an_error_of_the_bench(tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text(BENCH_TEXT.replace("./mine.cluster.yaml", "mazda-rx9"), encoding="utf-8")
    assert "bench.yaml:5: buses.cluster.profile: no profile 'mazda-rx9' (did you mean 'mazda-rx8'?)" in complaints(path)


def test_files_beside_the_profile_are_found_there(tmp_path: Path) -> None:
    """Its databases and functions lie beside it, wherever the bench is."""
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "sums.py").write_text("def checksum(data, identifier, count):\n    return 7\n", encoding="utf-8")
    (folder / "own.dbc").write_text('VERSION ""\nBU_: A\nBO_ 5 Five: 1 A\n SG_ One : 0|8@1+ (1,0) [0|0] "" A\n')
    hook = "{checksum: {at: {bit: 0, width: 8}, algorithm: hook, function: 'sums.py:checksum'}}"
    profile = PROFILE.replace('data: "01"', f'protection: [{hook}], data: "01"')
    (folder / "p.yaml").write_text(f"{profile}  database: own.dbc\n", encoding="utf-8")
    path = write(tmp_path)
    path.write_text(BENCH_TEXT.replace("./mine.cluster.yaml", "./profiles/p.yaml"), encoding="utf-8")
    bench = load_bench(str(path))
    checksum = bench.settings.buses["cluster"].raw["Lamps"].protection[0].checksum
    assert checksum is not None
    assert checksum.function == f"{folder}/sums.py:checksum"
    assert bench.databases["cluster"] == (folder / "own.dbc",)


def test_a_bundle_is_complete_without_the_profile(tmp_path: Path) -> None:
    """The folder of a recording has all frames as they were, and what the profile says about itself."""
    original = load_bench(str(write(tmp_path, "    raw: {Lamps: null}\n")))
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name, content in bundle(original).items():
        (folder / name).write_bytes(content)
    (tmp_path / "mine.cluster.yaml").unlink()
    copied = load_bench(str(folder / BENCH))
    assert copied.settings.buses["cluster"].raw == original.settings.buses["cluster"].raw
    assert copied.profiles["cluster"].settings.title == "A cluster"
    assert copied.profiles["cluster"].path.parent == folder


KEYS = st.sampled_from(["a", "b", "c", "d"])
TREES = st.recursive(
    st.integers(0, 9) | st.lists(st.integers(0, 9), max_size=2),
    lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=4),
)
SECTIONS = st.dictionaries(KEYS, TREES, min_size=1, max_size=4)


def node(data: Any, folder: Path) -> YamlNode:
    path = folder / "tree.yaml"
    path.write_text(yaml.safe_dump({"tree": data}), encoding="utf-8")
    found = YamlFile.load(path).root.child("tree")
    assert found is not None
    return found


def leaves(tree: Any, place: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """What is no section, by place."""
    if not isinstance(tree, dict):
        return {place: tree}
    return {at: leaf for key, inner in tree.items() for at, leaf in leaves(inner, (*place, key)).items()}


@given(own=SECTIONS, base=SECTIONS)
def test_every_value_of_the_bench_is_there_and_all_others_are_the_profiles(
    tmp_path_factory: pytest.TempPathFactory, own: dict[str, Any], base: dict[str, Any]
) -> None:
    """A value of the profile is gone where the bench has a value at its place, above it or below it."""
    folder = tmp_path_factory.getbasetemp()
    result = leaves(merge(node(own, folder), node(base, folder), Path("profile")).plain())
    mine = leaves(own)
    theirs = {
        at: leaf
        for at, leaf in leaves(base).items()
        if not any(at[: len(one)] == one or one[: len(at)] == at for one in mine)
    }
    assert result == mine | theirs


PART = """\
bus:
  bitrate: 250000
  raw:
    Engine: {id: 0x300, period: 10, terminals: [15]}
    Doors: {id: 0x301, data: "00", period: 50}
    Belts: {id: 0x302, data: "00", period: 50}
"""


def extending(folder: Path, part: str = PART, own: str = "") -> Path:
    """A bench whose profile extends a part; `own`: further frames of the profile."""
    (folder / "parts").mkdir(exist_ok=True)
    (folder / "parts" / "common.yaml").write_text(part, encoding="utf-8")
    return write(folder, profile=f"extends: parts/common.yaml\n{PROFILE}{own}")


def test_a_profile_has_what_its_part_says_and_goes_before_it(tmp_path: Path) -> None:
    """Key by key; null leaves a frame of the part out; the bench goes before both."""
    path = extending(tmp_path, own="    Belts: null\n")
    path.write_text(path.read_text(encoding="utf-8") + "    raw: {Doors: {period: 70}}\n", encoding="utf-8")
    bus = load_bench(str(path)).settings.buses["cluster"]
    assert bus.bitrate == 125_000
    assert {name: frame.id for name, frame in bus.raw.items()} == {"Engine": 0x201, "Lamps": 0x202, "Doors": 0x301}
    assert (bus.raw["Engine"].period, bus.raw["Engine"].terminals, bus.raw["Doors"].period) == (20, [15], 70)


def test_what_is_wrong_with_a_part_is_shown_there(tmp_path: Path) -> None:
    text = complaints(extending(tmp_path, PART.replace('"00", period: 50}\n    Belts', '"0", period: 50}\n    Belts')))
    assert "common.yaml:5: buses.cluster.raw.Doors.data" in text


def test_what_a_profile_extends_has_a_bus_and_the_keys_of_a_profile(tmp_path: Path) -> None:
    assert "what a profile extends has a 'bus'" in complaints(extending(tmp_path, "title: Common\n"))
    assert "colour: is no key of a profile" in complaints(extending(tmp_path, f"colour: red\n{PART}"))
    path = extending(tmp_path)
    (tmp_path / "parts" / "common.yaml").unlink()
    text = complaints(path)
    assert "bench.yaml" not in text
    assert "mine.cluster.yaml:1: extends" in text


def test_a_profile_extends_a_profile_that_extends_another(tmp_path: Path) -> None:
    """Frames and entries of all three; what a profile says about itself is its own."""
    (tmp_path / "first.yaml").write_text(f"title: First\nconfidence: C\n{CUSTOM}{PART}", encoding="utf-8")
    own = "bus: {raw: {Engine: {period: 40}, Own: {id: 0x310, period: 10}}}"
    (tmp_path / "second.yaml").write_text(f"extends: first.yaml\nnotes: [of the second]\n{own}\n", encoding="utf-8")
    file = load_bench(str(write(tmp_path, profile=f"extends: second.yaml\n{PROFILE}")))
    assert {"Engine", "Doors", "Belts", "Own", "Lamps"} <= file.settings.buses["cluster"].raw.keys()
    assert "OilLife" in file.settings.custom
    assert file.profiles["cluster"].settings.notes == []


def test_a_profile_that_extends_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("extends: second.yaml\nbus: {}\n", encoding="utf-8")
    (tmp_path / "second.yaml").write_text("extends: first.yaml\nbus: {}\n", encoding="utf-8")
    text = complaints(write(tmp_path, profile=f"extends: first.yaml\n{PROFILE}"))
    assert "goes in a circle: first extends second extends first" in text


def test_a_bundle_is_complete_without_the_parts(tmp_path: Path) -> None:
    original = load_bench(str(extending(tmp_path)))
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name, content in bundle(original).items():
        (folder / name).write_bytes(content)
    assert load_bench(str(folder / BENCH)).settings.buses["cluster"].raw == original.settings.buses["cluster"].raw


CUSTOM = """\
custom:
  OilLife: {unit: "%", range: [0, 100], default: 80}
  Service: {codes: {0: none, 1: now}}
"""


def test_a_profile_brings_entries_that_a_bench_may_change_key_by_key(tmp_path: Path) -> None:
    """And leave out; its own stay beside them. A mistake is named in the file where it stands."""
    own = 'custom: {OilLife: {default: 20}, Service: null, Own: {unit: "1", range: [0, 1]}}\n'
    path = write(tmp_path, profile=PROFILE + CUSTOM)
    assert [*load_bench(str(path)).settings.custom] == ["OilLife", "Service"]
    path = write(tmp_path, own, PROFILE + CUSTOM)
    custom = load_bench(str(path)).settings.custom
    assert [*custom] == ["OilLife", "Own"]
    assert (custom["OilLife"].default, custom["OilLife"].unit) == (20, "%")
    assert "bench.yaml:7: custom.OilLife.default: 120 is not within" in complaints(
        write(tmp_path, own.replace("20", "120"), PROFILE + CUSTOM)
    )
    assert "mine.cluster.yaml:19: custom.OilLife.default: 800 is not within" in complaints(
        write(tmp_path, profile=PROFILE + CUSTOM.replace("80}", "800}"))
    )


def test_the_files_of_a_bench_keep_the_entries_of_its_profile(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name, content in bundle(load_bench(str(write(tmp_path, profile=PROFILE + CUSTOM)))).items():
        (tmp_path / "there" / name).write_bytes(content)
    assert [*load_bench(str(tmp_path / "there" / BENCH)).settings.custom] == ["OilLife", "Service"]
