"""The open pages: who looks on, and which one drives. One page drives at a time; another takes the wheel from it.

Every page is told of each change with a message `viewers` (wire.py):

    {"kind": "viewers", "you": 2, "driver": 1, "viewers": [{"number": 1, "name": "viewer 1 (192.0.2.7)"}, ...]}

`driver` is null where no page drives. A page that drove and reads another number has lost the wheel: what it held is
held by that page now, and its controls only show. The commands of a page about this are

    {"command": "take-wheel"}                       drive, also where another page does
    {"command": "leave-wheel"}                      give back all that this page holds
    {"command": "introduce", "name": "Ann"}         be called "Ann (viewer 2)" from now on; "" for the address again

To set a control of the driver takes the wheel too, where no other page drives; else it is refused.
"""

from dataclasses import dataclass
from typing import Any, Final

LONGEST_NAME: Final = 40
"""Characters of the name that a viewer gives itself."""


@dataclass(slots=True)
class _Place:
    number: int
    address: str
    name: str = ""

    @property
    def title(self) -> str:
        return f"{self.name} (viewer {self.number})" if self.name else f"viewer {self.number} ({self.address})"


class Roster:
    """The open pages by the objects that stand for them. `driver`: the one that drives; `changes` counts changes."""

    def __init__(self) -> None:
        self.changes = 0
        self._driver: object | None = None
        self._places: Final[dict[object, _Place]] = {}
        self._number = 0

    @property
    def driver(self) -> object | None:
        """The page that drives; None where no page does."""
        return self._driver

    @driver.setter
    def driver(self, page: object | None) -> None:
        if page is not self._driver:
            self._driver = page
            self.changes += 1

    def join(self, page: object, address: str) -> None:
        """Add a page that was opened at an address."""
        self._number += 1
        self._places[page] = _Place(self._number, address)
        self.changes += 1

    def leave(self, page: object) -> None:
        """Remove a page that was closed."""
        del self._places[page]
        self.changes += 1
        if self._driver is page:
            self._driver = None

    def introduce(self, page: object, name: str) -> None:
        """Give a page the name that its viewer wants; only its printable characters, and not too many of them."""
        self._places[page].name = "".join(filter(str.isprintable, name)).strip()[:LONGEST_NAME]
        self.changes += 1

    def title(self, page: object) -> str:
        """Return what a page is called: `viewer 2 (192.0.2.7)`, or `Ann (viewer 2)`."""
        return self._places[page].title

    def view(self, page: object) -> dict[str, Any]:
        """Return what a page is told of all of them."""
        driver = None if self._driver is None else self._places[self._driver].number
        viewers = [{"number": place.number, "name": place.title} for place in self._places.values()]
        return {"you": self._places[page].number, "driver": driver, "viewers": viewers}
