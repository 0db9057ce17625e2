from __future__ import annotations

from hotloop.kernels.gemm.opencl.space import NAIVE
from hotloop.kernels.gemm.opencl.space import SPACE as GEMM
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.grid import Grid
from hotloop.search.neighbours import around, near_and_far, neighbours

SPACE = Space(
    (Parameter("tile", (1, 2, 4, 8)), Parameter("path", ("a", "b", "c"), ordinal=False)),
    (Constraint("b needs a tile of at least 2", lambda c: c.path != "b" or c.tile >= 2, ("tile", "path")),),
)


def test_adjacent_moves_go_one_step_but_enumerations_go_anywhere():
    around = set(neighbours(Grid(SPACE), Config(tile=2, path="a"), adjacent=True))
    assert around == {Config(tile=t, path=p) for t, p in ((1, "a"), (4, "a"), (2, "b"), (2, "c"))}


def test_invalid_moves_are_left_out():
    around = set(neighbours(Grid(SPACE), Config(tile=1, path="a")))
    assert around == {Config(tile=t, path=p) for t, p in ((2, "a"), (4, "a"), (8, "a"), (1, "c"))}


def test_moves_judged_together_are_the_moves_judged_one_by_one():
    for space, config in ((SPACE, Config(tile=2, path="a")), (GEMM, NAIVE), (GEMM, NAIVE.replace(MWI=6, NWI=16, VW=8))):
        grid = Grid(space)
        centre = grid.encode(config)
        near, far = near_and_far(grid, centre)
        assert near == list(around(grid, centre, adjacent=True))
        assert far == [move for move in around(grid, centre) if move not in near]
        assert far
