"""Workers on other machines, each started and ended by a session of OpenSSH as the user has configured it."""

import asyncio
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final, cast

from distributed import Scheduler
from distributed.deploy.spec import ProcessInterface, SpecCluster
from distributed.utils import get_ip

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.runs.campaign.ssh_worker import READY

_SSH: Final = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")


def _hosts(place: str) -> list[str]:
    """Return the hosts of `HOST,HOST`, or of a file with a line for each. ConfigurationError: there are none."""
    path = Path(place)
    try:
        words = path.read_text(encoding="utf-8").splitlines() if is_file(path) else place.split(",")
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    hosts = [host for word in words if (host := word.partition("#")[0].strip())]
    for host in hosts:
        if host.startswith("-") or any(letter.isspace() or not letter.isprintable() for letter in host):
            raise ConfigurationError(f"--on ssh: {host!r} is no host")
    if not hosts:
        raise ConfigurationError(f"--on ssh: {place!r} names no host")
    return hosts


def started_over_ssh(place: str, security: Any) -> Any:
    """Start a scheduler, and a worker on each host of `HOST,HOST` or of a file with a line for each.

    ConfigurationError: a host does not answer, or has no hilbridge at the same path.
    """
    hosts = _hosts(place)
    if shutil.which(_SSH[0]) is None:
        raise ConfigurationError("--on ssh: needs the program ssh (Debian: openssh-client)")
    scheduler = {"host": _own_address(hosts[0]), "dashboard_address": "127.0.0.1:0", "security": security}
    workers = {host: {"cls": _OverSsh, "options": {"host": host, "security": security}} for host in hosts}
    try:
        return SpecCluster(  # type: ignore[no-untyped-call]
            workers,
            {"cls": Scheduler, "options": {**scheduler, "protocol": "tls://"}},
            security=security,
            silence_logs="error",
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigurationError(f"--on ssh: {error}") from error


def _own_address(host: str) -> str:
    """Return the address of this machine under which a host reaches it."""
    resolved = subprocess.run([*_SSH, "-G", "--", host], capture_output=True, text=True, check=False).stdout
    names = [line.partition(" ")[2] for line in resolved.splitlines() if line.startswith("hostname ")]
    try:
        return str(get_ip(names[0]))  # type: ignore[no-untyped-call]
    except (OSError, IndexError):
        raise ConfigurationError(f"--on ssh: there is no way to the host {host!r}") from None


class _OverSsh(ProcessInterface):
    """A worker that a session of SSH has started, and that ends with it."""

    def __init__(self, scheduler: str, host: str, security: Any, name: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        keys = ("ca_file", "worker_cert", "worker_key")
        tls = {f"tls_{key}": getattr(security, f"tls_{key}") for key in keys}
        self._told = json.dumps({"scheduler": scheduler, "name": name, "tls": tls}).encode() + b"\n"
        self._host = host
        self._session: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the worker. RuntimeError: the host does not answer, or has no hilbridge at the same path."""
        command = shlex.join([sys.executable, "-P", "-m", "hilbridge.runs.campaign.ssh_worker"])
        pipe = asyncio.subprocess.PIPE
        session = await asyncio.create_subprocess_exec(
            *_SSH, "--", self._host, command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        self._session = session
        cast("asyncio.StreamWriter", session.stdin).write(self._told)
        answers = cast("asyncio.StreamReader", session.stdout)
        while (answer := await answers.readline()) not in (READY, b""):
            pass  # what a shell may print when it begins
        if not answer:
            told = (await cast("asyncio.StreamReader", session.stderr).read()).decode(errors="replace")
            raise RuntimeError(f"{self._host}: {_last_line(told) or 'the session has ended'}")
        await super().start()  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        """End the session, and with it the worker."""
        if self._session is not None and self._session.returncode is None:
            cast("asyncio.StreamWriter", self._session.stdin).close()
            await self._session.communicate()
        await super().close()  # type: ignore[no-untyped-call]


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
