"""What every test with pyxcp needs."""

import pytest
from pyxcp.config import create_application_from_config, set_application


@pytest.fixture(autouse=True)
def _no_arguments_of_ours() -> None:
    """A policy of pyxcp asks for settings, and would find them in the command line of this process."""
    set_application(create_application_from_config({"Transport": {"Eth": {"host": "127.0.0.1"}}}))
