"""An SSH server on 127.0.0.1 that runs the commands it is sent, for whoever has the key of the test.

    python -m tests.ssh_server FOLDER

It writes into the folder: keys, and `config` for ssh(1), which any host name leads to this server. It ends with its
standard input.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncssh

CONFIG = """
Host *
    HostName 127.0.0.1
    Port {port}
    User tester
    IdentityFile "{folder}/key"
    IdentitiesOnly yes
    UserKnownHostsFile "{folder}/known"
    HostKeyAlias server
    HostKeyAlgorithms ssh-ed25519
"""


class Forwarding(asyncssh.SSHServer):
    """Lets a client reach the ports of loopback and the Unix sockets of this machine, as sshd does by default."""

    def connection_requested(self, dest_host: str, dest_port: int, orig_host: str, orig_port: int) -> bool:
        return dest_host == "127.0.0.1"

    def unix_connection_requested(self, dest_path: str) -> bool:
        return True


async def serve(folder: Path) -> None:
    host, user = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    user.write_private_key(str(folder / "key"))
    (folder / "key").chmod(0o600)
    user.write_public_key(str(folder / "authorized"))
    (folder / "known").write_bytes(b"server " + host.export_public_key())
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=[host], authorized_client_keys=str(folder / "authorized"),
        server_factory=Forwarding, process_factory=run, encoding=None,
    )  # fmt: skip
    (folder / "config").write_text(CONFIG.format(port=server.get_port(), folder=folder))
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


async def run(session: asyncssh.SSHServerProcess[bytes]) -> None:
    """Runs the command of a session; it is killed when the session ends before it."""
    pipe = asyncio.subprocess.PIPE
    command = await asyncio.create_subprocess_shell(
        session.command or "", stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        await session.redirect(stdin=command.stdin, stdout=command.stdout, stderr=command.stderr)
        session.exit(await command.wait())
    finally:
        if command.returncode is None:
            os.killpg(command.pid, signal.SIGKILL)


@contextmanager
def ssh_server(folder: Path) -> Iterator[Path]:
    """Yields a folder with a program `ssh` that reaches nothing but the server."""
    command = [sys.executable, "-m", "tests.ssh_server", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        programs = folder / "programs"
        programs.mkdir()
        program(programs / "ssh", f'exec /usr/bin/ssh -F "{folder}/config" "$@"')
        yield programs
        server.kill()


def program(path: Path, script: str) -> None:
    """Writes a program of the shell."""
    path.write_text(f"#!/bin/bash\n{script}\n")
    path.chmod(0o755)


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
