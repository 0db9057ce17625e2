"""Order, merging and forgetting of moves."""

from __future__ import annotations

from hotloop.model.evidence import Evidence
from hotloop.model.finding import Finding, Gain
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record as Sizes
from hotloop.model.space import Config, Parameter, Space
from hotloop.techniques.calibration import Calibration, Record
from hotloop.techniques.case import avx512
from hotloop.techniques.menu import rank, ranked, worth
from hotloop.techniques.past import Past
from hotloop.techniques.situation import Situation

SPACE = Space(
    (Parameter("FUSE", (0, 1), "fuse"), Parameter("EXP", (0, 1), "fast-math"), Parameter("MY", (0, 1), "mine"))
)
START = Config(FUSE=0, EXP=0, MY=0)
VARIANT = Variant(Implementation("i", "null", SPACE, START, lambda _p, _c, _d: Program("null", "")), START)
PROBLEM = Problem("p", Sizes(n=8))


def finding(rule: str, share: float, *suggests: str) -> Finding:
    return Finding(rule=rule, message=f"{rule} says so", share=share, evidence=(), suggests=suggests)


def changes(*findings: Finding, **options) -> list[str]:
    moves = rank(findings, variant=VARIANT, problem=PROBLEM, device=avx512(), evidence=Evidence(), **options)
    return [move.change for move in moves]


def test_larger_shares_come_first_and_blind_steps_last():
    small, large = finding("a", 0.2, "fuse"), finding("b", 0.8, "fast-math")
    assert changes(small, large) == ["EXP 0 → 1", "FUSE 0 → 1", "MY 0 → 1"]
    assert changes(small, large, blind=False) == ["EXP 0 → 1", "FUSE 0 → 1"]


def test_tried_configurations_are_left_out():
    found = finding("a", 0.5, "fuse")
    assert changes(found, tried={START.replace(FUSE=1)}, blind=False) == []
    assert changes(found, tried={START}, blind=False) == ["FUSE 0 → 1"]


def test_calibration_reorders():
    close = (finding("a", 0.50, "fast-math"), finding("b", 0.52, "fuse"))
    flop = [Record("fast-math", avx512().target, Gain(2.0, 2.0), 1.0)] * 5
    assert changes(*close, blind=False) == ["EXP 0 → 1", "FUSE 0 → 1"]
    assert changes(*close, blind=False, calibration=flop) == ["FUSE 0 → 1", "EXP 0 → 1"]


def test_a_move_that_several_findings_want_appears_once_with_all_reasons():
    wanted = (finding("a", 0.2, "fuse"), finding("b", 0.8, "fuse"))
    moves = rank(wanted, variant=VARIANT, problem=PROBLEM, device=avx512(), evidence=Evidence(), blind=False)
    assert [(m.rule, m.why) for m in moves] == [("b", "b says so; also: a says so")]


def test_the_move_keeps_the_uncorrected_prediction():
    situation = Situation(VARIANT, PROBLEM, avx512())
    surprise = Calibration((Record("fuse", avx512().target, Gain(2.0, 2.0), 1.0),))
    found = [finding("a", 0.5, "fuse")]
    (plain,) = ranked(situation, found, Calibration(), blind=False)
    (corrected,) = ranked(situation, found, surprise, blind=False)
    assert corrected.move.gain == plain.move.gain
    assert corrected.expected < plain.expected


def test_no_findings_leave_only_blind_steps():
    assert changes() == ["MY 0 → 1"]


def test_only_likely_moves_are_worth_a_duel_and_none_that_goes_back_or_lost():
    situation = Situation(VARIANT, PROBLEM, avx512())
    found = [finding("a", 0.8, "fuse"), finding("b", 0.9, "fast-math")]
    entries = ranked(situation, found, Calibration(), blind=False)
    both = [move.change for move in worth(entries, START, ())]
    assert both == ["EXP 0 → 1", "FUSE 0 → 1"]
    slower = Past(START.replace(MY=1), START.replace(MY=1, EXP=1), kept=False, slower=True)
    assert [move.change for move in worth(entries, START, [slower])] == ["FUSE 0 → 1"]
    back = Past(START.replace(FUSE=1), START, kept=True, slower=False)
    assert [move.change for move in worth(entries, START, [back])] == ["EXP 0 → 1"]
    never = Calibration(tuple(Record("fuse", avx512().target, Gain(2.0, 2.0), 0.5) for _ in range(20)))
    assert [move.change for move in worth(ranked(situation, found, never, blind=False), START, ())] == ["EXP 0 → 1"]
