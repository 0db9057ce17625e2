"""Tuning by prediction: the ranking, what is executed, and the words."""

from tests.unit.predict.test_model import CARD, NOTHING, flow, work

from hotloop.app.predict import tune as module
from hotloop.app.spec import parse
from hotloop.errors import UsageError
from hotloop.predict.card import card
from hotloop.predict.model import predict
from hotloop.predict.sequence import sequel
from hotloop.report.code.predicted import MARK
from hotloop.report.code.ranked import as_json, verdict


def predicted(cycles):
    from hotloop.isa.timing.price import Unit

    return sequel("k", CARD, [predict(work(2432, units={Unit.VECTOR: cycles}), flow(), NOTHING, CARD)])


class Passed:
    def __init__(self, passed):
        self.passed = passed
        self.answer = None


def tuned(monkeypatch, wrong=()):
    """Tune gemm with times that follow from one parameter; configurations with a value of `wrong` do not pass."""
    spec = parse("gemm")

    def candidates(wish, config):
        values = dict(config)
        if values["KWG"] == 32:
            return module.Ranked(config=config, prediction=None, why_not="it does not compile")
        return module.Ranked(config=config, prediction=predicted(1e6 / values["MDIM"] + values["NDIM"]))

    def check(spec, *_, **__):
        values = dict(spec.changes)
        if values["MDIM"] in wrong:
            raise UsageError("a race.")
        return Passed(True)

    monkeypatch.setattr(module, "_candidate", candidates)
    monkeypatch.setattr(module, "check", check)
    wish = module.Wish(spec=spec, problem=spec.kernel.problem, shape="", target="gfx950", budget_s=0.5)
    return module.tune(wish)


def test_the_best_predicted_configuration_that_passes_is_the_answer(monkeypatch):
    found = tuned(monkeypatch)
    times = [one.prediction.time_ns for one in found.ranked]
    assert times == sorted(times)
    assert found.best is found.ranked[0]
    assert [one.verified for one in found.ranked[1:]] == [None] * (len(found.ranked) - 1)
    assert MARK in verdict(found)
    assert as_json(found)["best"]["verified"] is True


def test_what_is_wrong_is_passed_over(monkeypatch):
    right = tuned(monkeypatch)
    best = dict(right.ranked[0].config)["MDIM"]
    found = tuned(monkeypatch, wrong=(best,))
    assert found.ranked[0].verified is False
    assert found.best is None or dict(found.best.config)["MDIM"] != best


def test_the_chip_that_a_target_is_taken_to_be():
    assert card("gfx950").name == "MI350X"
