"""The engine workshop over HTTP."""

import http.client
import json
from pathlib import Path
from typing import Any

from hilbridge.faces.cockpit.page_info import Files

from .page import TOKEN, Daemon, get, page, request

ENGINE = "/workshop/engine"


def ask(daemon: Daemon, question: object, **headers: str) -> http.client.HTTPResponse:
    """A question as the page puts it."""
    body = question if isinstance(question, bytes) else json.dumps(question).encode()
    return request(daemon, "POST", ENGINE, body, **({"origin": f"http://{daemon.host}"} | headers))


def told(answer: http.client.HTTPResponse) -> Any:
    return json.loads(answer.body)  # type: ignore[attr-defined]  # put there by request()


def test_page_vehicles_parameters_and_numbers(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        assert get(daemon, "/workshop").getheader("Content-Type") == "text/html; charset=utf-8"
        assert "compact" in told(get(daemon, "/workshop/vehicles"))["vehicles"]
        assert told(get(daemon, f"{ENGINE}?vehicle=compact"))["title"] == "compact"
        answer = ask(daemon, {"vehicle": "compact", "values": {"torque_cap": True, "torque_cap_limit": 150}})
        assert answer.status == 200
        assert told(answer)["sheet"]["max_torque_at_peak"] == 150


def test_what_cannot_be_is_told_with_its_place(tmp_path: Path) -> None:
    with page(tmp_path) as daemon:
        answer = ask(daemon, {"vehicle": "compact", "values": {"max_rpm": 4000.0}})
        assert answer.status == 422
        assert told(answer) == {"error": "max_rpm: 4000 is not above peak_rpm 4200", "place": ["max_rpm"]}
        assert get(daemon, f"{ENGINE}?vehicle=none").status == 422


def test_what_no_page_asks_is_refused(tmp_path: Path) -> None:
    """No JSON, another shape, too deep, too much of it; afterwards it still answers."""
    with page(tmp_path) as daemon:
        shapes = [b"nonsense", b"[" * 5000, {"vehicle": "compact"}, {"vehicle": 1, "values": {}}, b" " * 100_000]
        assert [ask(daemon, shape).status for shape in shapes] == [400] * 5
        assert get(daemon, "/workshop").status == 200


def test_another_sites_script_gets_no_numbers(tmp_path: Path) -> None:
    question = {"vehicle": "compact", "values": {}}
    with page(tmp_path) as daemon:
        assert ask(daemon, question, origin="http://evil.example").status == 403
        assert request(daemon, "POST", ENGINE, b"{}").status == 403
        assert ask(daemon, question, host="evil.example").status == 421


def test_where_a_token_is_needed_it_is_needed_here(tmp_path: Path) -> None:
    with page(tmp_path, address="0.0.0.0", token=TOKEN) as daemon:
        assert get(daemon, "/workshop").status == 401
        assert get(daemon, "/workshop", authorization=f"Bearer {TOKEN}").status == 200


def test_a_file_of_ones_own_is_measured(tmp_path: Path) -> None:
    """An exported file gives the numbers that it was exported with; what is no vehicle file is refused."""
    with page(tmp_path) as daemon:
        made = told(ask(daemon, {"vehicle": "compact", "values": {"peak_rpm_torque": 240.0}}))
        again = told(post(daemon, "/workshop/file", {"text": made["yaml"]}))
        assert (again["sheet"], again["title"]) == (made["sheet"], "compact")
        for text in ("nonsense", "engine: {pistons: 4}", "engine:\n\tidle_rpm: 800"):
            answer = post(daemon, "/workshop/file", {"text": text})
            assert answer.status == 422
            assert str(tmp_path) not in told(answer)["error"]


def test_the_engine_that_runs_is_driven_with_other_values(tmp_path: Path) -> None:
    """As a command of the daemon, once it has been checked here."""
    own = tmp_path / "own.yaml"
    own.write_text("name: mine\nengine: {max_rpm: 6000.0}\n", encoding="utf-8")
    with page(tmp_path, Files(None, str(own))) as daemon:
        daemon.parts = {"engine": {"changes": {"idle_rpm": 900.0}}}
        assert told(get(daemon, "/workshop/running")) == {"changes": {"idle_rpm": 900.0}}
        assert told(post(daemon, "/workshop/drive", {"vehicle": "own", "values": {"idle_rpm": 850.0}})) == {}
        assert daemon.commands == [{"command": "tune-engine", "values": {"idle_rpm": 850.0}}]
        wrong = post(daemon, "/workshop/drive", {"vehicle": "own", "values": {"max_rpm": 4000.0}})
        assert (wrong.status, told(wrong)["place"]) == (422, ["max_rpm"])
        other = post(daemon, "/workshop/drive", {"vehicle": "compact", "values": {}})
        assert told(other)["error"] == "own runs, not compact: choose the one that runs"
        assert post(daemon, "/workshop/drive", {}, origin="http://evil.example").status == 403
        assert len(daemon.commands) == 1


def test_a_page_that_only_looks_drives_nothing(tmp_path: Path) -> None:
    with page(tmp_path, read_only=True) as daemon:
        assert told(get(daemon, "/workshop/running")) == {"error": "this page is read-only"}
        assert post(daemon, "/workshop/drive", {"vehicle": "compact", "values": {}}).status == 422
        assert daemon.commands == []


def post(daemon: Daemon, path: str, question: object, **headers: str) -> http.client.HTTPResponse:
    own = {"origin": f"http://{daemon.host}"} | headers
    return request(daemon, "POST", path, json.dumps(question).encode(), **own)
