"""The recordings over HTTP: what a page may have of them, and what it may not."""

import http.client
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import can
import pytest

from ....program import demo_bench
from ....program import record as record_run
from .page import TOKEN, Daemon, get, page, request


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a second of the demo."""
    folder = tmp_path_factory.mktemp("recordings")
    record_run(demo_bench(folder), folder / "desk-20261122", 0.5)
    return folder / "desk-20261122"


@pytest.fixture
def home(recording: Path, tmp_path: Path) -> Path:
    """The folder of the run's recordings, with one in it, and a file beside it that is nobody's business."""
    shutil.copytree(recording, tmp_path / "recordings" / recording.name)
    (tmp_path / "secret.zip").write_text("secret")
    return tmp_path


def body(answer: http.client.HTTPResponse) -> bytes:
    content: bytes = answer.body  # type: ignore[attr-defined]  # put there by request()
    return content


def listed(daemon: Daemon) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(body(get(daemon, "/recordings")))["recordings"]
    return rows


def test_the_list(home: Path, recording: Path) -> None:
    """What manifest and disk say; links and folders that are none are no recordings."""
    (home / "recordings" / "link").symlink_to(recording)
    (home / "recordings" / "notes").mkdir()
    with page(home) as daemon:
        (row,) = listed(daemon)
    assert (row["name"], row["bench"], row["vehicle"]) == (recording.name, "demo", "compact")
    assert (row["duration"], row["complete"], row["lacks"], row["under_way"]) == (0.5, True, "", False)
    assert row["bytes"] == sum(path.stat().st_size for path in recording.glob("record.*"))


def test_a_download_as_zip_holds_the_folder(home: Path, recording: Path) -> None:
    with page(home) as daemon:
        answer = get(daemon, f"/recordings/{recording.name}/zip")
    assert answer.status == 200
    assert f'filename="{recording.name}.zip"' in str(answer.getheader("content-disposition"))
    with zipfile.ZipFile(io.BytesIO(body(answer))) as files:
        assert f"{recording.name}/bench/bench.yaml" in files.namelist()
        assert files.read(f"{recording.name}/manifest.json") == (recording / "manifest.json").read_bytes()


@pytest.mark.nightly
def test_frames_and_values_come_through_the_export(home: Path, recording: Path) -> None:
    """BLF as the one in the recording, to the byte; values as `hilbridge export --values` has them."""
    with page(home) as daemon:
        frames = get(daemon, f"/recordings/{recording.name}/blf")
        values = get(daemon, f"/recordings/{recording.name}/values.csv")
    assert body(frames) == (recording / "frames.blf").read_bytes()
    assert len(list(can.BLFReader(io.BytesIO(body(frames))))) > 0
    header, *rows = body(values).decode().splitlines()
    assert header.startswith("time [s],")
    assert len(rows) == 50


def test_a_replay_is_reported(home: Path, recording: Path) -> None:
    with page(home) as daemon:
        answer = post(daemon, f"/recordings/{recording.name}/replay")
    assert json.loads(body(answer)) == {"identical": True, "report": json.loads(body(answer))["report"]}
    assert json.loads(body(answer))["report"].startswith("identical: ")


def test_what_cannot_be_had_is_refused(home: Path, recording: Path) -> None:
    """Names that are not in the list, however they are written, formats that there are not, one under way."""
    with page(home) as daemon:
        for name in ("..", "%2e%2e", "..%2f..", "%2Fetc", "secret", "desk-20261122%2f.."):
            assert get(daemon, f"/recordings/{name}/zip").status in (404, 409)
        assert get(daemon, f"/recordings/{recording.name}/exe").status == 404
        assert get(daemon, f"/recordings/{recording.name}/replay").status in (404, 405)
        assert request(daemon, "DELETE", f"/recordings/{recording.name}", None).status in (403, 404, 405)
        assert listed(daemon)[0]["name"] == recording.name


def test_another_sites_script_gets_nothing_made(home: Path, recording: Path) -> None:
    """Neither by a request of its own nor by a picture's address in its page."""
    with page(home) as daemon:
        file = f"/recordings/{recording.name}/zip"
        assert get(daemon, file, **{"sec-fetch-site": "cross-site"}).status == 403
        assert get(daemon, file, host="evil.example").status == 421
        assert post(daemon, f"/recordings/{recording.name}/replay", origin="http://evil.example").status == 403


def test_where_a_token_is_needed_it_is_needed_here(home: Path, recording: Path) -> None:
    with page(home, address="0.0.0.0", token=TOKEN) as daemon:
        for path in ("/recordings", f"/recordings/{recording.name}/zip"):
            assert get(daemon, path).status == 401
        assert get(daemon, "/recordings", authorization=f"Bearer {TOKEN}").status == 200


def post(daemon: Daemon, path: str, **headers: str) -> http.client.HTTPResponse:
    """A question as the page puts it."""
    return request(daemon, "POST", path, b"", **({"origin": f"http://{daemon.host}"} | headers))
