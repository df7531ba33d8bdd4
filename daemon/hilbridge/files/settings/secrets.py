"""Settings that open something: their type, and where they are.

A secret is of the type `Secret`, whatever its key. It is dumped and copied as LEFT_OUT; only `reveal` has it, for
the part that needs it. So what is written of settings, by whatever way, lacks the secrets, and is a bench all the same.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Self

from pydantic import AfterValidator, BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, SecretStr
from pydantic_core import CoreSchema
from pydantic_core.core_schema import no_info_after_validator_function, plain_serializer_function_ser_schema, str_schema

from hilbridge.base.common.errors import ConfigurationError, KeyPath

LEFT_OUT: Final = "~left-out-of-this-copy~"
"""In place of a secret, wherever a bench is copied; it has the form of a token, so that the copy is a bench."""

_FORM: Final = r"^[A-Za-z0-9._~-]{16,128}$"


class Secret(SecretStr):
    """A text that opens something."""

    def reveal(self, place: KeyPath) -> str:
        """Return the text. ConfigurationError: it was left out of this copy of the bench."""
        text = self.get_secret_value()
        if text == LEFT_OUT:
            raise ConfigurationError("this secret was left out when the bench was copied: write one here", place)
        return text

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
        written = plain_serializer_function_ser_schema(lambda _: LEFT_OUT)
        return no_info_after_validator_function(cls._of, str_schema(strict=True), serialization=written)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "format": "password", "writeOnly": True, "pattern": _FORM}

    @classmethod
    def _of(cls, text: str) -> Self:
        return cls(text)


def _token(secret: Secret) -> Secret:
    if not re.fullmatch(_FORM, secret.get_secret_value()):
        raise ConfigurationError("is no secret of 16 to 128 letters, digits, '.', '_', '~' and '-'")
    return secret


Token = Annotated[Secret, AfterValidator(_token)]


def secret_places(settings: Any, place: KeyPath = ()) -> Iterator[tuple[KeyPath, Secret]]:
    """Yield all secrets of settings with their key paths, as the file has them."""
    if isinstance(settings, Secret):
        yield place, settings
    elif isinstance(settings, BaseModel):
        for name, field in type(settings).model_fields.items():
            yield from secret_places(getattr(settings, name), (*place, field.alias or name))
    elif isinstance(settings, Mapping):
        for key, value in settings.items():
            yield from secret_places(value, (*place, key))
    elif isinstance(settings, list | tuple):
        for index, value in enumerate(settings):
            yield from secret_places(value, (*place, index))


def without_secrets(data: dict[str, Any], settings: BaseModel) -> dict[str, Any]:
    """Return the data of a file, whose settings these are, with LEFT_OUT in place of its secrets.

    A text elsewhere that contains one of them, such as an alias of it among the arguments of a program, lacks it too.
    """
    known = [(place, secret.get_secret_value()) for place, secret in secret_places(settings)]
    cleaned: dict[str, Any] = _replaced(data, [text for _, text in known])
    for place, text in known:
        node: Any = cleaned
        for key in place:
            node = node[key]
        if node == text != LEFT_OUT:
            raise AssertionError("a secret was not left out of a copy")
    return cleaned


def _replaced(node: Any, secrets: list[str]) -> Any:
    if isinstance(node, dict):
        return {key: _replaced(value, secrets) for key, value in node.items()}
    if isinstance(node, list):
        return [_replaced(value, secrets) for value in node]
    if isinstance(node, str):
        for secret in secrets:
            node = node.replace(secret, LEFT_OUT)
    return node
