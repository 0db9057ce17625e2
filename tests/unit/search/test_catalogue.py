from __future__ import annotations

import time
from math import prod

import numpy as np

from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.catalogue import catalogue
from hotloop.search.grid import Grid


def _blocked_product() -> Space:
    """A matrix product's space: 1,327,104 combinations, 241,600 of them valid."""
    sizes = {
        "mwg": (16, 32, 64, 128), "nwg": (16, 32, 64, 128), "kwg": (16, 32), "mdim": (8, 16, 32), "ndim": (8, 16, 32),
        "mdima": (8, 16, 32), "ndimb": (8, 16, 32), "kwi": (2, 8), "vwm": (1, 2, 4, 8), "vwn": (1, 2, 4, 8),
        "strm": (0, 1), "strn": (0, 1), "sa": (0, 1), "sb": (0, 1),
    }  # fmt: skip
    rules = (
        Constraint("", lambda c: c.kwg % c.kwi == 0, ("kwg", "kwi")),
        Constraint("", lambda c: c.mwg % (c.mdim * c.vwm) == 0, ("mwg", "mdim", "vwm")),
        Constraint("", lambda c: c.nwg % (c.ndim * c.vwn) == 0, ("nwg", "ndim", "vwn")),
        Constraint("", lambda c: c.mwg % (c.mdima * c.vwm) == 0, ("mwg", "mdima", "vwm")),
        Constraint("", lambda c: c.nwg % (c.ndimb * c.vwn) == 0, ("nwg", "ndimb", "vwn")),
        Constraint("", lambda c: c.kwg % (c.mdim * c.ndim / c.mdima) == 0, ("kwg", "mdim", "ndim", "mdima")),
        Constraint("", lambda c: c.kwg % (c.mdim * c.ndim / c.ndimb) == 0, ("kwg", "mdim", "ndim", "ndimb")),
        Constraint("", lambda c: 4 * c.kwg * (c.sa * c.mwg + c.sb * c.nwg) <= 49152, ("sa", "sb", "kwg", "mwg", "nwg")),
    )
    return Space(tuple(Parameter(n, v) for n, v in sizes.items()), rules)


def test_large_space_is_joined_quickly_and_rows_are_valid():
    space = _blocked_product()
    began = time.process_time()
    listed = catalogue(Grid(space))
    spent_s = time.process_time() - began
    assert listed is not None
    assert (prod(len(p.values) for p in space.parameters), listed.count) == (1_327_104, 241_600)
    assert spent_s < 2.0  # about 0.07 s alone; the margin is for a busy machine
    drawn = listed.sample(np.random.default_rng(1), 200)
    assert all(space.valid(listed.grid.decode(row)) for row in drawn.tolist())


def test_free_parameters_multiply_without_being_listed():
    free = tuple(Parameter(f"p{i}", tuple(range(10))) for i in range(25))
    listed = catalogue(Grid(Space(free)))
    assert listed is not None
    assert listed.count == 10**25
    assert len(np.unique(listed.sample(np.random.default_rng(0), 50), axis=0)) == 50


def test_too_large_a_table_is_refused():
    sizes = tuple(Parameter(n, tuple(range(100))) for n in "abcd")
    everywhere = Constraint("sum is even", lambda c: sum(c.values()) % 2 == 0)
    assert catalogue(Grid(Space(sizes, (everywhere,))), rows_limit=10_000) is None


def test_empty_and_trivial_spaces():
    never = Constraint("never", lambda _: False, ("a",))
    listed = catalogue(Grid(Space((Parameter("a", (1, 2)), Parameter("b", (1, 2))), (never,))))
    assert listed is not None
    assert (listed.count, listed.table().shape) == (0, (0, 2))
    nothing = catalogue(Grid(Space(())))
    assert nothing is not None
    assert list(nothing) == [Config()]


def test_sample_has_no_repeats_and_is_even():
    listed = catalogue(Grid(Space((Parameter("a", tuple(range(6))), Parameter("b", tuple(range(5)))))))
    assert listed is not None
    rng = np.random.default_rng(5)
    drawn = [tuple(row) for _ in range(300) for row in listed.sample(rng, 10).tolist()]
    counts = {row: drawn.count(row) for row in drawn}
    assert len(counts) == 30
    assert min(counts.values()) > 58  # 100 expected, standard deviation 8
    assert max(counts.values()) < 142
