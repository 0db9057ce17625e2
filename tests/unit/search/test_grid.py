from __future__ import annotations

import pytest

from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.grid import Grid


def test_positions_and_configurations_map_to_each_other():
    grid = Grid(Space((Parameter("tile", (8, 16)), Parameter("kind", ("a", "b", "c"), ordinal=False))))
    assert grid.encode(Config(kind="c", tile=16)) == (1, 2)
    assert grid.decode((1, 2)) == Config(tile=16, kind="c")
    assert (grid.distance(1, 0, 2), Grid(Space((Parameter("n", (1, 2, 4)),))).distance(0, 0, 2)) == (1, 2)


def test_unknown_value_is_an_error():
    with pytest.raises(KeyError):
        Grid(Space((Parameter("tile", (8, 16)),))).encode(Config(tile=9))


def test_equal_values_count_once():
    assert Grid(Space((Parameter("flag", (0, False, 1)),))).sizes == (2,)


def test_rule_asks_once_for_each_combination_of_named_values():
    asked = []

    def holds(config: Config) -> bool:
        asked.append(dict(config))
        return config.integer("a") <= config.integer("c")

    numbers = (1, 2, 3)
    space = Space(tuple(Parameter(n, numbers) for n in "abc"), (Constraint("a <= c", holds, ("c", "a")),))
    grid = Grid(space)
    answers = {(a, b, c): grid.valid((a, b, c)) for a in range(3) for b in range(3) for c in range(3)}
    assert len(asked) == 9
    assert all(set(names) == {"a", "c"} for names in asked)
    assert all(valid == (a <= c) for (a, _, c), valid in answers.items())


def test_parts_are_what_constraints_connect():
    def pair(*names: str) -> Constraint:
        return Constraint("", lambda _: True, names)

    space = Space(tuple(Parameter(n, (0, 1)) for n in "abcdef"), (pair("a", "d"), pair("c", "e"), pair("e", "a")))
    assert Grid(space).parts == ((0, 2, 3, 4), (1,), (5,))
