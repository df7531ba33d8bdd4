"""Where a databroker may be: here; elsewhere when that is asked for, and a token never in clear text."""

import os
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.vss.target import NO_PROXY, Target, keep_off_proxies, target


@pytest.mark.parametrize(
    ("address", "host", "port", "text"),
    [
        ("127.0.0.1:55556", "127.0.0.1", 55556, "127.0.0.1:55556"),
        ("localhost", "localhost", 55555, "localhost:55555"),
        ("::1", "::1", 55555, "[::1]:55555"),
        ("[::1]:1", "::1", 1, "[::1]:1"),
        ("127.8.9.10", "127.8.9.10", 55555, "127.8.9.10:55555"),
    ],
)
def test_this_machine_needs_no_permission(address: str, host: str, port: int, text: str) -> None:
    """55555 is the port of Databroker, as its documentation has it."""
    found = target(address, remote=False)
    assert (found.host, found.port, str(found), found.is_here) == (host, port, text, True)


@pytest.mark.parametrize(
    "address", ["192.0.2.1", "broker.example:55555", "[2001:db8::1]:55555", "0.0.0.0", "localhost.example"]
)
def test_another_machine_needs_to_be_asked_for(address: str) -> None:
    with pytest.raises(ConfigurationError, match="`--remote` lets the values leave it"):
        target(address, remote=False)
    assert not target(address, remote=True).is_here


@pytest.mark.parametrize(
    "address",
    ["", ":1", "a:0", "a:65536", "a:b", "a:١", "ä", "a b", "a/b", "[::1", "[::1]x", "unix:/x", "dns:///a", 254 * "a"],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    """gRPC would take schemes such as `unix:` for one."""
    with pytest.raises(ConfigurationError, match="is no address: HOST:PORT"):
        target(address, remote=True)


def test_a_token_goes_over_a_network_by_tls_alone(tmp_path: Path) -> None:
    token, root = tmp_path / "token", tmp_path / "root.pem"
    token.write_text("abc.def-_\n", encoding="ascii")
    root.write_text("-", encoding="ascii")
    assert target("127.0.0.1", remote=False, token=token).token == "abc.def-_"
    with pytest.raises(ConfigurationError, match="by TLS alone"):
        target("192.0.2.1", remote=True, token=token)
    assert target("192.0.2.1", remote=True, token=token, root=root).token == "abc.def-_"


@pytest.mark.parametrize("content", [b"", b"\n", b"two words", b"a\x1b[2J", "schlüssel".encode(), b"a" * 20_000])
def test_a_file_that_has_no_token_is_refused(tmp_path: Path, content: bytes) -> None:
    """And its content is not in the message."""
    file = tmp_path / "token"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError) as error:
        target("127.0.0.1", remote=False, token=file)
    assert error.value.message.startswith(f"{file}: no")
    assert "words" not in error.value.message.replace("word,", "")


def test_files_that_are_not_there_and_a_name_without_tls_are_refused(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(ConfigurationError, match="No such file"):
        target("127.0.0.1", remote=False, token=missing)
    with pytest.raises(ConfigurationError, match="No such file"):
        target("127.0.0.1", remote=False, root=missing)
    with pytest.raises(ConfigurationError, match="needs `--tls FILE`"):
        target("127.0.0.1", remote=False, name="broker")


def test_grpc_is_kept_from_a_proxy_for_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NO_PROXY, "example.org")
    keep_off_proxies(Target("192.0.2.1"))
    assert os.environ[NO_PROXY] == "example.org"
    keep_off_proxies(Target("127.0.0.1"))
    assert os.environ[NO_PROXY] == "example.org,127.0.0.1"
