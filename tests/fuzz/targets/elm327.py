"""What a scan tool writes to the ELM327 of the diagnostics bench, or to an OBDLink at the truck.

Every line has its answer, whatever it is. The first byte says how many bytes come at once, and at which of them.
"""

from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.diagnostics.elm327.chip import ALL, build_chip
from hilbridge.files.settings.diagnostics import Elm327Settings

from .packaged import Running

_CAR, _TRUCK = Running("diagnostics"), Running("truck")
_OBDLINK = Adapters(
    _TRUCK.bench.buses["truck"],
    _TRUCK.bench.vehicle.data,
    build_chip(Elm327Settings.model_validate({"bus": "truck", "stn": {}})),
    250_000,
)
_TRUCK.bench.adapters.append(_OBDLINK)
SEEDS = [
    b"\x10ATZ\rATE0\rATH1\rATSP0\r0100\r010C0D\r0902\rATDPN\r",
    b"\x03ATSH7E0\rATCRA7E8\r22F190\rATCAF0\rATFCSH7E0\rATFCSD300000\rATFCSM1\rATMA\r \rATRV\rATPC\rATLP\r",
    b"\x05ATPP2CSV81\rATPP2CON\rATPPS\rATAMC\rATBD\rATCV1250\rAT@3ABCDEFGHIJKL\rAT@2\rATD\r",
    b"\x90ATE0\rATSPA\r00FEEC\rATSHEA00F9\r00FEEC1\rATJS\rCAFE00\rATJHF0\rATH1\rATDM1\r \rATMPFECA2\r",
    b"\x88STP42\rSTPRS\rSTPBR250000\rSTCSEGR1\rSTPXH:18EA00F9,D:ECFE00,R:1\rSTFPA18FECA00,FFFFFFFF\rSTM\r \rSTFAC\r",
]


def one_input(data: bytes) -> None:
    first = data[0] if data else 0
    running, adapters = (_TRUCK, _OBDLINK) if first & 0x80 else (_CAR, _CAR.bench.adapters[0])
    device = adapters.plug_in()
    size = (first & 0x7F) + 1
    for start in range(1, min(len(data), 1000), size):
        device.feed(data[start : start + size], running.t)
        running.tick()
        device.output.clear()
    adapters.unplug(device)
    device.chip.parameters.switch(ALL, on=False)
