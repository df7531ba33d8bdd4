"""Service 08, by hand from SAE J1979: test ids in a mask, five bytes of data at most, 22 where it cannot be done."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.units import ControlSettings, ObdSettings

from ..control_units import ENGINE, Bench

LEAK_TEST = ENGINE.model_copy(
    update={
        "obd": ObdSettings.model_validate(
            {
                "controls": {
                    "01": {"data": "00 00 00 00 00", "conditions": ["not vehicle.EngineWorking"]},
                    "22": {"data": "AA"},
                }
            }
        )
    }
)


def test_a_test_is_answered_with_its_data_where_its_condition_holds() -> None:
    """Data A to E of the request are taken and mean nothing here."""
    bench = Bench(LEAK_TEST)
    assert bench.ask("08 01") == "48 01 00 00 00 00 00"
    assert bench.ask("08 01 00 00 00 00 00") == "48 01 00 00 00 00 00"
    assert bench.ask("08 22") == "48 22 aa"
    bench.start()
    assert bench.ask("08 01") == "7f 08 22"
    assert bench.ask("08 01", functional=True) == "7f 08 22"


def test_masks_name_the_tests() -> None:
    """01 in the first mask with the bit that leads on, 22 in the second."""
    assert Bench(LEAK_TEST).ask("08 00 20") == "48 00 80 00 00 01 20 40 00 00 00"


@pytest.mark.parametrize("request_", ["08", "08 02", "08 01 00 00 00 00 00 00", "08 00 01 40"])
def test_what_there_is_not_is_refused_or_left_out(request_: str) -> None:
    """Of bases and test ids mixed, the bases are answered."""
    answer = Bench(LEAK_TEST).ask(request_)
    assert answer == ("48 00 80 00 00 01" if request_ == "08 00 01 40" else "7f 08 12")


def test_a_control_unit_without_tests_has_no_service_08() -> None:
    bench = Bench()
    assert bench.ask("08 00") == "7f 08 11"
    assert bench.ask("08 00", functional=True) is None


@pytest.mark.parametrize("data", ["0", "xx", "00 00 00 00 00 00"])
def test_data_that_do_not_fit_are_refused(data: str) -> None:
    with pytest.raises((ConfigurationError, ValueError)):
        ControlSettings(data=data)
