"""Which move gets the next duel, as far as the compiled candidate decides it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run.moves import choice
from hotloop.app.run.moves.choice import SAME_CODE, Choice, past
from hotloop.isa.code import Code
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.finding import Gain, Move
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import Crashed
from hotloop.model.problem import Problem
from hotloop.model.program import Launch, Program
from hotloop.model.record import Record as Sizes
from hotloop.model.space import Config, Parameter, Space
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict
from hotloop.techniques.case import avx512, gpu_device

SPACE = Space((Parameter("VW", (1, 4, 8), "vectorize"), Parameter("WG", (1, 16), "workgroup-size")))
START = Config(VW=1, WG=16)
PROBLEM = Problem("p", Sizes(n=8))


def plan(_problem, config, _device):
    return Program("null", f"vectors of {config.VW}", launches=(Launch("f", (), (64,), (int(config.WG),)),))


IMPLEMENTATION = Implementation("i", "null", SPACE, START, plan)


class Clock:
    def monotonic_s(self):
        return 0.0

    def utc(self):
        return "2030-01-01T00:00:00+00:00"


@dataclass
class Engine:
    codes: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)

    def binary(self, program):
        self.asked.append(program.source)
        return self.codes.get(program.source, b"")


class Subject:
    def __init__(self, variant):
        self.name = str(variant.config)

    def key(self, verb, *against):
        return " ".join((verb, *(other.name for other in against), self.name))


@dataclass
class Workload:
    device: object
    problem: Problem = PROBLEM

    def subject(self, variant):
        return Subject(variant)

    def program(self, variant):
        return variant.program(self.problem, self.device)


def bits(value):
    return Evidence((Fact("static.work_bits", value, "bit", Provenance.STATIC),))


@pytest.fixture
def choose(monkeypatch):
    """Return a choice for a device; what its engine gives is the code itself, and its length stands for the work of an instruction."""

    def select(binary, entry, _local_size):
        if not binary:
            raise ValueError("no binary")
        return Code(entry, 0, binary, "x86")

    monkeypatch.setattr(choice.code, "select", select)
    monkeypatch.setattr(choice, "static_evidence", lambda binary, _launch: bits(len(binary)))

    def make(codes, device=None):
        device = device or avx512()
        desk = Desk(engine=Engine(codes), device=device, journal=MemoryJournal(), clock=Clock())
        return Choice(desk, Workload(device), [], (), 0.02)

    return make


def move(**changes):
    variant = Variant(IMPLEMENTATION, START.replace(**changes))
    return Move(technique="vectorize", variant=variant, change="", why="", gain=Gain(1.2, 4.0))


INCUMBENT = Variant(IMPLEMENTATION, START)


def test_code_that_does_less_is_set_aside_and_compiled_once(choose):
    chosen = choose({"vectors of 8": b"x" * 10})
    assert not chosen.promising(INCUMBENT, move(VW=8), bits(100))
    assert "0.10 of the work" in chosen.aside[START.replace(VW=8)]
    assert not chosen.promising(INCUMBENT, move(VW=8), bits(100))
    assert chosen.desk.engine.asked.count("vectors of 8") == 1


def test_code_that_does_a_little_less_may_bring_what_is_promised(choose):
    chosen = choose({"vectors of 8": b"x" * 95})
    assert chosen.promising(INCUMBENT, move(VW=8), bits(100))
    assert not chosen.aside


def test_a_move_of_which_much_is_expected_is_compared_whatever_its_code_looks_like(choose):
    chosen = choose({"vectors of 8": b"x" * 10})
    assert chosen.promising(INCUMBENT, replace(move(VW=8), gain=Gain(1.5, 60.0)), bits(100))
    same = choose({"vectors of 1": b"x", "vectors of 8": b"x"})
    assert not same.promising(INCUMBENT, replace(move(VW=8), gain=Gain(1.5, 60.0)), bits(1))


def test_the_same_code_needs_no_duel_and_another_launch_of_it_does(choose):
    chosen = choose({"vectors of 1": b"x", "vectors of 8": b"x"})
    assert not chosen.promising(INCUMBENT, move(VW=8), bits(1))
    assert chosen.aside == {START.replace(VW=8): SAME_CODE}
    assert chosen.promising(INCUMBENT, move(WG=1), bits(1))


def test_what_does_not_compile_is_tried_so_that_its_reason_is_told(choose):
    assert choose({}).promising(INCUMBENT, move(VW=8), bits(100))


def test_on_a_gpu_nothing_is_compiled_beforehand(choose):
    chosen = choose({"vectors of 8": b"x"}, gpu_device("gfx942"))
    assert chosen.promising(INCUMBENT, move(VW=8), bits(100))
    assert chosen.desk.engine.asked == []


def step(config, decision, verdict=None):
    compared = None
    if verdict:
        compared = Comparison(
            verdict=verdict, speedup=1.0, low=1.0, high=1.0, confidence=0.99, margin=0.02, log_ratios=(0.0,)
        )
    return Step(
        index=0, technique="t", change="", why="", implementation="i", config=config, outcome=Crashed("execute", 11),
        decision=decision, reason="", comparison=compared,
    )  # fmt: skip


def test_the_past_knows_beside_which_incumbent_each_step_was_judged():
    wide, back = START.replace(VW=8), START.replace(VW=8, WG=1)
    steps = [
        step(START, Decision.BASELINE),
        step(START.replace(WG=1), Decision.REVERT, Verdict.UNCLEAR),
        step(wide, Decision.KEEP, Verdict.FASTER),
        step(back, Decision.REVERT, Verdict.SLOWER),
        step(START, Decision.REFUSE),
    ]
    assert [(p.before, p.after, p.kept, p.slower) for p in past(steps)] == [
        (START, START.replace(WG=1), False, False),
        (START, wide, True, False),
        (wide, back, False, True),
        (wide, START, False, False),
    ]
