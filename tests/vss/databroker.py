"""A stub of a databroker, written from val.proto with the protobuf classes of kuksa-client; no databroker is on PyPI.

What it does is what the comments of proto/kuksa/val/v2/val.proto and types.proto (eclipse-kuksa/kuksa-databroker,
0.7.0) say: signals have to be claimed before values are told, else ABORTED; each has one provider, else ALREADY_EXISTS;
a value of another kind, beyond the bounds or not allowed is refused in an answer, and what is taken is not answered; a
token is asked for where there is one. Subscriptions get all values at once, then what has changed.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import grpc
from kuksa.val.v2 import types_pb2, val_pb2, val_pb2_grpc

_SHORT: Final = {"int8": 8, "int16": 16, "uint8": 8, "uint16": 16}

_KINDS: Final = {"boolean": "bool", "int8": "int32", "int16": "int32", "uint8": "uint32", "uint16": "uint32"}


def metadata(facts: Mapping[str, Any], first: int = 7) -> list[Any]:
    """The signals of the published tree as a databroker lists them, numbered by itself."""
    found = []
    for number, (path, one) in enumerate(facts["signals"].items(), first):
        entry = types_pb2.Metadata(path=path, id=number, unit=one.get("unit", ""))
        entry.data_type = types_pb2.DataType.Value(f"DATA_TYPE_{one['datatype'].upper()}")
        entry.entry_type = types_pb2.EntryType.Value(f"ENTRY_TYPE_{one['type'].upper()}")
        for key in ("min", "max"):
            if key in one:
                kind = _KINDS.get(one["datatype"], one["datatype"])
                setattr(getattr(entry, key), kind, float(one[key]) if kind in ("float", "double") else one[key])
        if "allowed" in one:
            entry.allowed_values.string_array.values.extend(one["allowed"])
        found.append(entry)
    return found


class Databroker(val_pb2_grpc.VALServicer):  # type: ignore[misc]
    """The stub. `values`: the newest data point of each path; `told`: the numbers of values in each message."""

    def __init__(self, signals: list[Any], token: str | None = None) -> None:
        self.signals: Final = {one.id: one for one in signals}
        self.values: Final[dict[str, Any]] = {}
        self.told: Final[list[int]] = []
        self.intervals: dict[int, int] = {}
        self.replies: Final[asyncio.Queue[Any]] = asyncio.Queue()
        self.changed: Final = asyncio.Condition()
        self._token: Final = token
        self.provider: Any = None

    async def ListMetadata(self, request: Any, context: Any) -> Any:  # noqa: N802 gRPC's name
        await self._admit(context)
        found = [one for one in self.signals.values() if one.path.startswith(f"{request.root}.")]
        if not found:
            await context.abort(grpc.StatusCode.NOT_FOUND, "no such branch")
        return val_pb2.ListMetadataResponse(metadata=found)

    async def OpenProviderStream(self, requests: Any, context: Any) -> None:  # noqa: N802 gRPC's name
        await self._admit(context)
        claimed: set[int] = set()
        try:
            async for request in requests:
                match request.WhichOneof("action"):
                    case "provide_signal_request":
                        if self.provider is not None:
                            await context.abort(grpc.StatusCode.ALREADY_EXISTS, "there is a provider")
                        self.provider = context
                        intervals = request.provide_signal_request.signals_sample_intervals
                        self.intervals = {number: one.interval_ms for number, one in intervals.items()}
                        claimed = {*self.intervals}
                        response = val_pb2.ProvideSignalResponse()
                        await context.write(val_pb2.OpenProviderStreamResponse(provide_signal_response=response))
                    case "publish_values_request":
                        if not claimed.issuperset(request.publish_values_request.data_points):
                            await context.abort(grpc.StatusCode.ABORTED, "not claimed")
                        await self._take(request.publish_values_request, context)
                    case "get_provider_value_response":
                        self.replies.put_nowait(request.get_provider_value_response)
        finally:
            if self.provider is context:
                self.provider = None

    async def Subscribe(self, request: Any, context: Any) -> None:  # noqa: N802 gRPC's name
        await self._admit(context)
        told: dict[str, Any] = {}
        while True:
            now = {path: self.values.get(path, types_pb2.Datapoint()) for path in request.signal_paths}
            if new := {path: point for path, point in now.items() if told.get(path) != point}:
                await context.write(val_pb2.SubscribeResponse(entries=new))
            told = now
            async with self.changed:
                await self.changed.wait()

    async def ask(self, *numbers: int) -> Any:
        """The answer of the provider when it is asked for values."""
        request = val_pb2.GetProviderValueRequest(request_id=3, signal_ids=numbers)
        await self.provider.write(val_pb2.OpenProviderStreamResponse(get_provider_value_request=request))
        return await self.replies.get()

    async def wait(self, count: int) -> None:
        """Wait until so many messages with values have come."""
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.told) >= count)

    async def _take(self, request: Any, context: Any) -> None:
        status = {}
        for number, point in request.data_points.items():
            signal = self.signals[number]
            if reason := _wrong(signal, point.value):
                status[number] = types_pb2.Error(code=types_pb2.ERROR_CODE_INVALID_ARGUMENT, message=reason)
            else:
                self.values[signal.path] = point
        if status:
            response = val_pb2.PublishValuesResponse(request_id=request.request_id, status=status)
            await context.write(val_pb2.OpenProviderStreamResponse(publish_values_response=response))
        async with self.changed:
            self.told.append(len(request.data_points))
            self.changed.notify_all()

    async def _admit(self, context: Any) -> None:
        given = dict(context.invocation_metadata()).get("authorization")
        if self._token is not None and given != f"Bearer {self._token}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "Unauthenticated")


def _wrong(signal: Any, value: Any) -> str:
    """Why a value is refused; empty: it is taken, as one that is not available always is."""
    kind = value.WhichOneof("typed_value")
    if kind is None:
        return ""
    datatype = types_pb2.DataType.Name(signal.data_type).removeprefix("DATA_TYPE_").lower()
    if kind != _KINDS.get(datatype, datatype):
        return f"a {kind} for a {datatype}"
    number = getattr(value, kind)
    if datatype in _SHORT:
        bits = _SHORT[datatype]
        lowest, highest = (0, 2**bits - 1) if datatype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if not lowest <= number <= highest:
            return f"{number} is no {datatype}"
    if signal.HasField("min") and number < getattr(signal.min, kind):
        return f"{number} is below the bounds"
    if signal.HasField("max") and number > getattr(signal.max, kind):
        return f"{number} is above the bounds"
    allowed = signal.allowed_values.string_array.values
    return f"{number} is not allowed" if allowed and number not in allowed else ""


@asynccontextmanager
async def served(broker: Databroker, credentials: Any = None, port: int = 0) -> AsyncIterator[int]:
    """The port of loopback where the stub is served."""
    server = grpc.aio.server()
    val_pb2_grpc.add_VALServicer_to_server(broker, server)
    address = f"127.0.0.1:{port}"
    found = server.add_secure_port(address, credentials) if credentials else server.add_insecure_port(address)
    await server.start()
    try:
        yield found
    finally:
        await server.stop(grace=0)
