"""The engine workshop over HTTP.

    GET  /workshop                      the page
    GET  /workshop/vehicles             the names, and which of them runs
    GET  /workshop/engine?vehicle=NAME  the parameters of its engine
    POST /workshop/engine               {"vehicle": NAME, "values": {parameter: value}}: curves, data sheet, file
    POST /workshop/file                 {"text": a vehicle file}: curves and data sheet of its engine
    POST /workshop/targets              {"text": a targets file of `hilbridge fit`}: points of a data sheet
    GET  /workshop/running              {"changes": {parameter: value}} of the engine that runs; or why not
    POST /workshop/drive                as /workshop/engine: the running engine gets these values

What is refused is answered with status 422 and `{"error": reason, "place": [parameter, index]}`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.cockpit.control import ControlClient
from hilbridge.faces.cockpit.data_sheet import data_sheet
from hilbridge.faces.cockpit.workshop import Workshop

_LONGEST: Final = 64 << 10
"""[byte] Longest request."""


def workshop_routes(workshop: Workshop, page: Path) -> list[Route]:
    """Return the routes of the workshop; curves are computed in a thread, so that other pages stay live."""

    async def show(_request: Request) -> Response:
        return FileResponse(page)

    async def vehicles(_request: Request) -> Response:
        return JSONResponse(workshop.vehicles())

    async def engine(request: Request) -> Response:
        name = request.query_params.get("vehicle", "")
        return await _answer(lambda: workshop.engine(name))

    async def measure(request: Request) -> Response:
        match await _body(request):
            case {"vehicle": str(name), "values": dict(values)}:
                return await _answer(lambda: workshop.measure(name, values))
        return PlainTextResponse("not a request of the workshop", 400)

    async def measure_file(request: Request) -> Response:
        match await _body(request):
            case {"text": str(text)}:
                return await _answer(lambda: workshop.measure_text(text))
        return PlainTextResponse("not a request of the workshop", 400)

    async def targets(request: Request) -> Response:
        match await _body(request):
            case {"text": str(text)}:
                return await _answer(lambda: data_sheet(text))
        return PlainTextResponse("not a request of the workshop", 400)

    return [
        Route("/workshop", show),
        Route("/workshop/targets", targets, methods=["POST"]),
        Route("/workshop/file", measure_file, methods=["POST"]),
        Route("/workshop/vehicles", vehicles),
        Route("/workshop/engine", engine),
        Route("/workshop/engine", measure, methods=["POST"]),
    ]


def drive_routes(workshop: Workshop, control: ControlClient, *, read_only: bool) -> list[Route]:
    """Return the routes to the engine that runs."""

    async def running(_request: Request) -> Response:
        if read_only:
            return JSONResponse({"error": "this page is read-only"})
        answer = await control.ask({"command": "status", "parts": ["engine"]})
        return JSONResponse(answer if "error" in answer else answer["engine"])

    async def drive(request: Request) -> Response:
        match await _body(request):
            case {"vehicle": str(name), "values": dict(values)}:
                if read_only:
                    return JSONResponse({"error": "this page is read-only"}, 422)
                checked = await _answer(lambda: workshop.check_drive(name, values) or {})
                if checked.status_code != 200:
                    return checked
                return JSONResponse(await control.ask({"command": "tune-engine", "values": values}))
        return PlainTextResponse("not a request of the workshop", 400)

    return [
        Route("/workshop/running", running),
        Route("/workshop/drive", drive, methods=["POST"]),
    ]


async def _body(request: Request) -> Any:
    """Return the JSON of a request; None where it is malformed or too long."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _LONGEST:
            return None
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


async def _answer(work: Callable[[], dict[str, Any]]) -> Response:
    try:
        return JSONResponse(await run_in_threadpool(work))
    except ConfigurationError as error:
        return JSONResponse({"error": error.message, "place": error.place}, 422)
