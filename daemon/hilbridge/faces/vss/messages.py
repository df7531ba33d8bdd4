"""The messages of kuksa.val.v2 that a provider says, with the protobuf classes of kuksa-client."""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from kuksa.val.v2 import types_pb2, val_pb2

from hilbridge.base.common.terminal import printable
from hilbridge.faces.vss.publication import Values
from hilbridge.faces.vss.signals import Signal, Value
from hilbridge.frames.codec.units import find_unit

_FIELDS: Final = {"boolean": "bool", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}
"""The field of a value by datatype, where it has another name: protobuf has no short integers."""


class Match(NamedTuple):
    """The part of a table that a databroker has."""

    ids: dict[str, int]
    absent: list[str]
    differing: dict[str, str]
    """Paths that are another thing there, with what: nothing is said of them."""
    without_value: int
    """Signals of the databroker that the table does not have."""


def match(signals: Iterable[Signal], metadata: Iterable[Any]) -> Match:
    """Return which signals a databroker has, with the numbers that it gives them; datatype and unit must be the same.

    A databroker that says no unit is believed to have the release's.
    """
    known = {one.path: one for one in metadata}
    found = Match({}, [], {}, len(known))
    for signal in signals:
        one = known.get(signal.path)
        if one is None:
            found.absent.append(signal.path)
        elif difference := _difference(signal, one):
            found.differing[signal.path] = difference
        else:
            found.ids[signal.path] = one.id
    return found._replace(without_value=len(known) - len(found.ids) - len(found.differing))


def _difference(signal: Signal, one: Any) -> str:
    name = signal.settings.type
    if one.data_type != types_pb2.DataType.Value(f"DATA_TYPE_{name.upper()}"):
        try:
            there = types_pb2.DataType.Name(one.data_type).removeprefix("DATA_TYPE_").lower()
        except ValueError:
            there = str(one.data_type)
        return f"{there} there, {name} here"
    unit = signal.settings.unit
    if one.unit and one.unit != unit and (find_unit(one.unit) is None or find_unit(one.unit) != find_unit(unit)):
        return f"in {printable(one.unit[:40])} there, in {unit or 'no unit'} here"
    return ""


def claim(ids: Iterable[int], rate: float) -> Any:
    """Return the request to be the provider of signals, with the shortest interval of their samples."""
    interval = types_pb2.SampleInterval(interval_ms=math.floor(1000 / rate))
    request = val_pb2.ProvideSignalRequest(signals_sample_intervals=dict.fromkeys(ids, interval))
    return val_pb2.OpenProviderStreamRequest(provide_signal_request=request)


def publish(number: int, points: Mapping[int, Any]) -> Any:
    """Return the request to take values, by the numbers of their signals; `number` is that of the request."""
    request = val_pb2.PublishValuesRequest(request_id=number, data_points=points)
    return val_pb2.OpenProviderStreamRequest(publish_values_request=request)


def reply(asked: Any, points: Mapping[int, Any]) -> Any:
    """Return the answer to a databroker that asks for values: of those that it was told, the newest."""
    entries = {one: points[one] for one in asked.signal_ids if one in points}
    response = val_pb2.GetProviderValueResponse(request_id=asked.request_id, entries=entries)
    return val_pb2.OpenProviderStreamRequest(get_provider_value_response=response)


def points(values: Values, types: Mapping[str, str], ids: Mapping[str, int]) -> dict[int, Any]:
    """Return values as data points of this moment, by the numbers of their signals."""
    return {ids[path]: _point(types[path], value) for path, value in values.items()}


def _point(datatype: str, value: Value | None) -> Any:
    point = types_pb2.Datapoint()
    point.timestamp.GetCurrentTime()
    if value is not None:
        setattr(point.value, _FIELDS.get(datatype, datatype), value)
    return point
