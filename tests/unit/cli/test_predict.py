"""The verb `predict`, and the annotated listing, on golden listings."""

import json
from pathlib import Path

import pytest

from hotloop.cli.main import main

GOLDEN = Path(__file__).parents[2] / "golden" / "amdgcn" / "triton_scale_gfx90a.s"
LAUNCH = (
    "--grid",
    "1024",
    "--workgroup",
    "256",
    "--arg",
    "x=f32:1048576",
    "--arg",
    "y=f32:1048576:fresh",
    "--arg",
    "n=i32:=1048576",
)


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def test_a_listing_with_its_launch(run):
    code, out, err = run("predict", str(GOLDEN), *LAUNCH)
    assert code == 0
    assert "executing work-groups of" in err
    assert "predicted, not" in out
    assert "MI250X (gfx90a)" in out
    assert "do not trust" not in out


def test_json_has_interval_terms_and_trust(run):
    code, out, _ = run("predict", str(GOLDEN), *LAUNCH, "--chip", "MI210", "--json")
    assert code == 0
    (found,) = json.loads(out)["predictions"]
    assert found["chip"] == "MI210"
    assert found["low_ns"] < found["time_ns"] < found["high_ns"]
    assert found["trusted"] is True
    assert {"latency", "vector", "L2"} <= {term["name"] for term in found["launches"][0]["terms"]}


def test_what_cannot_be_predicted_is_a_sentence(run):
    for arguments, words in (
        ((str(GOLDEN),), "takes 5 arguments"),
        ((str(GOLDEN), *LAUNCH, "--chip", "MI300X"), "the code is for gfx90a"),
        (("gemm", "--target", "sm_90"), "times are predicted for AMD GPUs"),
        (("gemm",), "name one, e.g. --target gfx942"),
        (("gemm", "--target", "gfx1250"), "no chip is known for gfx1250"),
        (("nothing.s",), "cannot be read"),
    ):
        code, _, err = run("predict", *arguments)
        assert (code, "Traceback" in err) == (2, False)
        assert words in err


def test_all_targets_are_read_before_the_first_is_executed(run):
    code, _, err = run("predict", "gemm", "--target", "gfx942,foo")
    assert (code, err) == (2, "hotloop: target 'foo' is not understood; write gfx942, gfx1012:wave64 or sm_90.\n")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none", "unknown kernel family or file 'none'"),
        ("none.py:f", "there is no file none.py"),
        ("gemm@opencl", "--target"),
    ],
)
def test_what_is_no_kernel_says_so_before_a_processor_is_asked_for(run, name, said):
    code, _, err = run("predict", name)
    assert code == 2
    assert said in err


def test_annotated_listing(run, tmp_path):
    code, out, _ = run("isa", str(GOLDEN), "--annotate")
    assert code == 0
    assert "◄─" in out
    assert "vector memory" in out
    code, _, _ = run("isa", str(GOLDEN), "--annotate", "--html", str(tmp_path / "page.html"))
    assert code == 0
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    code, _, err = run("isa", str(GOLDEN), "--html", str(tmp_path / "page.html"))
    assert code == 2
    assert "--annotate" in err


def test_a_family_is_named_with_the_whole_problem_that_one_size_stands_for(monkeypatch):
    from hotloop.app.predict import answer
    from hotloop.targets.target import Target

    monkeypatch.setattr(answer.compiled, "compiled", lambda *_: None)
    monkeypatch.setattr(answer.compiled, "task", lambda label, *_: label)
    asked = answer.Request(text="gemm", shape="m=64", targets=("gfx942",))
    assert answer._variant(asked, Target.parse("gfx942")).endswith(" at 64x1024x1024")
