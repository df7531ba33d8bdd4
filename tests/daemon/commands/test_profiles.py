"""`hilbridge profiles` lists the receivers that a bench can name, and `hilbridge new --profile` writes a bench."""

import json
from pathlib import Path

import pytest

from hilbridge.base.resources import Kind, names
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench


def test_each_profile_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == names(Kind.PROFILE)
    assert "mazda-rx8" in names(Kind.PROFILE)


def test_one_profile_is_told_with_its_wiring_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """What a builder needs at the desk; for programs too."""
    assert main(["profiles", "mazda-rx8"]) == 0
    text = capsys.readouterr().out
    for words in ("confidence: A", "12 V switched", "terminal 15", "Antipixel/RX8-Dash", "tested: "):
        assert words in text
    assert main(["profiles", "mazda-rx8", "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)
    assert (facts["name"], facts["confidence"]) == ("mazda-rx8", "A")
    assert "bus" not in facts


def test_a_profile_that_is_not_installed_goes_by_its_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So that the commands that it is told with find it."""
    file = tmp_path / "odd.yaml"
    file.write_text(ODD, encoding="utf-8")
    assert main(["profiles", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], lines[-1]) == (f"{file}: Odd", f"a bench: hilbridge new --profile {file} my.yaml")


KNOWN = """\
title: Odd
confidence: A
seen: car
tested: nowhere
sources: [one, two]
known:
  One: {confidence: C, seen: bench, source: two}
  Two.Level: guess
  Three: any bytes
bus:
  raw:
    One: {id: 1, data: "00", period: 10, signals: {Speed: {bit: 0, width: 8, from: vehicle.Speed}}}
    Two: {id: 2, data: "00", period: 10, signals: {Level: {bit: 0, width: 8, constant: 1}}}
    Three: {id: 3, data: "00", period: 10}
"""


def test_a_profile_tells_of_each_frame_and_signal_how_far_it_is_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is guessed, what may be any bytes, what no car was seen to send: for people, in a check, for programs."""
    file = tmp_path / "odd.yaml"
    file.write_text(KNOWN, encoding="utf-8")
    doubts = ("guessed: Two.Level", "any bytes: Three", "1 frame of 3 not seen in a car: One")
    assert main(["profiles", str(file)]) == 0
    text = capsys.readouterr().out
    assert all(doubt in text.splitlines() for doubt in doubts)
    for row in ("001  One    C, bench             two", "002  Two    A, car; Level guess", "003  Three  any bytes"):
        assert row in text
    bench = tmp_path / "bench.yaml"
    bench.write_text(
        "name: a\nvehicle: compact\nbuses: {c: {profile: odd.yaml, interface: embedded}}\n", encoding="utf-8"
    )
    assert main(["check", str(bench)]) == 0
    text = capsys.readouterr().out
    assert all(doubt in text.splitlines() for doubt in doubts)
    assert main(["profiles", str(file), "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)
    frames = {frame["name"]: frame for frame in facts["frames"]}
    told = {"confidence": "C", "seen": "bench", "source": "two"}
    speed = {"name": "Speed"} | told
    assert frames["One"] == {"name": "One", "id": 1, "signals": [speed]} | told
    assert frames["Two"]["signals"][0]["confidence"] == "guess"
    assert frames["Three"]["confidence"] == "any bytes"


@pytest.mark.parametrize(("name", "reason"), [("Four", "is no frame"), ("One.Spede", "is no frame")])
def test_what_is_known_of_a_frame_that_is_not_there_is_refused(
    name: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(KNOWN.replace("  Three: any", f"  {name}: any"), encoding="utf-8")
    assert main(["profiles", str(file)]) == 2
    error = capsys.readouterr().err
    assert f"{file}:9" in error
    assert reason in error


def test_a_taken_over_letter_is_never_better_than_the_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A frame that is well known of one car is not so of its kin; a frame that is left out needs no word."""
    (tmp_path / "odd.yaml").write_text(KNOWN.replace("{confidence: C,", "{confidence: A,"), encoding="utf-8")
    file = tmp_path / "kin.yaml"
    file.write_text(
        "title: Kin\nconfidence: B\ntested: nowhere\nsources: [one]\nextends: ./odd.yaml\nbus: {raw: {Three: null}}\n",
        encoding="utf-8",
    )
    assert main(["profiles", str(file), "--json"]) == 0
    (facts,) = json.loads(capsys.readouterr().out)
    known = {frame["name"]: (frame["confidence"], frame["seen"]) for frame in facts["frames"]}
    assert known == {"One": ("B", "bench"), "Two": ("B", "bench")}


def test_an_unknown_profile_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles", "mazda-rx9"]) == 2
    assert "did you mean 'mazda-rx8'?" in capsys.readouterr().err


def test_a_bench_for_a_profile_is_written_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On an interface of one's own; what the profile says about itself stands in the check."""
    file = tmp_path / "desk.yaml"
    words = ["--interface", "socketcan", "--channel", "can1", "--bus", "dash"]
    assert main(["new", "--profile", "mazda-rx8", *words, str(file)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "profile mazda-rx8: Mazda RX-8" in text
    assert "confidence A" in text
    bus = load_bench(str(file)).settings.buses["dash"]
    assert (bus.interface, bus.channel, bus.bitrate) == ("socketcan", "can1", 500_000)


ODD = """\
title: Odd
confidence: C
tested: nowhere
sources: [one]
bus: {raw: {One: {id: 1, data: "00", period: 10}}}
"""


def test_little_confidence_is_said_by_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A profile that is partly guessed is to be verified."""
    (tmp_path / "odd.yaml").write_text(ODD, encoding="utf-8")
    bench = tmp_path / "bench.yaml"
    bus = "{profile: odd.yaml, interface: embedded}"
    bench.write_text(f"name: a\nvehicle: compact\nbuses: {{c: {bus}}}\n", encoding="utf-8")
    assert main(["check", str(bench)]) == 0
    assert "verify on your unit" in " ".join(capsys.readouterr().out.split())
    assert main(["check", str(bench), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["buses"][0]["profile"]["confidence"] == "C"


@pytest.mark.parametrize("name", sorted(path.stem for path in Kind.PROFILE.shipped.glob("*.yaml")))
def test_the_bench_that_is_shipped_for_a_profile_is_the_one_that_new_writes(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`hilbridge new --profile NAME config/benches/cluster-NAME.yaml --force` writes it again."""
    assert main(["new", "--profile", name]) == 0
    shipped = load_bench(f"cluster-{name}").path.read_text(encoding="utf-8")
    assert capsys.readouterr().out == shipped.replace(f"cluster-{name}", name)
