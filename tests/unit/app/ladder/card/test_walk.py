"""The walk up a ladder through the engine, on the null backend: verdicts, refusals, peers, what is kept."""

import json
from dataclasses import replace
from math import inf
from types import SimpleNamespace

import pytest

from hotloop import api
from hotloop.app.events import Silent
from hotloop.app.ladder.card import climb, code, counts
from hotloop.app.ladder.card.walk import Walk
from hotloop.app.session import Options, desk
from hotloop.errors import NoDeviceError, UsageError
from hotloop.model.kernel import Implementation, Kernel, Peer
from hotloop.model.ladder import Bounds, Ladder, Rung
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Parameter, Space
from hotloop.model.verdict import Verdict
from hotloop.report.ladder import page, plot

SPACE = Space(
    (Parameter("SPEED", (1, 2, 3, 4)), Parameter("FAULT", ("", "wrong", "crash", "compile", "none"), ordinal=False))
)


def made(call_ns, fault=""):
    recipe = {"compute": "copy", "call_ns": call_ns, "noise": 0.001, "fault": fault}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))


def plan(problem, config, device):
    if config.FAULT == "none":
        raise ValueError("the device has no such thing")
    return made(4e6 / config.SPEED, config.FAULT)


KERNEL = Kernel(
    family="fake",
    problem=Problem("fake", Record(n=256)),
    inputs=lambda p, rng: {"x": rng.standard_normal(p.n, "f4"), "y": api.empty(p.n)},
    reference=lambda p, arrays: {"y": arrays["x"].astype("f8")},
    work=lambda p: Work(flops=p.n, bytes=8 * p.n),
    implementations=(Implementation("copy", "null", SPACE, Config(SPEED=1, FAULT=""), plan),),
    peers=(
        Peer("library", lambda problem, device: made(2e6)),
        Peer("broken", lambda problem, device: made(1e3, "wrong")),
        Peer("narrow", lambda problem, device: None),
        Peer("of another maker", lambda problem, device: made(1e6), exists=lambda device: False),
    ),
)


def ladder(*rungs):
    first = Rung(name="first", change="", implementation="copy", config=Record(SPEED=1))
    return Ladder(
        name="fake", family="fake", title="", targets=("null",), rungs=(first, *rungs), problem=Record(n=128),
        ragged=(Record(n=61),),
    )  # fmt: skip


def rung(name, after, **config):
    return Rung(name=name, change="", after=after, config=Record(config))


@pytest.fixture(scope="module")
def opened():
    with desk(Options(language="null", limit_s=20), Silent()) as made:
        yield made


def walked(opened, *rungs, names=(), budget_s=inf, **options):
    view = Walk(opened, KERNEL, ladder(*rungs), 0.02, "", budget_s).run(
        names, **{"counters": False, "keep": None, **options}
    )
    return view, {row.rung.name: row for row in view.rungs}


def test_every_rung_is_verified_and_compared_with_the_one_below(opened, monkeypatch):
    monkeypatch.setattr(counts, "program", lambda: None)
    kept = []
    rungs = rung("faster", "first", SPEED=4), rung("slower", "faster", SPEED=3), rung("same", "faster")
    view, rows = walked(opened, *rungs, counters=True, keep=kept.append)
    assert {name: row.over for name, row in rows.items()} == {
        "first": "", "faster": "first", "slower": "faster", "same": "faster",
    }  # fmt: skip
    verdicts = [rows[name].comparison.verdict for name in ("faster", "slower", "same")]
    assert verdicts == [Verdict.FASTER, Verdict.SLOWER, Verdict.SAME]
    assert rows["first"].call_ns == pytest.approx(4e6, rel=0.05)
    assert all(len(row.errors) >= 2 for row in rows.values())
    assert view.total.speedup == pytest.approx(4, rel=0.05)
    assert (view.best.rung.name, view.sound) == ("faster", True)
    assert view.no_counters == "Nsight Compute is not installed"
    assert {one.no_counters for one in kept} == {"not yet counted"}
    assert [len(one.rungs) for one in kept] == [1, 2, 3, 4, 4]
    assert [row.comparison is not None for row in kept[1].rungs] == [False, True]
    assert [len(one.peers) for one in kept] == [0, 0, 0, 0, 3]
    assert all(page.markdown(one, "", "x.svg") and plot.draw(one) and page.as_json(one) for one in kept)
    below, own = rows["faster"].samples_ms
    assert len(below) == len(own)
    assert below[0] == pytest.approx(4.0, rel=0.05)
    assert rows["slower"].bytes_per_s == pytest.approx(8 * 128 / 4e6 * 3e9, rel=0.05)


def test_peers_are_verified_and_timed_beside_the_best(opened):
    view, _ = walked(opened, rung("faster", "first", SPEED=4))
    library, broken, narrow = view.peers
    assert (library.name, library.rung, library.comparison.verdict) == ("library", "faster", Verdict.FASTER)
    assert library.comparison.speedup == pytest.approx(2, rel=0.05)
    assert "wrong" in broken.failure
    assert broken.comparison is None
    assert narrow.failure == "not applicable: the peer cannot run this problem"


