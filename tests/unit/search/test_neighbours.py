from __future__ import annotations

import pytest

from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.kernels.gemm.opencl.space import SPACE as GEMM
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.grid import Grid
from hotloop.search.neighbours import near_and_far

SPACE = Space(
    (Parameter("tile", (1, 2, 4, 8)), Parameter("path", ("a", "b", "c"), ordinal=False)),
    (Constraint("b needs a tile of at least 2", lambda c: c.path != "b" or c.tile >= 2, ("tile", "path")),),
)


def around(grid, centre):
    """Yield the valid positions one parameter away, judged one by one."""
    for column, size in enumerate(grid.sizes):
        for there in set(range(size)) - {centre[column]}:
            moved = (*centre[:column], there, *centre[column + 1 :])
            if grid.valid(moved):
                yield moved


@pytest.mark.parametrize(
    ("config", "near", "far"),
    [
        (Config(tile=2, path="a"), [(1, "a"), (4, "a"), (2, "b"), (2, "c")], [(8, "a")]),
        (Config(tile=1, path="a"), [(2, "a"), (1, "c")], [(4, "a"), (8, "a")]),
    ],
)
def test_near_is_one_step_or_another_word_and_invalid_moves_are_left_out(config, near, far):
    grid = Grid(SPACE)
    found = near_and_far(grid, grid.encode(config))
    assert [[(c.tile, c.path) for c in map(grid.decode, part)] for part in found] == [near, far]


def test_moves_judged_together_are_the_moves_judged_one_by_one():
    for space, config in ((SPACE, Config(tile=2, path="a")), (GEMM, NAIVE), (GEMM, NAIVE.replace(MWI=6, NWI=16, VW=8))):
        grid = Grid(space)
        centre = grid.encode(config)
        near, far = near_and_far(grid, centre)
        assert sorted([*near, *far]) == sorted(around(grid, centre))
        assert far
