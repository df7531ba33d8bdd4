"""A connection with a databroker, as the provider of signals: kuksa.val.v2 over gRPC, by kuksa-client.

    ListMetadata          which signals it has, and the number of each
    OpenProviderStream    ProvideSignalRequest claims them; PublishValuesRequest tells values, and answered where some
                          are refused; GetProviderValueRequest asks for them, and is answered

Actuations are not claimed, so a databroker has none to hand on; its wishes for slower samples (UpdateFilterRequest) are
not followed. Source: proto/kuksa/val/v2/val.proto of eclipse-kuksa/kuksa-databroker, 0.7.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from grpc.aio import AioRpcError
from kuksa.val.v2 import types_pb2, val_pb2
from kuksa_client.grpc.aio import VSSClient

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.base.common.terminal import printable
from hilbridge.faces.vss.messages import Match, claim, match, points, publish, reply
from hilbridge.faces.vss.publication import Values
from hilbridge.faces.vss.signals import Signal
from hilbridge.faces.vss.target import Target, keep_off_proxies

TIMEOUT: Final = 5.0
"""[s] for an answer, and for a message to be taken."""

_LONGEST_REASON: Final = 200


class BrokerError(ConfigurationError):
    """A databroker cannot be reached, refuses, or has ended the stream."""


class Broker:
    """The stream of a provider. `refuse`: called for each value that is refused, with its path and the reason."""

    def __init__(self, found: Match, stream: Any, types: Mapping[str, str], refuse: Callable[[str, str], None]) -> None:
        self.found: Final = found
        self._stream: Final = stream
        self._types: Final = types
        self._refuse: Final = refuse
        self._paths: Final = {number: path for path, number in found.ids.items()}
        self._newest: Final[dict[int, Any]] = {}
        self._requests = 0
        self._turn: Final = asyncio.Lock()  # two may not write at a time
        self._claimed: Final = asyncio.Event()
        self._listener: Final = asyncio.create_task(self._listen())

    async def claim(self, rate: float) -> None:
        """Become the provider of all signals that were found. BrokerError: it is refused, or not answered."""
        await self._write(claim(self._paths, rate))
        waiting = asyncio.create_task(self._claimed.wait())
        await asyncio.wait((waiting, self._listener), timeout=TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._require()
        if not self._claimed.is_set():
            raise BrokerError("the databroker does not say whether it takes this provider")

    async def publish(self, values: Values) -> None:
        """Tell values. BrokerError: the stream has ended, or they are not taken in time."""
        self._require()
        if values:
            new = points(values, self._types, self.found.ids)
            self._newest.update(new)
            self._requests = self._requests % 0xFFFF_FFFF + 1
            await self._write(publish(self._requests, new))

    async def close(self) -> None:
        """End the stream once what was said has been sent."""
        with contextlib.suppress(AioRpcError, TimeoutError, asyncio.InvalidStateError):
            await asyncio.wait_for(self._stream.done_writing(), TIMEOUT)
            await asyncio.wait((self._listener,), timeout=1)
        self._listener.cancel()
        self._stream.cancel()

    def _require(self) -> None:
        if self._listener.done():
            error = self._listener.exception()
            raise _failure("the databroker has ended the stream", error) from error

    async def _write(self, request: Any) -> None:
        try:
            async with self._turn:
                await asyncio.wait_for(self._stream.write(request), TIMEOUT)
        except TimeoutError:
            raise BrokerError("the databroker takes nothing more") from None
        except (AioRpcError, asyncio.InvalidStateError) as error:
            await asyncio.wait((self._listener,), timeout=1)
            self._require()
            raise _failure("the databroker has ended the stream", error) from error

    async def _listen(self) -> None:
        """Take what the databroker says, until it ends the stream."""
        async for response in self._stream:
            match response.WhichOneof("action"):
                case "provide_signal_response":
                    self._claimed.set()
                case "publish_values_response":
                    for number, error in response.publish_values_response.status.items():
                        if number in self._paths:
                            self._refuse(self._paths[number], _reason(error))
                case "get_provider_value_request":
                    await self._write(reply(response.get_provider_value_request, self._newest))


@asynccontextmanager
async def connected(
    target: Target, signals: Collection[Signal], refuse: Callable[[str, str], None]
) -> AsyncIterator[Broker]:
    """Connect, and find the signals; the stream is open, and nothing claimed yet.

    BrokerError: there is no databroker of kuksa.val.v2, it lets no one in, or it has none of the signals.
    """
    keep_off_proxies(target)
    client = VSSClient(
        target.grpc_host,
        target.port,
        root_certificates=target.root,
        tls_server_name=target.name,
        ensure_startup_connection=False,  # that asks by v1
    )
    header = client.get_authorization_header(target.token)
    headers = [("authorization", header)] if target.token else []
    try:
        await client.connect()
        metadata = await _metadata(client.client_stub_v2, {one.path.partition(".")[0] for one in signals}, headers)
        found = match(signals, metadata)
        if not found.ids:
            raise BrokerError(f"the databroker at {target} has none of the {len(signals)} paths")
        stream = client.client_stub_v2.OpenProviderStream(metadata=headers)
        broker = Broker(found, stream, {one.path: one.settings.type for one in signals}, refuse)
        try:
            yield broker
        finally:
            await broker.close()
    except AioRpcError as error:
        raise _failure(f"no databroker at {target}", error) from error
    finally:
        await client.disconnect()


async def _metadata(stub: Any, roots: Collection[str], headers: list[tuple[str, str]]) -> list[Any]:
    found: list[Any] = []
    for root in sorted(roots):
        request = val_pb2.ListMetadataRequest(root=root)
        found += (await stub.ListMetadata(request, metadata=headers, timeout=TIMEOUT)).metadata
    return found


def _reason(error: Any) -> str:
    try:
        code = types_pb2.ErrorCode.Name(error.code).removeprefix("ERROR_CODE_")
    except ValueError:
        code = str(error.code)
    return printable(f"{code}: {error.message[:_LONGEST_REASON]}")


def _failure(what: str, error: BaseException | None) -> BrokerError:
    if isinstance(error, AioRpcError):
        details = quoted(error.details() or "", _LONGEST_REASON)
        return BrokerError(f"{what}: {error.code().name}, {details}")
    return BrokerError(what if error is None else f"{what}: {error}")
