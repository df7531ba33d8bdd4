"""The engine workshop over HTTP."""

import http.client
import json
from pathlib import Path
from typing import Any

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
