"""What `bench` and `ladder` make of several devices: verification is shared out, each device times, and what differs is told."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.ladder.second import second
from hotloop.app.run import attempt, contest
from hotloop.app.run.attempt import Attempts
from hotloop.app.run.devices import lanes, spread
from hotloop.app.run.inputs.workload import Workload
from hotloop.engine.ray.fleet import Fleet
from hotloop.errors import MachineError
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Implementation, Kernel, Variant
from hotloop.model.outcome import Measured
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space
from hotloop.model.verdict import Verdict
from hotloop.report.ladder import cells
from hotloop.stats.paired import PairedTest

ROOT = Path(__file__).parents[4]


def _fakes():
    spec = importlib.util.spec_from_file_location("fake_cluster", ROOT / "tests/fakes/cluster.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["fake_cluster"] = module
    spec.loader.exec_module(module)
    return module


fakes = _fakes()


def plan(problem, config, device):
    recipe = {"compute": "copy", "call_ns": 1e6 / config.W, "config": dict(config)}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))


KERNEL = Kernel(
    family="fake",
    problem=Problem("fake", Record(n=64)),
    inputs=lambda p, rng: {"x": rng.standard_normal(p.n).astype("f4"), "y": rng.standard_normal(p.n).astype("f4")},
    reference=lambda p, a: {"y": a["x"].astype("f8")},
    work=lambda p: Work(flops=0, bytes=8 * p.n),
    implementations=(Implementation("null", "null", Space((Parameter("W", (1, 2, 3, 4), ""),)), Config(W=1), plan),),
    origin="",
)
VARIANTS = [(f"W={w}", Variant(KERNEL.implementations[0], Config(W=w))) for w in (1, 2, 4)]


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """Hosts live in this process here, whose environment they change."""
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.delenv("HOTLOOP_PARTS", raising=False)


@pytest.fixture
def stand():
    """What makes a desk and a workload at so many fake devices; all are closed at the end."""
    made = []

    def make(count, lab=None):
        cluster = fakes.FakeCluster(count, lab or fakes.Lab())
        fleet = Fleet(cluster, None, lambda engine, name, language: engine.select(name, language))
        made.append((fleet, cluster))
        device = fleet.select("", "null")
        desk = Desk(fleet, device, MemoryJournal(), SystemClock())
        return desk, Workload(fleet, KERNEL, KERNEL.problem, device, 1)

    yield make
    for fleet, cluster in made:
        fleet.close()
        cluster.close()


def test_verification_is_shared_out_and_every_device_times(stand):
    lab = fakes.Lab(
        slower=lambda place, recipe, _: 2.0 if place.startswith("m2") and recipe["config"]["W"] == 4 else 1.0
    )
    desk, workload = stand(3, lab)
    rows = contest.contest(desk, workload, VARIANTS).rows
    assert [row.ratio for row in rows] == pytest.approx([1, 2, 4], rel=0.02)
    assert [place for place, _ in rows[2].elsewhere] == ["m1:cpu0", "m2:cpu0"]
    assert dict(rows[2].elsewhere) == pytest.approx({"m1:cpu0": 4, "m2:cpu0": 2}, rel=0.02)
    verified = {
        place: {program for where, what, program in lab.asked if (where, what) == (place, "execute")}
        for place in ("m0:cpu0", "m1:cpu0", "m2:cpu0")
    }
    assert len(set.union(*verified.values())) == len(VARIANTS)
    assert all(
        first.isdisjoint(other) for first in verified.values() for other in verified.values() if first is not other
    )
    assert {where for where, what, _ in lab.asked if what == "time"} == {"m0:cpu0", "m1:cpu0", "m2:cpu0"}


def test_one_device_is_asked_as_before(stand):
    desk, workload = stand(1)
    rows = contest.contest(desk, workload, VARIANTS).rows
    assert [row.elsewhere for row in rows] == [(), (), ()]
    assert all(isinstance(row.outcome, Measured) for row in rows)


@pytest.mark.parametrize("request_", ["execute", "time"])
def test_a_device_that_dies_leaves_its_part_to_others(stand, request_):
    lab = fakes.Lab(dies=lambda place, what, _: place.startswith("m1") and what == request_)
    desk, workload = stand(3, lab)
    rows = contest.contest(desk, workload, VARIANTS).rows
    assert [row.ratio for row in rows] == pytest.approx([1, 2, 4], rel=0.02)
    if any(what == request_ for where, what, _ in lab.asked if where == "m1:cpu0"):  # others may have been quicker
        assert "m1:cpu0" not in dict(rows[1].elsewhere)


def test_all_devices_gone_is_one_sentence(stand):
    desk, workload = stand(2, fakes.Lab(dies=lambda _place, what, _: what == "execute"))
    with pytest.raises(MachineError, match="all devices of the cluster are gone"):
        contest.contest(desk, workload, VARIANTS)


def test_a_task_that_fails_is_no_lost_device(stand):
    desk, _ = stand(2)

    def fail(_desk):
        raise ValueError("its own fault")

    with pytest.raises(ValueError, match="its own fault"):
        spread.shared(spread.desks(desk), [fail, fail])


@pytest.mark.parametrize(
    ("factor", "said"), [(1.0, "m1:cpu0 confirms it: FASTER"), (4.0, "m1:cpu0 does not confirm it: SAME")]
)
def test_a_ladders_gain_is_asked_of_a_second_device(stand, factor, said):
    lab = fakes.Lab(
        slower=lambda place, recipe, _: factor if place.startswith("m1") and recipe["config"]["W"] == 4 else 1.0
    )
    desk, workload = stand(2, lab)
    workload.sets()
    contenders = [(workload.subject(variant), workload.program(variant)) for _, variant in (VARIANTS[0], VARIANTS[2])]
    found = second(desk, workload, contenders, PairedTest())
    assert found.comparison.verdict is (Verdict.FASTER if factor == 1.0 else Verdict.SAME)
    assert cells.second(found)[0].startswith(said)
    assert not {where for where, what, _ in lab.asked if what == "time"} - {"m1:cpu0"}
    assert second(stand(1)[0], workload, contenders, PairedTest()) is None


def test_content_that_a_program_met_on_one_device_is_new_to_it_on_another(stand):
    desk, workload = stand(2)
    attempts = Attempts(desk, workload, None, PairedTest())
    baseline, winner = VARIANTS[0][1], VARIANTS[2][1]

    def drawn(purpose, there=None):
        before = len(workload._contents)
        compared = attempts.against(baseline, winner, purpose, there=there).comparison
        assert compared.verdict is Verdict.FASTER
        return len(workload._contents) - before

    assert drawn("overall") > 0
    assert drawn("on the second device", lanes.at(attempts, desk.engine.lanes()[1])) == 0
    assert drawn("on the first one again") > 0


def test_a_device_that_settles_has_run_the_incumbent_on_the_timing_sets_and_may_be_lost(stand):
    lab = fakes.Lab()
    desk, workload = stand(2, lab)
    there = lanes.at(Attempts(desk, workload, None, PairedTest()), desk.engine.lanes()[1])
    there.settle(VARIANTS[0][1])
    assert [(place, what) for place, what, _ in lab.asked] == [("m1:cpu0", "time")]
    lab.dies = lambda *_: True
    there.settle(VARIANTS[0][1])


@pytest.mark.parametrize(("kind", "settled"), [("gpu", {"m1:cpu0", "m2:cpu0"}), ("cpu", set())])
def test_other_gpus_settle_while_the_first_one_times_the_baseline(stand, monkeypatch, kind, settled):
    class AtOnce:
        def __init__(self, target, args, daemon):
            self.start = lambda: target(*args)

    monkeypatch.setattr(attempt, "threading", SimpleNamespace(Thread=AtOnce))
    lab = fakes.Lab()
    desk, workload = stand(3, lab)
    desk.device = replace(desk.device, kind=kind)
    assert isinstance(Attempts(desk, workload, None, PairedTest()).baseline(VARIANTS[0][1]).outcome, Measured)
    times = [place for place, what, _ in lab.asked if what == "time"]
    assert set(times[: len(settled)]) == settled  # before the baseline's own
    assert set(times[len(settled) :]) == {"m0:cpu0"}
