"""Settings of fields for hypothesis: what may stand in a bench file, and what may not."""

from typing import Any

from hypothesis import strategies as st


def merged(*parts: dict[str, Any]) -> dict[str, Any]:
    return {key: value for part in parts for key, value in part.items()}


ENTRIES = st.sampled_from(
    ["vehicle.EngineRpm", "vehicle.Speed", "vehicle.EngineLoad", "input.Throttle", "body.TurnSignal", "vehicle.Nothing"]
)
EXPRESSIONS = st.sampled_from(
    ["vehicle.Speed / vehicle.EngineRpm", "1e308 * 10 * vehicle.Speed", "vehicle.Speed > 0", "1 +", "-1e300", "0 / 0"]
)
NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.sampled_from([0, 1, 255, 0.1]))
WIDTHS = {
    "length": st.integers(0, 12),
    "bits": st.integers(0, 70),
    "byte": st.integers(-1, 40),
    "bit": st.integers(0, 8),
}
ORIGINS = st.one_of(
    st.fixed_dictionaries({"from": ENTRIES}),
    st.fixed_dictionaries({"expression": EXPRESSIONS}),
    st.fixed_dictionaries({"constant": NUMBERS}),
    st.fixed_dictionaries({"text": st.text(max_size=5)}),
    st.fixed_dictionaries({"data": st.sampled_from(["", "0", "00 FF", "zz"])}),
)
FORMS = st.fixed_dictionaries(
    {},
    optional={
        "scale": NUMBERS,
        "offset": NUMBERS,
        "signed": st.booleans(),
        "float": st.booleans(),
        "order": st.sampled_from(["big", "little", "middle"]),
        "unit": st.sampled_from(["%", "km/h", "nonsense"]),
        "substitute": NUMBERS,
        "table": st.sampled_from([[[0, 0], [1, 5]], [[1, 0], [0, 1]]]),
        "length": WIDTHS["length"],
    },
)
PLACES = st.fixed_dictionaries({}, optional={key: WIDTHS[key] for key in ("bits", "byte", "bit")})
FIELDS = st.dictionaries(
    st.sampled_from("ABC"),
    st.one_of(ENTRIES, st.builds(merged, ORIGINS, FORMS, PLACES)),
    max_size=3,
)
