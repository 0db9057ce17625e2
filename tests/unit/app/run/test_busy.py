"""Verdicts on a busy machine: what load alone may explain is UNCLEAR."""

from dataclasses import replace

import pytest

from hotloop.app.run import busy, honest, seen
from hotloop.app.run.busy import _spread, decided
from hotloop.model.program import Launch, Program
from hotloop.model.verdict import Comparison, Verdict
from hotloop.stats.trust import Trust


@pytest.mark.parametrize(
    ("share", "alone", "verdict"),
    [(0.4, None, Verdict.UNCLEAR), (0.4, 1.4, Verdict.FASTER), (0.4, 0.7, Verdict.UNCLEAR), (0.7, 0.7, Verdict.UNCLEAR), (0.7, 1.4, Verdict.FASTER)],
)  # fmt: skip
def test_a_lead_that_load_may_explain_must_be_confirmed(share, alone, verdict):
    found = Comparison(
        verdict=Verdict.FASTER, speedup=1.43, low=1.38, high=1.5, confidence=0.99, margin=0.02, log_ratios=(0.35,) * 10
    )  # fmt: skip
    assert decided(found, Trust(share, 1.0, "busy"), alone).verdict is verdict


def test_one_group_uses_one_processor():
    one, many = (Launch("k", (), (4096,), local) for local in ((4096,), None))
    assert [_spread(Program("opencl", "", launches=kept), 2) for kept in ((one,), (many,), (many, one))] == [1, 2, 1]


SHORT, LONG = [1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0, 1.1], [9.0, 9.5, 8.8, 9.1, 9.2, 9.0, 9.3, 8.9]
CLEAN, OWING = honest.Renewed(), honest.Renewed(seen=honest.Seen(SHORT, LONG), lead=2.0)


@pytest.mark.parametrize(
    ("crowded", "itself", "worked", "waited"),
    [
        (
            True,
            CLEAN,
            SHORT,
            True,
        ),  # only wall time beside the incumbent says so: single short calls wait for a processor
        (True, CLEAN, LONG, False),  # new content takes more work
        (True, CLEAN, [], False),  # nobody knows
        (True, OWING, SHORT, False),  # its own calls on known content are shorter, too
        (False, CLEAN, SHORT, False),  # nobody else was there to wait for
    ],
)
def test_a_lead_that_only_waiting_puts_in_doubt_stands(crowded, itself, worked, waited, monkeypatch):
    monkeypatch.setattr(busy, "crowded", lambda _desk: crowded)
    beside = seen.Beside(program=None, lead=2.0, least=2.0, call_ns=1e7, clock="wall", worked=2.0)
    idle = replace(beside, worked=0.1)  # the lead is one of wall time only: work was done in vain on another processor
    assert not seen.waited(None, honest.Renewed(seen=honest.Seen(SHORT, LONG, SHORT, SHORT), lead=2.0), itself, idle)
    first = honest.Renewed(seen=honest.Seen(SHORT, LONG, SHORT if worked else [], worked), lead=2.0)
    assert first.owes
    assert seen.waited(None, first, itself, beside) is waited


@pytest.mark.parametrize(("crowded", "lead", "worked", "lost"), [(True, 0.7, LONG, True), (False, 0.7, LONG, False), (True, 0.1, LONG, False), (True, 0.7, SHORT, False)])  # fmt: skip
def test_processor_time_shows_a_lost_lead_that_noise_hides(crowded, lead, worked, lost, monkeypatch):
    monkeypatch.setattr(busy, "crowded", lambda _desk: crowded)
    beside = seen.Beside(program=None, lead=lead, least=0.3, call_ns=1e7, clock="wall", worked=lead)
    assert seen.unworked(None, honest.Renewed(seen=honest.Seen(SHORT, SHORT, SHORT, worked), lead=0.3), beside) is lost


def test_samples_that_are_longer_without_more_work_prove_nothing():
    """As on a busy machine, where others took the processors while content was new."""
    assert honest.Seen(SHORT, LONG).proves() is honest.Seen(SHORT, LONG, SHORT, LONG).proves() is True
    assert not honest.Seen(SHORT, LONG, SHORT, SHORT).proves()


NOISY = [1.0, 9.0, 1.1, 7.0, 1.0, 8.0, 1.2, 6.0]


@pytest.mark.parametrize(
    ("lead", "worked", "owes"),
    [(2.0, ([], []), True), (2.0, (SHORT, SHORT), False), (2.0, (SHORT, LONG), True), (0.1, (SHORT, SHORT), True)],
)
def test_own_calls_that_others_lengthen_are_judged_by_processor_time_where_the_lead_is_one_of_it(lead, worked, owes):
    beside = seen.Beside(program=None, lead=2.0, least=2.0, call_ns=1e7, clock="wall", worked=lead)
    itself = honest.Renewed(seen=honest.Seen(SHORT, LONG, *worked), lead=2.0)
    assert seen.itself_by_work(itself, beside).owes is owes


@pytest.mark.parametrize(
    ("first", "itself", "worked", "blind"),
    [
        (SHORT, SHORT, [], False), (NOISY, SHORT, [], False), (NOISY, NOISY, [], True),
        (NOISY, NOISY, SHORT, False), (NOISY, NOISY, NOISY, True),
    ],
)  # fmt: skip
def test_a_lead_stands_only_where_something_that_was_seen_could_have_shown_that_it_is_kept(
    first, itself, worked, blind
):
    beside = seen.Beside(program=None, lead=0.7, least=0.7, call_ns=1e7, clock="wall", worked=0.7)
    looks = honest.Renewed(seen=honest.Seen(SHORT, first, SHORT if worked else [], worked), lead=0.7)
    assert seen.blind(looks, honest.Renewed(seen=honest.Seen(SHORT, itself), lead=0.7), beside) is blind
    small = replace(beside, least=0.1)
    assert not seen.blind(looks, honest.Renewed(seen=honest.Seen(SHORT, itself), lead=0.7), small)


@pytest.mark.parametrize(
    ("new", "lead", "told"),
    [(SHORT, 0.7, ""), (LONG, 0.7, "lost"), (NOISY, 0.7, "blind"), ([0.9, *NOISY[1:]], 0.3, "")],
)
def test_more_rounds_with_memory_overwritten_are_taken_until_a_lost_lead_would_show(new, lead, told, monkeypatch):
    taken = []

    def renewed(_desk, _workload, _program, _stand, _effort, seen):
        taken.append(1)
        seen.known.extend(SHORT)
        seen.new.extend(new)
        return honest.Renewed(seen=seen)

    monkeypatch.setattr(honest, "_renewed", renewed)
    stand = honest._Stand(None, 1, 1, lead=lead, spoil=True)
    found = honest._spoiled(None, None, None, stand, honest._SPOILED[0])
    assert (found.blind, found.owes) == (told == "blind", told == "lost")
    assert len(taken) == (3 if told == "blind" else 1)
