"""Users' own kernel files on the command line: wrong ones, and ones that work."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.usefixtures("kept_engines")


# --- users' files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"top": "def ("}, ["twice.py:4: invalid syntax"]),
        ({"top": "1 / 0"}, ["raises ZeroDivisionError when it is loaded", "division by zero (twice.py:4)"]),
        ({"top": "raise MemoryError"}, ["raises MemoryError when it is loaded (twice.py:4)."]),
        ({"top": "raise ValueError('two\\nlines')"}, ["ValueError when it is loaded: two lines (twice.py:4)."]),
        ({"top": "import no_such_module"}, ["imports no_such_module", "not installed"]),
        ({"top": "raise SystemExit(0)"}, ["calls sys.exit(0)"]),
        ({"more": "colour=3"}, ["raises TypeError", "colour"]),
        ({"more": "techniques=dict(Q='vectorize')"}, ["techniques", "names Q"]),
        ({"more": "start=dict(Q=1)"}, ["start", "names Q"]),
        ({"more": "start=dict(K=7)"}, ["start configuration", "K=7"]),
        ({"more": "constraints=[lambda c: c.Q > 1]"}, ["a constraint of opencl", "AttributeError"]),
        ({"geometry": "local_size=None"}, ["global_size", "missing"]),
        (
            {
                "top": "class OpenCL: pass\nhl = type('hl', (), dict(vars(hl), kernel=hl.kernel, OpenCL=lambda *a, **k: 3, Work=hl.Work, empty=hl.empty))"
            },
            ["no implementation"],
        ),
    ],
    ids=lambda value: next(iter(value.values())).splitlines()[0][:40] if isinstance(value, dict) else "",
)
def test_files_that_cannot_be_loaded(run, user_file, changes, words):
    run("check", user_file(**changes)).refused(2, *words)


def test_a_file_without_a_kernel(run, tmp_path):
    (tmp_path / "empty.py").write_text("x = 1\n")
    run("check", tmp_path / "empty.py").refused(2, "defines no kernel", "hotloop init")


def test_a_jitted_function_is_named_with_its_launch(run, tmp_path):
    (tmp_path / "two.py").write_text("import triton\n@triton.jit\ndef scale(x):\n    pass\n")
    run("emulate", tmp_path / "two.py", "--target", "gfx942").refused(2, "defines no kernel", "two.py:scale", "--arg")


def test_a_kernel_without_inputs(run, tmp_path):
    (tmp_path / "bare.py").write_text("import hotloop as hl\n@hl.kernel(problem={}, work=None)\nclass bare: pass\n")
    run("check", tmp_path / "bare.py").refused(2, "needs a function 'inputs'")


def test_a_file_with_several_kernels_asks_for_a_name(run, user_file):
    path = Path(user_file())
    text = path.read_text()
    path.write_text(text + text.replace("class twice", "class thrice"))
    run("check", path).refused(2, "several kernels (twice, thrice)", ":NAME")
    run("check", f"{path}:four").refused(2, "'four'", "thrice, twice")


def test_a_source_that_is_not_there(run, user_file):
    path = Path(user_file())
    path.write_text(path.read_text().replace("hl.OpenCL(SOURCE", "hl.OpenCL('nowhere.cl'"))
    run("check", path).refused(2, "'nowhere.cl'", "No such file")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"inputs": "return dict(x=np.zeros(p.m))"}, ["inputs", "no 'm'"]),
        ({"inputs": "return [1]"}, ["inputs", "by name"]),
        ({"inputs": "return dict(x='text', y=hl.empty(p.n), n=1)"}, ["x = 'text'"]),
        ({"inputs": "return dict(x=np.empty(1 << 50, 'f4'), y=hl.empty(p.n), n=1)"}, ["does not fit in memory"]),
        (
            {"inputs": "return dict(x=np.zeros(p.n, 'f4'), y=hl.empty(p.n), n=2**40)"},
            ["n = 1.09951e+12", "np.int64(n)"],
        ),
        ({"inputs": "return dict(x=np.array([[]] * p.n, 'O'), y=hl.empty(p.n), n=1)"}, ["x = an array of object, not"]),
        ({"reference": "raise KeyError('gone')"}, ["reference", "KeyError", "gone", "(twice.py:"]),
        ({"reference": "return dict(y=2 * x.astype('f8') * np.nan)"}, ["y[0] = nan although all inputs are finite"]),
        ({"reference": "return dict(y=np.zeros(3))"}, ["shape [3]"]),
        ({"reference": "return dict(z=x)"}, ["'z'", "not an array of its inputs"]),
        ({"reference": "return {}"}, ["returns no output"]),
        ({"reference": "x[0] = 1; return dict(y=x)"}, ["reference", "read-only"]),
        ({"awkward": "lambda p: [dict(m=3)]"}, ["awkward", "{'m': 3}", "sizes of: n"]),
        ({"awkward": "lambda p: 1 / 0"}, ["awkward", "ZeroDivisionError"]),
        ({"geometry": "global_size=lambda p, c: (c.Q,)"}, ["global_size", "no 'Q'; known names: K"]),
        ({"geometry": "global_size=lambda p, c: p.n"}, ["global_size", "whole numbers"]),
        ({"geometry": "global_size=lambda p, c: (p.n,), local_size=lambda p, c: (1, 1)"}, ["different lengths"]),
        ({"more": "args=['x', 'z']"}, ["args", "names z"]),
        ({"more": "defines=lambda p, c: dict(N=p.q)"}, ["defines", "no 'q'"]),
    ],
    ids=lambda value: next(iter(value.values()))[:48] if isinstance(value, dict) else "",
)
def test_functions_of_a_file_that_are_wrong(opencl, run, user_file, changes, words):
    run("check", user_file(**changes), "--level", "quick").refused(2, *words)


@pytest.mark.parametrize("work", ["lambda p: 1 / 0", "lambda p: None"])
def test_work_that_cannot_be_told(opencl, run, user_file, work):
    run("optimize", user_file(work=work), "--budget", "1", "--quiet").refused(2, "work of kernel twice in twice.py")


@pytest.mark.parametrize("extent", ["10**12", "10**30"])
def test_a_shape_that_does_not_fit_in_memory(opencl, run, user_file, extent):
    ended = run("check", user_file(), "--shape", f"n={eval(extent)}")
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert ended.err.count("hotloop: ") == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"body": "y[i] = undeclared;"}, ["does not compile at line 3", "undeclared", "y[i] = undeclared;"]),
        ({"body": "*(__global float *)(ulong)(i >> 20) = 1;"}, ["crashed in execute (signal 11)"]),
        ({"body": "for (volatile int k = 0; k < 10; k = 0);"}, ["timed out in execute"]),
        ({"body": "y[i] = 2 * x[i]; if (i == 0) y[n + 1] = 3;"}, ["canary after y overwritten at +4 B"]),
        ({"body": "y[i] = 2.001f * x[i];"}, ["FAIL", "of its bound"]),
        ({"body": "y[i] += 2 * x[i];"}, ["FAIL", "y[0]"]),
        ({"body": "if (i < n - 1) y[i] = 2 * x[i];"}, ["FAIL", "y[99]", "never written"]),
        ({"body": "y[i] = 2 * x[i]; x[i] = 0;"}, ["input x changed at [0]"]),
        ({"geometry": "global_size=lambda p, c: (p.n,), local_size=lambda p, c: (7,)"}, ["not a multiple"]),
        ({"geometry": "global_size=lambda p, c: (-p.n,)"}, ["global_size", "(-100,)"]),
        ({"geometry": "global_size=lambda p, c: (p.n // 0,)"}, ["not applicable", "ZeroDivisionError"]),
        ({"geometry": "global_size=lambda p, c: (1 << 70,)"}, ["not applicable: global_size of opencl", "is (1180"]),
        ({"geometry": "global_size=lambda p, c: (1, 1, 1, 1)"}, ["launch failed"]),
        ({"more": "args=['x', 'y']"}, ["launch failed"]),
    ],
    ids=lambda value: next(iter(value.values()))[:48] if isinstance(value, dict) else "",
)
def test_kernels_that_are_wrong_are_bad_news_with_the_reason(opencl, run, user_file, changes, words):
    limits_s = ("1.5", "9") if "timed out in execute" in words else ("30",)
    for limit_s in limits_s:  # a busy machine may need the first for loading the file
        ended = run("check", user_file(**changes), "--level", "quick", "--limit", limit_s)
        if "did not end within" not in ended.err:
            break
    assert ended.code == 1, ended.err
    told = " ".join(ended.out.split())
    assert all(word in told for word in words), ended.out
    assert "Traceback" not in ended.out + ended.err
    assert "defect" not in ended.err


def test_the_limit_counts_while_a_file_is_loaded(run, tmp_path):
    (tmp_path / "endless.py").write_text("while True:\n    pass\n")
    run("check", tmp_path / "endless.py", "--limit", "0.5").refused(2, "loading", "endless.py did not end within 0.5 s")


@pytest.mark.parametrize("verb", ["isa", "explain"])
def test_code_that_does_not_compile_is_told_with_its_line_where_code_is_read(opencl, run, user_file, verb):
    path = user_file(body="y[i] = undeclared;")
    run(verb, path).refused(2, f"hotloop: {path} cannot be built", "does not compile at line 3", "undeclared")


@pytest.mark.parametrize("start", ["2 ** np.arange(1, 3)", "[np.int64(2), 4]"])
def test_parameters_of_numpy_are_kept_like_others(opencl, run, user_file, start):
    path = Path(user_file())
    path.write_text(path.read_text().replace("K=[1, 2]", f"K={start}"))
    for budget_s in ("3", "90"):  # a busy machine may spend the first before there is a baseline
        ended = run("optimize", path, "--budget", budget_s, "--quiet", "--json", "--no-peers")
        if ended.code == 0:
            break
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["steps"][0]["config"] == [["K", "2"]]


def test_kernels_of_different_problems_cannot_be_compared(opencl, run, user_file):
    run("compare", user_file(), "gemm").refused(2, "gemm cannot take the problem twice[n=100]: it has no size 'm'")


def test_every_shape_is_read_before_the_first_is_tuned(run, user_file):
    shapes = ("--shape", "7", "--shape", "bad")
    ended = run("tune", user_file(), *shapes, "--quiet").refused(2, "--shape bad: 'bad' is not understood")
    assert ended.out == ""


def test_a_kernel_that_is_right(opencl, run, user_file):
    ended = run("check", user_file(top="print('loading')"), "--json", "--level", "quick")
    assert ended.code == 0
    answer = json.loads(ended.out)
    assert answer["passed"]
    assert "loading" in ended.err


def test_optimize_of_a_wrong_kernel_is_bad_news_too(opencl, run, user_file):
    ended = run("optimize", user_file(body="y[i] = 3 * x[i];"), "--budget", "90", "--quiet", "--json")
    assert ended.code == 1
    (step,) = json.loads(ended.out)["steps"]
    assert step["decision"] == "refuse"
    assert "wrong result" in step["reason"]


# --- users' kernels that work ----------------------------------------------------------------------------------------

EXAMPLES = {
    "blur": ("width=64,height=37", "VW=8,WG=1"),
    "softmax": ("rows=16,columns=256", "WG=1,VW=8"),
    "transpose": ("rows=128,columns=64", "WG=1,BLOCK=16,MICRO=4"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_pass_their_check(opencl, run, name):
    shape, better = EXAMPLES[name]
    path = ROOT / "examples" / f"{name}.py"
    assert run("check", path, "--shape", shape, "--level", "quick").code == 0
    assert run("check", f"{path}@{better}", "--shape", shape, "--level", "quick", "--no-sanitize").code == 0


def test_init_writes_a_kernel_that_passes_and_does_not_overwrite_it(opencl, run, tmp_path):
    assert run("init", tmp_path, "--name", "kernel").code == 0
    assert run("check", tmp_path / "kernel.py", "--shape", "n=5000", "--level", "quick").code == 0
    run("init", tmp_path, "--name", "kernel").refused(2, "exist already", "--force")
    assert run("init", tmp_path, "--name", "kernel", "--force").code == 0


def test_compare_tells_a_better_variant_of_an_example(opencl, run):
    path, shape = ROOT / "examples" / "softmax.py", "rows=64,columns=512"
    ended = run("compare", path, f"{path}@WG=1,VW=8", "--shape", shape, "--json")
    answer = json.loads(ended.out)
    assert answer["outcomes"] == ["measured", "measured"]
    assert answer["comparison"]["verdict"] in ("FASTER", "UNCLEAR")
    assert ended.code == (0 if answer["comparison"]["verdict"] == "FASTER" else 1)


def test_compare_refuses_kernels_with_other_inputs(opencl, run, user_file):
    ended = run("compare", ROOT / "examples" / "transpose.py", user_file(), "--shape", "rows=64,columns=64")
    ended.refused(2, "cannot take the problem transpose[rows=64 columns=64]")


def test_the_best_of_a_store_that_cannot_be_read(opencl, run, tmp_path):
    (tmp_path / "store.sqlite").write_bytes(b"no database" * 100)
    run("check", "gemm@best", "--store", tmp_path / "store.sqlite").refused(3, "corrupt")
    run("check", "gemm@best", "--store", tmp_path / "none.sqlite").refused(2, "nothing is known yet about gemm")


class Ticking:
    """A clock on which every look takes as long as the next: how busy the machine is decides nothing."""

    looks = 0

    def monotonic_s(self):
        Ticking.looks += 1
        return 0.5 * Ticking.looks

    def utc(self):
        return "2030-01-01T00:00:00+00:00"


def test_tune_searches_an_example_within_its_budget(opencl, run, monkeypatch, tmp_path):
    monkeypatch.setattr("hotloop.app.session.SystemClock", Ticking)
    monkeypatch.setattr("hotloop.app.run.pace.MOST_SHARE", 0.0)
    monkeypatch.setattr("hotloop.app.run.polish.PHASE_S", 1.0)
    path = ROOT / "examples" / "transpose.py"
    ended = run("tune", path, "--shape", "rows=256,columns=256", "--budget", "40", "--quiet", "--json", "--no-peers")
    assert ended.code == 0, ended.err
    (page,) = json.loads(ended.out)
    assert page["search"]["evaluated"] >= 3
    assert json.loads(run("history", "--best", "--json").out)
    assert (
        run("check", f"{path}@best", "--shape", "rows=256,columns=256", "--level", "quick", "--no-sanitize").code == 0
    )
