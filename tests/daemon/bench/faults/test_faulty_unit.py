"""What a tester sees of each fault, tick by tick: what answers come, and when."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.faults.faulty_unit import MOST_HELD
from hilbridge.bench.faults.injector import Injector
from hilbridge.frames.codec.frame import FD

from .unit_rig import FUNCTIONAL, ROUTINE_LASTS, UnitRig, of_unit

PRESENT = "02 3E 00 CC CC CC CC CC"
IS_PRESENT = "02 7e 00 cc cc cc cc cc"
READ = "03 22 F1 90 CC CC CC CC"
FRAMES = ["10 17 62 f1 90 00 01 02", "21 03 04 05 06 07 08 09", "22 0a 0b 0c 0d 0e 0f 10", "23 11 12 13 cc cc cc cc"]
AT_ONCE = [(0, frame) for frame in FRAMES]
WRITE = ["10 0A 2E F1 90 01 02 03", "21 04 05 06 07 CC CC CC"]
GO_ON = "30 00 00 cc cc cc cc cc"
BUSY = "7f 3e 78"


def frames(answers: list[tuple[int, str]]) -> list[str]:
    return [frame for _, frame in answers]


def test_late_is_by_its_delay() -> None:
    """The request is carried out when it comes; other answers of the unit pass the one that is late."""
    rig = UnitRig(of_unit("late", delay=20, service=0x3E))
    assert rig.ask(PRESENT, 10) == []
    assert rig.uds.carried_out == [b"\x3e\x00"]
    assert rig.ask(READ, 10) == AT_ONCE
    assert rig.ask("02 28 00", 2) == [(0, "02 68 00 cc cc cc cc cc"), (0, IS_PRESENT)]


def test_jitter_is_added_at_random() -> None:
    """Within its bound; the same seed gives the same times, another one others."""

    def times(seed: int) -> list[int]:
        rig = UnitRig(of_unit("late", delay=10, jitter=30), seed=seed)
        return [rig.ask(PRESENT, 50)[0][0] for _ in range(20)]

    assert times(1) == times(1) != times(2)
    assert 10 <= min(times(1)) < max(times(1)) <= 41


def test_missing_is_carried_out_and_not_answered() -> None:
    rig = UnitRig(of_unit("missing", identifier=0xF190))
    assert rig.ask(READ, 100) == []
    assert rig.uds.carried_out == [b"\x22\xf1\x90"]
    assert rig.ask(PRESENT) == [(0, IS_PRESENT)]


def test_pending_comes_before_the_answer() -> None:
    """So often, and then the answer; at the end of the fault at the latest."""
    rig = UnitRig(of_unit("pending", count=3, interval=10, service=0x3E))
    storm = "03 7f 3e 78 cc cc cc cc"
    assert rig.ask(PRESENT, 50) == [(0, storm), (10, storm), (20, storm), (30, IS_PRESENT)]
    rig = UnitRig(of_unit("pending", interval=10, service=0x3E))
    assert rig.ask(PRESENT, 1000) == [(n * 10, storm) for n in range(100)]
    rig.injector.clear(None, rig.tick)
    rig.play(100)
    assert [data.hex(" ") for _, data in rig.sent[100:]] == [IS_PRESENT]


def test_a_refusal_is_not_carried_out() -> None:
    """Every third request of a service."""
    rig = UnitRig(of_unit("refuse", code=0x22, service=0x3E, every=3))
    answers = [frames(rig.ask(PRESENT)) for _ in range(6)]
    assert answers == [[IS_PRESENT], [IS_PRESENT], ["03 7f 3e 22 cc cc cc cc"]] * 2
    assert len(rig.uds.carried_out) == 4


def test_the_session_is_lost_after_a_request() -> None:
    rig = UnitRig(of_unit("lost-session", delay=30, service=0x10))
    assert rig.ask("02 10 03", 30) == [(0, "02 50 03 cc cc cc cc cc")]
    assert rig.uds.told == []
    rig.play(1)
    assert rig.uds.told == ["session ends"]


def test_a_reset_stops_the_answer_and_the_unit() -> None:
    """In place of the second consecutive frame; requests in the next 50 ms are not heard."""
    rig = UnitRig(of_unit("reset", frame=2, delay=50, requests=1))
    assert rig.ask(READ, 20) == AT_ONCE[:2]
    assert rig.uds.told == ["restart"]
    assert rig.ask(PRESENT, 29) == []
    assert rig.ask(WRITE[0], 1) == []
    rig.play(2)
    assert rig.ask(PRESENT) == [(0, IS_PRESENT)]
    assert rig.ask(READ) == AT_ONCE


@pytest.mark.parametrize(
    ("effect", "wanted"),
    [
        ("lost-frame", [0, 2, 3]),
        ("doubled-frame", [0, 1, 1, 2, 3]),
        ("swapped-frames", [0, 2, 1, 3]),
    ],
)
def test_consecutive_frames_are_lost_doubled_and_swapped(effect: str, wanted: list[int]) -> None:
    assert frames(UnitRig(of_unit(effect)).ask(READ)) == [FRAMES[i] for i in wanted]


@pytest.mark.parametrize(
    ("effect", "keys", "fits"),
    [
        ("lost-frame", {}, False),
        ("lost-frame", {"frame": 0}, True),
        ("doubled-frame", {}, False),
        ("wrong-sequence", {}, False),
        ("swapped-frames", {}, False),
        ("reset", {}, False),
        ("wrong-pace", {"st_min": 5}, False),
        ("wrong-length", {"amount": 16}, False),
        ("wrong-length", {"amount": 1}, True),
        ("wrong-dlc", {"length": 8}, False),
        ("wrong-dlc", {"length": 3}, True),
        ("wrong-padding", {"value": 0xCC}, False),
        ("wrong-padding", {"value": 0}, True),
        ("second-unit", {}, True),
    ],
)
def test_a_fault_waits_for_an_answer_that_it_can_change(effect: str, keys: dict[str, int], fits: bool) -> None:
    """3E 00 is answered in a single frame of eight bytes; only what differs from it counts as a hit."""
    rig = UnitRig(of_unit(effect, requests=1, **keys))
    assert (frames(rig.ask(PRESENT)) != [IS_PRESENT]) is fits
    (row,) = rig.injector.status()
    assert row.hits == int(fits)


def test_a_length_above_eight_needs_can_fd() -> None:
    with pytest.raises(ConfigurationError, match="a classic frame has 8 bytes at most") as error:
        UnitRig(of_unit("wrong-dlc", length=12))
    assert error.value.place[-1:] == ("length",)
    rig = UnitRig(of_unit("wrong-dlc", length=12), parameters=IsoTpParameters(frame_size=64, flags=FD))
    assert [len(data.split()) for data in frames(rig.ask(READ))] == [12]


@pytest.mark.parametrize(("effect", "last"), [("lost-frame", 3), ("swapped-frames", 2), ("reset", 3)])
def test_a_frame_that_the_answer_does_not_have_is_no_hit(effect: str, last: int) -> None:
    """The answer to 22 F190 has a first and three consecutive frames."""
    for frame, hits in ((last, 1), (last + 1, 0)):
        rig = UnitRig(of_unit(effect, frame=frame, requests=1))
        assert (frames(rig.ask(READ)) != FRAMES) is bool(hits)
        (row,) = rig.injector.status()
        assert row.hits == hits


def test_the_last_frame_has_none_to_change_places_with() -> None:
    """With a pause between the frames the one that is kept back waits for the other, or for the end of the fault."""
    assert UnitRig(of_unit("swapped-frames", frame=3)).ask(READ) == AT_ONCE
    rig = UnitRig(of_unit("swapped-frames", requests=1))
    rig.polite = False
    rig.ask(READ)
    assert frames(rig.ask("30 00 0A", 30)) == [FRAMES[i] for i in (2, 1, 3)]
    rig.ask(READ)
    assert frames(rig.ask("30 00 0A", 30)) == FRAMES[1:]
    rig = UnitRig(of_unit("swapped-frames"))
    rig.polite = False
    rig.ask(READ)
    rig.ask("30 00 0A", 5)
    rig.injector.clear(None, rig.tick)
    assert [data.hex(" ") for _, data in rig.sent[1:]] == []
    rig.play(30)
    assert [data.hex(" ") for _, data in rig.sent[1:]] == FRAMES[1:]


def test_the_second_unit_says_everything_first() -> None:
    both = ["02 7e ff cc cc cc cc cc", IS_PRESENT]
    assert frames(UnitRig(of_unit("second-unit")).ask(PRESENT)) == both


def test_the_pace_is_the_units_own() -> None:
    """The tester asks for a block of two and 10 ms; it gets all at once, or waits in vain."""
    for keys, wanted in (
        ({"block_size": 0, "st_min": 0}, [(0, frame) for frame in FRAMES[1:]]),
        ({"st_min": 0}, [(0, frame) for frame in FRAMES[1:3]]),
        ({"block_size": 1}, [(0, FRAMES[1])]),
    ):
        rig = UnitRig(of_unit("wrong-pace", **keys))
        rig.polite = False
        rig.ask(READ)
        assert rig.ask("30 02 0A", 100) == wanted


def test_flow_control_waits_for_the_tester_in_vain() -> None:
    """It is told to wait so often, each time; then it may go on, also after N_Cr of the unit."""
    rig = UnitRig(of_unit("wait", count=2, interval=900))
    wait = "31 00 00 cc cc cc cc cc"
    assert rig.ask(WRITE[0], 1900) == [(0, wait), (900, wait), (1800, GO_ON)]
    rig.ask(WRITE[1])
    assert rig.uds.carried_out == [bytes.fromhex("2E F1 90 01 02 03 04 05 06 07")]
    rig = UnitRig(of_unit("wait", interval=100))
    assert rig.ask(WRITE[0], 5000) == [(n * 100, wait) for n in range(50)]
    rig.injector.clear(None, rig.tick)
    rig.play(1)
    assert rig.sent[-1][1].hex(" ") == GO_ON


def test_a_tester_that_gives_up_is_not_told_to_go_on() -> None:
    rig = UnitRig(of_unit("wait", count=2, interval=10))
    rig.ask(WRITE[0], 5)
    assert frames(rig.ask(PRESENT, 50)) == [IS_PRESENT]


@pytest.mark.parametrize(
    ("effect", "keys", "wanted"),
    [
        ("overflow", {}, ["32 00 00 cc cc cc cc cc"]),
        ("no-flow-control", {}, []),
        ("foreign-flow-control", {"can_id": 0x7E9}, []),
    ],
)
def test_flow_control_says_no_or_does_not_come(effect: str, keys: dict[str, int], wanted: list[str]) -> None:
    rig = UnitRig(of_unit(effect, **keys, service=0x2E))
    assert frames(rig.ask(WRITE[0], 10)) == wanted
    foreign = [(frame.can_id, frame.data.hex(" ")) for _, frame in rig.others]
    assert foreign == ([(0x7E9, GO_ON)] if keys else [])
    assert rig.ask("10 0A 27 01 02 03 04 05")[0][1] == GO_ON


def test_it_babbles_without_being_asked() -> None:
    rig = UnitRig(of_unit("babble", interval=30, data="7F 22 78"))
    rig.play(100)
    assert rig.sent == [(tick, bytes.fromhex("03 7F 22 78 CC CC CC CC")) for tick in (0, 30, 60, 90)]
    (row,) = rig.injector.status()
    assert row.hits == 4


def test_answers_that_the_unit_gives_later_are_hit_too() -> None:
    rig = UnitRig(of_unit("late", delay=10, requests=1), of_unit("missing", at=1))
    assert [tick for tick, _ in rig.ask("03 31 01 FF", 50)] == [ROUTINE_LASTS + 10]
    rig.play(1000)
    assert rig.ask("03 31 01 FF", 50) == []


def test_a_functional_request_is_hit_as_a_physical_one() -> None:
    rig = UnitRig(of_unit("refuse", code=0x21))
    rig.send("02 3E 00", FUNCTIONAL)
    rig.play(1)
    assert rig.sent[0][1].hex(" ") == "03 7f 3e 21 cc cc cc cc"


def test_several_faults_act_together() -> None:
    """An answer that is late, and comes in the wrong order with another padding."""
    faults = of_unit("late", delay=5), of_unit("swapped-frames"), of_unit("wrong-padding", value=0)
    wanted = [FRAMES[i].replace(" cc", " 00") for i in (0, 2, 1, 3)]
    assert UnitRig(*faults).ask(READ, 10) == [(5, frame) for frame in wanted]


def test_a_fault_of_some_requests_is_over_with_their_last_answer() -> None:
    """Not before: the answer that it delays comes when it is due."""
    rig = UnitRig(of_unit("late", delay=50, requests=2))
    assert [rig.ask(PRESENT, 60)[0][0] for _ in range(3)] == [50, 50, 0]
    (row,) = rig.injector.status()
    assert (row.state, row.hits, row.end) == ("over", 2, 0.111)


def test_without_a_fault_the_unit_stands_in_its_own_place() -> None:
    """Nothing is between it and its server before the first fault and after the last one."""
    rig = UnitRig()
    (connection,) = rig.server.connections(rig.ecu)
    before = connection.sender.transmit, connection.receiver.transmit
    rig.injector.add(of_unit("missing", lasts=0.01), 0)
    rig.play(5)
    assert rig.server.connections(rig.ecu) == []
    rig.play(10)
    assert rig.server.connections(rig.ecu) == [connection]
    assert (connection.sender.transmit, connection.receiver.transmit) == before


def test_it_takes_its_own_place_again_once_nothing_is_held_back() -> None:
    """Of a fault that ends: at once, with the last answer, or with the power."""
    for power in (True, False):
        rig = UnitRig(of_unit("late", delay=20), of_unit("late", delay=20))
        rig.ask(PRESENT, 5)
        rig.injector.clear(1, rig.tick * MILLISECOND)
        rig.ask(PRESENT, 1)
        assert rig.server.connections(rig.ecu) == []
        rig.injector.clear(2, rig.tick * MILLISECOND)
        assert rig.server.connections(rig.ecu) == []
        rig.awake = power
        rig.play(2)
        assert len(rig.server.connections(rig.ecu)) == 1
        assert len(rig.sent) == (2 if power else 1)


def test_what_is_held_back_is_lost_with_the_power() -> None:
    rig = UnitRig(of_unit("late", delay=20))
    rig.ask(PRESENT, 5)
    rig.awake = False
    rig.play(5)
    rig.awake = True
    rig.play(100)
    assert rig.sent == []
    assert rig.ask(PRESENT, 30) == [(20, IS_PRESENT)]


def test_what_is_held_back_has_a_bound() -> None:
    rig = UnitRig(of_unit("late", delay=1000))
    for _ in range(MOST_HELD + 20):
        rig.ask(PRESENT)
    rig.play(2000)
    assert len(rig.sent) == MOST_HELD
    assert rig.server.statistics.dropped == 20


def test_a_reload_takes_a_fault_of_the_file_along() -> None:
    """To the unit that stands in the old one's place; what was held back is lost with the old one."""
    file = [of_unit("late", delay=20), of_unit("missing", at=100)]
    before, after = UnitRig(*file), UnitRig()
    before.ask(PRESENT, 5)
    injector = Injector(file, RunSeed(0), after.parts, after, before.injector, before.tick * MILLISECOND)
    injector.take_over(before.injector, before.tick * MILLISECOND)
    after.injector, after.tick = injector, before.tick
    assert after.ask(PRESENT, 30) == [(20, IS_PRESENT)]
    assert [(row.state, row.hits) for row in injector.status()] == [("active", 2), ("waiting", 0)]


