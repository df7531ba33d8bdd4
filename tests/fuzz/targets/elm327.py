"""What a scan tool writes to the ELM327 of the diagnostics bench: every line has its answer, whatever it is."""

from .packaged import Running

_RUNNING = Running("diagnostics")
_ADAPTERS = _RUNNING.bench.adapters[0]
SEEDS = [
    b"\x10ATZ\rATE0\rATH1\rATSP0\r0100\r010C0D\r0902\rATDPN\r",
    b"\x03ATSH7E0\rATCRA7E8\r22F190\rATCAF0\rATFCSH7E0\rATFCSD300000\rATFCSM1\rATMA\r \rATRV\rATPC\rATLP\r",
]


def one_input(data: bytes) -> None:
    device = _ADAPTERS.plug_in()
    size = (data[0] if data else 0) + 1
    for start in range(1, min(len(data), 1000), size):
        device.feed(data[start : start + size], _RUNNING.t)
        _RUNNING.tick()
        device.output.clear()
    _ADAPTERS.unplug(device)
