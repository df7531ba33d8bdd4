"""What docs/judged.md says of a byte that differs is what the bytes of the car are (tests/judged_reasons.py)."""

import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from opendbc import get_generated_dbcs  # type: ignore[import-untyped]

from hilbridge.base.resources import Kind, names
from hilbridge.desk.beside.car import Car
from hilbridge.desk.beside.compare import ByteFinding, FrameFinding
from hilbridge.desk.beside.words import ENOUGH, NEAR
from hilbridge.desk.frames.describe import bench_of
from hilbridge.desk.learn.log import Series
from hilbridge.files.configuration.profiles import load_profile

from ..judged import PAGE, is_source, table
from ..judged_dashes import realdash
from ..judged_reasons import Databases, in_words, reasons

NAMED = Databases(["ford_lincoln_base_pt"])


def car(can_id: int, *rows: Sequence[int]) -> Car:
    """A car that sends these frames on one identifier."""
    data = np.array(rows, np.uint8)
    return Car({can_id: Series(can_id, False, np.arange(len(data)), data, {})}, [])


class Signals(Databases):
    """A database that has these signals in every byte."""

    def __init__(self, *names: str) -> None:
        super().__init__([])
        self._names = [*names]

    def names(self, *_: object) -> list[str]:
        return self._names


def why(
    numbers: Sequence[int], ours: int = 0, *, others: Sequence[int] = (), facts: str = "", database: Databases = NAMED
) -> tuple[str, str]:
    """Return kind and words for byte 0 of a car whose frames have these numbers there."""
    found = ByteFinding(0, 0xFF, ours, sorted(set(numbers)), sum(one == ours for one in numbers), len(numbers))
    frame = FrameFinding("A", 0x7A5, len(numbers), 1, {}, 10, rest=[found])
    elsewhere = [("Other", car(0x7A5, *([one] for one in others)))] if others else []
    this = car(0x7A5, *([one] for one in numbers))
    (reason,) = reasons(frame, this, {"0": facts} if facts else {}, database, elsewhere)
    return reason.kind, reason.words


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([7] * 50, "constant"),
        ([0, 0, 0, 5, 5, 0, 9, 9] * 5, "state"),
        ([n % 256 for n in range(600)], "counter"),
        ([0x50 | n % 16 for n in range(60)], "counter"),
        ([(n % 16) << 4 | 3 for n in range(60)], "counter"),
        ([n * n % 251 for n in range(60)], "moves"),
    ],
)
def test_the_kind_follows_from_the_bytes(numbers: list[int], kind: str) -> None:
    assert why(numbers)[0] == kind


def test_another_car_that_has_it_as_the_profile_is_named() -> None:
    assert why([7] * 50, others=[0] * 9) == ("elsewhere", "as ours in the Other")
    assert why([7] * 50, others=[0] * 9 + [1])[0] == "constant"


def test_what_somebody_has_written_down_goes_first() -> None:
    assert why([7] * 50, others=[0] * 9, facts="the fan (a project)") == ("named", "the fan (a project)")


def test_a_signal_of_a_database_is_a_guess_and_what_the_bytes_show_goes_before_it() -> None:
    """A counter that the profile lacks stays one, whatever lies there in another car."""
    torque = Signals("Torque", "A", "B", "C")
    assert why([7] * 50, database=torque) == ("placed", "Torque, A, B and 1 more")
    assert why([n % 256 for n in range(600)], database=torque)[0] == "counter"
    assert why([7] * 50, facts="the fan (a project)", database=torque)[0] == "named"


@pytest.mark.parametrize("name", ["ALIVE_1", "LongCounter", "TqChk", "CHECKSUM", "Crc8"])
def test_a_counter_or_checksum_of_a_database_is_counted_as_one(name: str) -> None:
    assert why([n * n % 251 for n in range(60)], database=Signals("Torque", name)) == ("counter", f"Torque, {name}")


def test_a_profile_s_own_source_is_no_judge() -> None:
    """By the sources that stand in the files: toyota-gt86 names timurrrr/ft86, hyundai-kia no log."""
    assert is_source("toyota-gt86", "timurrrr/ft86")
    assert is_source("toyota-gt86", "Timurrrr/FT86")
    assert not is_source("toyota-gt86", "timurrrr/ft8")
    assert not is_source("toyota-gt86", "imurrrr/ft86")
    assert not is_source("hyundai-kia", "ElDominio/CANBUSlogs")


def test_each_judge_on_the_page_says_whether_the_profile_was_written_from_it() -> None:
    """The text of the page, and its tables beside the `sources` in the files of the profiles."""
    text = PAGE.read_text(encoding="utf-8")
    assert "agreement shows that it was copied rightly, no more" in " ".join(text.split())
    assert all(f"{100 * share:.0f} %" in text.split("| profile |")[0] for share in (NEAR, ENOUGH))
    for name, at, column in (("cars", "source", 4), ("projects", "project", 3), ("dashes", "project", 3)):
        for row in table()[name]:
            (said,) = {
                cells[column]
                for line in text.splitlines()
                if (cells := [cell.strip() for cell in line.split("|")])[1:2] == [row["profile"]]
                and len(cells) > column
                and row[at] in cells[column - 1]
                and row.get("car", cells[2]) == cells[2]
            }
            assert said == ("yes" if is_source(row["profile"], row[at]) else "no"), row


