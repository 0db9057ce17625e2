"""What a winner asks of the program's host."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run import climb
from hotloop.app.run.kept import host
from hotloop.app.run.kept.result import Hosted
from hotloop.errors import WorkerError
from hotloop.model.program import Program


def program(text: str, size: tuple[int, ...] = (768, 1)) -> SimpleNamespace:
    return SimpleNamespace(source=text, launches=(SimpleNamespace(global_size=size),))


def captured(
    *grids: tuple[int, ...], offset: tuple[int, ...] = (), further: int = 0, groups: tuple[int | None, ...] = ()
) -> SimpleNamespace:
    sizes = [None if size is None else (size,) for size in groups] or [None] * len(grids)
    launches = [
        SimpleNamespace(grid=grid, offset=offset, group=size, calls=1) for grid, size in zip(grids, sizes, strict=True)
    ]
    return SimpleNamespace(entry="k", launches=launches, main=launches[0], further=further)


@pytest.mark.parametrize(
    ("kernel", "after", "why"),
    [
        (captured((768,), (100,)), "if (i < 768) y[i] = 1;", "launches it with others"),
        (captured((768,), further=3), "if (i < 768) y[i] = 1;", "launches it with others"),
        (captured((768,)), "if (i < 768) y[i] = 1;", ""),
        (captured((768,), (100,)), "if (i < n) y[i] = 1;", ""),
        (captured((768,), offset=(0, 4)), "if (i < n) y[i] = 1;", "with an offset"),
        (captured((768,), offset=(0, 0)), "if (i < n) y[i] = 1;", ""),
        (captured((768,), offset=(0, 4)), "y[i] = 1;", ""),
    ],
)
def test_a_program_keeps_its_file_where_a_text_is_not_right_for_all_its_launches(kernel, after, why):
    said = host.unfit(kernel, program("y[i] = 1;"), program(after, (24, 1)))
    assert why in said
    assert bool(said) == bool(why)
    as_before = host.unfit(kernel, program("y[i] = 1;"), program(after))
    assert "launches it with others" not in as_before, "a number that no work-items follow from"


@pytest.mark.parametrize(
    ("groups", "further", "after", "kept"),
    [
        ((64, 128), 0, "y[i] = a[i % 64];", True),
        ((64, None), 0, "y[i] = a[i % 64];", True),
        ((64, 64), 3, "y[i] = a[i % 64];", True),
        ((64, 64), 0, "y[i] = a[i % 64];", False),
        ((None, None), 0, "y[i] = a[i % 64];", False),
        ((64, 128), 0, "y[i] = 2 * a[get_local_id(0)];", False),
    ],
)
def test_a_text_that_asks_less_for_its_groups_is_for_one_size_of_them(groups, further, after, kept):
    seen = captured((768,), (768,), further=further, groups=groups)
    said = host.unfit(seen, program("y[i] = a[get_local_id(0)];"), program(after))
    assert ("right for groups of 64 only" in said) == bool(said) == kept


def test_a_text_that_happens_to_fit_one_launch_is_not_put_where_there_are_others():
    """A loop over the grid is gone: launched with as many work-items as elements nobody notices."""
    before, after = program("for (...; i += get_global_size(0)) y[i] = 1;"), program("y[i] = 1;")
    refused = Hosted(variant=None, why="it needs more work-items", refused=True)
    (once, twice, both) = captured((768,)), captured((768,)), captured((768,), (64,))
    twice.main.calls = 2
    assert host.unfit(once, before, after, refused) == ""
    for seen in (twice, both):
        assert "like the one that was measured only (it needs more work-items)" in host.unfit(
            seen, before, after, refused
        )
        assert host.unfit(seen, before, after) == ""


def test_what_compiling_takes_longer_counts_for_programs_that_always_compile():
    times = {"a": 1e9, "b": 3e9}
    built = lambda one: times.get(one.source)  # noqa: E731
    native, python = SimpleNamespace(native=True), SimpleNamespace(native=False)
    assert host.longer_s(native, program("a"), program("b"), built) == 2.0
    assert host.longer_s(python, program("a"), program("b"), built) == 0.0
    assert host.longer_s(native, program("a"), program("c"), built) == 0.0


def test_a_text_that_cannot_be_compiled_at_the_end_costs_the_run_nothing():
    class Engine:
        def build(self, one):
            raise WorkerError("cannot start a worker process")

    assert climb._building_ns(Engine(), Program("opencl", "a", (), ())) is None


def test_nothing_is_compiled_for_a_text_that_stays():
    native = SimpleNamespace(native=True)
    assert host.longer_s(native, program("a"), program("a"), lambda _: pytest.fail("compiled")) == 0.0


@pytest.mark.parametrize(("after", "size", "told"), [("if (i < 768) y[i] = 1;", 24, True), ("if (i < n) y[i] = 1;", 24, False), ("if (i < 768) y[i] = 1;", 768, False)])  # fmt: skip
def test_a_text_with_the_launchs_own_numbers_says_for_which_sizes_it_is_right(after, size, told):
    """A program that was seen with one size may be started with another."""
    said = host.only(captured((768,)), program("y[i] = 1;"), program(after, (size, 1)))
    assert bool(said) is told
    assert all("for the work-items 768 only" in one for one in said)
