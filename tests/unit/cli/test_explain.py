"""`hotloop explain` and `hotloop techniques` as users see them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hotloop.cli.main import main
from hotloop.model.finding import Gain
from hotloop.store import Calibration, Store

LISTINGS = Path(__file__).parents[2] / "golden" / "amdgcn" / "waits"
STAGE_1, STAGE_2 = (str(LISTINGS / f"gluon_stage{n}_gfx950.s") for n in (1, 2))


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


# --- explain ---------------------------------------------------------------------------------------------------------


def test_the_answer_comes_first(run):
    code, out, err = run("explain", STAGE_1)
    assert (code, err) == (0, "")
    first = out.splitlines()
    assert first[0] == "stage1"
    # By hand: 12 KiB read and written by each of four waves at 128 B a cycle keep local memory for 384 of the 824 cycles
    # that one wave needs alone; two waves leave 1 - 2 * 384 / 824 = 7 % to what they wait for.
    assert first[2].startswith("verdict   Local memory reads waited for at once, 7 % of the time")
    assert "[local-prefetch]" in out


def test_json_has_the_next_technique(run):
    code, out, _ = run("explain", STAGE_1, "--json")
    data = json.loads(out)
    assert code == 0
    assert data["next"]["technique"] == "local-prefetch"
    assert data["subject"]["target"] == "gfx950"


def test_pages_are_written(run, tmp_path):
    html, markdown = tmp_path / "k.html", tmp_path / "k.md"
    code, _, err = run("explain", STAGE_1, "--html", str(html), "--markdown", str(markdown))
    assert code == 0
    assert err.splitlines() == [f"wrote {html}", f"wrote {markdown}"]
    assert html.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert markdown.read_text(encoding="utf-8").startswith("# stage1\n")


def test_against_another_listing(run):
    code, out, _ = run("explain", STAGE_1, "--against", STAGE_2)
    assert code == 0
    assert "against   the bottleneck shifted from exposed-local-reads (7 %) to no finding." in out


@pytest.mark.parametrize(("arguments", "words", "status"), [
    (("explain",), "missing argument", 2),
    (("explain", "/nope.csv"), "there is no file /nope.csv", 2),
    (("explain", STAGE_1, "--kernel", "other"), "there is no kernel 'other'; the inputs have stage1", 2),
    (("explain", STAGE_1, "--target", "gfx1"), "unknown GPU target 'gfx1'", 2),
    (("explain", STAGE_1, "--chip", "MI1"), "unknown chip 'MI1'; known: MI100", 2),
    (("explain", STAGE_1, "--html", "/nope/k.html"), "there is no folder", 3),
])  # fmt: skip
def test_bad_requests_are_one_line(run, arguments, words, status):
    code, out, err = run(*arguments)
    assert (code, out) == (status, "")
    assert words in err
    assert err.count("\n") == 1


# --- techniques ------------------------------------------------------------------------------------------------------


def test_the_menu(run):
    code, out, _ = run("techniques", "--for", "lds-bound")
    assert code == 0
    assert out.splitlines()[1].startswith("operands-in-registers")
    code, out, _ = run("techniques", "--category", "registers", "--arch", "gfx1100")
    assert "not possible: accumulation-registers: gfx1100 has no accumulation registers" in out
    code, out, _ = run("techniques", "--json")
    assert {"pad", "neighbour", "stream-k"} <= {row["name"] for row in json.loads(out)}


def test_one_technique(run):
    code, out, _ = run("techniques", "show", "async-copy", "--target", "gfx950")
    assert code == 0
    for words in ("possible on gfx950", "answers", "see that it worked", "static.direct_to_lds rises", "when it fails"):
        assert words in out
    code, out, _ = run("techniques", "show", "warp-group-matrix", "--target", "gfx942")
    assert code == 1, "the answer is bad news"
    assert "not possible: gfx942 has no warp-group matrix instructions" in out
    code, out, _ = run("techniques", "show", "pad", "--json")
    assert json.loads(out)["name"] == "pad"


def test_calibration_of_the_store(run, tmp_path):
    path = str(tmp_path / "store.sqlite")
    with Store.open(path) as store:
        for measured, verdict in ((2.0, "FASTER"), (0.5, "SLOWER"), (None, "REFUSED")):
            store.add_calibration(
                Calibration(
                    technique="pad",
                    rule="strided-access",
                    target="avx2",
                    predicted=Gain(1.0, 4.0),
                    measured=measured,
                    verdict=verdict,
                )
            )
    code, out, _ = run("techniques", "calibration", "--store", path)
    assert code == 0
    row = next(line.split() for line in out.splitlines() if line.startswith("pad"))
    assert row == ["pad", "strided-access", "avx2", "3", "1", "1.00–4.00×", "1.00×", "1", "of", "2", "0.76"]
    assert "50 % of 2 timed predictions" in out
    code, out, _ = run("techniques", "calibration", "--store", path, "--technique", "pack")
    assert "no prediction yet" in out
    code, out, _ = run("techniques", "calibration", "--store", path, "--json")
    assert json.loads(out)[0]["steps"] == 3


@pytest.mark.parametrize(("arguments", "words"), [
    (("--category", "speed"), "unknown category 'speed'; known: algorithm"),
    (("--arch", "gfx1"), "unknown GPU target 'gfx1'"),
    (("--for", "slow"), "unknown rule 'slow'"),
    (("show", "magic"), "unknown technique 'magic'"),
    (("--json", "show", "pad"), "options go after show"),
    (("nosuch",), "no such command"),
])  # fmt: skip
def test_bad_words_are_one_line(run, arguments, words):
    code, out, err = run("techniques", *arguments)
    assert code == 2
    assert out == "" if "--json" not in arguments else words in json.loads(out)["error"]["message"]
    assert words in err
    assert err.count("\n") == 1
