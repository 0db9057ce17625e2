"""Tuning by prediction: the ranking, what is executed, and the words."""

from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest
from tests.unit.predict.test_model import CARD, NOTHING, flow, work

from hotloop.app.events import Notice, Searched
from hotloop.app.predict import foretell as foretelling
from hotloop.app.predict import optimize as climbing
from hotloop.app.predict import tune as module
from hotloop.app.predict.bench import Bench
from hotloop.app.predict.foretell import chip_of, foretell
from hotloop.app.spec import parse
from hotloop.errors import MissingExtraError, UsageError
from hotloop.model.device import Device
from hotloop.model.evidence import Evidence
from hotloop.predict.card import card
from hotloop.predict.model import predict
from hotloop.predict.ranking import Ranked
from hotloop.predict.sequence import sequel
from hotloop.report.code import climbed
from hotloop.report.code.predicted import MARK
from hotloop.report.code.ranked import as_json, verdict


def predicted(cycles):
    from hotloop.isa.timing.price import Unit

    return sequel("k", CARD, [predict(work(2432, units={Unit.VECTOR: cycles}), flow(), NOTHING, CARD)])


class Passed:
    def __init__(self, passed):
        self.passed = passed
        self.answer = None


class Ticks:
    """A clock on which every look takes a hundredth of a second, however busy the machine is."""

    looks = count()

    def monotonic_s(self):
        return next(self.looks) / 100


def bench(monkeypatch, wrong=()):
    """Give times that follow from one parameter; configurations with a value of `wrong` do not pass."""

    def candidate(_self, config):
        values = dict(config)
        if values["KWG"] == 32:
            return Ranked(config=config, prediction=None, why_not="it does not compile")
        return Ranked(config=config, prediction=predicted(1e6 / values["MDIM"] + values["NDIM"]))

    def check(spec, *_, **__):
        values = dict(spec.changes)
        if values["MDIM"] in wrong:
            raise UsageError("a race.")
        return Passed(True)

    monkeypatch.setattr(Bench, "candidate", candidate)
    monkeypatch.setattr(module, "check", check)
    for timed in (module, climbing, foretelling):
        monkeypatch.setattr(timed, "SystemClock", Ticks)


def wish(budget_s=0.5):
    spec = parse("gemm")
    return module.Wish(spec=spec, problem=spec.kernel.problem, shape="", target="gfx950", budget_s=budget_s)


def tuned(monkeypatch, wrong=()):
    bench(monkeypatch, wrong)
    return module.tune(wish())


def test_the_best_predicted_configuration_that_passes_is_the_answer(monkeypatch):
    found = tuned(monkeypatch)
    times = [one.prediction.time_ns for one in found.ranked]
    assert times == sorted(times)
    assert found.best is found.ranked[0]
    assert [one.verified for one in found.ranked[1:]] == [None] * (len(found.ranked) - 1)
    assert MARK in verdict(found)
    assert as_json(found)["best"]["verified"] is True


def test_a_search_that_is_stopped_by_hand_ranks_what_it_has_and_tells_how_far_it_is(monkeypatch):
    told = []
    bench(monkeypatch)

    def notify(event):
        told.append(event)
        if sum(isinstance(event, Searched) for event in told) == 2 and isinstance(event, Searched):
            raise KeyboardInterrupt

    found = module.tune(replace(wish(), listener=SimpleNamespace(notify=notify)))
    assert found.tried == 2
    assert [event.evaluated for event in told if isinstance(event, Searched)] == [1, 2]
    assert any("stopped by hand" in event.text for event in told if isinstance(event, Notice))
    assert found.best is not None


def test_what_is_wrong_is_passed_over(monkeypatch):
    right = tuned(monkeypatch)
    best = dict(right.ranked[0].config)["MDIM"]
    found = tuned(monkeypatch, wrong=(best,))
    assert found.ranked[0].verified is False
    assert found.best is None or dict(found.best.config)["MDIM"] != best


def test_the_chip_that_a_target_is_taken_to_be():
    assert card("gfx950").name == "MI350X"


def test_a_climb_keeps_what_is_predicted_faster_and_right(monkeypatch):
    bench(monkeypatch)
    moved = wish(1.0)
    monkeypatch.setattr(Bench, "evidence", lambda *_: Evidence())
    found = climbing.optimize(moved)
    assert found.strides[0].technique == "baseline"
    kept = [stride for stride in found.strides if stride.kept]
    times = [stride.ranked.prediction.time_ns for stride in kept]
    assert len(kept) > 1
    assert times == sorted(times, reverse=True)
    assert all(stride.ranked.verified for stride in kept)
    assert found.best is kept[-1].ranked
    assert MARK in climbed.verdict(found)
    assert climbed.as_json(found)["steps"][0]["kept"] is True


def test_a_climb_from_a_wrong_start_ends_there(monkeypatch):
    start = dict(parse("gemm").chosen.start)["MDIM"]
    bench(monkeypatch, wrong=(start,))
    found = climbing.optimize(wish())
    assert found.best is None
    assert "a race" in climbed.verdict(found)


def device(**known):
    facts = {"name": "AMD Radeon Graphics", "target": "gfx942", "compute_units": 228, **known}
    return Device(kind="gpu", backend="opencl", runtime="", runtime_key="amd", **facts)


@pytest.mark.parametrize(
    ("known", "chip"),
    [
        ({}, "MI300A"),
        ({"name": "AMD Instinct MI300X"}, "MI300X"),
        ({"compute_units": 7}, ""),
        ({"target": "sm_90"}, ""),
    ],
)
def test_a_chip_is_known_by_its_name_or_by_its_units(known, chip):
    assert chip_of(device(**known)) == chip


def test_a_search_is_told_trusted_predictions_of_a_known_card_only(monkeypatch):
    spec = parse("gemm")
    bench(monkeypatch)
    given = spec.kernel, spec.chosen, spec.kernel.problem
    seen = []
    told = foretell(*given, device(), 20.0, 1, seen.append)
    assert len(told.times_ns) >= 8
    assert not told.doubted
    assert "on " in seen[0].text
    assert max(event.evaluated for event in seen[1:]) >= len(told.times_ns)
    assert all(dict(config)["KWG"] != 32 for config in told.times_ns)
    assert not foretell(*given, device(compute_units=7), 20.0, 1)
    doubted = replace(predicted(1e5).launches[0], doubts=("atomics",))
    monkeypatch.setattr(
        Bench, "candidate", lambda _self, config: Ranked(config=config, prediction=sequel("k", CARD, [doubted]))
    )
    told = foretell(*given, device(), 20.0, 1)
    assert told.doubted
    assert len(told.times_ns) >= 8
    assert not told.best


def test_a_missing_extra_is_no_fault_of_a_configuration(monkeypatch):
    """It was told as a usage error, exit code 2 instead of 3."""

    def task(*_):
        raise MissingExtraError("compiling C", "amd")

    monkeypatch.setattr(Bench, "_task", task)
    spec = parse("gemm")
    made = module.bench(spec.kernel, spec.chosen, spec.kernel.problem, "gfx942")
    with pytest.raises(MissingExtraError, match=r"hotloop\[amd\]"):
        made.candidate(spec.chosen.start)
