"""The pages are whole as they are shipped: no build, nothing from outside."""

import re
from pathlib import Path

import pytest

from hilbridge.faces import cockpit

STATIC = Path(next(iter(cockpit.__path__))) / "static"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(STATIC)))
def test_nothing_is_fetched_from_outside(file: Path) -> None:
    """The only address in any file is the name of SVG's name space, which nobody fetches."""
    addresses = set(re.findall(r"(?:https?:)?//[a-z][\w.-]+\.[a-z]+[^\s\"')]*", file.read_text(encoding="utf-8")))
    assert addresses <= {"http://www.w3.org/2000/svg"}


PAGES = ("index.html", "workshop.html")


def test_the_pages_have_one_head() -> None:
    """But for title and script, and what a page needs beyond: each stands whole in its file, as the browser gets it."""
    heads = [(STATIC / page).read_text(encoding="utf-8").partition("</head>")[0] for page in PAGES]
    cockpit_head, workshop_head = (re.findall(r"\n(  <(?!title|script).*)", head) for head in heads)
    assert cockpit_head
    assert workshop_head == [*cockpit_head, '  <link rel="stylesheet" href="/static/css/workshop.css">']


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_names_is_available(page: str) -> None:
    text = (STATIC / page).read_text(encoding="utf-8")
    named = re.findall(r"(?:href|src)=\"/static/([^\"]+)\"", text)
    imported = [
        f"js/{name}"
        for file in STATIC.glob("js/*.js")
        for name in re.findall(r"from \"\./([^\"]+)\"", file.read_text())
    ]
    assert named
    assert imported
    assert [name for name in named + imported if not (STATIC / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES)
def test_scripts_and_styles_stand_in_files(page: str) -> None:
    """As the content security policy wants it."""
    text = (STATIC / page).read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", text) == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_said_to_be_missing_before_it_is_known(page: str) -> None:
    """Such a sentence is hidden until the bench has told what there is."""
    sentences = re.findall(r"<[^>]* id=\"[\w-]+-none\"[^>]*>", (STATIC / page).read_text(encoding="utf-8"))
    assert [one for one in sentences if " hidden" not in one] == []


def test_what_the_script_of_the_cockpit_looks_for_is_on_its_page() -> None:
    """Each element that it finds by a name; what is wrong with the run among them, in the words of its status."""
    script = (STATIC / "js/main.js").read_text(encoding="utf-8")
    names = set(re.findall(r"\bfind\(\"([\w-]+)\"\)", script))
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert {"last-end", "run-troubles"} <= names
    assert names <= set(re.findall(r" id=\"([\w-]+)\"", page))
    assert re.search(r"tell\(find\(\"run-troubles\"\), Object.values\(service.troubles \?\? \{\}\)", script)
