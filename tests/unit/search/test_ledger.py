from __future__ import annotations

import math

import pytest

from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.search.grid import Grid
from hotloop.search.ledger import Ledger

SMALL = Constraint("n < 4", lambda c: c.n < 4, ("n",))
GRID = Grid(Space((Parameter("n", (1, 2, 4)),), (SMALL,)))


@pytest.mark.parametrize("call_ns", [0.0, -1.0, math.nan, math.inf])
def test_times_must_be_times(call_ns):
    with pytest.raises(ValueError, match="tell a positive time"):
        Ledger(GRID, 0).record(Config(n=1), call_ns)


@pytest.mark.parametrize("config", [Config(n=3), Config(m=1)])
def test_configurations_outside_the_grid_are_refused(config):
    with pytest.raises(ValueError, match="neither a parameter nor a value"):
        Ledger(GRID, 0).record(config, 1.0)


def test_first_result_of_a_configuration_stands():
    ledger = Ledger(GRID, 0)
    assert ledger.record(Config(n=1), 5.0) == (0,)
    assert ledger.record(Config(n=1), 3.0) is None
    assert ledger.results == {(0,): 5.0}


def test_start_points_come_once_and_only_if_valid():
    ledger = Ledger(GRID, 0, [Config(n=4), Config(n=9), Config(n=2)])
    assert ledger.issue(ledger.start()) == Config(n=2)
    assert ledger.start() is None


def test_best_ignores_failures():
    ledger = Ledger(GRID, 0)
    assert ledger.best() is None
    ledger.record(Config(n=1), None)
    ledger.record(Config(n=2), 7.0)
    assert ledger.best() == (1,)
