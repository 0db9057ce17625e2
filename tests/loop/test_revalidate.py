"""Winners after an upgrade, on the OpenCL device of this machine: same code holds, changed code is looked at again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hotloop.app import session
from hotloop.app.events import Silent
from hotloop.app.revalidate import look
from hotloop.app.revalidate.look import State
from hotloop.app.run import checking
from hotloop.app.run.contest import BenchAnswer, BenchRow
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.run.kept import seal
from hotloop.app.session import Options
from hotloop.kernels.gemm import KERNEL
from hotloop.model.codec import encode
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Conditions, Measured, Sample
from hotloop.model.space import Config
from hotloop.model.subject import Subject
from hotloop.store import Store, Winner

PROBLEM = KERNEL.problem.replace(m=24, n=16, k=32)


@pytest.fixture(scope="module")
def measured():
    """Return a winner of this device and its seal, as a run would have kept both."""
    made = KERNEL.implementation("opencl")
    variant = Variant(made, made.start)
    with session.desk(Options()) as desk:
        workload = Workload(desk.engine, KERNEL, PROBLEM, desk.device, 1)
        assert checking.check(desk, workload, Subject.of(variant, PROBLEM, desk.device)).report is not None
        kept = seal.of(desk, workload.program(variant))
        winner = Winner(
            family="gemm", problem=PROBLEM.key, sizes=Config(PROBLEM.sizes), device=desk.device.key,
            device_fingerprint=desk.device.fingerprint, implementation="opencl", config=made.start, call_ns=1e6,
            fingerprint=variant.fingerprint(PROBLEM, desk.device),
        )  # fmt: skip
    return winner, kept


def looked(tmp_path, winner, kept, **wish):
    location = str(tmp_path / "store.db")
    with Store.open(location) as store:
        with store.begin_run("tune", json.dumps({"spec": "gemm"}), "gemm") as run:
            run.record(seal.KEY, json.dumps({"elapsed_s": 0.0, "data": encode(kept, seal.Seal)}))
        store.add_winner(replace(winner, run=run.id))
    (found,) = look.look(look.Wish(options=Options(store=location), retune=False, **wish), Silent)
    with Store.open(location, read_only=True) as store:
        return found, store.best("gemm", PROBLEM.key, winner.device).winner


def test_a_seal_tells_the_code(measured):
    assert measured[1].code
    assert measured[1].device


def test_what_has_not_changed_is_current(tmp_path, measured):
    found, _ = looked(tmp_path, *measured)
    assert found.state is State.CURRENT


def test_the_same_code_under_another_driver_becomes_current_with_its_time(tmp_path, measured):
    winner, kept = measured
    old = replace(winner, device_fingerprint="of another driver")
    found, best = looked(tmp_path, old, replace(kept, driver="an older one"))
    assert found.state is State.SAME_CODE
    assert "driver an older one →" in found.why
    assert (best.device_fingerprint, best.call_ns) == (winner.device_fingerprint, 1e6)


@pytest.mark.parametrize(("rival_ns", "state"), [(995.0, State.HOLDS), (900.0, State.LOST)])
def test_changed_code_must_win_again(tmp_path, measured, monkeypatch, rival_ns, state):
    winner, kept = measured

    def contest(made, workload, variants):
        names = [name for name, _ in variants]
        assert names[0] == "winner"
        times = dict.fromkeys(names[1:], rival_ns) | {"winner": 1000.0, "BLAS of NumPy": 1.0}
        conditions = Conditions(made.device.fingerprint)
        rows = [
            BenchRow(name, Measured(samples=(Sample(wall_ns=ns, calls=1),), conditions=conditions))
            for name, ns in times.items()
        ]
        return BenchAnswer(made.device, workload.problem.key, tuple(rows), None)

    monkeypatch.setattr(look, "contest", contest)
    other = KERNEL.implementation("opencl").start.replace(MWI=1, NWI=1)
    old = replace(winner, device_fingerprint="of another driver", config=other)
    found, best = looked(tmp_path, old, replace(kept, code="other"))
    assert (found.state, found.after_ns) == (state, 1000.0)
    renewed = state is State.HOLDS
    assert best.device_fingerprint == (winner.device_fingerprint if renewed else "of another driver")


def test_a_configuration_that_no_longer_suits_is_said(tmp_path, measured):
    winner, kept = measured
    old = replace(winner, implementation="of another version", device_fingerprint="old")
    found, _ = looked(tmp_path, old, kept)
    assert found.state is State.ELSEWHERE
    assert "of another version" in found.why
