"""The doctor in the place of the service: as its user, with its limits, and beside the bench that it runs already.

A bench of a unit is looked at as that unit's user sees it, which root alone can become; then nothing is promised that
the service does not get. A port that the running unit has is none that the bench lacks.
"""

import grp
import os
import pwd
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from hilbridge.commands.doctor_machine import LOOPBACK, Finding, State, tcp_port, udp_port
from hilbridge.commands.service_unit import Unit

PROC: Final = Path("/proc")
CONTROL_GROUPS: Final = Path("/sys/fs/cgroup")

_LISTENS: Final = "0A"
"""TCP_LISTEN in /proc/net/tcp."""


Port = tuple[str, int]
"""Protocol and number."""


class Ports:
    """The ports that a bench wants, beside those that its unit has already; `unit`: None where none runs it.

    `running`: the name of the unit if its process runs, else empty.
    """

    def __init__(self, unit: Unit | None) -> None:
        self.running: Final = unit.name if unit is not None and unit.is_running else ""
        self._user: Final = "" if unit is None else unit.user
        self._own: frozenset[Port] = frozenset()
        self._of_user: frozenset[Port] = frozenset()
        if unit is not None and unit.is_running:
            self._look(unit)

    def _look(self, unit: Unit) -> None:
        try:
            inodes = {inode for process in _processes(unit) for inode in _sockets(process)}
        except PermissionError:  # then only whose sockets they are can be known
            with suppress(KeyError):
                user = str(pwd.getpwnam(unit.user).pw_uid)
                self._of_user = frozenset(port for port, owner, _ in _ports() if owner == user)
        else:
            self._own = frozenset(port for port, _, inode in _ports() if inode in inodes)

    def tcp(self, port: int, address: str = LOOPBACK) -> Finding:
        """Probe a TCP port."""
        return self._judge(tcp_port(port, address), ("tcp", port))

    def udp(self, port: int, address: str = LOOPBACK) -> Finding:
        """Probe a UDP port."""
        return self._judge(udp_port(port, address), ("udp", port))

    def _judge(self, finding: Finding, port: Port) -> Finding:
        if finding.state is State.GOOD:
            return finding
        if port in self._own:
            return Finding(finding.subject, State.GOOD, f"held by {self.running}, which runs this bench")
        if port in self._of_user:
            text = f"held by user {self._user}: by {self.running}, or by another bench of that user"
            return Finding(finding.subject, State.WARNING, text, "`sudo hilbridge doctor` knows whose it is")
        return finding


def become(unit: Unit) -> Finding:
    """Go on as the user of a unit, with its groups, its limits and its environment; only root can. One way only."""
    subject = "user"
    try:
        user = pwd.getpwnam(unit.user)
    except KeyError:
        remedy = "systemd-sysusers, or install hilbridge again"
        return Finding(subject, State.ERROR, f"{unit.name} runs as {unit.user}, and there is no such user", remedy)
    if user.pw_uid == os.geteuid():
        return Finding(subject, State.GOOD, f"{unit.user}, as {unit.name} has it")
    if os.geteuid() != 0:
        text = f"looked at as {pwd.getpwuid(os.geteuid()).pw_name}, and {unit.name} runs as {unit.user}"
        return Finding(subject, State.WARNING, text, "sudo hilbridge doctor looks as the service does")
    for kind, limit in ((resource.RLIMIT_RTPRIO, unit["LimitRTPRIO"]), (resource.RLIMIT_MEMLOCK, unit["LimitMEMLOCK"])):
        bound = int(limit) if limit.isdigit() else resource.RLIM_INFINITY
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (bound, bound))
    more = [group.gr_gid for group in grp.getgrall() if group.gr_name in unit["SupplementaryGroups"].split()]
    os.setgroups(sorted({*os.getgrouplist(unit.user, user.pw_gid), *more}))
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    state = Path("/var/lib/hilbridge")
    os.environ |= {"HOME": user.pw_dir, "USER": unit.user, "LOGNAME": unit.user, "STATE_DIRECTORY": str(state)}
    return Finding(subject, State.GOOD, f"{unit.user}, as {unit.name} has it")


def _processes(unit: Unit) -> list[int]:
    """Return the processes of a unit."""
    for hierarchy in ("", "systemd", "unified") if unit["ControlGroup"] else ():
        file = CONTROL_GROUPS / hierarchy / unit["ControlGroup"].lstrip("/") / "cgroup.procs"
        with suppress(OSError, ValueError):
            return list(map(int, file.read_text(encoding="ascii").split()))
    return [int(unit["MainPID"])]


def _sockets(process: int) -> Iterator[str]:
    """Yield the inodes of the sockets of a process. PermissionError: it is another user's."""
    try:
        for each in (PROC / str(process) / "fd").iterdir():
            with suppress(FileNotFoundError):
                name = str(each.readlink())
                if name.startswith("socket:["):
                    yield name[8:-1]
    except (FileNotFoundError, ProcessLookupError):
        return


def _ports() -> Iterator[tuple[Port, str, str]]:
    """Yield the ports on which this machine listens: protocol and number, number of the user, inode."""
    for name in ("tcp", "tcp6", "udp", "udp6"):
        try:
            lines = (PROC / "net" / name).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if name.startswith("udp") or fields[3] == _LISTENS:
                yield (name[:3], int(fields[1].rpartition(":")[2], 16)), fields[7], fields[9]
