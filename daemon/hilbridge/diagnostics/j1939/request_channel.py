"""The Request channel as commands see it: entries by id, held through a source of the inputs room.

`InternalSource` is such a source, and its controls are the handles; this room knows neither.
"""

from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar

Handle = TypeVar("Handle")
_Handle_contra = TypeVar("_Handle_contra", contravariant=True)


class RequestSource(Protocol[_Handle_contra]):
    """Holds what is set until it is released."""

    def set(self, control: _Handle_contra, value: float, t: int) -> None: ...

    def release(self, control: _Handle_contra) -> None: ...


class RequestChannel(Generic[Handle]):
    """`handles[i]` is what `source` calls the entry with id i."""

    def __init__(self, source: RequestSource[Handle], handles: Sequence[Handle]) -> None:
        self._source: Final = source
        self._handles: Final = tuple(handles)

    def set(self, index: int, value: float, t: int) -> None:
        """The entry is asked to be `value`, in its unit, from `t` [ns] on."""
        self._source.set(self._handles[index], value, t)

    def release(self, index: int) -> None:
        """Nothing is asked of the entry any more."""
        self._source.release(self._handles[index])
