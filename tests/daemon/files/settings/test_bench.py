"""The settings of a bench, its metrics and its page."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import RATES, BenchSettings, BusSettings, InputSignal, MessageMap, SerialInput, SignalMap
from hilbridge.files.settings.bench import CockpitSettings, MetricsSettings
from hilbridge.files.settings.common import in_whole_ticks


def test_the_port_of_the_metrics_is_known() -> None:
    assert MetricsSettings().port == 8099


@pytest.mark.parametrize(
    "wrong",
    [
        {"port": 0},
        {"port": 65536},
        {"address": "0.0.0.0"},
        {"address": "0.0.0.0", "token": "short"},
        {"address": "here"},
    ],
)
def test_metrics_that_cannot_be_are_refused(wrong: dict[str, object]) -> None:
    """They leave the machine only with a token, and nobody finds them at any port that happens to be free."""
    with pytest.raises(ValidationError):
        MetricsSettings.model_validate(wrong)


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7"])
def test_elsewhere_the_metrics_need_a_token(address: str) -> None:
    with pytest.raises(ValidationError, match=r"a port for metrics at .* needs a token"):
        MetricsSettings(address=address)
    assert MetricsSettings.model_validate({"address": address, "token": "0123456789abcdef"}).address == address


def test_by_default_the_page_is_on_loopback() -> None:
    settings = CockpitSettings()
    assert (settings.address, settings.port, settings.rate) == ("127.0.0.1", 8090, 30)
    assert settings.is_loopback


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.7"])
def test_elsewhere_the_page_needs_a_token(address: str) -> None:
    with pytest.raises(ValidationError, match="needs a token"):
        CockpitSettings(address=address)
    assert not CockpitSettings.model_validate({"address": address, "token": "0123456789abcdef"}).is_loopback
    assert not CockpitSettings(address=address, enabled=False).is_loopback


@pytest.mark.parametrize(
    "wrong",
    [{"address": "localhost"}, {"token": "short"}, {"token": "a b c d e f g h i"}, {"rate": 0}, {"hosts": ["A:1"]}],
)
def test_a_page_that_cannot_be_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        CockpitSettings.model_validate(wrong)


def bench(**keys: Any) -> BenchSettings:
    return BenchSettings.model_validate({"name": "test", "vehicle": "car", **keys})


def test_a_rate_has_a_period_in_whole_nanoseconds() -> None:
    """10 to 1000 Hz, and only those that divide a second: 60 Hz would drift by 40 ns a second."""
    assert list(RATES) == [rate for rate in range(10, 1001) if Fraction(10**9, rate).denominator == 1]
    for rate in RATES:
        assert bench(rate=rate).period * rate == 10**9


@pytest.mark.parametrize("rate", [-1, 0, 5, 9, 1001, 10_000])
def test_a_rate_outside_the_range_is_refused(rate: int) -> None:
    """The tick of the daemon goes from 1 ms to 100 ms."""
    with pytest.raises(ValidationError, match=r"equal to 10+"):
        bench(rate=rate)


def test_a_rate_that_does_not_divide_a_second_is_refused_with_its_neighbours() -> None:
    """The message gives the next ones that do."""
    with pytest.raises(ValidationError, match="nearest rates: 50 and 64"):
        bench(rate=60)


@given(rate=st.sampled_from(RATES), ticks=st.integers(1, 3_600))
def test_whole_numbers_of_ticks_are_periods(rate: int, ticks: int) -> None:
    """Whatever the rate, n ticks of it are a period, given in milliseconds."""
    tick = bench(rate=rate).period
    assert in_whole_ticks(ticks * 1000 / rate, tick) == ticks * tick


@pytest.mark.parametrize(
    ("rate", "period", "nearest"),
    [
        (1000, 2.5, "2 ms or 3 ms"),
        (1000, 0.4, "1 ms"),
        (100, 15.0, "10 ms or 20 ms"),
        (400, 4.0, "2.5 ms or 5 ms"),
        (1000, 1e-7, "1 ms"),
    ],
)
def test_a_period_between_two_ticks_is_refused_with_the_nearest_ones(rate: int, period: float, nearest: str) -> None:
    """0 is no period, so below the first tick there is one nearest only."""
    with pytest.raises(ConfigurationError, match=f"nearest: {nearest}$") as raised:
        in_whole_ticks(period, bench(rate=rate).period, ("x",))
    assert raised.value.place == ("x",)


def test_a_signal_is_mapped_by_an_entry_alone() -> None:
    """The short form and the long form are the same."""
    short = MessageMap.model_validate({"signals": {"Speed": "vehicle.Speed"}})
    assert short == MessageMap.model_validate({"signals": {"Speed": {"from": "vehicle.Speed"}}})


@pytest.mark.parametrize(
    ("model", "keys", "reason"),
    [
        (SignalMap, {}, "one of 'from'"),
        (SignalMap, {"from": "vehicle.Speed", "constant": 3.0}, "has 'from' and 'constant': one only"),
        (SignalMap, {"from": "vehicle.Speed", "table": [[0, 1]]}, "two points or more"),
        (SignalMap, {"from": "vehicle.Speed", "table": [[0, 1], [0, 2]]}, "ascending"),
        (SignalMap, {"from": "vehicle.Speed", "table": [[0, 1], [1, 2]], "unit": "km/h"}, "does not go with 'table'"),
        (SignalMap, {"constant": 3.0, "table": [[0, 1], [1, 2]]}, "does not go with 'table'"),
        (BusSettings, {"interface": "embedded", "channel": "vcan0"}, "has no channel"),
        (BusSettings, {"interface": "embedded", "options": {"a": 1}}, "has no options"),
        (BusSettings, {"interface": "socketcan"}, "needs a channel"),
        (BusSettings, {"interface": "socketcan", "channel": "can0", "slcan": 0}, "only an embedded bus"),
        (BusSettings, {"interface": "embedded", "transmit": ["ECU"]}, "needs a 'database'"),
        (BusSettings, {"interface": "embedded", "messages": {"M": {}}}, "needs a 'database'"),
        (InputSignal, {"minimum": 0.0}, "belong together"),
        (InputSignal, {"minimum": 1.0, "maximum": 1.0}, "are equal"),
        (InputSignal, {"dead_zone": 0.1}, "needs 'minimum' and 'maximum'"),
        (SerialInput, {"source": "serial", "port": "p", "signals": {"Key": {}}, "format": "csv"}, "needs 'columns'"),
        (SerialInput, {"source": "serial", "port": "p", "signals": {"Key": {}}, "columns": ["a"]}, "format: csv"),
    ],
)
def test_keys_that_exclude_or_need_each_other(model: Any, keys: dict[str, Any], reason: str) -> None:
    """A section is refused when its keys contradict each other."""
    with pytest.raises(ValidationError, match=reason):
        model.model_validate(keys)


def test_settings_do_not_change() -> None:
    """What was checked at start stays as it was checked."""
    with pytest.raises(ValidationError, match="frozen"):
        bench().rate = 10
