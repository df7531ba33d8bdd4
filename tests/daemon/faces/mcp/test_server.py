"""JSON-RPC 2.0 and the Model Context Protocol on lines, with a running bench behind the tools."""

import io
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control import socket_paths
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.faces.mcp.server import LONGEST, McpServer
from hilbridge.faces.mcp.tools import tools

from ....program import PATIENCE, Program, running

READING = {"benches", "status", "find_values", "values", "explain", "frames", "scenarios"}
CHANGING = {"set", "release", "add_fault", "clear_faults", "run_scenario"}


def nothing(_name: str | None) -> AnyClient:
    raise ConfigurationError("no bench runs")


def server(*, write: bool = False) -> McpServer:
    return McpServer(tools(nothing, write=write), "a bench")


def asked(one: McpServer, method: str, **params: Any) -> Any:
    """The answer to a request."""
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
    answer = one.answer(line)
    assert answer is not None
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer


@pytest.mark.parametrize(("version", "answered"), [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")])
def test_a_session_begins_with_a_version_that_both_know(version: str, answered: str) -> None:
    """Of others the newest, as the protocol has it; the client's name goes into the recording."""
    one = server()
    told = asked(one, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "helper"})
    assert told["result"]["protocolVersion"] == answered
    assert told["result"]["capabilities"] == {"tools": {}}
    assert one.client == "MCP helper"
    assert one.answer(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}') is None
    assert asked(one, "ping")["result"] == {}


def test_without_write_there_are_only_tools_that_look() -> None:
    """And none arms, ever."""
    names = {tool["name"]: tool for tool in asked(server(), "tools/list")["result"]["tools"]}
    assert names.keys() == READING
    assert all(tool["annotations"]["readOnlyHint"] for tool in names.values())
    more = {tool["name"] for tool in asked(server(write=True), "tools/list")["result"]["tools"]}
    assert more == READING | CHANGING
    assert asked(server(), "tools/call", name="set", arguments={})["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"\xff\xfe", -32700),
        (b"[1]", -32600),
        (b'{"id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "arm"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 5}', -32602),
    ],
)
def test_what_is_no_request_is_answered_by_its_code(line: bytes, code: int) -> None:
    answer = server().answer(line)
    assert answer is not None
    assert answer["error"]["code"] == code


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("find_values", {}, "word: is missing"),
        ("find_values", {"word": 5}, "word: is no string"),
        ("find_values", {"word": 2000 * "a"}, "longer than 1000 characters"),
        ("values", {"entries": 101 * ["a"]}, "at most 100"),
        ("values", {"entries": [["a"]]}, "at most 100 words"),
        ("status", {"arm": True}, "has no argument arm"),
        ("set", {"entry": "input.Throttle", "value": True}, "value: is no number or string"),
        ("set", {"entry": "input.Throttle", "value": 1, "seconds": 1e9}, "seconds: is beyond 600"),
        ("set", {"entry": "input.Throttle", "value": float("nan")}, "value: is beyond"),
        ("run_scenario", {"scenario": "launch", "seconds": 601}, "seconds: is beyond 600"),
        ("run_scenario", {"scenario": "launch", "keep": True}, "has no argument keep"),
        ("status", {"bench": "demo"}, "has no argument bench"),
    ],
)
def test_wrong_arguments_reach_no_bench(name: str, arguments: dict[str, Any], reason: str) -> None:
    answer = asked(server(write=True), "tools/call", name=name, arguments=arguments)
    assert answer["error"]["code"] == -32602
    assert reason in answer["error"]["message"]


def test_a_bench_that_does_not_run_is_told_as_a_result() -> None:
    result = asked(server(), "tools/call", name="status")["result"]
    assert (result["isError"], result["content"][0]["text"]) == (True, "no bench runs")


def test_a_line_without_end_is_passed_over() -> None:
    """And the next one answered; the end of the input ends the server."""
    ping = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
    answers = io.BytesIO()
    server().serve(io.BytesIO((LONGEST + 5) * b"x" + b"\n" + ping + b"\n" + ping.rstrip()), answers)
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [one.get("error", {}).get("code") for one in told] == [-32700, None, None]


