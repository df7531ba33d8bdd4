"""Data ids of Volkswagen's MQB and MEB frames: by identifier, one for each of the 16 counts.

Constants that the cars use, as the public database project opendbc (MIT) has collected them; found by search, not
published by the maker.
"""

from typing import Final

_SAME: Final = {
    0x040: 0x40, 0x086: 0x86, 0x09F: 0xF5, 0x101: 0xAA, 0x106: 0x07, 0x116: 0xAC, 0x117: 0x16, 0x126: 0xDA,
    0x30C: 0x0F, 0x30F: 0x0C, 0x324: 0x27, 0x3C0: 0xC3,
}  # fmt: skip
"""Frames with the same data id for all counts."""

_BY_COUNT: Final = {
    0x0AD: "3F 69 39 DC 94 F9 14 64 D8 6A 34 CE A2 55 B5 2C",
    0x0DB: "09 FA CA 8E 62 D5 D1 F0 31 A0 AF DA 4D 1A 0A 97",
    0x0FC: "77 5C A0 89 4B 7C BB D6 1F 6C 4F F6 20 2B 43 DD",
    0x0FD: "B4 EF F8 49 1E E5 C2 C0 97 19 3C C9 F1 98 D6 61",
    0x102: "D7 12 85 7E 0B 34 FA 16 7A 25 2D 8F 04 8E 5D 35",
    0x10B: "77 5C A0 89 4B 7C BB D6 1F 6C 4F F6 20 2B 43 DD",
    0x120: "C4 E2 4F E4 F8 2F 56 81 9F E5 83 44 05 3F 97 DF",
    0x121: "E9 65 AE 6B 7B 35 E5 5F 4E C7 86 A2 BB DD EB B4",
    0x122: "37 7D F3 A9 18 46 6D 4D 3D 71 92 9C E5 32 10 B9",
    0x12B: "6A 38 B4 27 22 EF E1 BB F8 80 84 49 C7 9E 1E 2B",
    0x12E: "F8 E5 97 C9 D6 07 47 21 66 DD CF 6F A1 94 74 63",
    0x139: "ED 03 1C 13 C6 23 78 7A 8B 40 14 51 BF 68 32 BA",
    0x13D: "20 CA 68 D5 1B 31 E2 DA 08 0A D4 DE 9C E4 35 5B",
    0x14C: "16 35 59 15 9A 2A 97 B8 0E 4E 30 CC B3 07 01 AD",
    0x14D: "1A 65 81 96 C0 DF 11 92 D3 61 C6 95 8C 29 21 B5",
    0x187: "7F ED 17 C2 7C EB 44 21 01 FA DB 15 4A 6B 23 05",
    0x1A4: "69 BB 54 E6 4E 46 8D 7B EA 87 E9 B3 63 CE F8 BF",
    0x1AB: "13 21 9B 6A 9A 62 D4 65 18 F1 AB 16 32 89 E7 26",
    0x1F0: "2F 3C 22 60 18 EB 63 76 C5 91 0F 27 34 04 7F 02",
    0x20A: "9D E8 36 A1 CA 3B 1D 33 E0 D5 BB 5F AE 3C 31 9F",
    0x26B: "CE CC BD 69 A1 3C 18 76 0F 04 F2 3A 93 24 19 51",
    0x3BE: "1F 28 C6 85 E6 F8 B0 19 5B 64 35 21 E4 F7 9C 24",
    0x3D5: "C5 39 C7 F9 92 D8 24 CE F1 B5 7A C4 BC 60 E3 D1",
    0x65D: "AC B3 AB EB 7A E1 3B F7 73 BA 7C 9E 06 5F 02 D9",
}
"""Hexadecimal, beginning with count 0."""

DATA_IDS: Final[dict[int, list[int]]] = {
    **{identifier: [data_id] * 16 for identifier, data_id in _SAME.items()},
    **{identifier: list(bytes.fromhex(data_ids)) for identifier, data_ids in _BY_COUNT.items()},
}
