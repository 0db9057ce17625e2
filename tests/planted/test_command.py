"""The verb and `check --sanitize` from the command line: tables, JSON, exit codes, one-sentence errors."""

from __future__ import annotations

import json

import pytest

from hotloop.cli.main import main
from hotloop.host import oclgrind

pytestmark = pytest.mark.usefixtures("kept_engines")
KERNEL = '''
import numpy as np
import hotloop as hl

@hl.kernel(problem=dict(n=64), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n), awkward=lambda p: [dict(n=3)]{more})
class double:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=np.int32(p.n))

    def reference(p, x, y, n):
        return dict(y=2 * x.astype("f8"))

    opencl = hl.OpenCL("""
__kernel void double_it(__global const float *x, __global float *y, const int n) {{
    const int i = get_global_id(0);
    if (i < n) y[i] = x[i] + {extra};
}}""", entry="double_it", global_size=lambda p, c: (-(-p.n // 8) * 8,), local_size=lambda p, c: (8,))
'''


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as leave:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return leave.value.code, out, err


@pytest.fixture
def file(tmp_path):
    pytest.importorskip("pyopencl")

    def write(extra="x[i]", more=""):
        path = tmp_path / "double.py"
        path.write_text(KERNEL.format(extra=extra, more=more))
        return path

    return write


def test_part_of_the_catalogue_as_json_and_markdown(capsys):
    code, out, _ = run(capsys, "verify-checker", "--only", "null", "--json")
    found = json.loads(out)
    assert code == 0
    assert {row["mutant"] for row in found["mutants"]} >= {"wrong", "silent", "overrun", "mutate", "crash"}
    assert all(row["caught"] for row in found["mutants"])
    code, out, _ = run(capsys, "verify-checker", "--only", "null", "--markdown")
    assert code == 0
    assert out.startswith("6 of 6 mutants caught; allclose(rtol=1e-2) on one input catches ")
    assert (
        "| null | overrun | overrun | a byte behind the output is changed | canary bands | quick | 1 | **no** |" in out
    )


def test_an_unknown_part_is_a_usage_error(capsys):
    code, _, err = run(capsys, "verify-checker", "--only", "nothing")
    assert code == 2
    assert "known: attention" in err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--only", "gemm", "mine.py"), "--only gemm is a part of hotloop's own catalogue"),
        (("--shape", "8"), "--shape 8 needs a kernel"),
    ],
)
def test_options_of_the_catalogue_and_of_a_kernel_are_not_mixed(capsys, tmp_path, monkeypatch, given, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(KERNEL.format(extra="x[i]", more=""))
    code, _, err = run(capsys, "verify-checker", *given)
    assert code == 2
    assert words in err


def test_a_kernel_of_ones_own(capsys, file):
    code, out, _ = run(capsys, "verify-checker", file(), "--json")
    rows = {
        row["bug"] if row["specimen"] == "result" else row["mutant"]: row["caught"]
        for row in json.loads(out)["mutants"]
    }
    assert rows["all results are zero"]
    assert rows["line 4: + → -"]
    assert rows["line 4: < → <="]  # the canary behind y, for 3 is no multiple of the group size
    assert code == (0 if all(rows.values()) else 1)


def test_a_wide_tolerance_shows(capsys, file):
    code, out, _ = run(capsys, "verify-checker", file(more=", tolerance=hl.Tolerance(absolute=100.0)"), "--json")
    missed = {row["bug"] for row in json.loads(out)["mutants"] if not row["caught"]}
    assert code == 1
    assert "all results are zero" in missed


def test_what_the_budget_does_not_reach_is_listed_and_no_good_news(capsys, file):
    code, out, _ = run(capsys, "verify-checker", file(), "--json", "--budget", "1e-9", "--mutants", "3")
    found = json.loads(out)
    assert code == 1
    assert found["mutants"] == []
    assert found["unrun"][0] == "result: all results are zero"
    assert sum(name.startswith("source, line ") for name in found["unrun"]) == 3
    assert found["unrun"][-1] == "the kernel as it is, in the full check"
    assert found["clean"] == []
    code, out, _ = run(capsys, "verify-checker", file(), "--budget", "1e-9", "--mutants", "3")
    assert code == 1
    assert "not run within the budget: result: all results are zero" in out
    assert "0 of 0 mutants caught" in out
    assert "15 not run: give more time with --budget" in " ".join(out.split())


def test_a_budget_cuts_the_catalogue_between_its_kernels(capsys):
    code, out, _ = run(capsys, "verify-checker", "--only", "null", "--budget", "1e-9", "--markdown")
    assert code == 1
    assert "7 not run" in out.splitlines()[0]


def test_a_kernel_that_is_wrong_is_mended_first(capsys, file):
    code, _, err = run(capsys, "verify-checker", file("1.0f"))
    assert code == 2
    assert "does not pass its own check" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("extra", "code"), [("x[i]", 0), ("x[i] + 0 * (i + 1 < n ? x[i + 1] : x[n] > 0)", 1)])
def test_sanitize_finds_a_read_that_changes_nothing(capsys, file, extra, code):
    try:
        oclgrind.library()
    except Exception as reason:
        pytest.skip(str(reason))
    got, out, _ = run(capsys, "check", file(extra), "--level", "quick", "--sanitize", "--json")
    found = json.loads(out)
    assert found["passed"]
    assert got == code
    places = {(one["kind"], one["places"][0]["line"]) for one in found["sanitizer"]["findings"]}
    assert ("out of bounds", 4) in places if code else not places


def test_sanitize_without_oclgrind_says_how_to_get_it(capsys, file, monkeypatch):
    monkeypatch.setattr(oclgrind, "_FOLDERS", ())
    monkeypatch.setattr(oclgrind.shutil, "which", lambda _name: None)
    code, _, err = run(capsys, "check", file(), "--level", "quick", "--sanitize")
    assert code == 3
    assert "apt install oclgrind" in err