@pytest.mark.parametrize(
    ("fault", "why"),
    [("wrong", "wrong"), ("crash", "crashed"), ("compile", "planted compile error"), ("none", "has no such thing")],
)
def test_a_rung_that_fails_is_refused_and_the_next_one_stands_on_what_is_below(opened, fault, why):
    view, rows = walked(opened, rung("bad", "first", FAULT=fault, SPEED=4), rung("next", "bad", FAULT="", SPEED=2))
    assert why in rows["bad"].failure
    assert rows["bad"].call_ns is rows["bad"].comparison is None
    assert (rows["next"].over, rows["next"].comparison.verdict) == ("first", Verdict.FASTER)
    assert not view.sound


def test_a_problem_of_its_own_has_arrays_of_its_own_and_no_ragged_sizes(opened):
    own = replace(rung("own", "", SPEED=2), problem=Record(n=1000), implementation="copy")
    view, rows = walked(opened, rung("better", "first", SPEED=2), own, rung("on-own", "own", SPEED=4))
    assert rows["on-own"].comparison.verdict is Verdict.FASTER
    assert rows["own"].sizes == "n=1000"
    assert view.best.rung.name == "better"


def test_named_rungs_bring_those_below(opened):
    _, rows = walked(opened, rung("a", "first", SPEED=2), rung("b", "first", SPEED=3), names=("b",))
    assert list(rows) == ["first", "b"]


def test_a_configuration_that_is_none_is_a_defect_of_the_data(opened):
    with pytest.raises(UsageError, match="ladder fake, rung odd: SPEED=7 is not one of"):
        walked(opened, rung("odd", "first", SPEED=7))


def test_code_of_the_worker_s_binaries_is_held_to_bounds(opened, monkeypatch):
    found = code.Code({"registers": 90.0, "shared_bytes": 10.0}, "compiler")
    monkeypatch.setattr(code, "of_program", lambda *_: found)
    heavy = replace(rung("heavy", "first", SPEED=2), bounds=Bounds(registers=80), moves=(("registers", "up"),))
    view, rows = walked(opened, heavy)
    assert rows["heavy"].violations == ("90 registers of a thread, the limit is 80",)
    assert (rows["heavy"].moved[0].fact, rows["heavy"].moved[0].held) == ("registers", False)
    assert not view.sound


def test_what_the_time_does_not_reach_is_left_out(opened, monkeypatch):
    view, rows = walked(opened, rung("faster", "first", SPEED=4), budget_s=0, counters=True)
    assert (rows, view.peers, view.total, view.best) == ({}, (), None, None)
    monkeypatch.setattr(counts, "program", lambda: None)
    calls = iter([False, False, False, True])
    monkeypatch.setattr(Walk, "_late", lambda _: next(calls))
    view, rows = walked(opened, rung("faster", "first", SPEED=4), counters=True)
    assert rows["faster"].comparison is not None
    assert len(view.peers) == 3
    assert view.no_counters == "the time was over before 2 of 2 rungs were counted"


def test_each_launch_is_counted_in_a_process_of_its_own_behind_a_warm_up(opened, monkeypatch, tmp_path):
    asked = []

    def run(tool, arguments, limit_s, *, folder):
        asked.append((arguments, json.loads((folder / counts.REQUEST).read_text())))
        (folder / counts.PAGE).write_text(
            "\n".join(("==PROF== x", '"Kernel Name","sm__x"', '"",""', f'"copy(int)","{len(asked)}"'))
        )
        return SimpleNamespace(returncode=0, stdout="", stderr="")

    monkeypatch.setattr(counts, "program", lambda: counts.Tool("ncu", ("ncu",), ""))
    monkeypatch.setattr(counts.toolchain, "run", run)
    monkeypatch.setattr(counts, "METRICS", {"blocks": "sm__x"})
    kept = []
    view, rows = walked(opened, rung("faster", "first", SPEED=4), counters=True, keep=kept.append)
    assert view.no_counters == ""
    assert [sum("blocks" in row.facts for row in one.rungs) for one in kept[-3:]] == [0, 1, 2]
    assert [row.facts["blocks"] for row in rows.values()] == [1.0, 2.0]
    arguments, request = asked[0]
    assert arguments[arguments.index("--kernel-name") + 1] == "regex:^(copy)$"
    assert (request["warmups"], request["launches"], request["arena"]) == (1, 1, str(opened.engine.arena))


def test_another_card_is_refused(monkeypatch):
    monkeypatch.setattr(climb, "desk", lambda options, listener: desk(Options(language="null"), listener))
    with pytest.raises(NoDeviceError, match=r"reduction has no ladder for Null device \(null\)"):
        climb.climb("reduction", "", Options(), Silent())
