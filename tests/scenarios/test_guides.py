"""Every guide does what it says: its files are saved, its commands run, its output compared."""

from pathlib import Path
from typing import Final

import pytest

from ..pages import Reader, guides, missing, not_run

NOT_RUN: Final = {
    "make web": "needs the network; tests/web",
    "python3 -m http.server --bind 127.0.0.1 --directory build/web 8000": "serves until it is ended; tests/web",
    "python -m pip install obd": "needs the network",
    **dict.fromkeys(
        (
            "echo 'dtparam=spi=on' | sudo tee -a /boot/firmware/config.txt",
            "echo 'dtoverlay=mcp2515-can0,oscillator=12000000,interrupt=25' | sudo tee -a /boot/firmware/config.txt",
            "sudo reboot",
        ),
        "needs a Raspberry Pi",
    ),
    "python -m pip install opendbc": "needs the network",
    "python -m pip install pyxcp": "needs the network",
    "python -m pip install pytest": "needs the network",
    "python -m pip install robotframework": "needs the network",
    "python -m pip install openhtf": "needs the network",
    "python station.py": "needs OpenHTF; tests/openhtf",
    "python -m pip install jumpstarter-cli jumpstarter-driver-composite": "needs the network",
    "jmp shell --exporter-config exporter.yaml -- python start.py": "needs Jumpstarter; tests/jumpstarter",
    "python -m pip install 'hilbridge[vss]'": "needs the network",
    "docker run --rm --network host ghcr.io/eclipse-kuksa/kuksa-databroker:0.7.0 --insecure": "needs the network",
    "hilbridge run demo": "runs until it is ended; tests/scenarios/test_lifecycle.py",
    "hilbridge vss demo": "needs a databroker; tests/vss",
    "hilbridge vss demo --broker broker.example:55555 --remote --tls ca.pem --token provider.token": "needs another "
    "machine; tests/vss, tests/daemon/faces/vss/test_target.py",
    "python -m pip install udsoncan can-isotp python-can": "needs the network",
    "hilbridge ctl scenario start tester --set request=0x7DF --set service=9 --set 'asked=02 09 02 *'": "needs another "
    "tester; tests/clients/test_tester_suite.py",
    "sudo ip link set can0 up type can bitrate 500000": "needs an adapter; tests/lab",
    "sudo ip link set can0 up type can bitrate 500000 restart-ms 200": "needs an adapter; tests/lab",
    "sudo ip link set can0 up type can bitrate 100000 listen-only on": "needs an adapter; tests/lab",
    "arduino-cli compile --upload --fqbn arduino:avr:uno --port /dev/ttyACM0 pedal_box": "needs a board; tests/clients/"
    "test_pedal_sketch.py",
    "arduino-cli compile --upload --fqbn arduino:avr:uno --port /dev/ttyACM0 hilbridge_board": "needs a board; "
    "tests/clients/test_board_sketch.py",
    "hilbridge run my-ecu.yaml": "needs a board; tests/scenarios/test_engine_ecu.py",
    "hilbridge ctl ecu-stand arm stand": "needs a board; tests/scenarios/test_outputs.py",
    "python -m pytest --hilbridge-bench lab.yaml --hilbridge-hardware --hilbridge-arm": "needs a bench; tests/lab",
    "sudo ip link set can0 down": "needs an adapter; tests/lab",
    "hilbridge perform mx5-published.yaml --plot mx5.svg --csv mx5.csv": "takes minutes with the interpreted model; "
    "tests/daemon/desk/perform, tests/compiled",
    "hilbridge perform brz-car.yaml --cycle udds --cycle hwfet": "needs fastsim; tests/cycles/test_data_sheets.py",
    "ip -details -statistics link show can0": "needs an adapter; tests/lab",
    "candump can0": "needs an adapter; tests/lab",
    "hilbridge run pq-can0.yaml": "needs an adapter; tests/lab",
    "hilbridge ctl my-pq arm": "needs a bus on hardware; test_control.py",
    "hilbridge ctl arm": "needs a bus on hardware; test_control.py",
    **dict.fromkeys(
        (
            """echo 'KERNEL=="rfcomm[0-9]*", GROUP="dialout"' | sudo tee /etc/udev/rules.d/70-obd-bluetooth.rules""",
            "sudo systemctl daemon-reload",
            "sudo systemctl restart bluetooth",
            "sudo systemctl enable --now obd-bluetooth",
            "bluetoothctl power on",
            "bluetoothctl discoverable on",
            "bluetoothctl pairable on",
        ),
        "needs Bluetooth; the port it makes: tests/daemon/boundary/links/test_elm327_server_serial.py",
    ),
    "python -m pip install labwired": "a test dependency of hilbridge",
    "apt-get install gcc-arm-none-eabi": "tests/clients/install-packages",
    "hilbridge doctor": "differs from machine to machine; tests/daemon/commands/test_doctor_input.py",
    "hilbridge calibrate wheel.yaml": "needs hands and feet; tests/daemon/commands/test_calibrate.py",
    **dict.fromkeys(
        (
            "python -m venv ~/labgrid",
            "~/labgrid/bin/pip install labgrid hilbridge",
            "~/labgrid/bin/python -m hilbridge.faces.labgrid.exporter exporter.yaml",
            "labgrid-client -p bench create",
            "labgrid-client -p bench add-match '*/stand-1/NetworkHilbridgeBench'",
            "labgrid-client -p bench acquire",
        ),
        "needs labgrid, which has an environment of its own; tests/labgrid",
    ),
    'sudo usermod --append --groups dialout "$USER"': "changes the machine",
    **dict.fromkeys(
        (
            "sudo cp long.yaml /etc/hilbridge/bench.yaml",
            'sudo usermod --append --groups hilbridge "$USER"',
            "journalctl -p warning -u hilbridge",
            "sudo hilbridge state restore long-backup.json /etc/hilbridge/bench.yaml",
            "sudo apt-get install ./hilbridge_*.deb",
            "sudo cp /usr/share/doc/hilbridge/examples/drop-ins/time-sync.conf /etc/systemd/system/hilbridge.service.d",
            "sudo systemctl enable systemd-time-wait-sync",
            "hilbridge service",
            "sudo systemctl enable --now hilbridge",
            "sudo hilbridge doctor /etc/hilbridge/bench.yaml",
            "sudo mkdir -p /etc/systemd/system/hilbridge.service.d",
            "sudo systemctl stop hilbridge",
            "sudo hilbridge state backup -o before-update.json",
            "systemctl status hilbridge",
            "sudo systemctl start hilbridge",
        ),
        "needs a machine with systemd; tests/lab/systemd, tests/daemon/commands/test_service.py",
    ),
    **dict.fromkeys(
        (
            "python3 -m venv /opt/hilbridge && /opt/hilbridge/bin/pip install hilbridge",
            "export HILBRIDGE_PYTHON=/opt/hilbridge/bin/python",
        ),
        "needs the network, and another machine; tests/fmi/test_network.py",
    ),
}
"""Commands that the guides show and that are not run, with the reason or the place where they are tested."""

