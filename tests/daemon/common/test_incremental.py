"""Work in parts."""

from hilbridge.common.incremental import Parts, finished


def counted(number: int, done: list[int]) -> Parts[str]:
    for one in range(number):
        done.append(one)
        yield
    return "all"


def test_what_is_left_can_be_finished_at_once() -> None:
    done: list[int] = []
    parts = counted(5, done)
    next(parts)
    assert done == [0]
    assert finished(parts) == "all"
    assert done == [0, 1, 2, 3, 4]


def test_parts_within_parts_give_what_came_of_them() -> None:
    def outer() -> Parts[list[str]]:
        return [(yield from counted(2, [])), (yield from counted(0, []))]

    assert finished(outer()) == ["all", "all"]
