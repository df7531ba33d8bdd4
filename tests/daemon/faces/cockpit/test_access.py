"""Who may see the page: Host against DNS rebinding, Origin against other sites' scripts, a token against strangers."""

import pytest

from hilbridge.faces.cockpit.access import Access

LOOPBACK = Access(loopback=True, token="fedcba9876543210")
COOKIE = "hilbridge-cockpit-80"
ELSEWHERE = Access(loopback=False, hosts=("bench.example",), token="0123456789abcdef")


@pytest.mark.parametrize("host", ["127.0.0.1:8090", "127.0.0.1", "localhost:8090", "LOCALHOST", "[::1]:8090"])
def test_loopback_is_reached_under_names_of_loopback(host: str) -> None:
    assert LOOPBACK.knows_host({"host": host})


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example:8090",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.0.2.7:8090",
        "user@127.0.0.1",
        "127.0.0.1:8090/path",
        "127.0.0.1:99999",
        "[::1",
    ],
)
def test_any_other_name_is_refused_there(host: str) -> None:
    assert not LOOPBACK.knows_host({"host": host})
    assert not LOOPBACK.knows_host({})


@pytest.mark.parametrize(("host", "known"), [
    ("192.0.2.7:8090", True),
    ("[2001:db8::7]:8090", True),
    ("bench.example", True),
    ("evil.example", False),
    ("localhost", False),
])  # fmt: skip
def test_elsewhere_addresses_and_named_hosts_are_known(host: str, known: bool) -> None:
    """A name that an attacker controls cannot be an address."""
    assert ELSEWHERE.knows_host({"host": host}) is known


@pytest.mark.parametrize(("origin", "own"), [
    ("http://127.0.0.1:8090", True),
    ("https://127.0.0.1:8090", True),
    ("http://127.0.0.1:8091", False),
    ("http://localhost:8090", False),
    ("http://evil.example", False),
    ("null", False),
    ("", False),
])  # fmt: skip
def test_the_origin_is_the_page_itself(origin: str, own: bool) -> None:
    assert LOOPBACK.is_own_origin({"host": "127.0.0.1:8090", "origin": origin}) is own


def test_no_origin_is_no_page() -> None:
    assert not LOOPBACK.is_own_origin({"host": "127.0.0.1:8090"})


def test_the_token_comes_in_the_cookie_or_as_a_bearer_token() -> None:
    assert ELSEWHERE.has_token({"cookie": f"other=1; {COOKIE}=0123456789abcdef"})
    assert ELSEWHERE.has_token({"authorization": "Bearer 0123456789abcdef"})


@pytest.mark.parametrize("headers", [
    {},
    {"cookie": f"{COOKIE}=0123456789abcdee"},
    {"cookie": f"{COOKIE}="},
    {"cookie": "; ;=;"},
    {"authorization": "Bearer wrong"},
    {"authorization": "0123456789abcdef"},
    {"authorization": "Bearer ÿ"},
])  # fmt: skip
def test_anything_else_is_no_token(headers: dict[str, str]) -> None:
    assert not ELSEWHERE.has_token(headers)


def test_pages_side_by_side_do_not_lose_their_cookies_to_each_other() -> None:
    """A browser keeps cookies by host, whatever the port."""
    both = {"cookie": "hilbridge-cockpit-8090=0123456789abcdef; hilbridge-cockpit-8091=fedcba9876543210"}
    assert ELSEWHERE.has_token(both | {"host": "192.0.2.7:8090"})
    assert not ELSEWHERE.has_token(both | {"host": "192.0.2.7:8091"})
    assert LOOPBACK.has_token(both | {"host": "localhost:8091"})
    assert not LOOPBACK.has_token(both | {"host": "localhost"})
