"""Launches of Triton kernels are heard however the program makes them; without Triton, with stand-ins for its classes."""

from functools import partial
from types import SimpleNamespace

import pytest

from hotloop.recorder import triton

constexpr = type("constexpr", (), {})


def scaled(y, n, BLOCK: constexpr, num_warps: constexpr = 4):
    """Stand for a kernel."""


class Compiled:
    asm = ""

    def __init__(self):
        self.launched = []

    def __getitem__(self, grid):
        return lambda *given: self.launched.append((grid, given))


class Jitted:
    fn = staticmethod(scaled)
    __name__ = "scaled"

    def __init__(self):
        self.compiled = Compiled()

    def run(self, *_given, grid, warmup, **_others):
        del grid, warmup
        return self.compiled


class Book:
    def __init__(self):
        self.kinds, self.launches, self.problems = [], [], []

    def launched(self, _key, _kernel, kind, launch, run, _timer, **_others):
        self.kinds.append(kind)
        self.launches.append(launch())
        return run()

    def failed(self, text):
        self.problems.append(text)


@pytest.fixture
def heard():
    book = Book()
    jitted = type("JITFunction", (Jitted,), {})
    compiled = type("CompiledKernel", (Compiled,), {})
    triton.compiled(SimpleNamespace(JITFunction=jitted), book)
    triton.relaunched(SimpleNamespace(CompiledKernel=compiled), book)
    function = jitted()
    function.compiled = compiled()
    return book, function


def test_a_parameter_called_like_an_option_is_both(heard):
    book, function = heard
    function.run(None, 64, BLOCK=32, num_warps=8, grid=(2,), warmup=False)
    function.run(None, 64, 32, 8, grid=(2,), warmup=False)
    assert [launch["compiler"] for launch in book.launches] == [{"num_warps": 8}, {}]
    assert all(launch["constants"]["num_warps"] == {"value": 8} for launch in book.launches)


@pytest.mark.parametrize("given", [(None, 64, 32, 8), (None, 64)])
def test_launches_of_what_was_compiled_are_launches_of_the_same_kind(heard, given):
    book, function = heard
    made = function.run(None, 64, BLOCK=32, num_warps=8, grid=(2,), warmup=False)
    made[2, 1, 1](*given)
    assert made.launched == [((2, 1, 1), given)]
    assert len(book.kinds) == 2
    assert book.kinds[0] == book.kinds[1]
    assert not book.problems


def test_what_nobody_launched_by_its_function_runs_unheard(heard):
    book, function = heard
    other = type(function.compiled)()
    other[2,](None, 64)
    assert other.launched == [((2,), (None, 64))]
    assert not book.kinds


def test_what_an_autotuner_of_the_programs_own_measures_is_not_the_programs(heard):
    book, function = heard
    testing = SimpleNamespace(do_bench=lambda call, rep: [call() for _ in range(rep)])
    triton.benched(testing, book)

    class Tuner:
        configs = (32, 64)
        fn = function

        def run(self, *given):
            for block in self.configs:
                testing.do_bench(partial(self.fn.run, *given, block, grid=(1,), warmup=False), rep=3)
            return self.fn.run(*given, 64, grid=(1,), warmup=False)

    Tuner().run("y", 3)
    assert len(book.launches) == 1
    testing.do_bench(lambda: function.run("y", 3, 32, grid=(1,), warmup=False), rep=2)
    assert len(book.launches) == 3, "a program that measures is a program"


def test_grids_for_a_few_rows_are_asked_for_where_the_grid_follows_them(heard):
    book, function = heard
    function.run("y", 64, grid=lambda meta: (64 // meta["BLOCK"],), warmup=False, BLOCK=2)
    grids = {row["constants"]["BLOCK"]: row["grid"] for row in book.launches[-1]["grids"]}
    assert grids == {1: (64,), 2: (32,), 4: (16,), 8: (8,), 16: (4,), 32: (2,)}
    for grid in (lambda _meta: (64,), lambda meta: (64 // meta.get("BLOCK", 0) if meta["BLOCK"] == 2 else None,)):
        function.run("y", 64, grid=grid, warmup=False, BLOCK=2)
        assert not book.launches[-1]["grids"]
