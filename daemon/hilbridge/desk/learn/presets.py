"""Finds the maker's preset that makes counter and checksum of a frame, places and constants included."""

from collections.abc import Sequence
from typing import Final, get_args

import numpy as np

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.checksums import Checksum
from hilbridge.desk.learn.counters import Counter
from hilbridge.desk.learn.field import distinct
from hilbridge.desk.learn.log import Series
from hilbridge.desk.learn.sums import HOLDS
from hilbridge.files.settings.protection import BitField, Preset, ProtectionSettings
from hilbridge.frames.protection.build import build_protector
from hilbridge.frames.protection.position import Places
from hilbridge.frames.protection.presets import preset
from hilbridge.frames.protection.protector import Group

_MOST: Final = 200
"""Payloads that a preset is tried on."""

_FEWEST: Final = 4


def fitting_preset(series: Series, counters: Sequence[Counter], checksum: Checksum | None) -> Preset | None:
    """Return the preset that makes all payloads; None: there is none, or several do."""
    rows = series.data[distinct(series.data)]
    if len(rows) < _FEWEST or series.length < 2:
        return None
    payloads = [rows[index].tobytes() for index in np.linspace(0, len(rows) - 1, min(len(rows), _MOST)).astype(np.intp)]
    fitting = [name for name in get_args(Preset) if _makes(name, series, payloads, counters, checksum)]
    return fitting[0] if len(fitting) == 1 else None


def has_data_ids(series: Series, name: Preset) -> bool:
    """Return whether a preset knows other data ids for each count of this identifier: nothing else has these."""
    checksum = preset(ProtectionSettings(preset=name), name, series.can_id, series.length, ()).checksum
    return checksum is not None and len(set(checksum.data_ids)) > 1


def _makes(
    name: Preset, series: Series, payloads: Sequence[bytes], counters: Sequence[Counter], checksum: Checksum | None
) -> bool:
    try:
        settings = ProtectionSettings(preset=name)
        protector = build_protector([settings], None, series.can_id, series.length, ())
        counter = _counter(series, name)
    except ConfigurationError:
        return False
    if protector is None or (counter is not None and not any(_is(one, counter) for one in counters[:1])):
        return False
    (group,) = protector.groups
    if checksum is not None and checksum.certainty > Certainty.UNKNOWN and group.checksum_position is not None:
        mask = int.from_bytes(checksum.field.mask(series.length).tobytes(), "little")
        if mask != group.checksum_position.occupied:
            return False
    wrong = 0
    for payload in payloads:
        wrong += not _is_made(payload, group)
        if wrong > (1 - HOLDS) * len(payloads):
            return False
    return True


def _is_made(payload: bytes, group: Group) -> bool:
    """Return whether a protection would have filled a payload as it is."""
    made = bytearray(payload)
    if group.counter is not None:
        count = group.counter.numbers.count(group.counter.position.read(payload))
        if count is None:
            return False
        group.counter.count = count
        group.count(made)
    group.seal(made)
    return bytes(made) == payload


def _counter(series: Series, name: Preset) -> tuple[int, int] | None:
    """Return the bits and the greatest number of the counter of a preset; None: it has none."""
    counter = preset(ProtectionSettings(preset=name), name, series.can_id, series.length, ()).counter
    if counter is None:
        return None
    position = Places(None, series.length).position(counter.at or [], ())
    return position.occupied, position.highest if counter.maximum is None else counter.maximum


def _is(counter: Counter, wanted: tuple[int, int]) -> bool:
    """Return whether a counter of the log lies in these bits, from the lowest on, and has this greatest number."""
    bits, highest = wanted
    position = Places(None, counter.field.byte + 8).position([BitField.model_validate(counter.field.settings())], ())
    begins = position.occupied & ~bits == 0 and position.occupied & -position.occupied == bits & -bits
    return begins and counter.high == highest and counter.step == 1 and counter.low == 0
