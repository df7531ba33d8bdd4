"""Requests and answers of programming, periodic identifiers, events and authentication, as py-uds reads them.

py-uds has the formats of ISO 14229-1:2020 as tables, and refuses a message with a byte too many or too few.
"""

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from uds.translator import service_definitions  # type: ignore[import-untyped]

from .....user_code import user_module
from .tester import IDENTIFIERS, SECURITY, Tester

ALGORITHM = "00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF"
WAYS = {
    "34": "REQUEST_DOWNLOAD",
    "35": "REQUEST_UPLOAD",
    "36": "TRANSFER_DATA",
    "37": "REQUEST_TRANSFER_EXIT",
    "3D": "WRITE_MEMORY_BY_ADDRESS",
    "23": "READ_MEMORY_BY_ADDRESS",
    "2A": "READ_DATA_BY_PERIODIC_IDENTIFIER",
    "2C": "DYNAMICALLY_DEFINE_DATA_IDENTIFIER",
    "28": "COMMUNICATION_CONTROL",
    "29": "AUTHENTICATION",
    "86": "RESPONSE_ON_EVENT",
    "10": "DIAGNOSTIC_SESSION_CONTROL",
    "11": "ECU_RESET",
    "31": "ROUTINE_CONTROL",
}
EDITIONS = {"86 02": "RESPONSE_ON_EVENT_2013"}
"""What ISO 14229-1:2020 has no more."""

CONVERSATION = f"""
    31 01 FF 00
    34 00 24 00008000 0006
    36 01 01 02 03 04 05 06
    37
    31 01 FF 01
    35 00 24 00008000 0006
    36 01
    37
    23 24 00008000 0006
    3D 12 9000 02 BEEF
    10 03
    28 04 01 0A12
    28 05 01 0A12
    2C 01 F200 F18C 01 04
    2C 02 F201 12 1000 02
    2A 01 00 01
    2A 04
    2C 03 F200
    2C 03
    29 08
    29 05 00 {ALGORITHM}
    29 06 {ALGORITHM} 0002 AAAA 0000 0000
    29 05 00 {ALGORITHM}
    29 07 {ALGORITHM} 0002 AAAA 0002 BBBB 0000
    29 00
    10 01
    86 01 02 01 19 02 01
    86 04 02
    86 02 03 01 22 F186
    86 03 02 F190 22 F190
    86 43 02 F18C 22 F18C
    86 07 02 0101 01 00000032 0A 2000 22 0101
    86 05 02
    86 00 02
    86 06 02
    11 04
    11 01
"""

CERTIFICATES = """
    29 01 00 0002 AAAA 0000
    29 03 0002 AAAA 0000
    29 02 00 0002 AAAA 0002 BBBB
    29 03 0002 AAAA 0002 BBBB
"""


@pytest.fixture
def build(tmp_path: Path, own_code: None) -> Callable[[str], Tester]:
    """A server with all of these services; whoever has a proof is authenticated."""
    counts = {1: 1, 2: 3, 3: 1, 5: 1, 6: 1, 7: 2}
    module = user_module(tmp_path, trust=lambda step, *_: [b"given"] * counts[step])
    return lambda kind: Tester(
        identifiers=IDENTIFIERS,
        memory=[
            {"address": 0x1000, "data": "00 01 02 03"},
            {"address": 0x8000, "length": 6, "flash": True},
            {"address": 0x9000, "length": 6, "write": True},
        ],
        programming={"erase_time": 0},
        periodic={},
        dynamic=True,
        node=0x0A12,
        events={},
        authentication={"function": f"{module.__file__}:trust", "kind": kind},
        security=SECURITY,
        reset={"shutdown_time": 5},
    )


def names(records: Any) -> list[str]:
    return [record["name"] for record in records]


@pytest.mark.parametrize(("kind", "conversation"), [("symmetric", CONVERSATION), ("certificates", CERTIFICATES)])
def test_every_answer_is_one_of_the_standard(build: Callable[[str], Tester], kind: str, conversation: str) -> None:
    """Each request of a conversation is one to py-uds, and each answer is positive and decoded to its last byte."""
    unit = build(kind)
    unit.ask("10 02")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # py-uds has no names for our numbers
        for request in filter(None, map(str.strip, conversation.splitlines())):
            answer = unit.ask(request) or unit.wait(5)[0][1]
            assert answer.startswith(f"{int(request[:2], 16) | 0x40:02X}"), f"{request}: {answer}"
            translator = getattr(service_definitions, EDITIONS.get(request[:5]) or WAYS[request[:2]])
            assert names(translator.decode_request(bytes.fromhex(request)))[0] == "SID"
            assert names(translator.decode_positive_response(bytes.fromhex(answer)))[0] == "RSID"
