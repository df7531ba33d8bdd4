"""Steps that send frames. A tick is 10 ms."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError

from ....program import database
from .stages import TICK, Rig


def sent(rig: Rig) -> list[tuple[int, int, str]]:
    """Tick, identifier and bytes of each frame."""
    return [(t // TICK, command["id"], command["data"]) for t, command in rig.commands]


def test_a_frame_is_sent_once(tmp_path: Path) -> None:
    """By a command, with the bytes of the signals, as another library reads them."""
    rig = Rig(tmp_path, "{send: {bus: can, message: DriverInputs, signals: {Throttle: 40}}}")
    rig.tick(3)
    message = database().get_message_by_name("DriverInputs")
    ((_, identifier, data),) = sent(rig)
    decoded = message.decode(bytes.fromhex(data))
    assert isinstance(decoded, dict)
    assert (identifier, decoded["Throttle"]) == (message.frame_id, 40)
    assert rig.verdicts() == ["passed"]


def test_a_frame_is_sent_again_and_again_for_a_time(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{send: {bus: can, message: 0x123, data: "01 0A"}, every: 0.03, for: 0.1}')
    rig.tick(20)
    assert sent(rig) == [(tick, 0x123, "010A") for tick in (0, 3, 6, 9)]
    assert rig.scenario.verdicts[0].seen == "4 frames"


def test_counters_and_checksums_go_on_from_frame_to_frame(tmp_path: Path) -> None:
    """The low nibble of byte 1 counts, byte 3 is the xor of the others; of a message the places are signals."""
    places = "counter: {at: {bit: 8, width: 4}}, checksum: {at: {bit: 24, width: 8}, algorithm: xor8}"
    frame = f'bus: can, message: 0x123, data: "01 00 00 00", protection: [{{{places}}}]'
    rig = Rig(tmp_path, f"{{send: {{{frame}}}, every: 0.02, for: 0.06}}")
    rig.tick(20)
    assert [data for _, _, data in sent(rig)] == ["01000001", "01010000", "01020003"]


def test_in_the_background_it_is_sent_to_the_end(tmp_path: Path) -> None:
    """The scenario does not wait for it; with the end of the scenario it has passed."""
    step = '{send: {bus: can, message: 0x18FF0001, data: ""}, every: 0.02, background: true}'
    rig = Rig(tmp_path, step + '\n{always: "1", for: 0.05}')
    rig.tick(20)
    assert [tick for tick, _, _ in sent(rig)] == [0, 2, 4]
    assert rig.commands[0][1]["extended"] is True
    assert rig.verdicts() == ["passed", "passed"]


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("{send: {bus: cam, message: 0x123, data: ''}}", "send.bus: unknown bus 'cam'"),
        ("{send: {bus: can, message: DriverInput}}", "send.message: .*did you mean DriverInputs"),
        ("{send: {bus: can, message: DriverInputs, signals: {Trottle: 1}}}", "did you mean Throttle"),
        ("{send: {bus: can, message: 0x123}}", "send.data: is missing"),
        ("{send: {bus: can, message: 0x123, data: '0'}}", "send.data: '0' is not in hexadecimal"),
        ("{send: {bus: can, message: 0x123, data: '00 00 00 00 00 00 00 00 00'}}", "no frame has 9 bytes"),
        (
            "{send: {bus: can, message: 0x123, data: '00 00', protection: [{preset: vw-mqb}]}}",
            "protection.0.: vw-mqb knows",
        ),
        ("{send: {bus: can, message: DriverInputs, data: '00'}}", "belongs to an identifier"),
        ("{send: {bus: can, message: DriverInputs}, every: 0.1}", "for: is missing"),
        ("{send: {bus: can, message: DriverInputs}, for: 0.1}", "every: is missing"),
    ],
)
def test_what_cannot_be_sent_is_told_with_its_line(tmp_path: Path, step: str, reason: str) -> None:
    with pytest.raises(InvalidFileError, match=f"scenario.yaml:2: steps.0..*{reason}"):
        Rig(tmp_path, step)
