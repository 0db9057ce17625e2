from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.app.run.timing import HOPELESS
from hotloop.engine import answers, order, rounds
from hotloop.engine.exchange import Exchange
from hotloop.engine.wire import told
from hotloop.model.outcome import Sample
from hotloop.ports import Round, Timed, TimeRequest
from hotloop.stats.rounds import outrun

REQUEST = SimpleNamespace(warmup_ns=2e7, target_sample_ns=4e6)


@pytest.fixture
def calibrated(monkeypatch):
    """Return a function that calibrates a contender of so many ns a call; some samples take longer, by their place."""

    def run(call_ns, disturbed=None):
        taken = []

        def sample(_bench, _contender, _request, _index, calls):
            taken.append(calls)
            return Sample(wall_ns=calls * call_ns + (disturbed or {}).get(len(taken), 0.0), calls=calls)

        monkeypatch.setattr(rounds, "_lead", lambda *_: None)
        monkeypatch.setattr(rounds, "_sample", sample)
        (calls,) = rounds.even([rounds._calibrate(None, None, REQUEST)])
        return calls, taken

    return run


def test_a_sample_lasts_as_long_as_asked(calibrated):
    assert calibrated(1e5) == (40, [1, 2, 4, 8, 16, 32, 64])
    assert calibrated(1e3)[0] == 4000


@pytest.mark.parametrize("place", [1, 2])
def test_another_process_does_not_decide_how_many_calls_make_a_sample(calibrated, place):
    """One first call of 8 ms instead of 1 ms made samples of one call, beside samples of four of an equal contender."""
    assert calibrated(1e6, {place: 7e6})[0] == 4


def test_disturbances_in_a_row_end_somewhere(calibrated):
    calls, taken = calibrated(1e6, dict.fromkeys(range(1, 100), 5e6))
    assert calls == 1
    assert len(taken) == 2


def test_what_is_slow_is_not_called_for_nothing(calibrated):
    assert calibrated(9e6) == (1, [1, 1])
    assert calibrated(2e8) == (1, [1])


@pytest.mark.parametrize(
    ("counts", "same"),
    [
        ((3.2, 4.1), (4, 4)),
        ((1.45, 1.55), (2, 2)),
        ((4.0, 3.0, 4.2), (4, 4, 4)),
        ((4.0, 2.0), (4, 2)),
        ((4.0, 100.0, 6.0), (6, 100, 6)),
        ((0.1, 0.9), (1, 1)),
        ((7.0,), (7,)),
    ],
)
def test_equals_get_samples_of_the_same_length(counts, same):
    assert rounds.even(counts) == same


@pytest.mark.parametrize(("launches", "at_first"), [(63, 6), (64, 0)])
def test_many_launches_are_bound_to_a_set_when_its_turn_comes(launches, at_first):
    made = []

    def bind(_program, target, donor):
        made.append((target, donor))
        return target, donor

    sets = ("a", "b", "c", "d", "e", "f")
    program = SimpleNamespace(launches=range(launches))
    bound = rounds._bound(SimpleNamespace(bind=bind), program, sets, (*sets[1:], "f"))
    assert len(made) == at_first
    assert (len(bound), bound[0], bound[-1], list(bound[4:])) == (
        6, ("a", "b"), ("f", None), [("e", "f"), ("f", None)]
    )  # fmt: skip
    assert len(made) == (at_first or 3)


def timed(*ratios):
    """Return rounds of two contenders, the last of which takes so many times as long as the first."""
    return [
        Round(
            tuple((index, Sample(wall_ns=ns, calls=1)) for index, ns in ((0, 100), (1, 100 * r), (1, 101 * r), (0, 99)))
        )
        for r in ratios
    ]


@pytest.mark.parametrize(
    ("ratios", "ends"),
    [
        ((1.6,), True),
        ((1.4,), False),
        ((1.4, 1.3), True),
        ((1.4, 0.9), False),
        ((1.05, 1.05, 1.05), False),
        ((1.2,) * 4, False),
        ((), False),
    ],
)
def test_only_what_is_slower_in_every_sample_ends_early(ratios, ends):
    assert outrun(timed(*ratios), HOPELESS) == ends


@pytest.mark.parametrize(("ratio", "accepted"), [(1.6, True), (1.2, False), (0.5, False)])
def test_a_worker_that_leaves_rounds_out_is_believed_only_where_they_show_why(ratio, accepted):
    """It could otherwise hide that a candidate is slow, or never time one that wins."""
    request = TimeRequest(programs=("a", "b"), datasets=(), rounds=4, hopeless=HOPELESS)
    answer = {"timed": told(Timed(tuple(timed(ratio)), (1, 1), ({}, {})))}
    if accepted:
        assert len(answers.timed(request, answer).rounds) == 1
    else:
        with pytest.raises(ValueError, match="samples are missing"):
            answers.timed(request, answer)
    with pytest.raises(ValueError, match="samples are missing"):
        answers.timed(replace(request, hopeless=()), answer)


@pytest.mark.parametrize(
    ("calls", "judged", "some"), [((13, 52), (), False), ((13, 52), (3,), True), ((19, 48), (), True)]
)
def test_samples_of_whole_turns_that_nobody_judges_need_no_poison(calls, judged, some):
    """Filling 13 arrays before each sample took as long as the sample: a convolution's look was twice as long for it."""
    request = TimeRequest(programs=("a", "b"), datasets=tuple(range(13)), rounds=64, calls=calls, judged=judged)
    arrays, stale = Exchange(13), 0
    for turn in order.turns(request):
        for end, count in zip((turn.ends[0], turn.ends[0], turn.ends[1], turn.ends[1]), 2 * calls, strict=True):
            stale += len(arrays.plan((end - count + 1) % 13, count, 13)[1])
    assert (stale > 0) is some