def test_the_units_own_padding_is_kept() -> None:
    """Without padding frames end with their data, with faults too."""
    rig = UnitRig(of_unit("doubled-frame"), parameters=IsoTpParameters(padding=None))
    assert frames(rig.ask(READ))[-1] == "23 11 12 13"


EXTENDED_ADDRESS = Address(0x6F1, 0x612, None, b"\x12", b"\xf1")
FIXED_ADDRESS = Address.normal_fixed_29bit(0xF1, 0x10)


@pytest.mark.parametrize("address", [EXTENDED_ADDRESS, FIXED_ADDRESS], ids=["extended", "normal fixed"])
def test_every_kind_of_address_is_disturbed_alike(address: Address) -> None:
    """What precedes the frames of extended addressing stays; flow control and padding are found behind it."""
    head = address.response_prefix.hex(" ")
    whole = frames(UnitRig(address=address).ask(READ[:11], 5))
    assert all(frame.startswith(head) for frame in whole)
    swapped = frames(UnitRig(of_unit("swapped-frames"), address=address).ask(READ[:11], 5))
    assert swapped == [whole[0], whole[2], whole[1], *whole[3:]]
    padded = frames(UnitRig(of_unit("wrong-padding", value=0), address=address).ask(READ[:11], 5))
    assert padded == [frame.replace(" cc", " 00") for frame in whole]
    waiting = frames(
        UnitRig(of_unit("wait"), address=address).ask(WRITE[0][: 3 * (8 - len(address.request_prefix)) - 1])
    )
    assert waiting == [f"{head} 31 00 00 cc cc cc cc cc".strip()[:23]]


def test_answers_in_can_fd_are_disturbed_alike() -> None:
    """A frame of 64 bytes holds the whole answer; the byte behind the first one has its length."""
    parameters = IsoTpParameters(frame_size=64, flags=FD)
    (whole,) = frames(UnitRig(parameters=parameters).ask(READ))
    assert whole.startswith("00 17 62 f1 90 00 01")
    (longer,) = frames(UnitRig(of_unit("wrong-length", amount=2), parameters=parameters).ask(READ))
    assert longer == whole.replace("00 17", "00 19", 1)
    both = frames(UnitRig(of_unit("second-unit"), parameters=parameters).ask(READ))
    assert both == [whole.replace("13", "ec", 1), whole]
