"""The car of the data sheet, and a scan tool that has switched the echo off."""

import pytest

from .scan_tool import Car, ScanTool


@pytest.fixture
def car() -> Car:
    return Car()


@pytest.fixture
def tool(car: Car) -> ScanTool:
    return ScanTool(car, "ATE0", "ATSP6")
