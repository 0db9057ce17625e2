import json
import math
import time

import pytest
from rich.table import Table

from hotloop.app.doctor import examine as doctor
from hotloop.app.events import Began, Checked, Diagnosed, Notice, Searched, Stage, Took, Trying, Worker, Working
from hotloop.cli import output, tables
from hotloop.cli.live import Progress
from hotloop.model.finding import Finding, Gain, Move
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import CompileFailed, Conditions, Measured, Sample
from hotloop.model.space import Config, Space
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict


def test_json_has_no_numbers_that_json_lacks(capsys):
    output.emit({"a": math.nan, "b": [math.inf, 1.5], 3: (-math.inf, "ü")})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5], "3": [None, "ü"]}


def test_texts_are_never_taken_for_markup(capsys):
    table = Table(box=None)
    table.add_column("problem")
    table.add_row("gemm[m=64] :smile: [red]x[/red]")
    output.show(table)
    assert "gemm[m=64] :smile: [red]x[/red]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("columns", "width"),
    [("", 100), ("160", 160), ("40", 40), ("20", 100), ("0", 100), ("wide", 100), ("-80", 100)],
)
def test_what_goes_into_a_pipe_is_as_wide_as_asked(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert output.console().width == width


def test_remarks_go_to_standard_error(capsys):
    output.note("wrote page.html")
    assert capsys.readouterr() == ("", "wrote page.html\n")


def test_what_a_users_functions_print_is_no_part_of_the_answer(capsys):
    with Progress(0.0, quiet=True):
        print("from the reference")
    output.emit({"passed": True})
    out, err = capsys.readouterr()
    assert json.loads(out) == {"passed": True}
    assert err == "from the reference\n"


VARIANT = Variant(Implementation("i", "null", Space(()), Config(), lambda p, c, d: None), Config())
MEASURED = Measured(samples=(Sample(wall_ns=2e6, calls=1),), conditions=Conditions("f"))


def step(decision, outcome=MEASURED, comparison=None, reason="reason"):
    return Step(
        index=3,
        technique="vectorize",
        change="VW 1 → [8]",
        why="",
        implementation="i",
        config=Config(),
        outcome=outcome,
        decision=decision,
        reason=reason,
        comparison=comparison,
    )


FASTER = Comparison(
    verdict=Verdict.FASTER, speedup=2.5, low=2.4, high=2.6, confidence=0.99, margin=0.02, log_ratios=(0.9,)
)


def shown(capsys, *events, quiet=False):
    with Progress(60.0, quiet=quiet) as progress:
        for event in events:
            progress.notify(event)
    out, err = capsys.readouterr()
    assert out == ""
    return " ".join(err.split())


def test_progress_tells_stages_findings_and_steps(capsys):
    finding = Finding(rule="narrow-vectors", message="32 of 256 bits", share=0.9, evidence=(), suggests=())
    text = shown(
        capsys,
        Stage("verifying [the] baseline"),
        Diagnosed((finding,)),
        Trying(3, Move(technique="vectorize", variant=VARIANT, change="VW 1 → 8", why="", gain=Gain(1, 2))),
        Took(step(Decision.KEEP, comparison=FASTER), 2e6, 0.5),
        Took(step(Decision.REFUSE, CompileFailed("bad"), reason="does not compile"), 2e6, None),
        Searched(5, 1, 0.5),
        Notice("a remark"),
        Checked("p", "normal", passed=True, reason=""),
    )
    assert "verifying [the] baseline …" in text
    assert "90% narrow-vectors: 32 of 256 bits" in text
    assert "✓ 3 keep FASTER 2.50× vectorize: VW 1 → [8] — 2.00 ms per call, 50% of the roofline" in text
    assert "✗ 3 refuse vectorize: VW 1 → [8] — does not compile" in text
    assert text.endswith("a remark")


def test_the_budget_that_is_left_counts_from_where_the_run_says_that_it_began():
    """A cluster starts for seconds before it."""
    with Progress(60.0) as progress:
        progress.notify(Began(time.monotonic() - 20.5))
        assert "budget left 39 s" in str(progress._status().renderables[-2])


def test_a_line_about_devices_begins_with_what_they_did_where_there_is_something(monkeypatch, capsys):
    monkeypatch.setattr("hotloop.cli.live._TELL_S", 0.0)
    workers = Working((Worker("a", 0, ""), Worker("b", 0, "x=1")))
    assert shown(capsys, workers).strip() == "1 of 2 devices at work"


def test_quiet_is_quiet(capsys):
    assert shown(capsys, Stage("x"), Took(step(Decision.KEEP), 1.0, None), quiet=True) == ""


@pytest.mark.parametrize(
    ("device", "store", "end"),
    [
        (True, True, "kernels can run here."),
        (True, False, "kernels can run here, but something needs mending; see 'mend with'."),
        (False, False, "kernels cannot run here yet; see 'mend with'."),
    ],
)
def test_doctor_ends_with_what_matters_most(capsys, device, store, end):
    rows = (
        doctor.Finding("OpenCL device pocl", works=device, detail="", remedy=""),
        doctor.Finding("store", works=store, detail="", remedy=""),
    )
    output.show(tables.doctor(doctor.Diagnosis(rows)))
    assert capsys.readouterr().out.splitlines()[-1] == end
