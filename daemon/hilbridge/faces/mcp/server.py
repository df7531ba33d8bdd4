"""A server of the Model Context Protocol on standard input and output: one JSON-RPC 2.0 message a line, UTF-8.

    initialize, ping, tools/list, tools/call        are answered; notifications are taken, and mean nothing here

A line that is too long, or no message, is answered by an error and the next one read. The tools are those of tools.py.
"""

import json
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import IO, Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.mcp.tool import ArgumentError, Tool

VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Protocol versions, newest first: what is used here is the same in all of them."""

LONGEST: Final = 1 << 20
"""[byte] of a line."""

LONGEST_TEXT: Final = 200_000
"""Characters of an answer: more would not fit into what a model reads."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602

Message = dict[str, Any]


class RpcError(Exception):
    """A request that is answered by an error."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code: Final = code


class McpServer:
    """One client's session. `instructions`: what a client is told of the bench before it asks."""

    def __init__(self, tools: Mapping[str, Tool], instructions: str) -> None:
        self._tools: Final = tools
        self._instructions: Final = instructions
        self.client = "MCP"
        """The name of the client, as it says: commands are recorded with it."""
        self._methods: Final[Mapping[str, Callable[[Message], Message]]] = {
            "initialize": self._initialize,
            "ping": lambda _params: {},
            "tools/list": self._list,
            "tools/call": self._call,
        }

    def serve(self, lines: IO[bytes], answers: IO[bytes]) -> None:
        """Answer until the input ends, or no one reads the answers."""
        try:
            while line := lines.readline(LONGEST + 1):
                if len(line) > LONGEST:
                    while line and not line.endswith(b"\n"):
                        line = lines.readline(LONGEST)
                    answer: Message | None = _error(None, PARSE_ERROR, f"a line is longer than {LONGEST} bytes")
                else:
                    answer = self.answer(line)
                if answer is not None:
                    answers.write(json.dumps(answer, ensure_ascii=False, allow_nan=False).encode() + b"\n")
                    answers.flush()
        except BrokenPipeError:
            return

    def answer(self, line: bytes) -> Message | None:
        """Return the answer to a line; None: it is a notification, an answer, or empty."""
        if not line.strip():
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, PARSE_ERROR, "not JSON")
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _error(None, INVALID_REQUEST, "no JSON-RPC 2.0 message")
        number, method, params = message.get("id"), message.get("method"), message.get("params", {})
        if method is None or "id" not in message:
            return None
        if not isinstance(number, str | int) or not isinstance(method, str):
            return _error(None, INVALID_REQUEST, "'id' or 'method' is of the wrong kind")
        if method not in self._methods:
            return _error(number, METHOD_NOT_FOUND, "there is no such method")
        if not isinstance(params, dict):
            return _error(number, INVALID_PARAMS, "'params' is no object")
        try:
            return {"jsonrpc": "2.0", "id": number, "result": self._methods[method](params)}
        except RpcError as error:
            return _error(number, error.code, str(error))

    def _initialize(self, params: Message) -> Message:
        asked, client = params.get("protocolVersion"), params.get("clientInfo")
        name = client.get("name") if isinstance(client, dict) else None
        if isinstance(name, str) and name.isprintable():
            self.client = f"MCP {name[:40]}"
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "hilbridge", "version": version("hilbridge")},
            "instructions": self._instructions,
        }

    def _list(self, _params: Message) -> Message:
        return {"tools": [tool.plain(name) for name, tool in self._tools.items()]}

    def _call(self, params: Message) -> Message:
        name, arguments = params.get("name"), params.get("arguments") or {}
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise RpcError(INVALID_PARAMS, "there is no such tool")
        if not isinstance(arguments, dict):
            raise RpcError(INVALID_PARAMS, "'arguments' is no object")
        try:
            text = json.dumps(tool.call(arguments, self.client), ensure_ascii=False, indent=1)
        except ArgumentError as error:
            raise RpcError(INVALID_PARAMS, str(error)) from None
        except (ConfigurationError, TimeoutError) as error:
            return _content(str(error), is_error=True)
        if len(text) > LONGEST_TEXT:
            return _content(f"the answer has {len(text)} characters: ask for less of it", is_error=True)
        return _content(text, is_error=False)


def _content(text: str, *, is_error: bool) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _error(number: str | int | None, code: int, reason: str) -> Message:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": reason}}
