"""A databroker that says what no databroker says: it is passed over, given up, and shown plainly.

For an environment of its own, with kuksa-client in it: `make test-vss`.
"""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kuksa.val.v2 import types_pb2, val_pb2

from hilbridge.faces.vss import broker
from hilbridge.faces.vss.broker import BrokerError
from hilbridge.faces.vss.messages import match
from hilbridge.faces.vss.provider import Provider
from hilbridge.faces.vss.target import Target

from .databroker import Databroker, metadata, served
from .test_provider import SIGNALS, SPEED, TREE, FakeBench, carried_out, provided

PATHS = st.one_of(st.sampled_from([one.path for one in SIGNALS]), st.text(max_size=40))
INT32 = st.integers(-(2**31), 2**31 - 1)
ENTRIES = st.builds(types_pb2.Metadata, path=PATHS, id=INT32, data_type=INT32, unit=st.text(max_size=60))


@given(st.lists(ENTRIES, max_size=20))
def test_any_metadata_are_matched_or_left_out(entries: list[Any]) -> None:
    """Each path of the table is in one of three places, and every reason can be printed."""
    found = match(SIGNALS, entries)
    assert len(found.ids) + len(found.absent) + len(found.differing) == len(SIGNALS)
    assert found.without_value >= 0
    assert all(reason.isprintable() or not reason.isascii() for reason in found.differing.values())


def test_strange_answers_are_passed_over_and_printed_plainly() -> None:
    """Unknown numbers and codes, empty and unknown requests, values that were never told."""

    async def work() -> None:
        stub, bench, said = Databroker(metadata(TREE)), FakeBench(vehicle_Speed=10.0), list[str]()
        number = next(one.id for one in stub.signals.values() if one.path == SPEED)
        async with served(stub) as port, provided(bench, port, said) as provider:
            await stub.wait(1)
            status = {
                4711: types_pb2.Error(code=1, message="of no signal"),
                number: types_pb2.Error(code=99, message="\x1b[2J\n" + "x" * 100_000),
            }
            for response in (
                {},
                {"publish_values_response": val_pb2.PublishValuesResponse(request_id=9, status=status)},
                {"publish_values_response": val_pb2.PublishValuesResponse(request_id=9, status=status)},
                {"update_filter_request": val_pb2.UpdateFilterRequest(filters_update={1: types_pb2.Filter()})},
                {"batch_actuate_stream_request": val_pb2.BatchActuateStreamRequest()},
                {"provide_actuation_response": val_pb2.ProvideActuationResponse()},
            ):
                await stub.provider.write(val_pb2.OpenProviderStreamResponse(**response))
            assert not (await stub.ask(*range(1000, 60_000))).entries
            assert provider.publication.refusals == 2
            bench.set(vehicle_Speed=20.0)
            await stub.wait(2)
            assert stub.values[SPEED].value.float == 72.0
        (line,) = (one for one in said if "refuses" in one)
        assert line.startswith(r"the databroker refuses Vehicle.Speed: 99: \x1b[2J\nxxx")
        assert len(line) < 300

    carried_out(work)


class Silent(Databroker):
    """Takes a claim without a word."""

    async def OpenProviderStream(self, requests: Any, context: Any) -> None:  # noqa: N802 gRPC's name
        async for _ in requests:
            pass


class Absent(Databroker):
    """Ends the stream at once, in good order."""

    async def OpenProviderStream(self, requests: Any, context: Any) -> None:  # noqa: N802 gRPC's name
        return


class Deaf(Databroker):
    """Never answers at all."""

    async def ListMetadata(self, request: Any, context: Any) -> Any:  # noqa: N802 gRPC's name
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("kind", "reason"),
    [(Silent, "does not say whether"), (Absent, "has ended the stream"), (Deaf, "DEADLINE_EXCEEDED")],
)
def test_a_databroker_that_says_nothing_is_given_up(
    kind: type[Databroker], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "TIMEOUT", 0.3)

    async def work() -> None:
        async with served(kind(metadata(TREE))) as port:
            provider = Provider(FakeBench(), Target(port=port), SIGNALS, 10, print)  # type: ignore[arg-type]
            with pytest.raises(BrokerError, match=reason):
                await provider.run(asyncio.Event())

    carried_out(work)