ELSEWHERE: Final = {
    "fmi": "needs FMPy, in an environment of its own; tests/fmi",
    "xcp": "needs pyxcp, in an environment of its own; tests/xcp",
}
"""Guides that are followed there."""


@pytest.mark.nightly(
    "lockstep",
    "stm32",
    "lab",
    "months",
    "game",
    "campaign",
    "go-back",
    "shrink",
    "test-my-ecu",
    "flash-a-unit",
    "test-your-tester",
    "own-unit",
    "own-bench",
    "own-profile",
    "clone-a-car",
    "values",
    "scan-tool",
    "troubleshooting",
    "checksums",
)
@pytest.mark.parametrize("guide", [one for one in guides() if one.stem not in ELSEWHERE], ids=lambda guide: guide.stem)
def test_a_guide_works_as_written(guide: Path, tmp_path: Path) -> None:
    """In a fresh folder, from its first line to its last."""
    Reader(tmp_path).follow(guide.read_text(encoding="utf-8"))


def test_what_is_not_run_has_a_reason() -> None:
    """A command that joins a block of the language `sh` joins the table, and leaves it with the block."""
    assert {command for guide in guides() for command in not_run(guide.read_text(encoding="utf-8"))} == set(NOT_RUN)


@pytest.mark.parametrize(
    ("shown", "printed", "found"),
    [
        ("one\ntwo\n", "one\n  two \nthree\n", None),
        ("two\n", "one\ntwo\n", "two"),
        ("…\nthree\n", "one\ntwo\nthree\n", None),
        ("a … c\n", "a b c\n", None),
        ("a … c\n", "a b d\n", "a … c"),
    ],
)
def test_output_is_compared_line_by_line(shown: str, printed: str, found: str | None) -> None:
    """An ellipsis stands for anything in a line, and alone for any number of lines."""
    assert missing(shown, printed) == found
