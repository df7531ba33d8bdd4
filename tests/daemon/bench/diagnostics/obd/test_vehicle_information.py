"""Service 09."""

from zlib import crc32

import obd  # type: ignore[import-untyped]
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from ..control_units import DIESEL, ENGINE, PETROL, TRANSMISSION, Bench


def text(bench: Bench, request: str, ecu: int = 0) -> bytes:
    return bytes.fromhex(bench.ask(request, ecu=ecu) or "")


def test_the_vin_has_17_characters_behind_a_count() -> None:
    assert text(Bench(), "09 02") == b"\x49\x02\x01WHBZZZ1EZSA000007"


def test_calibration_ids_have_16_characters_each() -> None:
    assert text(Bench(), "09 04") == b"\x49\x04\x02" + b"ENG-1".ljust(16, b"\0") + b"ENG-DATA-02".ljust(16, b"\0")


def test_verification_numbers_are_given_or_the_crc_32_of_the_calibration() -> None:
    computed = crc32(f"ENG-DATA-02\n{PETROL.engine!r}".encode())
    assert text(Bench(), "09 06") == b"\x49\x06\x02\x12\x34\x56\x78" + computed.to_bytes(4, "big")


def test_names_of_control_units() -> None:
    bench = Bench(ENGINE, TRANSMISSION)
    assert text(bench, "09 0a") == b"\x49\x0a\x01ECM\0-EngineControl\0\0"
    assert text(bench, "09 0a", ecu=1) == b"\x49\x0a\x01TCM\0-TransmisControl"


def test_only_the_engine_s_control_unit_knows_the_vin() -> None:
    bench = Bench(ENGINE, TRANSMISSION)
    assert bench.ask("09 02", ecu=1) == "7f 09 12"
    assert bench.ask("09 02", ecu=1, functional=True) is None


def test_one_info_type_a_request() -> None:
    assert Bench().ask("09 02 04") == "7f 09 12"
    assert Bench().ask("09 00") == "49 00 55 40 00 00"
    assert Bench(car=DIESEL).ask("09 00") == "49 00 54 60 00 00"


def test_performance_counts_ignitions_and_completions() -> None:
    """20 words: general denominator, ignitions, then pairs; oxygen sensor 1 is the third pair."""
    bench = Bench()
    bench.set(auxiliary_FuelSystem=2, auxiliary_Lambda=10_000)
    for _ in range(3):
        bench.drive_cycle(25)
    data = text(bench, "09 08")
    assert data[:3] == b"\x49\x08\x14"
    words = [int.from_bytes(data[i : i + 2], "big") for i in range(3, 43, 2)]
    assert words == [0, 3, 0, 0, 0, 0, 3, 0] + [0] * 12


def test_a_diesel_has_its_own_performance() -> None:
    """0B with 18 words."""
    bench = Bench(car=DIESEL)
    assert text(bench, "09 0b")[:3] == b"\x49\x0b\x12"
    assert len(text(bench, "09 0b")) == 3 + 36


def test_python_obd_reads_vin_and_calibration() -> None:
    message = Message([])
    message.data = bytearray(text(Bench(), "09 02"))
    assert obd.commands.VIN.decode([message]) == bytearray(b"WHBZZZ1EZSA000007")
