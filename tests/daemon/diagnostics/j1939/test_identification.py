"""VI, SOFT and CI: text fields that end with an asterisk."""

from hilbridge.diagnostics.j1939.identification import CI, SOFT, VI, identification
from hilbridge.settings.j1939 import J1939NodeSettings


def test_fields_are_text_and_end_with_an_asterisk() -> None:
    """SOFT begins with the number of its fields; CI has make, model, serial and unit number."""
    settings = J1939NodeSettings(function=0, identity=17, software=["A1", "B 2.0"])
    payloads = identification(settings, "WHB00000000000001", "ENGINE")
    assert payloads[VI]() == b"WHB00000000000001*"
    assert payloads[SOFT]() == b"\x02A1*B 2.0*"
    assert payloads[CI]() == b"HILBR*ENGINE*17**"


def test_only_who_knows_the_vin_tells_it() -> None:
    assert VI not in identification(J1939NodeSettings(function=3), None, "TRANSMISSION")
