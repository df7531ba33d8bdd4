"""The format of a bench file."""

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.inputs.binding import bind
from hilbridge.inputs.formats.build import build_format
from hilbridge.settings import InputSignal, SerialInput

SIGNALS = {"Throttle": InputSignal(), "Key": InputSignal(clamps={"15": "kl15", "50": "kl50"})}


@pytest.mark.parametrize(
    ("keys", "packet"),
    [
        ({"format": "pairs"}, b"kl15=1 kl50=0 throttle=0.5"),
        ({"format": "csv", "columns": ["kl15", "kl50", "throttle"]}, b"1,0,0.5"),
        ({"format": "json"}, b'{"kl15": 1, "kl50": 0, "throttle": 0.5}'),
        ({"format": "nmea", "columns": ["kl15", "kl50", "throttle"], "sentence": "PED"}, b"$PED,1,0,0.5*57"),
    ],
)
def test_readings_come_in_the_order_of_the_bindings_fields(keys: dict[str, object], packet: bytes) -> None:
    """XOR over `PED,1,0,0.5` by hand: P^E^D = 51, three commas leave 2C, 1^0 = 01, 0^.^5 = 2B."""
    settings = SerialInput.model_validate({"source": "serial", "port": "p", "signals": SIGNALS, **keys})
    assert build_format(settings, bind(SIGNALS, ())).decode(packet) == [0.5, 1.0, 0.0]


def test_a_field_that_the_format_lacks_is_refused_at_its_signal() -> None:
    settings = SerialInput(source="serial", port="p", format="csv", columns=["throttle", "kl15"], signals=SIGNALS)
    with pytest.raises(ConfigurationError, match="column 'kl50' is not") as error:
        build_format(settings, bind(SIGNALS, ("inputs", 0)))
    assert error.value.place == ("inputs", 0, "signals", "Key")
