"""Service 29 (ISO 14229-1:2020, 10.6): it authenticates by a function of the user, and in no other way."""

import hmac
from pathlib import Path
from types import ModuleType

import pytest

from hilbridge.base.common.errors import ConfigurationError

from .....user_code import user_module
from .tester import Tester

KEY = b"of this test"
ALGORITHM = bytes(range(16)).hex(" ").upper()
WRITE = f"2E F1 98 {b'GARAGE-1'.hex()}"


@pytest.fixture
def module(tmp_path: Path, own_code: None) -> ModuleType:
    """A module of the user: `authenticate` takes a MAC of the challenge; certificates are the word CERT."""
    found = user_module(tmp_path)

    def algorithm(step: int, head: bytes, parameters: list[bytes], challenge: bytes) -> list[bytes] | None:
        if step in (1, 2, 4):
            answers = {1: [b"key"], 2: [b"our certificate", b"our proof", b"key"], 4: []}
            return answers[step] if parameters[0] == b"CERT" else None
        if step == 5:
            return [b""]
        genuine = hmac.compare_digest(parameters[0], hmac.digest(KEY, challenge, "sha256"))
        proof = {3: [b"session"], 6: [b"session"], 7: [b"our proof", b"session"]}[step]
        return proof if genuine else None

    def authenticate(*arguments: object) -> object:
        answer: object = found.__dict__["algorithm"](*arguments)
        return answer

    found.__dict__.update(algorithm=algorithm, authenticate=authenticate)
    return found


def unit(module: ModuleType, **settings: object) -> Tester:
    given = {"function": f"{module.__file__}:authenticate", "services": ["2E", "11 01"]} | settings
    return Tester(authentication=given).extended()


def counted(content: bytes) -> str:
    """A parameter with its length."""
    return (len(content).to_bytes(2, "big") + content).hex()


def challenge(tester: Tester) -> bytes:
    """Of step 05: it and what else is needed, after the algorithm."""
    answer = bytes.fromhex(tester.ask(f"29 05 00 {ALGORITHM}"))
    assert (answer[:3], answer[3:19]) == (b"\x69\x05\x00", bytes(range(16)))
    length = int.from_bytes(answer[19:21], "big")
    assert answer[21 + length :] == b"\x00\x00"
    return answer[21 : 21 + length]


def proven(tester: Tester, proof: bytes, step: str = "06") -> str:
    return tester.ask(f"29 {step} {ALGORITHM} {counted(proof)} {counted(b'')} {counted(b'')}")


def test_challenge_and_response_open_what_needs_authentication(module: ModuleType) -> None:
    """34 before; it goes on in other sessions but the default one, and 00 ends it."""
    tester = unit(module)
    assert [tester.ask(one) for one in (WRITE, "11 01")] == ["7F 2E 34", "7F 11 34"]
    sent = challenge(tester)
    assert len(sent) == 32
    assert (
        proven(tester, hmac.digest(KEY, sent, "sha256")) == f"69 06 12 {ALGORITHM} 00 07 {b'session'.hex(' ').upper()}"
    )
    assert tester.ask(WRITE) == "6E F1 98"
    assert tester.extended().ask(WRITE) == "6E F1 98"
    assert tester.ask("29 00") == "69 00 10"
    assert tester.ask(WRITE) == "7F 2E 34"


def test_the_default_session_ends_it(module: ModuleType) -> None:
    """Also when S3 is over."""
    tester = unit(module)
    proven(tester, hmac.digest(KEY, challenge(tester), "sha256"))
    assert tester.ask(WRITE) == "6E F1 98"
    tester.wait(5001)
    assert tester.extended().ask(WRITE) == "7F 2E 34"


def test_a_proof_is_good_once_and_for_its_challenge(module: ModuleType) -> None:
    """58 for a wrong one, 24 without a challenge; a failure also ends an earlier success."""
    tester = unit(module)
    assert proven(tester, b"") == "7F 29 24"
    right = hmac.digest(KEY, challenge(tester), "sha256")
    assert proven(tester, right).startswith("69 06 12")
    assert proven(tester, right) == "7F 29 24"
    assert tester.ask(WRITE) == "6E F1 98"
    challenge(tester)
    assert proven(tester, right) == "7F 29 58"
    assert tester.ask(WRITE) == "7F 2E 34"
    assert proven(tester, right) == "7F 29 24"


