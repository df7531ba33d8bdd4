"""The seed of a run, from which all its random numbers come: the same seed gives the same run.

    generator(form, offset) = Random(form with the number seed + offset in the place of its braces)

Generators can be given another seed until the first number is taken, so that one bench that is built serves many runs.
"""

from collections.abc import Callable
from random import Random
from typing import Final
from weakref import WeakKeyDictionary

MakeRandom = Callable[[str], Random]
"""Returns a generator for whatever a text such as "security access {}" names."""


class RunSeed:
    """The seed; a generator that is no longer used is forgotten."""

    def __init__(self, value: int) -> None:
        self._value = value
        self._made: Final[WeakKeyDictionary[Random, tuple[str, int]]] = WeakKeyDictionary()

    def generator(self, form: str, offset: int = 0) -> Random:
        """Return a generator of its own for whatever `form` names, such as "security access {}"."""
        made = Random(form.format(self._value + offset))
        self._made[made] = form, offset
        return made

    def change(self, value: int) -> None:
        """Begin all generators anew with another seed; before the first tick."""
        self._value = value
        for generator, (form, offset) in self._made.items():
            generator.seed(form.format(value + offset))
