"""How much of a bus the frames take, at worst.

Classic CAN (ISO 11898-1), n data bytes, g = 34 bits open to stuffing before the data with 11-bit identifiers and 54
with 29-bit ones. After every 4 bits that follow the first a stuff bit may come; 13 bits (CRC delimiter, acknowledge,
end of frame, intermission) are never stuffed:

    bits = g + 8n + 13 + floor((g + 8n - 1) / 4)                     135 for 8 bytes, 11 bit

(K. W. Tindell, A. Burns: the worst case of stuffing.) CAN FD (ISO 11898-1:2015) switches the rate after the BRS bit:
17 or 36 bits before it and 13 after the CRC run at the nominal rate; ESI, DLC and data (5 + 8n, stuffed), stuff count
and CRC (4 + 17 up to 16 bytes, 4 + 21 above, with a fixed stuff bit before each 4) at the data rate.
"""

from typing import Final

_BEFORE_DATA: Final = {False: 34, True: 54}
_BEFORE_SWITCH: Final = {False: 17, True: 36}
_UNSTUFFED: Final = 13
_SHORT_CRC_BYTES: Final = 16


def classic_time(length: int, bitrate: int, *, extended: bool) -> float:
    """[s] that a classic frame of `length` bytes takes at worst."""
    stuffed = _BEFORE_DATA[extended] + 8 * length
    return (stuffed + _UNSTUFFED + (stuffed - 1) // 4) / bitrate


def fd_time(length: int, bitrate: int, data_bitrate: int, *, extended: bool) -> float:
    """[s] that a CAN FD frame takes at worst; `data_bitrate` is the nominal rate for frames that do not switch."""
    before = _BEFORE_SWITCH[extended]
    nominal = before + (before - 1) // 4 + _UNSTUFFED
    payload = 5 + 8 * length
    check = 4 + (17 if length <= _SHORT_CRC_BYTES else 21)
    data = payload + payload // 4 + check + -(-check // 4)
    return nominal / bitrate + data / data_bitrate


def frame_time(length: int, bitrate: int, data_bitrate: int, *, extended: bool, fd: bool) -> float:
    """[s] that a frame of either kind takes at worst."""
    if fd:
        return fd_time(length, bitrate, data_bitrate, extended=extended)
    return classic_time(length, bitrate, extended=extended)
