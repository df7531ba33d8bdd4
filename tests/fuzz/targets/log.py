"""A CAN log: of any bytes frames are read and counted, or it is refused with its place, never anything else."""

from contextlib import suppress
from struct import pack

from hilbridge.boundary.logs.account import Account, LogError
from hilbridge.boundary.logs.formats.catalogue import FORMATS
from hilbridge.boundary.logs.reading import read_here

from .packaged import scratch_file

_COUNTED = "".join(
    f"({tick / 100:.2f}) can0 1A0#{tick * 7 % 256:02X}{tick % 16:02X}{tick // 9:04X}\n" for tick in range(60)
)

_OBJECT = pack("<4sHHLLLHHQHBBL8s", b"LOBJ", 32, 1, 48, 1, 2, 0, 0, 10**6, 1, 0, 2, 0x123, b"\x11\x22")
"""A message of BLF outside of a container."""

SEEDS = [
    _COUNTED.encode(),
    b"(1.0) can0 123#0102\n(1.1) can1 123#R\n(1.2) can0 20000080#0000000000000000\n(1.3) can0 18FEF100##3A5A5\n",
    b" (1.7e9)  can0  123   [2]  11 22\n (1.7e9)  can0  18DAF110  [08]  00 00 00 00 00 00 00 00\n",
    b"Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2\n1000,00000123,false,Rx,0,2,11,22\n",
    b"***BUSMASTER Ver 3.2.2***\n***HEX***\n***SYSTEM MODE***\n11:49:07:9650 Rx 1 0x123 s 2 11 22\n",
    b"Chn Identifier Flg DLC D0 Time Dir\n 0    18DAF110 X       1  01   395.010000 R\n",
    b"Time,Channel,ID,Flags,DLC,Data0,Counter,AbsTime\n1.0,0,291,2,1,17,1,x\n",
    b"",
    b"LOGG\x90\0\0\0" + bytes(136) + _OBJECT + _OBJECT,
    *(case.text.encode() for one in FORMATS for case in one.cases),
]
_FILE = scratch_file("fuzzed.log")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    account = Account()
    frames = 0
    with suppress(LogError):
        for block in read_here(_FILE, account):
            frames += len(list(block.frames()))
        assert frames == account.frames
