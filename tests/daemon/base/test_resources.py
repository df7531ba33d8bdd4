"""Files are found by path or by name, in a fixed order, and what was searched is named."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hilbridge.base import resources
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find, names

Touch = Callable[[str], Path]


@pytest.fixture
def touch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Touch:
    """Makes empty files in a world of three folders: here (the working directory), etc and shipped."""
    (tmp_path / "here").mkdir()
    (tmp_path / "shipped/config").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(resources, "_MACHINE", tmp_path / "etc")
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "shipped")

    def make(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path

    return make


def test_a_name_is_looked_for_on_the_machine_then_among_what_was_shipped(touch: Touch) -> None:
    """/etc/hilbridge replaces a shipped file of the same name."""
    shipped = touch("shipped/config/benches/demo.yaml")
    assert find(Kind.BENCH, "demo") == shipped
    own = touch("etc/benches/demo.yaml")
    assert find(Kind.BENCH, "demo") == own


@pytest.mark.parametrize("variable", ["XDG_CONFIG_HOME", "HOME"])
def test_a_user_has_profiles_and_layouts_of_his_own(
    variable: str, touch: Touch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before those of the machine; benches are not looked for there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    monkeypatch.setenv(variable, str(tmp_path / "user"))
    base = "user" if variable == "XDG_CONFIG_HOME" else "user/.config"
    touch("etc/clusters/mine.yaml")
    profile = touch(f"{base}/hilbridge/clusters/mine.yaml")
    layout = touch(f"{base}/hilbridge/layouts/game.yaml")
    touch(f"{base}/hilbridge/benches/demo.yaml")
    shipped = touch("shipped/config/benches/demo.yaml")
    assert [find(Kind.PROFILE, "mine"), find(Kind.LAYOUT, "game")] == [profile, layout]
    assert "mine" in names(Kind.PROFILE)
    assert find(Kind.BENCH, "demo") == shipped


def test_a_service_without_a_home_has_no_folder_of_a_user(touch: Touch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    machine = touch("etc/clusters/mine.yaml")
    assert find(Kind.PROFILE, "mine") == machine


def test_each_kind_has_its_folder(touch: Touch) -> None:
    """A vehicle is no bench, and a database no vehicle."""
    bench = touch("shipped/config/benches/car.yaml")
    vehicle = touch("shipped/config/vehicles/car.yaml")
    database = touch("shipped/dbc/car.dbc")
    assert [find(Kind.BENCH, "car"), find(Kind.VEHICLE, "car")] == [bench, vehicle]
    assert find(Kind.DATABASE, "car.dbc") == database


def test_without_shipped_files_the_checkout_has_them(touch: Touch, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout runs without being installed."""
    bench = touch("checkout/config/benches/demo.yaml")
    database = touch("checkout/dbc/car.dbc")
    monkeypatch.setattr(resources, "_PACKAGE", bench.parents[2] / "daemon/hilbridge")
    monkeypatch.setattr(resources, "_CHECKOUT", bench.parents[2])
    assert [find(Kind.BENCH, "demo"), find(Kind.DATABASE, "car.dbc")] == [bench, database]


def test_a_file_name_means_the_nearest_file(touch: Touch) -> None:
    """Beside the file that names it, then in the working directory, then as a name."""
    shipped = touch("shipped/dbc/car.dbc")
    bench = touch("project/bench.yaml")
    assert find(Kind.DATABASE, "car.dbc", bench) == shipped
    touch("here/car.dbc")
    assert find(Kind.DATABASE, "car.dbc", bench) == Path("car.dbc")
    beside = touch("project/car.dbc")
    assert find(Kind.DATABASE, "car.dbc", bench) == beside


def test_a_plain_name_never_means_a_file_of_the_working_directory(touch: Touch) -> None:
    """`hilbridge run demo` does the same in every folder; the message says how to have the file."""
    touch("here/desk.yaml")
    with pytest.raises(ConfigurationError, match=r"for the file of that name here write desk\.yaml"):
        find(Kind.BENCH, "desk")
    assert find(Kind.BENCH, "desk.yaml") == Path("desk.yaml")


def test_a_path_is_looked_for_nowhere_else(touch: Touch, tmp_path: Path) -> None:
    """What contains a slash, absolute or not."""
    touch("shipped/config/benches/demo.yaml")
    with pytest.raises(ConfigurationError, match=r"looked in the working directory$"):
        find(Kind.BENCH, "./demo.yaml")
    with pytest.raises(ConfigurationError, match=rf"looked in {tmp_path}/x$"):
        find(Kind.BENCH, f"{tmp_path}/x/demo.yaml")
    path = touch("x/demo.yaml")
    assert find(Kind.BENCH, str(path)) == path
    assert find(Kind.BENCH, "../x/demo.yaml").samefile(path)


