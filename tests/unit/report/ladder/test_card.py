"""Views and pages of ladders on NVIDIA cards."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from hotloop.app.ladder import data as ladder_data
from hotloop.cli.commands.ladder import COMMAND
from hotloop.errors import UsageError
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder import page
from hotloop.report.ladder import plot as ladder_card_plot
from hotloop.report.ladder.card import _moved
from hotloop.report.ladder.cardview import CardRungView, CardView, Moved, PeerView, moved
from hotloop.report.ladder.read import read

LADDER = ladder_data.card_ladder("reduction", "sm_90")


def compared(speedup, verdict=Verdict.FASTER):
    return Comparison(
        verdict=verdict, speedup=speedup, low=speedup * 0.99, high=speedup * 1.01, confidence=0.99, margin=0.02,
        log_ratios=(0.1, 0.2),
    )  # fmt: skip


def row(name, call_ns, comparison=None, **facts):
    rung = LADDER.rung(name)
    return CardRungView(
        rung=rung, kernel=LADDER.implementation(rung), config="LANES=256", sizes="rows=32768", facts=facts, errors=(0.5, 0.4),
        over=rung.after, call_ns=call_ns, flops_per_s=1e12, bytes_per_s=1e12, comparison=comparison, compiler="nvcc",
        samples_ms=((0.2, 0.2), (0.1, 0.1)),
    )  # fmt: skip


@pytest.fixture
def view():
    rungs = (
        row("tree", 200e3, instructions=400e6, dram_bytes=5e8, shuffles=0),
        row("shuffles", 100e3, compared(1.5), instructions=300e6, dram_bytes=5e8, shuffles=10),
        row("vectors", 110e3, compared(1.25), instructions=100e6, dram_bytes=5.04e8, shuffles=10),
        row("online", 90e3, compared(0.8, Verdict.SLOWER), instructions=90e6, dram_bytes=5e8, shuffles=10),
    )
    return CardView(
        ladder=LADDER, target="sm_90", rungs=rungs, device={"name": "NVIDIA H200", "torch": "2.11", "triton": "3.6"},
        peers=(PeerView(name="PyTorch", rung="vectors", call_ns=4e5, comparison=compared(3.5)),),
        total=compared(1.9), top="vectors",
    )  # fmt: skip


def test_the_fastest_rung_follows_the_pairs_not_the_times(view):
    # `online` has the shortest time, but in its own pair it lost; `shuffles` is shorter than `vectors`, which beat it
    assert view.best.rung.name == "vectors"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("rungs", 1, "call_ns"), "x"),
        (("rungs", 1, "call_ns"), float("nan")),
        (("rungs", 1, "comparison", "speedup"), None),
        (("rungs", 1, "rung", "moves"), [["registers", "sideways"]]),
        (("rungs", 1, "facts"), {"registers": "many"}),
    ],
)
def test_a_damaged_file_is_one_sentence_and_leaves_nothing(view, tmp_path, place, value):
    data = json.loads(json.dumps(page.as_json(view)))
    *way, last = place
    inner = data
    for step in way:
        inner = inner[step]
    inner[last] = value
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(data))
    with pytest.raises(UsageError, match="is not what hotloop ladder --json prints"):
        CliRunner().invoke(
            COMMAND, ["reduction", "--from", str(path), "--markdown", str(tmp_path / "page.md")], catch_exceptions=False
        )
    assert [one.name for one in tmp_path.iterdir()] == ["ladder.json"]


@pytest.mark.parametrize("more", [("--rung", "tree"), ("--target", "sm_90"), ("--shape", "rows=1")])
def test_a_recorded_run_takes_no_further_wishes(view, tmp_path, more):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(page.as_json(view)))
    with pytest.raises(UsageError, match="--from shows a recorded run as it was"):
        CliRunner().invoke(COMMAND, ["reduction", "--from", str(path), *more], catch_exceptions=False)


def test_a_failed_rung_is_never_the_fastest(view):
    broken = replace(view.rungs[2], failure="wrong result")
    found = replace(view, rungs=(*view.rungs[:2], broken, view.rungs[3]))
    assert found.best.rung.name == "shuffles"
    assert not found.sound


def test_rungs_of_another_problem_are_no_candidates():
    ladder = ladder_data.card_ladder("gemm", "sm_90")
    tall = CardRungView(rung=ladder.rung("tall-tiles"), kernel="tile", config="", sizes="", call_ns=1.0)
    assert CardView(ladder=ladder, target="sm_90", rungs=(tall,)).best is None


def test_expected_facts_come_first_and_say_whether_they_held():
    rung = LADDER.rung("shuffles")
    here = {"shuffles": 10, "barriers": 2, "barrier_stall": 3.0, "instructions": 100e6, "registers": 22}
    below = {"shuffles": 0, "barriers": 20, "barrier_stall": 1.0, "instructions": 200e6, "registers": 22}
    found = moved(rung, here, below)
    assert [(m.fact, m.held) for m in found if m.expected] == [
        ("shuffles", True),
        ("barriers", True),
        ("barrier_stall", False),
    ]
    assert [m.fact for m in found if not m.expected] == ["instructions"]


def test_a_fact_that_hardly_differs_did_not_move():
    assert Moved("dram_bytes", 100.0, 101.0, "up").held is False
    assert Moved("dram_bytes", 100.0, 103.0, "up").held is True
    assert Moved("hgmma", 0, 4, "up").held is True
    assert Moved("hgmma", 4, 0, "down").held is True


def test_a_handful_of_bank_conflicts_is_no_cause():
    few = moved(LADDER.rung("vectors"), {"bank_conflicts": 9e3}, {"bank_conflicts": 3e3})
    many = moved(LADDER.rung("vectors"), {"bank_conflicts": 9e6}, {"bank_conflicts": 3e6})
    assert not few
    assert [m.fact for m in many] == ["bank_conflicts"]


def test_the_page_has_verdict_interval_cause_and_what_is_reported(view):
    view = read(page.as_json(view))  # which works out what moved
    text = page.markdown(view, "hotloop ladder reduction", "picture.svg")
    assert "| vectors | 110 µs |" in text
    assert "1.250x \\[1.238, 1.262\\]" in text
    assert "instructions executed, warps 300 M → 100 M, as expected" in text
    assert "4 to 8 times fewer memory operations (GPU kernel notes, cooperative loads)" in text
    assert "![times of the rungs](picture.svg)" in text
    assert "| online |" in text
    assert "SLOWER" in text


def test_json_is_read_back_as_the_same_view(view):
    again = read(json.loads(json.dumps(page.as_json(view))))
    text = page.markdown(again, "x")
    assert again.best.rung.name == "vectors"
    assert again.rungs[1].comparison == view.rungs[1].comparison
    assert again.ladder == view.ladder
    assert text == page.markdown(read(json.loads(json.dumps(page.as_json(again)))), "x")


def test_the_picture_draws_losses_hollow(view):
    drawn = ladder_card_plot.draw(view)
    assert drawn.count('class="paid"') == 3
    assert drawn.count('class="left"') == 1
    assert "1.25x over shuffles" in drawn


def test_a_recorded_run_becomes_a_page_with_its_picture(view, tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(page.as_json(view)))
    arguments = ["reduction", "--from", str(tmp_path / "run.json"), "--markdown", str(tmp_path / "page.md")]
    ran = CliRunner().invoke(COMMAND, arguments, standalone_mode=False)
    assert ran.return_value == 0
    assert "(page.svg)" in (tmp_path / "page.md").read_text()
    assert (tmp_path / "page.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("text", "family", "what"),
    [("{}", "reduction", "it has no 'ladder'"), ("nonsense", "reduction", "it is no JSON"), ("[1]", "gemm", "of another kind"),
     ("[" * 99999, "gemm", "it is no JSON")],
)  # fmt: skip
def test_other_files_are_refused_in_a_sentence(text, family, what, tmp_path):
    (tmp_path / "run.json").write_text(text)
    ran = CliRunner().invoke(COMMAND, [family, "--from", str(tmp_path / "run.json")], standalone_mode=False)
    assert "is not what hotloop ladder --json prints" in str(ran.exception)
    assert what in str(ran.exception)
    assert "Error" not in str(ran.exception)


def test_a_run_of_another_family_is_refused(view, tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(page.as_json(view)))
    ran = CliRunner().invoke(COMMAND, ["gemm", "--from", str(tmp_path / "run.json")], standalone_mode=False)
    assert "is of the family reduction" in str(ran.exception)


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("blocks", 8192, "8192"),
        ("blocks", 424800, "425 k"),
        ("instructions", 1.59e9, "1.59 G"),
        ("dram_bytes", 4.28e8, "428 MB"),
        ("dram_bytes", 42800.0, "42.8 kB"),
        ("shared_bytes", 32832, "32.1 KiB"),
        ("occupancy", 58.72, "58.7"),
        ("barrier_stall", 0.0, "0"),
    ],
)
def test_facts_are_written_in_their_own_scale(fact, value, words):
    text = _moved(Moved(fact, value + 1e12, value, "up"))
    assert text.split(" → ")[1].startswith(f"{words}, NOT as expected")
