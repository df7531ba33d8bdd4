"""Secrets of the settings: all are typed as such, and none is in what is written of them."""

import importlib
import pickle
import pkgutil
import re
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files import settings as package
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import Settings
from hilbridge.files.settings.secrets import LEFT_OUT, Secret, secret_places, without_secrets

PAGE, METRICS = "token-of-the-page-7c1d", "token-of-the-metrics-9b"

_SUSPICIOUS = re.compile(r"token|secret|passw|passphrase|credential|api_?key|private_?key|\bpin\b", re.IGNORECASE)

NO_SECRETS = {
    ("CockpitSettings", "address"): "needs a token beside it",
    ("MetricsSettings", "address"): "needs a token beside it",
    ("Elm327Settings", "address"): "says that there is no password",
    ("ProfileSettings", "wiring"): "pins of a plug",
}
"""Texts whose description speaks of secrets, or seems to, and that hold none."""


def classes(base: type[BaseModel] = Settings) -> Iterator[type[BaseModel]]:
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    for one in base.__subclasses__():
        yield one
        yield from classes(one)


def is_secret(annotation: Any) -> bool:
    """Whether a type is that of a secret, or has one in it: a union, a list, the values of a dictionary."""
    if isinstance(annotation, type) and issubclass(annotation, Secret):
        return True
    return any(is_secret(part) for part in get_args(annotation))


def fields() -> Iterator[tuple[type[BaseModel], str, FieldInfo]]:
    for one in set(classes()):
        for name, field in one.model_fields.items():
            yield one, name, field


def test_whatever_is_called_a_secret_is_one() -> None:
    """A new key that speaks of a token or a password is of the type, or is listed above with its reason."""
    doubtful = {
        (one.__name__, name)
        for one, name, field in fields()
        if (_SUSPICIOUS.search(name) or _SUSPICIOUS.search(field.description or ""))
        and not is_secret(field.annotation)
        and str in (field.annotation, *get_args(field.annotation))
    }
    assert doubtful == NO_SECRETS.keys()


def test_every_secret_of_every_class_is_found_and_left_out() -> None:
    """In whatever class: by place, in every dump, and in what is printed; so is one inside another section."""
    text = "Zx9-a-secret-of-tests"
    known = set()
    for one, name, field in fields():
        if not is_secret(field.annotation):
            continue
        known.add((one.__name__, name))
        values: dict[str, Any] = {name: Secret(text)}
        whole = one.model_construct(**values)
        assert [(place, secret.get_secret_value()) for place, secret in secret_places({"a": [whole]})] == [
            (("a", 0, field.alias or name), text)
        ]
        for written in (repr(whole), str(whole), str(whole.model_dump()), whole.model_dump_json()):
            assert text not in written
    assert known == {("CockpitSettings", "token"), ("MetricsSettings", "token")}


def bench(**keys: Any) -> tuple[dict[str, Any], BenchSettings]:
    data = {"name": "t", "vehicle": "compact", "cockpit": {"token": PAGE}, "metrics": {"token": METRICS}, **keys}
    return data, BenchSettings.model_validate(data, strict=True)


def test_a_copy_is_a_bench_without_the_secrets() -> None:
    """Also where the same text stands elsewhere, by an alias; the original keeps them."""
    clients = {
        "one": {"bus": "a", "socket": "x.sock"},
        "two": {"bus": "a", "program": "x", "arguments": [f"-t={PAGE}"]},
    }
    data, settings = bench(lockstep=clients)
    copied = without_secrets(data, settings)
    assert copied["cockpit"] == copied["metrics"] == {"token": LEFT_OUT}
    assert copied["lockstep"]["two"]["arguments"] == [f"-t={LEFT_OUT}"]
    assert copied["lockstep"]["one"] == clients["one"]
    assert data["cockpit"]["token"] == PAGE
    again = BenchSettings.model_validate(copied, strict=True)
    assert without_secrets(copied, again) == copied


def test_only_what_needs_a_secret_has_it() -> None:
    """A copy says so where it is needed, by its place."""
    data, settings = bench()
    assert settings.cockpit.token is not None
    assert settings.cockpit.token.reveal(("cockpit", "token")) == PAGE
    assert pickle.loads(pickle.dumps(settings)) == settings
    copy = BenchSettings.model_validate(without_secrets(data, settings), strict=True)
    assert copy.cockpit.token is not None
    with pytest.raises(ConfigurationError, match="was left out when the bench was copied") as refused:
        copy.cockpit.token.reveal(("cockpit", "token"))
    assert refused.value.place == ("cockpit", "token")


@pytest.mark.parametrize(
    "token", ["short", "a b c d e f g h i j", "x" * 129, 1234567890123456, True, ["x" * 16], "ä" * 16]
)
def test_what_is_no_secret_is_refused(token: object) -> None:
    with pytest.raises(ValueError, match="token"):
        bench(cockpit={"token": token})
