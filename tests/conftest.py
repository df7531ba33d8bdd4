"""Programs that tests start keep their state and their sockets in a folder of the tests."""

import gc
import itertools
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.register_profile("ci", deadline=None, max_examples=30)  # others in each run
settings.register_profile("few", deadline=None, max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "shared machine"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let no collection of garbage walk over the tests, of which there are ten thousand and which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


NUMBERS = itertools.count()


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is read from the user's own runs, and nothing is left in them."""
    names = {"XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
    before = {name: os.environ.get(name) for name in names}
    os.environ |= {name: str(tmp_path_factory.mktemp(folder)) for name, folder in names.items()}
    yield
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture(autouse=True)
def new_car(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test's programs store is found by that test alone: neither the order nor the company of tests matters."""
    monkeypatch.setenv("XDG_STATE_HOME", str(Path(os.environ["XDG_STATE_HOME"], str(next(NUMBERS)))))
