"""Many problems and contenders at one desk, on the fake device."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hotloop.app import userfile
from hotloop.app.run import contest as contests
from hotloop.app.run import faceoff
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Measured, WrongResult

KERNEL = userfile.find(str(Path(__file__).with_name("null_kernel.py")))
START = KERNEL.implementations[0].start
BEST, CHEAT = START.replace(W=8, ITEMS=16, DEPTH=3, TRICK="stream"), START.replace(DEPTH=3, TRICK="cheat")


@pytest.fixture(scope="module")
def made():
    with desk(Options(language="null")) as opened:
        yield opened


def contest(made, n, *configs):
    workload = Workload(made.engine, KERNEL, KERNEL.problem.replace(n=n), made.device, made.seed)
    variants = [(str(index), Variant(KERNEL.implementations[0], config)) for index, config in enumerate(configs)]
    try:
        return faceoff.contest(made, workload, variants)
    finally:
        workload.discard()


def test_one_desk_serves_problem_after_problem_and_keeps_no_arrays(made):
    for n in (1000, 3000):
        slow, fast = contest(made, n, START, BEST).rows
        assert isinstance(slow.outcome, Measured)
        assert len(fast.ratios) == contests.BENCH_ROUNDS
        assert fast.ratio == sorted(fast.ratios)[contests.BENCH_ROUNDS // 2] > 2
        assert not list(Path(made.engine.arena).glob("*.in"))


def test_a_wrong_contender_has_no_time(made):
    right, wrong = contest(made, 1000, BEST, CHEAT).rows
    assert isinstance(right.outcome, Measured)
    assert isinstance(wrong.outcome, WrongResult)


class Stale:
    """An engine whose timed calls leave outputs of zeros."""

    def __init__(self, engine):
        self.engine = engine

    def __getattr__(self, name):
        return getattr(self.engine, name)

    def outputs(self, program, dataset):
        left = self.engine.outputs(program, dataset)
        return replace(left, arrays={**left.arrays, "y": np.zeros_like(left.arrays["y"])})


def test_a_contender_whose_timed_outputs_are_wrong_has_no_time_either(made):
    (row,) = contest(replace(made, engine=Stale(made.engine)), 1000, BEST).rows
    assert isinstance(row.outcome, WrongResult)
    assert [case.reason[:10] for case in row.outcome.check.cases] == ["timed run:"]
