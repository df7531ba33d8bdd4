"""What partner.c does, as a lockstep client: the other way in which the same bench meets the same control unit."""

from pathlib import Path
from typing import Any

from hilbridge.frames.codec.frame import Frame


class Partner:
    """A driver with a scan tool. `log`: the file of what it hears."""

    def __init__(self, log: str) -> None:
        self._log = Path(log).open("w", encoding="ascii")  # noqa: SIM115 - it ends with the process
        self._echo: list[bytes] = []

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        """Note a frame of the tick before this turn."""
        self._log.write(f"{round(t * 1000) + 1} {frame.can_id:03X} {frame.data.hex().upper()}\n")
        if frame.can_id == 0x7E8:
            self._echo.append(frame.data)
        return []

    def tick(self, t: float) -> Any:
        """Send what is due every 10 ms."""
        now = round(t * 1000)
        self._log.flush()
        if now % 10 or now == 0:
            return
        throttle = 0 if now < 1500 else now // 20
        yield Frame(0x180, bytes((throttle, 0, 250, 0, 0, 0, 0x40 if now < 1000 else 0, 0)))
        if now % 100 == 0:
            yield Frame(0x7DF, bytes((2, 1, 0x0C, 0, 0, 0, 0, 0)))
        yield from (Frame(0x700, data) for data in self._echo)
        self._echo.clear()
