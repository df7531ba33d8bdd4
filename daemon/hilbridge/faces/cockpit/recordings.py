"""The recordings over HTTP: listed, downloaded, replayed; nothing is changed or deleted here.

    GET  /recordings                  those in the folder of the run's recordings, and that of `run --record`
    GET  /recordings/NAME/FORMAT      a file to save, of one of the FORMATS
    POST /recordings/NAME/replay      {"identical": whether it repeats to the byte, "report": as text}

A page names one of the list, never a path. Files and replays are made by child processes, one at a time and at low
priority, so neither the tick nor another page waits for them; a child ends when its page goes away.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, NamedTuple

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.terminal import printable
from hilbridge.boundary.observe.events import About
from hilbridge.boundary.observe.recording_status import RecordingStatus
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record.catalog import facts_of, read_recordings
from hilbridge.boundary.record.recording import Recording

FORMATS: Final = {
    "zip": ("-m", "hilbridge.boundary.record.zipped", "{recording}", "{file}"),
    "blf": ("-m", "hilbridge", "export", "{recording}", "{file}"),
    "mf4": ("-m", "hilbridge", "export", "{recording}", "{file}"),
    "values.csv": ("-m", "hilbridge", "export", "{recording}", "{file}", "--values"),
    "values.mf4": ("-m", "hilbridge", "export", "{recording}", "{file}", "--values"),
}
"""The formats of a download, and the arguments of Python that make a file of each."""

LARGEST: Final = 1 << 30
"""[byte] Largest recording that is handed out or replayed here."""

_LONGEST_REPORT: Final = 4096
"""[byte] of what a child says."""

_NICE: Final = 10
_POLL: Final = 0.2
"""[s] Interval in which it is asked whether the page is still there."""


class _Ended(NamedTuple):
    """The exit status of a child, and the end of what it has said; `gone`: its page went away first."""

    status: int
    report: str
    gone: bool = False


class Recordings:
    """The recordings that a page may have, by name."""

    def __init__(self, rings: Rings) -> None:
        self._rings: Final = rings
        self._about: Final = About.decode(rings.about)
        self._busy: Final = asyncio.Lock()

    def names(self) -> dict[str, Recording]:
        """Return the recordings at present; the folder's hides that of the run where both have one name."""
        found: dict[str, Recording] = {}
        if self._about.record is not None:
            with suppress(ConfigurationError):
                recording = Recording(Path(self._about.record))
                found[recording.directory.name] = recording
        return found | {each.directory.name: each for each in read_recordings(Path(self._about.home))[0]}

    def is_under_way(self, recording: Recording) -> bool:
        """Return whether a recording is being written."""
        content = self._rings.recording.get()
        folder = self._about.record if content is None else RecordingStatus.decode(content).folder
        return folder is not None and str(recording.directory) == folder

    def listed(self) -> dict[str, Any]:
        """Return the list for the page, newest first: names begin with bench and date."""
        rows = [facts_of(each) | {"under_way": self.is_under_way(each)} for each in self.names().values()]
        rows.sort(key=lambda row: row["name"], reverse=True)
        _, broken = read_recordings(Path(self._about.home))
        unreadable = [printable(f"{name} cannot be read: {reason}") for name, reason in broken.items()]
        return {"recordings": rows, "unreadable": unreadable, "formats": [*FORMATS], "largest": LARGEST}

    def find(self, name: str) -> Recording:
        """Return a recording that is finished. ConfigurationError: there is none, or none that can be had."""
        recording = self.names().get(name)
        if recording is None:
            raise ConfigurationError(f"there is no recording {name!r}")
        if self.is_under_way(recording):
            raise ConfigurationError(f"{name} is under way: stop it first")
        if recording.size > LARGEST:
            raise ConfigurationError(f"{name} is too large for the page: hilbridge export {recording.directory} FILE")
        return recording

    async def make(self, request: Request, arguments: Sequence[str]) -> _Ended:
        """Run Python with these arguments, to its end or as long as the page is there. ConfigurationError: busy."""
        if self._busy.locked():
            raise ConfigurationError("another export or replay is under way: try again when it has ended")
        async with self._busy:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
            saying = asyncio.create_task(_read(process.stdout))
            try:
                while not saying.done():
                    await asyncio.wait((saying,), timeout=_POLL)
                    if await request.is_disconnected():
                        return _Ended(1, "", gone=True)
                return _Ended(await process.wait(), saying.result())
            finally:
                saying.cancel()
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


async def _read(stream: asyncio.StreamReader | None) -> str:
    """Read what a child says to its end, and return the last of it."""
    said = b""
    while stream is not None and (part := await stream.read(_LONGEST_REPORT)):
        said = (said + part)[-_LONGEST_REPORT:]
    return said.decode(errors="replace").strip()


def recording_routes(recordings: Recordings) -> list[Route]:
    """Return the routes of the recordings."""

    async def list_all(_request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(recordings.listed))

    async def download(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("only the page itself may ask for a file", 403)
        if request.path_params["format"] not in FORMATS:
            return PlainTextResponse(f"the formats are {', '.join(FORMATS)}", 404)
        folder = Path(await run_in_threadpool(mkdtemp, prefix="hilbridge-"))
        try:
            return await _made(recordings, request, folder)
        except ConfigurationError as error:
            shutil.rmtree(folder, ignore_errors=True)
            return PlainTextResponse(error.message, 409)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    async def replay(request: Request) -> Response:
        try:
            recording = await run_in_threadpool(recordings.find, request.path_params["name"])
            ended = await recordings.make(request, ("-m", "hilbridge", "replay", str(recording.directory)))
        except ConfigurationError as error:
            return JSONResponse({"error": error.message}, 409)
        if ended.status not in (0, 1):
            return JSONResponse({"error": ended.report}, 422)
        return JSONResponse({"identical": ended.status == 0, "report": ended.report})

    return [
        Route("/recordings", list_all),
        Route("/recordings/{name}/replay", replay, methods=["POST"]),
        Route("/recordings/{name}/{format}", download, methods=["GET"]),
    ]


async def _made(recordings: Recordings, request: Request, folder: Path) -> Response:
    """Make the file that a request names in a folder, which is removed when the answer has been sent."""
    discard = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    recording = await run_in_threadpool(recordings.find, request.path_params["name"])
    kind = request.path_params["format"]
    file = folder / f"{recording.directory.name}.{kind}"
    words = [word.format(file=file, recording=recording.directory) for word in FORMATS[kind]]
    ended = await recordings.make(request, words)
    if not is_file(file):  # values that differ from the recording are kept, though the status of the export says so
        return PlainTextResponse(ended.report or "it was not made", 422, background=discard)
    return FileResponse(file, filename=file.name, background=discard)
