"""Service 27: it opens with the right key and in no other way."""

from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udsoncan.exceptions import NegativeResponseException

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.uds import demo_security

from .....user_code import user_module
from .tester import SECURITY, Tester

SECURED = "2E 01 20 12 34"


def algorithm(level: int, seed: bytes) -> bytes:
    """The demo provider as its documentation gives it."""
    return bytes(byte ^ (0x5A + level) for byte in seed)


def test_udsoncan_unlocks_with_the_documented_algorithm() -> None:
    """Then what was guarded can be written."""
    tester = Tester().extended()
    assert tester.ask(SECURED) == "7F 2E 33"
    client = tester.client(security_algo=algorithm)
    client.unlock_security_access(1)
    assert tester.ask(SECURED) == "6E 01 20"
    client.unlock_security_access(1)  # zeros for a seed: it is open
    assert tester.server.statistics.unlocked == 1


@given(st.sampled_from([1, 3, 0x41]), st.binary(min_size=1, max_size=8))
def test_the_demo_provider_is_what_it_says(level: int, seed: bytes) -> None:
    """Byte by byte: key = seed xor (0x5A + level)."""
    assert demo_security.key(level, seed) == algorithm(level, seed)


def test_wrong_keys_lead_to_a_delay() -> None:
    """35, 35, 36; then 37 for ten seconds, and the next wrong key is one too many again."""
    tester = Tester().extended()
    client = tester.client()
    refused = []
    for _ in range(3):
        client.request_seed(1)
        with pytest.raises(NegativeResponseException) as raised:
            client.send_key(2, b"\x00\x00\x00\x00")
        refused.append(raised.value.response.code_name)
    assert refused == ["InvalidKey", "InvalidKey", "ExceedNumberOfAttempts"]
    for _ in range(5):
        assert tester.ask("27 01") == "7F 27 37"
        tester.wait(2000)
    assert tester.ask("27 01").startswith("67 01")
    assert tester.ask("27 02 00 00 00 00") == "7F 27 36"
    assert tester.ask("27 01") == "7F 27 37"
    assert tester.server.statistics.wrong_keys == 4


def test_the_right_key_forgives_wrong_ones() -> None:
    """Two wrong, one right, and again three attempts."""
    tester = Tester().extended()
    for _ in range(2):
        for expected in ("35", "35"):
            tester.ask("27 01")
            assert tester.ask("27 02 00 00 00 00") == f"7F 27 {expected}"
        tester.unlocked().extended()


@pytest.mark.parametrize("way_round", ["10 01", "10 03", "11 01"])
def test_neither_reset_nor_session_is_a_way_round_the_delay(way_round: str) -> None:
    """Counted keys stay counted."""
    tester = Tester().extended()
    for expected in ("35", "35", "36"):
        tester.ask(way_round)
        tester.extended()
        tester.ask("27 01")
        assert tester.ask("27 02 00 00 00 00") == f"7F 27 {expected}"
    tester.ask(way_round)
    assert tester.extended().ask("27 01") == "7F 27 37"


def test_a_key_opens_once_and_only_after_its_seed() -> None:
    """24 without a seed, after a key, for another level, and in the next session."""
    tester = Tester().extended()
    assert tester.ask("27 02 00 00 00 00") == "7F 27 24"
    seed = bytes.fromhex(tester.ask("27 01"))[2:]
    key = algorithm(1, seed).hex()
    assert tester.ask(f"27 04 {key}") == "7F 27 24"
    assert tester.ask(f"27 02 {key}") == "7F 27 24"
    seed = bytes.fromhex(tester.ask("27 01"))[2:]
    tester.extended()
    assert tester.ask(f"27 02 {algorithm(1, seed).hex()}") == "7F 27 24"
    assert tester.ask(SECURED) == "7F 2E 33"


@pytest.mark.parametrize(
    ("request_", "code"), [("27", "13"), ("27 05", "12"), ("27 00", "12"), ("27 01 00", "13"), ("27 02", "13")]
)
def test_requests_that_are_none_are_refused(request_: str, code: str) -> None:
    """Sub-functions are the levels and what follows each; a seed takes no data, a key is one."""
    assert Tester().extended().ask(request_) == f"7F 27 {code}"


