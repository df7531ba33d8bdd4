"""A serial CAN adapter of the lab: slcand on a pseudo terminal, so hardware to hilbridge, which keeps what it hears."""

from .machine import Machine

HEARD = "/run/heard"

PROGRAM = """
import os, subprocess, sys, tty
own, other = os.openpty()
tty.setraw(other)
command = ["slcand", "-F", "-o", "-c", "-s6", os.ttyname(other), sys.argv[1]]
client = subprocess.Popen(command)
with open(sys.argv[2], "wb", buffering=0) as heard:
    while client.poll() is None:
        heard.write(os.read(own, 4096))
"""
"""Its interface has the name of the first argument; the second is a file of what it would send to a car."""

PLACE = "/root/adapter.py"


def plug_in(machine: Machine, name: str = "can0") -> None:
    """Make the interface. Whether it is set up, by systemd-networkd or by hand, is the test's business."""
    machine.write(PLACE, PROGRAM)
    machine.run(f"rm -f {HEARD}; systemd-run --unit=adapter --collect python3 {PLACE} {name} {HEARD}")


def frames(machine: Machine) -> int:
    """How many DriverInputs the bench has sent to the adapter."""
    return int(machine.ask(f"grep --only-matching --text t180 {HEARD} | wc -l")[1].split()[-1])