def test_what_is_missing_is_told_with_the_places_and_the_nearest_name(touch: Touch, tmp_path: Path) -> None:
    """All on one line."""
    touch("shipped/config/vehicles/compact.yaml")
    with pytest.raises(ConfigurationError) as caught:
        find(Kind.VEHICLE, "compct")
    folders = f"{tmp_path}/etc/vehicles, {tmp_path}/shipped/config/vehicles"
    assert str(caught.value) == f"no vehicle 'compct' (did you mean 'compact'?); looked in {folders}"


@pytest.mark.parametrize("name", ["mine.ymal", "mien.yaml"])
def test_the_nearest_file_of_the_working_directory_is_told(touch: Touch, name: str) -> None:
    touch("here/mine.yaml")
    with pytest.raises(ConfigurationError, match=rf"no bench '{name}' \(did you mean 'mine\.yaml'\?\)"):
        find(Kind.BENCH, name)


def test_where_no_name_is_near_the_command_that_lists_them_is_told(touch: Touch) -> None:
    for number in range(9):
        touch(f"shipped/config/clusters/cluster-{number}.yaml")
    with pytest.raises(ConfigurationError, match=r"\(\d+ are known; `hilbridge profiles` lists them\)"):
        find(Kind.PROFILE, "golff")


def close(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder as another user finds it; root may look into any."""
    stat = Path.stat

    def refused(path: Path, **options: bool) -> os.stat_result:
        if path.parent == folder:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refused)


def test_a_folder_that_may_not_be_looked_into_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a user without its permission the file may well be there."""
    close(tmp_path / "closed", monkeypatch)
    with pytest.raises(ConfigurationError, match=rf"^{tmp_path}/closed/demo.yaml: Permission denied: "):
        find(Kind.BENCH, f"{tmp_path}/closed/demo.yaml")


@pytest.mark.parametrize("kind", [Kind.VEHICLE, Kind.BENCH, Kind.SCENARIO, Kind.PROFILE])
def test_no_shipped_file_is_taken_for_one_in_a_folder_that_is_closed(
    touch: Touch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind
) -> None:
    """The one of this machine may be there, and be another one."""
    touch(f"shipped/config/{kind.folder}/rx8.yaml")
    found = find(kind, "rx8")
    close(tmp_path / "etc" / kind.folder, monkeypatch)
    with pytest.raises(ConfigurationError, match=f"^{tmp_path}/etc/{kind.folder}/rx8.yaml: Permission denied") as told:
        find(kind, "rx8")
    assert not told.value.may_pass  # a permission is mended by hand, as a file is
    assert found.is_file()


def test_the_list_of_a_folder_that_cannot_be_read_is_an_error(
    touch: Touch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch("etc/benches/a.yaml")

    def refused(path: Path) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(ConfigurationError, match=f"^{tmp_path}/etc/benches: Permission denied"):
        names(Kind.BENCH)


def test_names_are_those_that_find_takes(touch: Touch) -> None:
    """Every file of the right kind once, and nothing else that lies in the folders."""
    for file in ("etc/benches/a.yaml", "shipped/config/benches/a.yaml", "shipped/config/benches/b.yaml"):
        touch(file)
    touch("etc/benches/b.yaml~")
    touch("etc/benches/c.yaml/file")
    assert names(Kind.BENCH) == ["a", "b"]


@pytest.mark.parametrize("name", ["", "/", ".", "..", "x\0y", "x" * 5000, "a/" * 3000, "\ud800"])
def test_impossible_names_are_just_not_found(touch: Touch, name: str) -> None:
    """No name that a file can contain brings the search down."""
    for kind in Kind:
        with pytest.raises(ConfigurationError):
            find(kind, name)


def test_a_pipe_is_a_file_and_a_folder_is_not(touch: Touch, tmp_path: Path) -> None:
    """`hilbridge check <(make-bench)` works."""
    os.mkfifo(tmp_path / "pipe")
    assert find(Kind.BENCH, f"{tmp_path}/pipe") == tmp_path / "pipe"
    with pytest.raises(ConfigurationError):
        find(Kind.BENCH, f"{tmp_path}/")


def test_the_programs_own_database_is_not_taken_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of that name beside the user must not change what OBD answers mean."""
    (tmp_path / "obd2.dbc").write_text("something else")
    monkeypatch.chdir(tmp_path)
    assert resources.own_database("obd2.dbc").parent.resolve() != tmp_path.resolve()
