"""Pages about ladders: the same facts as text, Markdown and JSON."""

import io
import json
from dataclasses import replace

from rich.console import Console

from hotloop.app.ladder import data as ladder_data
from hotloop.model.ladder import Expectation, Forecast, Gate, Numerics
from hotloop.model.record import Record
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder import page
from hotloop.report.ladder.view import (
    Built,
    Claimed,
    Climbed,
    ClimbView,
    Confirmation,
    Conflict,
    Decision,
    Estimate,
    LadderView,
    Outcome,
    RungView,
)

LADDER = ladder_data.ladder_for("gemm", "gfx942")
FORECAST = Forecast(
    target="gfx942", ladder="cdna", problem=Record(m=64), winner="stage1", compiler="triton 3.9.0", made="2026-11-21",
    file="predictions/gfx942.toml", steps=(Expectation("stage1", "base", 1.05, 1.8, "waits|pipes"),),
)  # fmt: skip
FOUND = Comparison(
    verdict=Verdict.FASTER, speedup=1.4, low=1.3, high=1.5, confidence=0.998, margin=0.02, log_ratios=(0.33,) * 10
)


def built(**changes):
    facts = dict(
        compiler="triton 3.9.0", vgprs=102, agprs=0, total_vgprs=102, sgprs=30, spills=0, lds_bytes=16384, waves=4, max_waves=8,
        wave=64, groups=4, resident_waves=4.0, unit="CU", limits=(("vgprs", 4),), work="MFMA", works=32, instructions=128,
        hiding=(), waits=(("vmcnt(0)", 1), ("lgkmcnt(0)", 19)), cycles=3632, stall_cycles=2792, arithmetic_cycles=512,
        estimate=Estimate(20.0, 28.4), conflicts=(Conflict("write A", 16, 1),), hazards=(), code="a",
    )  # fmt: skip
    return Built(**{**facts, **changes})


def compiled(*, broken=()):
    rungs = (
        RungView(rung=LADDER.rung("base"), built=built(), decision=Decision.START, reason="begins", numerics=Numerics(3, 0.1)),
        RungView(rung=LADDER.rung("stage1"), built=built(estimate=Estimate(16, 20), vgprs=141, total_vgprs=141), limited=True,
                 decision=Decision.PROCEED, reason="hides more", violations=broken),
    )  # fmt: skip
    return LadderView(LADDER, "gfx942", rungs, FORECAST)


def climbed():
    rungs = (
        Climbed(rung=LADDER.rung("base"), over="", config="", call_ns=2e6, flops_per_s=1e12, comparison=None, kept=True, reason=""),
        Climbed(rung=LADDER.rung("stage1"), over="base", config="", call_ns=1.4e6, flops_per_s=1.4e12, comparison=FOUND, kept=True, reason=""),
        Climbed(rung=LADDER.rung("stage2"), over="stage1", config="", call_ns=None, flops_per_s=None, comparison=None, kept=False, reason="crashed"),
    )  # fmt: skip
    return ClimbView(
        ladder=LADDER, device="a card", device_key="k", runtime="r", problem="64", noise=0.01, rungs=rungs, total=FOUND
    )


def text(view):
    file = io.StringIO()
    Console(width=200, color_system=None, file=file).print(page.render(view))
    return file.getvalue()


def test_compiled_page_has_decisions_resources_and_both_columns():
    shown = text(compiled())
    assert "proceed" in shown
    assert "141" in shown
    assert "+5 to +25 %, depends on registers" in shown
    assert "estimate 1.25 to 1.42 times the speed" in shown
    assert "16 of 1" in shown
    assert "1.05 to 1.80" in shown
    assert "run nowhere" in shown


def test_makeup_has_widths_conversions_nops_and_checks():
    rung = RungView(
        rung=LADDER.rung("base"), decision=Decision.START, reason="begins",
        built=built(local_reads=((64, 15), (32, 3)), conversions=64, idle=2, multiplies=150, scratch_bytes=48,
                    gates=(Gate("weights", passed=False, words="45 of 75 are lost"),)),
        claims=(Claimed("registers", 155, 102, "somebody"), Claimed("waves per SIMD", 4, 4, "somebody")),
    )  # fmt: skip
    shown = text(LadderView(LADDER, "gfx942", (rung,), None))
    assert "15 x 64, 3 x 32" in shown
    assert "64, 50.0 %" in shown
    assert "FAILED: 45 of 75 are lost" in shown
    assert "48.0 B of scratch" in shown
    assert "1 of 2 are what this compiler gives" in shown
    assert "differs" in shown
    assert "confirmed" in shown


def test_reports_of_another_target_are_left_out():
    assert "+15 to +40" not in text(compiled())


def test_broken_limits_are_named_and_make_the_ladder_unsound():
    view = compiled(broken=("141 vector registers, the limit is at most 128",))
    assert "stage1: 141 vector registers" in text(view)
    assert (compiled().sound, view.sound) == (True, False)


def test_climb_names_the_last_rung_that_paid_and_those_that_did_not():
    shown = text(climbed())
    assert "stage1 is the last rung that paid: 1.40x [1.30, 1.50] over base" in shown
    assert "left out: crashed" in shown
    assert climbed().best.rung.name == "stage1"


def test_markdown_tables_are_whole():
    for view in (compiled(), climbed(), confirmation()):
        lines = page.markdown(view, "hotloop ladder gemm").splitlines()
        tables = [line.replace("\\|", "") for line in lines if line.startswith("|")]
        assert tables
        widths = {}
        for line, before in zip(lines, ["", *lines], strict=False):
            if line.startswith("|"):
                if not before.startswith("|"):
                    widths["now"] = line.replace("\\|", "").count("|")
                assert line.replace("\\|", "").count("|") == widths["now"]


def confirmation():
    outcome = Outcome(FORECAST.steps[0], FOUND, held=True, reason="the measured interval lies in the predicted one")
    return Confirmation(FORECAST, "a card", (outcome,), "stage1")


def test_confirmation_counts_and_names_the_winner():
    assert "1 of 1 predictions of 2026-11-21 held; the fastest rung is stage1, as predicted" in text(confirmation())


def test_accesses_that_a_rung_does_not_have_leave_their_cell_empty():
    view = compiled()
    first, second = view.rungs
    bare = replace(view, rungs=(first, replace(second, built=built(conflicts=()))))
    (table,) = (section for section in page.sections(bare) if section.title.startswith("bank conflicts"))
    assert table.rows == (("base", "16 of 1"), ("stage1", "–"))


def test_json_has_what_the_page_derives():
    data = json.loads(json.dumps(page.as_json(compiled())))
    assert data["rungs"][0]["built"]["exposed"] == 2792 / 32
    assert data["sound"] is True
    assert json.loads(json.dumps(page.as_json(climbed())))["best"] == "stage1"
    assert json.loads(json.dumps(page.as_json(confirmation())))["held"] is True
