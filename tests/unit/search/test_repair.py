from __future__ import annotations

import time
from itertools import pairwise

import pytest

from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search import repair as module
from hotloop.search.grid import Grid, Rule
from hotloop.search.repair import repair

SIZES = (1, 2, 4, 8, 16, 32, 64)


def _divides(big: str, *small: str) -> Constraint:
    def holds(config: Config) -> bool:
        product = 1
        for name in small:
            product *= config.integer(name)
        return config.integer(big) % product == 0

    return Constraint(f"{big} is a multiple of {' x '.join(small)}", holds, (big, *small))


def test_second_parameter_follows_the_first():
    grid = Grid(Space((Parameter("tile", SIZES), Parameter("vector", SIZES)), (_divides("tile", "vector"),)))
    assert repair(grid, Config(tile=8, vector=32), ["vector"]) == Config(tile=32, vector=32)
    assert repair(grid, Config(tile=8, vector=32), ["tile"]) == Config(tile=8, vector=8)
    assert repair(grid, Config(tile=8, vector=4)) == Config(tile=8, vector=4)


def test_impossible_is_none():
    grid = Grid(Space((Parameter("tile", (4, 8)), Parameter("vector", (1, 16))), (_divides("tile", "vector"),)))
    assert repair(grid, Config(tile=4, vector=16), ["vector"]) is None
    assert repair(grid, Config(tile=4, vector=16), ["vector", "tile"]) is None


def test_unconnected_parameters_stay():
    parameters = (Parameter("a", SIZES), Parameter("b", SIZES), Parameter("c", SIZES))
    mended = repair(Grid(Space(parameters, (_divides("a", "b"),))), Config(a=1, b=2, c=64))
    assert mended is not None
    assert mended.c == 64


def test_unknown_value_is_an_error():
    with pytest.raises(KeyError):
        repair(Grid(Space((Parameter("tile", (4, 8)),))), Config(tile=5))


def test_spaces_too_large_to_list_are_repaired_quickly():
    names = [f"p{i}" for i in range(40)]
    chain = tuple(_divides(big, small) for big, small in pairwise(names))
    grid = Grid(Space(tuple(Parameter(n, SIZES) for n in names), chain))  # 7^40 combinations
    broken = Config(dict.fromkeys(names, 8)).replace(p0=2, p20=16, p39=16)
    began = time.process_time()
    mended = repair(grid, broken, ["p20"])
    spent_s = time.process_time() - began
    assert mended is not None
    assert grid.space.valid(mended)
    assert mended.p20 == 16
    assert spent_s < 5.0


@pytest.mark.parametrize("patience", [1, 10**9])
def test_listing_and_lazy_search_agree(monkeypatch, patience):
    monkeypatch.setattr(module, "_PATIENCE", patience)
    parameters = (*(Parameter(n, SIZES) for n in ("m", "n", "v")), Parameter("kind", ("x", "y", "z"), ordinal=False))
    small = Constraint("m n <= 64", lambda c: c.m * c.n <= 64, ("m", "n"))
    wide = Constraint("z needs v >= 8", lambda c: c.kind != "z" or c.v >= 8, ("kind", "v"))
    grid = Grid(Space(parameters, (small, _divides("m", "v"), wide)))
    mended = repair(grid, Config(m=64, n=64, v=1, kind="z"), ["kind"])
    assert mended is not None
    steps = sum(grid.distance(i, *pair) for i, pair in enumerate(zip(grid.encode(mended), (6, 6, 0, 2), strict=True)))
    assert (steps, mended.kind) == (9, "z")
    assert grid.space.valid(mended)


def test_a_move_asks_only_the_rules_that_read_what_it_moved(monkeypatch):
    parameters = tuple(Parameter(f"P{i}", tuple(range(10))) for i in range(12))
    rules = [
        Constraint(f"{a.name} or {b.name} is 0", lambda c, a=a.name, b=b.name: c[a] == 0 or c[b] == 0, (a.name, b.name))
        for a, b in pairwise(parameters)
    ]
    grid = Grid(Space(parameters, tuple(rules)))
    asked, looked = [], []
    holds, broken = Rule.holds, module._broken
    monkeypatch.setattr(Rule, "holds", lambda rule, positions: asked.append(rule) or holds(rule, positions))
    monkeypatch.setattr(module, "_broken", lambda *given: looked.append(given) or broken(*given))
    mended = repair(grid, Config({p.name: int(p.name not in ("P3", "P8")) for p in parameters}))
    assert [mended[f"P{i}"] for i in range(12)].count(0) == 6
    assert len(asked) <= len(rules) + 2 * len(looked)  # of eleven rules at most two read a parameter
