"""Predictions of an explanation against earlier trials in a store."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from hotloop.app.explain.answer import Request, explain
from hotloop.errors import StoreError
from hotloop.model.finding import Gain
from hotloop.store import Calibration, Store

HEAD = ("Dispatch_ID", "GPU_ID", "Queue_ID", "PID", "TID", "Grid_Size", "Workgroup_Size", "LDS_Per_Workgroup", "Scratch_Per_Workitem",
        "Arch_VGPR", "Accum_VGPR", "SGPR", "Wave_Size", "Kernel_Name", "Start_Timestamp", "End_Timestamp", "Correlation_ID")  # fmt: skip
COUNTED = {"SQ_WAVES": 32768, "SQ_WAIT_INST_LDS": 3.05e9, "SQ_ACTIVE_INST_VALU": 1e9, "SQ_INSTS_LDS": 40_000 * 32768}


@pytest.fixture
def profile(tmp_path):
    path = tmp_path / "results.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow([*HEAD, *COUNTED])
        table.writerow(
            [
                1,
                2,
                1,
                7,
                7,
                32768 * 64,
                256,
                23552,
                0,
                124,
                0,
                32,
                64,
                "attention",
                1000,
                41_801_000,
                0,
                *COUNTED.values(),
            ]
        )
    return str(path)


def trials(path, ratio):
    """Write fourteen trials of one technique that brought `ratio` of what was expected, and one of another on another chip."""
    with Store.open(str(path)) as opened:
        for number in range(14):
            gain = Gain(1.0, 2.0 + number / 100)
            opened.add_calibration(
                Calibration(
                    technique="operands-in-registers", rule="lds-bound", target="gfx942", predicted=gain,
                    measured=ratio * gain.expected, verdict="FASTER", run="",
                )
            )  # fmt: skip
        other = Calibration(
            technique="pad",
            rule="lds-bound",
            target="gfx90a",
            predicted=Gain(1, 2),
            measured=0.5,
            verdict="SLOWER",
            run="",
        )
        opened.add_calibration(other)
    return str(path)


@pytest.fixture
def store(tmp_path):
    return trials(tmp_path / "store.sqlite", 1.2)


def advice(page):
    return {one.technique: one for one in page.findings[0].advice}


def test_earlier_trials_correct_a_prediction(profile, store):
    page = explain(Request(inputs=(profile,), target="gfx942", store=store))
    known = advice(page)["operands-in-registers"].calibrated
    assert known.trials == 14
    assert known.factor == pytest.approx(1.2 ** (14 / 17)), "shrunk towards 1 by three imaginary trials, as in the loop"
    assert known.expected == pytest.approx(advice(page)["operands-in-registers"].predicted.expected * known.factor)
    assert page.calibration == f"one prediction is corrected by earlier trials on gfx942, from the store {store}"
    assert "pad" not in advice(page) or advice(page)["pad"].calibrated is None, "its trial was on another chip"


def test_the_ranking_follows_the_correction(profile, tmp_path):
    store = trials(tmp_path / "worse.sqlite", 0.6)
    plain = explain(Request(inputs=(profile,), target="gfx942"))
    corrected = explain(Request(inputs=(profile,), target="gfx942", store=store))
    assert plain.next[1].technique == "operands-in-registers"
    assert plain.calibration == ""
    assert corrected.next[1].technique != "operands-in-registers", "0.66 of it is less than the next one's promise"


def test_no_store_is_no_correction(profile, tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "none.sqlite"))
    for store in (None, ""):
        page = explain(Request(inputs=(profile,), target="gfx942", store=store))
        assert not [a for f in page.findings for a in f.advice if a.calibrated]
    assert not (tmp_path / "none.sqlite").exists(), "reading makes no store"
    with pytest.raises(StoreError):
        explain(Request(inputs=(profile,), target="gfx942", store=str(tmp_path / "missing.sqlite")))


def test_the_command_says_so(profile, store):
    from hotloop.cli.commands.explain import COMMAND

    ran = CliRunner().invoke(COMMAND, [profile, "--target", "gfx942", "--store", store], standalone_mode=False)
    words = " ".join(ran.output.split())
    assert "earlier trials on gfx942" in words
    assert "after earlier trials" in words
    data = json.loads(
        CliRunner()
        .invoke(COMMAND, [profile, "--target", "gfx942", "--store", store, "--json"], standalone_mode=False)
        .output
    )
    assert [a["calibrated"]["trials"] for a in data["findings"][0]["advice"] if a["calibrated"]] == [14]
