"""The types of the client of a running bench, as their user sees them; see test_public_face.py."""

import asyncio
from inspect import getdoc, iscoroutinefunction, signature
from pathlib import Path
from typing import Any, assert_type

import pytest

from hilbridge.bench.scenario.report import Report
from hilbridge.client import AnyClient, AsyncClient, Client, ConfigurationError, EntryValue, UnreachableError, Values


def test_a_client_without_a_daemon(tmp_path: Path) -> None:
    with Client(tmp_path / "none.sock") as bench:
        assert_type(bench, Client)
        assert_type(bench.path, Path)
        assert_type(bench.by, str | None)
        with pytest.raises(UnreachableError):
            assert_type(bench.get("vehicle.EngineRpm"), float)
        with pytest.raises(ConfigurationError):
            assert_type(bench.status("buses"), dict[str, Any])
        with pytest.raises(ConfigurationError):
            assert_type(bench.fault("link powertrain down", seconds=1), int)
        with pytest.raises(ConfigurationError):
            assert_type(bench.wait_until("vehicle.EngineRpm > 500", timeout=1.0), float)
        with pytest.raises(ConfigurationError):
            assert_type(bench.record(), Path)
        with pytest.raises(ConfigurationError):
            assert_type(bench.values("vehicle.EngineRpm"), Values)
        with pytest.raises(TypeError):
            bench.set("input.Key")  # type: ignore[call-arg]


def test_the_asynchronous_one_has_the_same_methods(tmp_path: Path) -> None:
    async def story() -> None:
        async with AsyncClient(tmp_path / "none.sock") as bench:
            with pytest.raises(UnreachableError):
                assert_type(await bench.get("vehicle.EngineRpm"), float)
            with pytest.raises(ConfigurationError):
                assert_type(await bench.scenario("launch"), Report)
            with pytest.raises(TypeError):
                await bench.set("input.Key")  # type: ignore[call-arg]

    asyncio.run(story())
    assert_type(Values(0.0, {}).entries, dict[str, EntryValue])
    assert methods(Client) == methods(AsyncClient)


def methods(client: type) -> dict[str, tuple[str | None, object]]:
    """The public methods by name, with what is said of them and their arguments."""
    named = {name: getattr(client, name) for name in dir(client) if not name.startswith("_")}
    return {
        name: (getdoc(one), list(signature(one).parameters.values())) for name, one in named.items() if callable(one)
    }


def test_every_verb_of_the_asynchronous_one_is_made_from_that_of_the_other() -> None:
    """A coroutine that carries out the same talk; only the way to the bench is written twice."""
    own = {"close", "exchange", "carry_out"}
    for name in set(methods(Client)) - own:
        verb = getattr(AsyncClient, name)
        assert iscoroutinefunction(verb), name
        assert verb.__wrapped__ is getattr(AnyClient, name), name