@pytest.mark.parametrize("short_or_long", ["00", "00 00 00", "00 00 00 00 00"])
def test_a_key_of_another_length_is_a_mistake_in_the_format_and_no_attempt(short_or_long: str) -> None:
    """13 (ISO 14229-1, 10.4), before the sequence too; four of them lock nothing, and the seed is still good."""
    tester = Tester().extended()
    assert tester.ask(f"27 02 {short_or_long}") == "7F 27 13"
    seed = bytes.fromhex(tester.ask("27 01"))[2:]
    assert [tester.ask(f"27 02 {short_or_long}") for _ in range(4)] == ["7F 27 13"] * 4
    assert tester.ask(f"27 02 {algorithm(1, seed).hex()}") == "67 02"
    assert tester.server.statistics.wrong_keys == 0


def test_one_level_is_open_at_a_time() -> None:
    """The other one closes."""
    tester = Tester().unlocked(1)
    seed = bytes.fromhex(tester.ask("27 03"))[2:]
    assert tester.ask(SECURED) == "6E 01 20"  # a seed changes nothing yet
    assert tester.ask(f"27 04 {algorithm(3, seed).hex()}") == "67 04"
    assert tester.ask(SECURED) == "7F 2E 33"


def test_seeds_differ_are_never_zero_and_are_repeatable() -> None:
    """Drawn from the bench's seed: two runs are the same."""
    first, second = ([tester.ask("27 01") for _ in range(100)] for tester in (Tester().extended(), Tester().extended()))
    assert first == second
    assert len(set(first)) == 100
    assert "67 01 00 00 00 00" not in first


def test_without_a_provider_nothing_can_be_unlocked() -> None:
    """The service is not supported."""
    identifiers = {"F198": {"text": "WORKSHOP", "stored": True}}
    tester = Tester(security=None, identifiers=identifiers, memory=[]).extended()
    assert [tester.ask(f"27 0{level}") for level in (1, 2, 3)] == ["7F 27 11"] * 3


@pytest.fixture
def provider(tmp_path: Path, own_code: None) -> ModuleType:
    """A module of the user, with a function `key` that does what `algorithm` there does."""
    module = user_module(tmp_path)
    module.__dict__["algorithm"] = algorithm

    def key(level: int, seed: bytes) -> object:
        answer: object = module.__dict__["algorithm"](level, seed)
        return answer

    module.__dict__["key"] = key
    return module


@pytest.mark.parametrize("made", [None, b"", "1234", 7, ZeroDivisionError()])
def test_a_provider_that_fails_opens_nothing(provider: ModuleType, made: object) -> None:
    """22 for the seed: it raises, or gives no bytes."""
    tester = Tester(security=SECURITY | {"provider": f"{provider.__file__}:key"}).extended()

    def broken(level: int, seed: bytes) -> object:
        if isinstance(made, Exception):
            raise made
        return made

    provider.__dict__["algorithm"] = broken
    assert tester.ask("27 01") == "7F 27 22"
    assert tester.ask("27 02 00 00 00 00") == "7F 27 24"
    assert tester.ask(SECURED) == "7F 2E 33"
    assert tester.server.statistics.provider_failures == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:key", "cannot import"),
        ("FILE:lock", "has no function lock"),
        ("FILE:nothing", "gives no key"),
    ],
)
def test_a_provider_that_cannot_work_is_refused_at_start(provider: ModuleType, name: str, reason: str) -> None:
    """With the place of its name."""
    provider.__dict__["nothing"] = lambda level, seed: None
    with pytest.raises(ConfigurationError, match=reason) as raised:
        Tester(security=SECURITY | {"provider": name.replace("FILE", str(provider.__file__))})
    assert raised.value.place == ("uds", "security", "provider")


def test_the_demo_provider_has_its_name_of_version_0_1_too() -> None:
    """Bench files and recordings of that version name it so."""
    old = demo_security.__name__.replace(".bench.", ".")
    assert import_function(f"{old}:key", KEY, ("provider",)) is demo_security.key
