"""Times of the standards, and what ISO-TP cannot express."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.parameters import ISO_15765_2, OBD, IsoTpParameters, WhileBusy, parameters_of
from hilbridge.files.settings.units import IsoTpSettings
from hilbridge.frames.codec.frame import FD


def test_times_are_those_of_the_standards() -> None:
    """ISO 15765-2: 1000 ms; ISO 15765-4: N_Bs 75 ms, N_Cr 150 ms, no flow control "wait", frames of eight bytes."""
    assert (ISO_15765_2.n_bs, ISO_15765_2.n_cr) == (1000 * MILLISECOND, 1000 * MILLISECOND)
    assert (OBD.n_bs, OBD.n_cr, OBD.waits) == (75 * MILLISECOND, 150 * MILLISECOND, 0)
    assert OBD.padding is not None


@pytest.mark.parametrize(
    "wrong",
    [
        {"block_size": 256},
        {"block_size": -1},
        {"st_min": 128 * MILLISECOND},
        {"n_bs": 0},
        {"n_cr": -1},
        {"waits": -1},
        {"longest": 0},
        {"longest": 1 << 32},
        {"burst": 0},
        {"padding": 256},
        {"frame_size": 9, "flags": FD},
        {"frame_size": 64},
    ],
)
def test_what_cannot_be_expressed_is_refused_by_name(wrong: dict[str, Any]) -> None:
    """A block size has a byte, STmin ends at 127 ms, frames over eight bytes are CAN FD."""
    with pytest.raises(ConfigurationError) as refused:
        IsoTpParameters(**wrong)
    assert refused.value.place == (next(iter(wrong)),)


def test_a_bench_file_that_says_nothing_gets_the_defaults() -> None:
    """Of ISO 15765-2, or with the times of ISO 15765-4."""
    assert parameters_of(IsoTpSettings()) == ISO_15765_2
    assert parameters_of(IsoTpSettings(timing="iso-15765-4")) == OBD


def test_every_setting_reaches_its_parameter() -> None:
    """Milliseconds become nanoseconds; frames of more than eight bytes are CAN FD."""
    settings = IsoTpSettings(
        block_size=8,
        st_min=0.3,
        padding=None,
        frame_size=64,
        longest=65_536,
        burst=2,
        functional_flow_control=True,
        while_busy="refuse",
    )
    assert parameters_of(settings) == IsoTpParameters(
        block_size=8,
        st_min=300_000,
        padding=None,
        frame_size=64,
        flags=FD,
        longest=65_536,
        burst=2,
        functional_flow_control=True,
        while_busy=WhileBusy.REFUSE,
    )
