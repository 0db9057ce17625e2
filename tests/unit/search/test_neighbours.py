from __future__ import annotations

from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.grid import Grid
from hotloop.search.neighbours import neighbours

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