@given(
    st.binary(max_size=200)
    | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(lambda one: json.dumps(one).encode())
)
def test_any_bytes_are_answered_by_a_message_or_none(line: bytes) -> None:
    answer = server(write=True).answer(line)
    assert answer is None or json.loads(json.dumps(answer))["jsonrpc"] == "2.0"


BENCH = """\
name: assisted
rate: 100
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
inputs:
  - {{source: demo-driver}}
"""


SCENARIOS = {
    "doors": "purpose: opens a door\nparameters: {door: 1}\nsteps:\n- set: {body.DoorFrontLeft: '${door}'}\n"
    "- expect: body.DoorFrontLeft == 1\n  within: 1\n",
    "arms": "steps:\n- set: {body.DoorFrontLeft: 1}\n- arm: {powertrain: true}\n",
    "endless": "steps:\n- set: {body.DoorFrontLeft: 1}\n- wait: {until: vehicle.Speed > 900, timeout: 900}\n",
    "broken": "steps:\n- sett: {body.DoorFrontLeft: 1}\n",
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Program]]:
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "bench.yaml").write_text(BENCH.format(folder=folder), encoding="utf-8")
    for name, text in SCENARIOS.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running(folder / "bench.yaml") as program:
        program.wait_for("ready")
        yield folder / "control.sock", program


def result_of(path: Path, name: str, **arguments: Any) -> tuple[bool, str]:
    """Whether a tool failed on a running bench, and what it says."""
    one = McpServer(tools(lambda _: Client(path), write=True), "")
    result = asked(one, "tools/call", name=name, arguments=arguments)["result"]
    return result["isError"], result["content"][0]["text"]


def told(path: Path, name: str, **arguments: Any) -> Any:
    """What a tool says of a running bench."""
    failed, text = result_of(path, name, **arguments)
    assert not failed, text
    return json.loads(text)


def until_commanded(path: Path, controls: set[str]) -> None:
    """Waits until the tools hold these controls, and no others; the status says by whom."""
    deadline = time.monotonic() + PATIENCE
    with Client(path) as client:
        while {one["control"] for one in client.status("inputs")["inputs"] if one["source"] == "MCP"} != controls:
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_a_running_bench_is_looked_at(bench: tuple[Path, Program]) -> None:
    path, _ = bench
    assert told(path, "status", parts=["buses"])["buses"] == {}
    found = {one["path"] for one in told(path, "find_values", word="coolant")["entries"]}
    assert "auxiliary.CoolantTemperature" in found
    value = told(path, "values", entries=["auxiliary.CoolantTemperature"])["auxiliary.CoolantTemperature"]
    with Client(path) as client:
        assert value["value"] == pytest.approx(client.get("auxiliary.CoolantTemperature"), abs=1.0)
    assert value["unit"] == "°C"
    assert told(path, "explain") == {"lamps": [], "cluster": []}


def test_what_is_changed_ends_by_itself_or_is_given_back(bench: tuple[Path, Program]) -> None:
    path, _ = bench
    told(path, "set", entry="body.TurnSignal", value="left", seconds=0.5)
    with Client(path) as client:
        assert client.get("body.TurnSignal") == 1
    until_commanded(path, set())
    told(path, "set", entry="body.TurnSignal", value=2)
    until_commanded(path, {"body.TurnSignal"})
    told(path, "release")
    until_commanded(path, set())
    told(path, "add_fault", words="physics fault.Misfire value=0.3")
    with Client(path) as client:
        assert len(client.status("faults")["faults"]) == 1
    told(path, "clear_faults")
    with Client(path) as client:
        assert not [one for one in client.status("faults")["faults"] if one.get("active")]


