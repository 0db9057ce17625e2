"""Proposals become valid, possible, different configurations."""

from __future__ import annotations

from dataclasses import replace

from hotloop.model.finding import Finding
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.techniques.case import avx512
from hotloop.techniques.moves import answers, explore
from hotloop.techniques.situation import Situation

DIVIDES = Constraint("NWI is a multiple of VW", lambda c: c.integer("NWI") % c.integer("VW") == 0, ("NWI", "VW"))


def finding(*suggests: str) -> Finding:
    return Finding(rule="r", message="vectors are narrow", share=0.5, evidence=(), suggests=suggests)


def situation(parameters, start, *, constraints=(), plan=None, suggests=("vectorize",)) -> Situation:
    implementation = Implementation(
        "i", "null", Space(parameters, constraints), start, plan or (lambda _p, _c, _d: Program("null", ""))
    )
    return Situation(Variant(implementation, start), Problem("p", Record(n=8)), avx512(), finding=finding(*suggests))


VW = Parameter("VW", (1, 4, 8), "vectorize")
NWI = Parameter("NWI", (1, 4, 8), "register-tile")


def test_other_parameters_follow_to_keep_the_configuration_valid():
    moves = answers(situation((VW, NWI), Config(VW=1, NWI=1), constraints=(DIVIDES,)))
    assert [m.change for m in moves] == ["VW 1 → 8 (with NWI 1 → 8)", "VW 1 → 4 (with NWI 1 → 4)"]
    assert moves[0].variant.config == Config(VW=8, NWI=8)
    assert moves[0].why == "vectors are narrow"


def test_impossible_values_are_dropped():
    never = Constraint("VW is at most 4", lambda c: c.integer("VW") <= 4, ("VW",))
    moves = answers(situation((VW, NWI), Config(VW=1, NWI=8), constraints=(DIVIDES, never)))
    assert [m.change for m in moves] == ["VW 1 → 4"]


def test_configurations_that_the_plan_refuses_are_dropped():
    def plan(_problem, config, _device):
        if config.VW == 8:
            raise ValueError("no registers for that")
        return Program("null", "")

    moves = answers(situation((VW,), Config(VW=1), plan=plan))
    assert [m.change for m in moves] == ["VW 1 → 4"]


def test_a_suggestion_without_a_technique_steps_to_neighbours():
    own = Parameter("TWIST", (1, 2, 3), "twist")
    moves = answers(situation((own, VW), Config(TWIST=2, VW=1), suggests=("twist",)))
    assert [(m.technique, m.change) for m in moves] == [("twist", "TWIST 2 → 3"), ("twist", "TWIST 2 → 1")]


def test_without_a_finding_nothing_is_answered():
    assert answers(replace(situation((VW,), Config(VW=1)), finding=None)) == ()


def test_exploring_moves_labels_that_nobody_knows():
    parameters = (Parameter("TWIST", ("a", "b", "c"), "twist", ordinal=False), VW, Parameter("FREE", (1, 2)))
    moves = explore(situation(parameters, Config(TWIST="a", VW=1, FREE=1)))
    assert [(m.technique, m.change, m.rule) for m in moves] == [
        ("twist", "TWIST a → b", ""),
        ("twist", "TWIST a → c", ""),
    ]


def test_exploring_moves_everything_in_a_space_without_labels():
    moves = explore(situation((Parameter("X", (1, 2, 3)), Parameter("ONE", (1,))), Config(X=2, ONE=1)))
    assert [(m.technique, m.change) for m in moves] == [("neighbour", "X 2 → 3"), ("neighbour", "X 2 → 1")]


def test_later_suggestions_promise_less():
    both = (Parameter("A", (0, 1), "fuse"), Parameter("B", (0, 1), "fast-math"))
    first = answers(situation(both, Config(A=0, B=0), suggests=("fuse", "fast-math")))
    second = answers(situation(both, Config(A=0, B=0), suggests=("fast-math", "fuse")))
    gains = {m.technique: m.gain for m in first}, {m.technique: m.gain for m in second}
    assert gains[0]["fuse"].high > gains[1]["fuse"].high


def test_element_size_follows_the_problem():
    base = situation((VW,), Config(VW=1))
    double = replace(base, problem=Problem("p", Record(n=8, dtype="float64")))
    assert (base.element_bytes, base.lanes) == (4, 16)
    assert (double.element_bytes, double.lanes) == (8, 8)
