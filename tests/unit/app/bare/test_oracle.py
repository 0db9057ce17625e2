"""What a text's own runs cost: a budget that is too short for them is told before anything is verified."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hotloop.app.bare import oracle
from hotloop.app.bare.inputs import Drawn, draw
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import Wish, sequence
from hotloop.errors import UsageError
from hotloop.rewrite import expand

TEXT = "__kernel void f(__global float *a, int n) { int i = get_global_id(0); if (i < n) a[i] = 1; }"


class Clock:
    """Goes on by as much as a run takes."""

    now_s = 0.0

    def monotonic_s(self):
        return Clock.now_s


def asked(monkeypatch, budget_s, once_s, built_s):
    """Return an oracle whose first run takes `built_s` more, for the compiler."""

    def run(self, *_, wide):
        Clock.now_s += once_s * (2 if wide else 1) + (0 if self._built else built_s)
        return {"a": np.ones(4, np.float32)}

    Clock.now_s = 0.0
    monkeypatch.setattr(oracle, "SystemClock", Clock)
    monkeypatch.setattr(oracle.Oracle, "_run", run)
    wish = replace(Wish(), within_s=budget_s)
    return oracle.Oracle(None, Source(Path("k.cl"), TEXT, expand.read(TEXT), {}, {}, wish, sequence("f")))


def test_a_run_that_takes_too_much_of_the_budget_is_told_with_one_that_suffices(monkeypatch):
    made = asked(monkeypatch, 20, 1.0, 2.4)
    made.truth({"n": 1}, {"a": np.zeros(1)})  # the compiler's time is not the text's
    with pytest.raises(
        UsageError, match=r"k\.cl: a run takes 1\.0 s .* budget of 20 s; name smaller sizes, or --budget 45"
    ):
        made.truth({"n": 2}, {"a": np.zeros(2)})


@pytest.mark.parametrize(("budget_s", "once_s"), [(50, 1.0), (5, 0.4), (float("inf"), 100)])
def test_a_budget_that_is_long_enough_or_a_short_run_goes_on(monkeypatch, budget_s, once_s):
    made = asked(monkeypatch, budget_s, once_s, 2.4)
    assert [made.truth({"n": n}, {"a": np.zeros(n)}).double for n in (1, 2)] == [True, True]


def test_a_run_that_is_surely_too_long_is_told_after_the_first_one(monkeypatch):
    made = asked(monkeypatch, 100, 22.0, 2.4)
    with pytest.raises(UsageError, match=r"a run takes 24\.4 s .* some 45 of them"):
        made.truth({"n": 1}, {"a": np.zeros(1)})
    assert Clock.now_s < 25, "no second one, nor one in double precision"


def test_a_text_that_the_compiler_takes_long_for_is_run_again_before_it_is_called_too_long(monkeypatch):
    made = asked(monkeypatch, 75, 0.05, 7.6)
    assert made.truth({"n": 1}, {"a": np.zeros(1)}).double


def test_what_has_begun_is_not_ended_by_a_run_that_others_delay(monkeypatch):
    made = asked(monkeypatch, 100, 2.0, 0.0)
    made.truth({"n": 1}, {"a": np.zeros(1)})
    monkeypatch.setattr(oracle, "_SHORT_S", 0.0)
    made.source = replace(
        made.source, wish=replace(made.source.wish, within_s=1.0)
    )  # as if it took a hundred times as long
    made.truth({"n": 1}, {"a": np.ones(1)})
    with pytest.raises(UsageError):
        made.truth({"n": 2}, {"a": np.ones(2)})


def test_what_a_kernel_does_not_need_keeps_it_from_no_double_precision():
    kernel = TEXT.replace("= 1;", "= fmax(a[i], 1.5f) + 0x1f;")
    text = "uint bits(float x) { return as_uint(x); } " + kernel
    source = Source(Path("k.cl"), text, expand.read(text), {}, {}, Wish(), sequence("f"))
    assert oracle.widened(source, only=False) == oracle.HEADER + text
    wide = oracle.widened(source, only=True)
    assert wide.replace(" ", "") == (oracle.HEADER + kernel.replace("1.5f", "((double)1.5f)")).replace(" ", "")


def test_results_of_which_a_few_leave_the_others_far_behind_are_wild():
    plain, near = np.arange(1.0, 101.0, dtype=np.float32), np.ones(100, np.float32)
    near[3] = 1e20
    assert not oracle.Truth({}, {"f": plain, "n": np.arange(100)}, double=True).wild
    assert oracle.Truth({}, {"f": near}, double=True).wild
    assert not oracle.Truth({}, {"f": near[:8]}, double=True).wild, "a few say nothing"


def test_values_that_are_apart_stay_so():
    values = np.sort(draw("apart", {"x": Drawn(1000, "float32")}, np.random.default_rng(3))["x"])
    assert np.diff(values).min() >= 0.5
