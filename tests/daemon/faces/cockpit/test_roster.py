"""The open pages: what they are called, and which one drives."""

from typing import Any

from hilbridge.faces.cockpit.roster import LONGEST_NAME, Roster


def roster() -> Roster:
    """Two pages."""
    pages = Roster()
    pages.join("one", "127.0.0.1")
    pages.join("two", "192.0.2.7")
    return pages


def names(view: dict[str, Any]) -> list[str]:
    return [viewer["name"] for viewer in view["viewers"]]


def test_a_page_is_called_by_its_number_and_its_address_or_name() -> None:
    """A number is not given twice; an empty name gives the address back."""
    pages = roster()
    pages.leave("one")
    pages.join("three", "127.0.0.1")
    pages.introduce("two", "Ann")
    assert names(pages.view("three")) == ["Ann (viewer 2)", "viewer 3 (127.0.0.1)"]
    pages.introduce("two", " ")
    assert pages.title("two") == "viewer 2 (192.0.2.7)"


def test_a_name_is_bounded_and_can_be_printed() -> None:
    pages = roster()
    pages.introduce("one", "A\x1b\n" + 1000 * "n")
    assert pages.title("one") == "A" + (LONGEST_NAME - 1) * "n" + " (viewer 1)"


def test_each_page_is_told_who_drives_and_which_one_it_is() -> None:
    pages = roster()
    pages.driver = "two"
    assert [(view["you"], view["driver"]) for view in map(pages.view, ("one", "two"))] == [(1, 2), (2, 2)]


def test_with_the_page_that_drives_its_driving_ends() -> None:
    pages = roster()
    pages.driver = "two"
    pages.leave("two")
    assert pages.driver is None
    assert pages.view("one")["driver"] is None


def test_every_change_is_counted_and_nothing_else() -> None:
    pages = roster()
    assert pages.changes == 2
    pages.introduce("one", "Ann")
    assert pages.changes == 3
    pages.driver = "one"
    assert pages.changes == 4
    pages.driver = "one"
    pages.view("one")
    assert pages.changes == 4
