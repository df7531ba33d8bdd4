"""Tests of the endpoints of a bench: what scan tools do is recorded so that a replay can repeat it."""

from types import SimpleNamespace

from hilbridge.bench.hardware import RecordedAdapters
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.boundary.record.boundary_records import NUMBERS, ToolRecord
from hilbridge.boundary.record.playback import PlayedTools


class Sockets:
    """Sockets whose adapters keep what they were told."""

    def __init__(self) -> None:
        self.said: list[tuple[int, bytes]] = []
        self._came = 0

    def plug_in(self) -> SimpleNamespace:
        self._came += 1
        number = self._came
        return SimpleNamespace(output=bytearray(), feed=lambda data, _t: self.said.append((number, data)))

    def unplug(self, interpreter: object) -> None:
        """Forget nothing: the order of what was said is kept."""


def test_a_client_that_stays_is_told_from_hundreds_that_come_and_go() -> None:
    boundary, sockets, records = Boundary(), Sockets(), list[ToolRecord]()

    def record(_kind: int, _t: int, payload: bytes) -> bool:
        records.append(ToolRecord.decode(payload))
        return True

    boundary.listen(record)
    adapters = RecordedAdapters(0, sockets, boundary)  # type: ignore[arg-type]
    stays = adapters.plug_in()
    for visit in range(2 * NUMBERS):
        visitor = adapters.plug_in()
        visitor.feed(b"ATZ\r", 0)
        adapters.unplug(visitor)
        stays.feed(b"%d\r" % visit, 0)
    replayed = Sockets()
    tools = PlayedTools(replayed)
    assert {tools.take(record) for record in records} == {""}
    tools.poll(0)
    assert replayed.said == sockets.said