def test_both_sides_prove_in_step_07(module: ModuleType) -> None:
    tester = unit(module)
    answer = bytes.fromhex(proven(tester, hmac.digest(KEY, challenge(tester), "sha256"), "07"))
    assert answer[19:] == b"\x00\x09our proof\x00\x07session"


def test_certificates_are_for_the_function_alone(module: ModuleType) -> None:
    """01 or 02, then 03; 57 for a certificate that it refuses."""
    tester = unit(module, kind="certificates", challenge_length=16)
    assert tester.ask(f"29 01 00 {counted(b'FAKE')} {counted(b'')}") == "7F 29 57"
    assert tester.ask(f"29 03 {counted(b'')} {counted(b'')}") == "7F 29 24"
    answer = bytes.fromhex(tester.ask(f"29 01 00 {counted(b'CERT')} {counted(b'')}"))
    assert (answer[:5], answer[21:]) == (b"\x69\x01\x11\x00\x10", b"\x00\x03key")
    proof = hmac.digest(KEY, answer[5:21], "sha256")
    assert tester.ask(f"29 03 {counted(proof)} {counted(b'')}").startswith("69 03 12")
    assert tester.ask(WRITE) == "6E F1 98"
    assert tester.ask(f"29 04 00 01 {counted(b'CERT')}") == "69 04 13"
    assert tester.ask(f"29 02 00 {counted(b'CERT')} {counted(b'mine')}").startswith("69 02 11 00 10")
    assert tester.ask(f"29 05 00 {ALGORITHM}") == "7F 29 12"


@pytest.mark.parametrize(("kind", "value"), [("certificates", "02"), ("asymmetric", "03"), ("symmetric", "04")])
def test_the_configuration_is_told(module: ModuleType, kind: str, value: str) -> None:
    assert unit(module, kind=kind).ask("29 08") == f"69 08 {value}"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("29", "13"),
        ("29 09", "12"),
        ("29 01 00", "12"),  # certificates are not configured
        ("29 00 00", "13"),
        ("29 08 00", "13"),
        ("29 05", "13"),
        (f"29 05 00 {ALGORITHM} 00", "13"),
        (f"29 06 {ALGORITHM} 00 01", "13"),
        (f"29 06 {ALGORITHM} 00 00 00 00 00 00 00", "13"),
    ],
)
def test_what_is_incomplete_is_refused(module: ModuleType, request_: str, code: str) -> None:
    assert unit(module).ask(request_) == f"7F 29 {code}"


@pytest.mark.parametrize("given", [None, True, b"", [], ["text"], [b"", b""], ZeroDivisionError()])
def test_a_function_that_fails_authenticates_nobody(module: ModuleType, given: object) -> None:
    """58, whatever it gives or raises; the challenge is spent."""
    tester = unit(module)
    sent = challenge(tester)

    def broken(*_: object) -> object:
        if isinstance(given, Exception):
            raise given
        return given

    module.__dict__["algorithm"] = broken
    assert proven(tester, hmac.digest(KEY, sent, "sha256")) == "7F 29 58"
    assert tester.ask(WRITE) == "7F 2E 34"
    assert proven(tester, hmac.digest(KEY, sent, "sha256")) == "7F 29 24"


def test_challenges_differ_and_are_repeatable(module: ModuleType) -> None:
    """Drawn from the seed of the bench."""
    first, second = unit(module), unit(module)
    drawn = [challenge(first) for _ in range(20)]
    assert drawn == [challenge(second) for _ in range(20)]
    assert len(set(drawn)) == 20


def test_a_function_that_is_not_there_is_refused_at_start(module: ModuleType) -> None:
    with pytest.raises(ConfigurationError, match="has no function sign") as raised:
        unit(module, function=f"{module.__file__}:sign")
    assert raised.value.place == ("uds", "authentication", "function")


def test_a_service_that_is_not_there_needs_no_authentication(module: ModuleType) -> None:
    with pytest.raises(ConfigurationError, match="has no service 3D") as raised:
        unit(module, services=["3D"])
    assert raised.value.place == ("uds", "authentication", "services", "3D")
