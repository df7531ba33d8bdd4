"""The page in the place of the cockpit while a bench does not start: who may see it, and what it says."""

import http.client
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.faces.cockpit.mending_page import MendingPage, cockpit_settings, render
from hilbridge.files.settings.bench import CockpitSettings

TOKEN = "0123456789abcdef0123"

REASON = "/etc/hilbridge/bench.yaml:3: rate: needs a whole number, found '<b>fast</b>'"


@pytest.fixture
def page() -> Iterator[MendingPage]:
    settings = CockpitSettings.model_validate({"token": TOKEN, "port": 0})
    shown = MendingPage(settings, lambda: render("hilbridge.service", [REASON], "Mend it."))
    yield shown
    shown.close()


def get(page: MendingPage, path: str = "/", **headers: str) -> tuple[int, str]:
    port = int(page.url.rsplit(":", 1)[1].partition("/")[0])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_it_names_what_is_wrong_and_nothing_in_it_is_markup(page: MendingPage) -> None:
    status, text = get(page, Authorization=f"Bearer {TOKEN}")
    assert status == 200
    assert "/etc/hilbridge/bench.yaml:3: rate: " in text
    assert "<b>" not in text
    assert "Mend it." in text
    assert get(page, "/static/css/base.css", Authorization=f"Bearer {TOKEN}")[0] == 200


def test_the_rules_of_the_cockpit_hold(page: MendingPage) -> None:
    """A name of loopback, and the token; of the bench file here, which the address does not have."""
    assert page.url.startswith("http://127.0.0.1:")
    assert "token" not in page.url
    for headers in ({}, {"Authorization": "Bearer other"}):
        assert get(page, **headers)[0] == 401
    assert get(page, Authorization=f"Bearer {TOKEN}", Host="evil.example")[0] == 421
    assert get(page, "/../../etc/passwd", Authorization=f"Bearer {TOKEN}")[0] == 404


def test_a_page_without_a_token_of_the_file_has_one_of_its_own() -> None:
    shown = MendingPage(CockpitSettings.model_validate({"port": 0}), lambda: "")
    try:
        assert get(shown)[0] == 401
        assert get(shown, Authorization=f"Bearer {shown.url.partition('token=')[2]}")[0] == 200
    finally:
        shown.close()


@pytest.mark.parametrize(
    ("text", "token", "address", "enabled"),
    [
        (f"rate: fast\ncockpit: {{token: {TOKEN}, address: 192.0.2.1}}", TOKEN, "192.0.2.1", True),
        ("cockpit: {enabled: false}", None, "127.0.0.1", False),
        ("cockpit: {address: 192.0.2.1}", None, "127.0.0.1", True),
        ("cockpit: {token: short}", None, "127.0.0.1", True),
        ("cockpit: [1, 2]", None, "127.0.0.1", True),
        ("rate: [", None, "127.0.0.1", True),
        (None, None, "127.0.0.1", True),
    ],
)
def test_the_settings_are_those_of_the_file_as_far_as_they_are_right(
    tmp_path: Path, text: str | None, token: str | None, address: str, enabled: bool
) -> None:
    """What is wrong in any way is on loopback, with a token."""
    file = tmp_path / "bench.yaml"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    found = cockpit_settings(file)
    assert (found.address, found.enabled) == (address, enabled)
    assert (found.token.get_secret_value() if found.token else None) == token
