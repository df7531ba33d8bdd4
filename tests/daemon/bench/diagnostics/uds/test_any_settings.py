"""Whatever a bench file says of a UDS server is a server or a clear error, and a server survives all requests."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError

from ....frames.codec.any_fields import EXPRESSIONS, FIELDS, FORMS, NUMBERS, ORIGINS, merged
from .tester import SECURITY, Tester

USES = st.fixed_dictionaries(
    {},
    optional={
        "stored": st.booleans(),
        "control": st.booleans(),
        "default": NUMBERS,
        "security": st.sampled_from([0, 1, 3, 5]),
    },
)
IDENTIFIERS = st.dictionaries(
    st.sampled_from(["0100", "0101", "F190", "F40C", "1"]),
    st.one_of(
        st.builds(merged, ORIGINS, FORMS, USES),
        st.builds(lambda fields, use: {"fields": fields, **use}, FIELDS, USES),
    ),
    max_size=3,
)
ROUTINES = st.dictionaries(
    st.sampled_from(["0200", "0201", "FF00"]),
    st.fixed_dictionaries(
        {},
        optional={
            "kind": st.sampled_from(["self-test", "consumption"]),
            "start": FIELDS,
            "stop": FIELDS,
            "results": FIELDS,
            "duration": st.sampled_from([0, 1, 200, -1]),
            "option": st.integers(-1, 3),
            "conditions": st.lists(EXPRESSIONS, max_size=2),
            "security": st.sampled_from([0, 1]),
        },
    ),
    max_size=2,
)
SERVICES = st.sampled_from(
    ["10", "10 03", "10 02", "11 01", "19", "19 02", "22", "27", "2E", "2F", "31", "3E", "34", "x"]
)
SESSIONS = st.dictionaries(
    st.sampled_from(["01", "02", "03", "40", "7F"]),
    st.one_of(
        st.none(),
        st.fixed_dictionaries(
            {},
            optional={
                "services": st.lists(SERVICES, max_size=8),
                "from": st.lists(st.sampled_from(["01", "02", "03"]), max_size=2),
                "p2": st.sampled_from([0, 1, 50]),
                "p2_star": st.sampled_from([10, 15, 5000]),
                "s3": st.sampled_from([10, 5000]),
            },
        ),
    ),
    max_size=3,
)
SECURED = st.dictionaries(SERVICES, st.sampled_from([1, 3, 5]), max_size=2)
HEADS = st.sampled_from(
    [bytes.fromhex(text) for text in ("10", "1003", "1002", "1040", "220100", "220101", "2E0100", "2F0100", "2F010003")]
    + [bytes.fromhex(text) for text in ("31010200", "31020200", "31030200", "3101FF00", "2701", "2702", "1902", "3E00")]
)
TAILS = st.one_of(st.just(b""), st.just(b""), st.binary(max_size=9))
REQUESTS = st.lists(st.tuples(HEADS, TAILS, st.booleans(), st.integers(0, 60)), min_size=10, max_size=30)


def built(**given: Any) -> Tester | None:
    """A tester of these settings; None where they are refused. Nothing else may happen."""
    try:
        return Tester(**{"identifiers": {}, "routines": {}, "memory": [], **given})
    except (ValidationError, ConfigurationError):
        return None


def usable(key: str, table: dict[str, Any]) -> dict[str, Any]:
    """Those rows of a table that are no error by themselves."""
    return {row: one for row, one in table.items() if built(**{key: {row: one}}) is not None}


@settings(max_examples=150)
@given(IDENTIFIERS, ROUTINES, SESSIONS, SECURED, REQUESTS)
def test_any_settings_make_a_server_or_a_clear_error(
    identifiers: dict[str, Any],
    routines: dict[str, Any],
    sessions: dict[str, Any],
    secured: dict[str, int],
    requests: list[tuple[bytes, bytes, bool, int]],
) -> None:
    """No other exception; every answer is positive or a refusal of its request, and the ticks go on."""
    security = {**SECURITY, "services": secured}
    tables = {"identifiers": identifiers, "routines": routines, "sessions": sessions}
    rows = {key: usable(key, table) for key, table in tables.items()}
    tester = built(**rows, security=security) or built(**rows) or built(**rows | {"sessions": {}})
    assert tester is not None
    tester.ask("10 03")
    for head, rest, functional, pause in requests:
        answer = tester.server.request(head + rest, functional, tester.t)
        if answer is not None:
            assert answer[0] == head[0] | 0x40 or answer[:2] == bytes((0x7F, head[0]))
        tester.wait(pause)
