"""Saving and restoring of the state that a part carries from one step to the next, declared once by name."""

from typing import Any, ClassVar, TypeAlias

from mypy_extensions import mypyc_attr

SavedState: TypeAlias = dict[str, Any]
"""Values by the names of a class's `state_vars`; the state of a nested part is a SavedState too."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Stateful:
    """An object whose state can be saved between two steps and restored exactly.

    A subclass names in `state_vars` the attributes that make up its state: numbers and tuples, lists of these, parts
    that are Stateful themselves, and lists of such parts. Values that follow from settings, or are written in every
    step before they are read, are no state.
    """

    state_vars: ClassVar[tuple[str, ...]] = ()

    def get_state_vars(self) -> SavedState:
        """Return the state, to be given back to `set_state_vars` of an object with equal settings."""
        return {name: _saved(getattr(self, name)) for name in type(self).state_vars}

    def set_state_vars(self, state: SavedState) -> None:
        """Restore a saved state; the next step then gives the same bits as after `get_state_vars`."""
        for name in type(self).state_vars:
            present: Any = getattr(self, name)
            if isinstance(present, Stateful):
                present.set_state_vars(state[name])
            elif not isinstance(present, list):
                setattr(self, name, state[name])
            elif _holds_parts(present):
                for part, saved in zip(present, state[name], strict=True):
                    part.set_state_vars(saved)
            else:
                present[:] = state[name]  # the list itself stays: others may hold it


def _saved(value: Any) -> Any:
    if isinstance(value, Stateful):
        return value.get_state_vars()
    if isinstance(value, list):
        return [part.get_state_vars() for part in value] if _holds_parts(value) else value.copy()
    return value


def _holds_parts(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], Stateful)
