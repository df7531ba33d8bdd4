"""The names of counters and checksums in databases.

A name is cut into words at underscores and capitals, in small letters, umlauts written out: `MO_Kuehlmittel_Temp` and
`CoolantTemp` are `_mo_kuehlmittel_temp_` and `_coolant_temp_`.
"""

import re
from typing import Final

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "à": "a"})

_COUNTER: Final = re.compile(
    r"_(?:\w+_)?(?:counter|cnt|alive|alv|aliv|bz|zaehler|zahler|compteur|rolling|msg_?cnt|life_?cnt|cpt)\d*(?:_\w+)?_"
)
_CHECKSUM: Final = re.compile(
    r"_(?:\w+_)?(?:checksum|chksum|check_sum|chk|chksm|cks|no_cs|crc\d*|pruefsumme|chksumme|somme)(?:_\w+)?_"
)
_COUNTER_BITS: Final = range(2, 9)
_CHECKSUM_BITS: Final = (4, 8, 16)


def words_of(name: str) -> str:
    """Return a name as words between underscores: `_mo_kuehlmittel_temp_`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return f"_{re.sub(r'[^a-z0-9]+', '_', apart.casefold().translate(_UMLAUTS)).strip('_')}_"


def names_counter(name: str, bits: int) -> bool:
    """Return whether a signal of this name and length is a counter of a frame."""
    return bits in _COUNTER_BITS and _COUNTER.fullmatch(words_of(name)) is not None


def names_checksum(name: str, bits: int) -> bool:
    """Return whether a signal of this name and length is a checksum of a frame."""
    return bits in _CHECKSUM_BITS and _CHECKSUM.fullmatch(words_of(name)) is not None
