import math
from types import SimpleNamespace

import pytest

from hotloop.app.run import busy, honest, timing
from hotloop.app.run.attempt import Attempts
from hotloop.app.run.lent import keeping
from hotloop.app.run.seen import Renewed
from hotloop.app.run.timing import resolved
from hotloop.model.energy import Objective
from hotloop.model.outcome import Sample
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import Round, Timed
from hotloop.stats.paired import PairedTest


def comparison(verdict, low, high, noise):
    return Comparison(
        verdict=verdict,
        speedup=math.sqrt(low * high),
        low=low,
        high=high,
        confidence=0.99,
        margin=0.02,
        log_ratios=(0.1,) * 10,
        noise=noise,
    )


@pytest.mark.parametrize(
    "known",
    [
        None,
        comparison(Verdict.FASTER, 1.06, 1.10, 0.05),
        comparison(Verdict.SLOWER, 0.80, 0.90, 0.10),
        comparison(Verdict.FASTER, 1.03, 1.10, None),
        comparison(Verdict.SAME, 0.99, 1.01, 0.30),
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_differences_beyond_the_noise_floor_stand(known, last):
    assert resolved(known, last=last) is known


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (comparison(Verdict.FASTER, 1.023, 1.143, 0.663), "a difference of 2.3 % may be noise"),
        (comparison(Verdict.FASTER, 1.033, 1.127, 0.034), "a difference of 3.3 % may be noise"),
        (comparison(Verdict.SLOWER, 0.866, 0.965, 0.288), "this machine tells 28.8 % apart"),
    ],
)
def test_identical_kernels_that_once_seemed_to_differ(known, told):
    """Recorded by `hotloop compare` of two files with one source, on two cores that other processes used too."""
    assert resolved(known, last=False) is None
    found = resolved(known, last=True)
    assert found.verdict is Verdict.UNCLEAR
    assert told in found.reason
    assert (found.low, found.high, found.noise) == (known.low, known.high, known.noise)


@pytest.mark.parametrize(("language", "kept"), [("triton", []), ("opencl", [10.0])])
def test_looks_by_short_samples_are_compared_with_each_other_only(language, kept):
    variant = SimpleNamespace()
    workload = SimpleNamespace(
        subject=lambda _: SimpleNamespace(key=lambda what: what),
        program=lambda _: SimpleNamespace(language=language),
    )
    attempts = Attempts(SimpleNamespace(journal=SimpleNamespace(recall=lambda _: "10.0")), workload, None, None)
    assert list(attempts._recent(variant)) == kept


class Engine:
    """Times contenders by fixed times of a call in s; counts the calls of the first one."""

    def __init__(self, *calls_s):
        self.calls_s, self.asked = calls_s, []

    def time(self, request):
        self.asked.append(request.rounds)
        assert len(request.judged) <= 2 * self.asked[0], "of each sample one call's outputs are kept"
        order = (0, 1, 1, 0)
        one = Round(tuple((who, Sample(wall_ns=1e9 * self.calls_s[who], calls=1)) for who in order))
        return Timed((one,) * request.rounds, (1, 1))


def fought(monkeypatch, incumbent_s, candidate_s, kept=lambda *_: None, **options):
    """Return a duel's verdict, the rounds asked for, and how often the candidate met new content in two such duels."""
    engine, renewed = Engine(incumbent_s, candidate_s), []
    desk = SimpleNamespace(
        engine=engine,
        device=SimpleNamespace(kind="cpu"),
        mode="rotated",
        objective=Objective.TIME,
        clock=SimpleNamespace(monotonic_s=lambda: 0.0),
    )
    workload = SimpleNamespace(sets=tuple, cleared={})
    programs = [SimpleNamespace(fingerprint=name, language="opencl") for name in ("incumbent", "candidate")]
    monkeypatch.setattr(honest, "draw_judged", lambda *_: tuple(range(12)))
    monkeypatch.setattr(honest, "kept", kept)
    monkeypatch.setattr(honest, "judged_once", lambda *_: Renewed())
    monkeypatch.setattr(honest, "renewed", lambda *_, **__: renewed.append(1) or Renewed())
    monkeypatch.setattr(keeping, "doubted", lambda *given: given[3])
    monkeypatch.setattr(busy, "judged", lambda *rest: rest[3])
    monkeypatch.setattr(
        timing,
        "_measured",
        lambda _, __, who, ___: SimpleNamespace(best_ns=1e9 * engine.calls_s[who]),
    )
    found = timing.duel(desk, workload, *programs, PairedTest(), **options)
    timing.duel(desk, workload, *programs, PairedTest(), **options)
    return found.comparison.verdict, engine.asked[: len(engine.asked) // 2], len(renewed)


def test_a_long_call_is_not_made_more_often_than_its_verdict_needs(monkeypatch):
    assert fought(monkeypatch, 4.0, 0.1, call_ns=4e9) == (Verdict.FASTER, [3], 1)
    assert fought(monkeypatch, 4.0, 2.0, call_ns=4e9) == (Verdict.FASTER, [3, 2], 1)
    assert fought(monkeypatch, 0.1, 0.01, call_ns=1e8) == (Verdict.FASTER, [6], 2)
    assert fought(monkeypatch, 4.0, 3.8, call_ns=4e9, limit_s=30.0)[0] is Verdict.UNCLEAR


@pytest.mark.parametrize(
    ("candidate_s", "verdict", "count"), [(0.4, Verdict.SLOWER, 2), (0.1, Verdict.SAME, 5), (0.05, Verdict.FASTER, 5)]
)
def test_of_whom_is_slower_two_sets_are_judged_and_of_others_all_that_were_drawn(
    monkeypatch, candidate_s, verdict, count
):
    judged = []
    monkeypatch.setattr(timing, "draw", lambda *_: (4, 1, 3, 0, 2))
    met = fought(monkeypatch, 0.1, candidate_s, kept=lambda *asked: judged.append(asked[-1]))
    assert (met[0], [len(each) for each in judged]) == (verdict, [count] * 2)