def test_scenarios_are_those_that_were_shipped_and_those_beside_the_bench(bench: tuple[Path, Program]) -> None:
    """With what each takes, whether it arms, and what is wrong with it; a bench file is none."""
    path, _ = bench
    found = {one["name"]: one for one in told(path, "scenarios")["scenarios"]}
    assert {"launch", *SCENARIOS} <= found.keys()
    assert "bench" not in found
    assert (found["doors"]["purpose"], found["doors"]["parameters"]) == ("opens a door", {"door": 1})
    assert {name for name, one in found.items() if one.get("arms")} == {"arms"}
    assert "broken.yaml:2: steps[0].sett" in found["broken"]["trouble"]


def test_a_scenario_is_played_and_its_steps_are_judged(bench: tuple[Path, Program]) -> None:
    path, _ = bench
    played = told(path, "run_scenario", scenario="doors")
    assert (played["verdict"], played["stopped"]) == ("passed", False)
    assert [one["line"] for one in played["steps"]] == [4, 5]
    played = told(path, "run_scenario", scenario="doors", parameters=["door=0"])
    assert [one["outcome"] for one in played["steps"]] == ["passed", "failed"]
    assert told(path, "scenarios")["last"]["name"] == "doors"


def test_a_scenario_that_does_not_end_is_stopped(bench: tuple[Path, Program]) -> None:
    """And holds nothing then."""
    path, _ = bench
    played = told(path, "run_scenario", scenario="endless", seconds=0.3)
    assert (played["stopped"], played["verdict"]) == (True, "failed")
    with Client(path) as client:
        assert client.status("scenario")["scenario"]["state"] != "running"
        with pytest.raises(ConfigurationError, match="not held"):
            client.release("body.DoorFrontLeft")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"scenario": "arms"}, "arms: that is for people beside the hardware"),
        ({"scenario": "broken"}, "broken.yaml:2"),
        ({"scenario": "bench"}, "there is no scenario 'bench'"),
        ({"scenario": "/etc/passwd"}, "there is no scenario '/etc/passwd'"),
        ({"scenario": "../mcp0/doors"}, "there is no scenario"),
        ({"scenario": "doors", "parameters": ["window=1"]}, "window"),
        ({"scenario": "doors", "parameters": ["door"]}, "no NAME=VALUE"),
    ],
)
def test_a_scenario_that_arms_or_is_none_is_not_played(
    bench: tuple[Path, Program], arguments: dict[str, Any], reason: str
) -> None:
    path, _ = bench
    with Client(path) as client:
        before = client.status("scenario")["scenario"]
        failed, text = result_of(path, "run_scenario", **arguments)
        assert failed
        assert reason in text
        assert client.status("scenario")["scenario"] == before


def test_a_bench_may_be_named_where_none_was_chosen_before() -> None:
    def named(name: str | None) -> AnyClient:
        raise ConfigurationError(f"asked for {name}")

    one = McpServer(tools(named, write=False, choose=True), "")
    for said, sought in (({"bench": "second"}, "second"), ({}, "None")):
        result = asked(one, "tools/call", name="explain", arguments=said)["result"]
        assert result["content"][0]["text"] == f"asked for {sought}"


def test_the_benches_of_this_machine_are_listed_also_one_that_is_gone(
    bench: tuple[Path, Program], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = bench
    folder = tmp_path / "hilbridge"
    folder.mkdir()
    (folder / "assisted.sock").symlink_to(path)
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(folder / "gone.sock"))
    monkeypatch.setattr(socket_paths, "SYSTEM", tmp_path / "none")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    first, second = told(tmp_path / "no.sock", "benches")["benches"]
    assert (first["bench"], first["vehicle"], first["rate_hz"]) == ("assisted", "compact", 100)
    assert second["bench"] == "gone"
    assert "no daemon can be reached" in second["trouble"]


def test_the_address_of_the_page_with_its_token_stays_here() -> None:
    class Answering(AnyClient):
        def close(self) -> None:
            """There is nothing to close."""

        def exchange(self, command: Any) -> Any:
            return {"protocol": 1, "page": "http://127.0.0.1:29540/?token=secret"}

    one = McpServer(tools(lambda _: Answering(), write=False), "")
    result = asked(one, "tools/call", name="status", arguments={"parts": ["page"]})["result"]
    assert json.loads(result["content"][0]["text"]) == {"protocol": 1}