def test_a_signal_of_a_public_database_is_found_by_the_bits_it_lies_in() -> None:
    """Ford, 0x204, by hand from ford_lincoln_base_pt.dbc: ApedPos_Pc_ActlArb has bits 1 and 0 of byte 0 and byte 1."""
    told = []
    for mask, is_named in ((0xFC, False), (0x03, True)):
        found = ByteFinding(0, mask, 0, [mask], 0, 5)
        frame = FrameFinding("EngineSpeed", 0x204, 5, 8, {}, 10, rest=[found])
        (reason,) = reasons(frame, car(0x204, *[[mask] * 8] * 5), {}, NAMED, [])
        assert (reason.kind, "ApedPos_Pc_ActlArb" in reason.words) == ("placed", is_named)
        told.append(reason)
    assert in_words([told[1], told[1]._replace(byte=1)]).startswith("byte 0 to 1: ApedPos_Pc_ActlArb")


def test_no_difference_on_the_page_is_without_its_reason() -> None:
    """Issue 36: at least 15 public projects and the logs of eight cars, each difference with its reason."""
    whole, text = table(), PAGE.read_text(encoding="utf-8")
    assert len({(one["car"], one["source"]) for one in whole["cars"]}) >= 8
    assert len({one["project"] for one in whole["projects"]}) >= 15
    rows = [line for line in text.splitlines() if re.match(r"\| [0-9A-F]{3} \w+ \|", line)]
    assert len(rows) > 100
    for row in rows:
        _, _, differs, reason, _ = (cell.strip() for cell in row.split("|"))
        covered = {one for span in re.findall(r"byte ([\d to]+):", reason) for one in _numbers(span)}
        assert {int(one) for one in re.findall(r"byte (\d)", differs)} <= covered, row
        assert reason, row


def test_each_dash_is_read_by_a_decoder_of_others() -> None:
    rows = {one["profile"] for one in table()["dashes"]}
    assert rows == {name for name in names(Kind.PROFILE) if name.startswith("dash-")}
    read = re.findall(r"\| (dash-\S+) \| \S+, \S+ \| \w+ \| ([\w ]+) \|", PAGE.read_text(encoding="utf-8"))
    assert {name for name, values in read if len(values.split()) >= 10} == rows


REALDASH = """<RealDashCAN version="2"><frames>
<frame id="0x3E8" endianness="big">
  <value targetId="31" offset="2" length="2" conversion="V-100"/>
  <value targetId="14" offset="4" length="1" units="C" conversion="V*0.5-(50+1)"/>
  <value targetId="37" offset="0" length="2" conversion="__import__('os')"/>
  <value targetId="9999" offset="0" length="2"/>
</frame>
<frame id="1000:0x02,0,1"><value targetId="12" offset="2" length="2" conversion="V*0.01" signed="true"/></frame>
</frames></RealDashCAN>"""


def test_a_file_of_realdash_is_read_by_its_manual(tmp_path: Path) -> None:
    """Places, order, sign and pages; a conversion that is no sum or product is left out."""
    (tmp_path / "a.xml").write_text(REALDASH)
    found = [
        (can_id, one.quantity, one.read(bytes.fromhex("0200012CFE7F0000")))
        for can_id, one in realdash(tmp_path / "a.xml", {})
    ]
    assert found == [(0x3E8, "manifold", 200.0), (0x3E8, "coolant", 76.0), (1000, "battery", pytest.approx(112.65))]
    (_, _, (_, battery)) = realdash(tmp_path / "a.xml", {})
    assert battery.read(bytes.fromhex("0300012C00000000")) is None
    assert battery.read(bytes.fromhex("0200FFFF00000000")) == pytest.approx(-0.01)


def _numbers(span: str) -> Sequence[int]:
    first, _, last = span.partition(" to ")
    return range(int(first), int(last) + 1) if last else [int(one) for one in span.split()]


def test_the_table_names_files_and_frames_that_there_are() -> None:
    whole, made = table(), get_generated_dbcs()
    shipped = {path.stem for path in (Path(str(files("opendbc"))) / "dbc").glob("*.dbc")}
    assert {name for several in whole["databases"].values() for name in several} <= {*made} | shipped
    assert {one["profile"] for one in whole["cars"]} == set(whole["databases"])
    for profile, frames in whole["facts"].items():
        sent = {planned.outgoing.message for planned in bench_of(load_profile(profile)).wiring.plan.frames}
        assert set(frames) <= sent
