"""The command line as people meet it: help, bad input, missing runtimes, damaged stores, users' own kernels."""

import json
import os
import re
import resource
import shlex
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hotloop import registry
from hotloop.cli.main import COMMANDS, main
from hotloop.store import Store, schema

ROOT = Path(__file__).parents[2]
NULL_KERNEL = Path(__file__).with_name("null_kernel.py")
VERBS = [name.replace("_", "-") for name in registry.names(COMMANDS)]

USER_FILE = '''
import numpy as np
import hotloop as hl
{top}
SOURCE = """__kernel void twice(__global float *x, __global float *y, const int n) {{
    const int i = get_global_id(0);
    {body}
}}
"""


@hl.kernel(problem=dict(n=100), work={work}, awkward={awkward})
class twice:
    def inputs(p, rng):
        {inputs}

    def reference(p, x, y, n):
        {reference}

    opencl = hl.OpenCL(SOURCE, entry="twice", params=dict(K=[1, 2]), {geometry}, {more})
'''
HEALTHY = {
    "top": "",
    "body": "if (i < n) y[i] = 2 * x[i];",
    "work": "lambda p: hl.Work(flops=p.n, bytes=8 * p.n)",
    "awkward": "lambda p: [dict(n=1), dict(n=61)]",
    "inputs": "return dict(x=rng.standard_normal(p.n, 'f4'), y=hl.empty(p.n), n=np.int32(p.n))",
    "reference": "return dict(y=2 * x.astype('f8'))",
    "geometry": "global_size=lambda p, c: (p.n,)",
    "more": "",
}


@pytest.fixture
def user_file(tmp_path):
    def write(**changes):
        path = tmp_path / "twice.py"
        path.write_text(USER_FILE.format(**{**HEALTHY, **changes}))
        return str(path)

    return write


class Ended:
    """What a command left behind."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def refused(self, code, *words):
        """Check for one sentence on standard error, which says what it should."""
        assert self.code == code, (self.code, self.out, self.err)
        sentences = [line for line in self.err.splitlines() if line.startswith("hotloop: ")]
        assert len(sentences) == 1, self.err
        assert "defect" not in sentences[0]
        assert "Traceback" not in self.err + self.out
        assert all(word in sentences[0] for word in words), sentences[0]
        return self

    def answered(self, code, kind, *words):
        """Check for the same as one JSON object on standard output."""
        self.refused(code, *words)
        error = json.loads(self.out)["error"]
        assert (error["kind"], error["exit_code"]) == (kind, code)
        assert self.err == f"hotloop: {error['message']}\n"


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Return a function that runs a command in this process, on a store of its own unless one is named."""
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))

    def start(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ended(left.value.code, out, err)

    return start


@pytest.fixture(scope="module")
def opencl():
    answer = subprocess.run(
        [sys.executable, "-m", "hotloop", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    found = json.loads(answer.stdout)["findings"]
    if not any(row["what"].startswith("OpenCL device") and row["works"] for row in found):
        pytest.skip("no OpenCL device works here")


# --- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_every_verbs_help_has_examples_that_begin_with_it(run, verb):
    ended = run(verb, "--help")
    assert ended.code == 0
    _, _, examples = ended.out.partition("Examples:")
    rows = (line.strip() for line in examples.splitlines())
    lines = [re.split(r"\s{2,}", row)[0] for row in rows if row.startswith("hotloop ")]  # the rest explains
    assert len(lines) >= 2
    assert all(shlex.split(line)[1] in VERBS for line in lines)
    assert sum(f"hotloop {verb}" in line for line in lines) >= 2 or verb == "init"


def test_the_groups_help_lists_every_verb_and_the_exit_codes(run):
    ended = run("--help")
    assert all(f"\n  {verb} " in ended.out for verb in VERBS)
    assert "Exit codes: 0 done" in ended.out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run, shell):
    assert "_HOTLOOP_COMPLETE" in run("completion", shell).out


def test_completion_knows_families_and_files(run, monkeypatch):
    monkeypatch.setenv("_HOTLOOP_COMPLETE", "bash_complete")
    environment = {**os.environ, "COMP_WORDS": "hotloop optimize ge", "COMP_CWORD": "2"}
    code = "from hotloop.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert "plain,gemm" in done.stdout


# --- errors as JSON ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_answers_a_misspelt_option_with_a_json_object(run, verb):
    run(verb, "--bogus", "--json").answered(2, "UsageError", "--bogus")


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (["check", "nosuch"], 2, "UnknownNameError"),
        (["report", "nosuch"], 3, "NoStoreError"),
        (["explain", "nosuch.csv"], 2, "UsageError"),
        (["compare", "gemm"], 2, "UsageError"),
        (["optimize", "gemm", "--shape", "axb"], 2, "BadShapeError"),
        (["bench", "gemm", "--device", "nosuch"], 3, "NoDeviceError"),
    ],
)
def test_errors_are_json_objects_too(run, arguments, code, kind):
    run(*arguments, "--json").answered(code, kind)


def test_an_error_after_the_answer_adds_no_second_document(run):
    ended = run("optimize", NULL_KERNEL, "--budget", "1", "--quiet", "--json", "--html", "/dev/full")
    ended.refused(3, "cannot write /dev/full")
    assert "error" not in json.loads(ended.out)
    run("check", "nosuch", "--json").answered(2, "UnknownNameError")


def test_a_file_that_ends_the_process_is_told_as_json(tmp_path):
    (tmp_path / "leaves.py").write_text("import os\nos._exit(0)\n")
    command = [sys.executable, "-m", "hotloop", "check", str(tmp_path / "leaves.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    Ended(done.returncode, done.stdout, done.stderr).answered(2, "KernelFileError", "leaves.py", "os._exit")


@pytest.mark.parametrize("verb", [["isa"], ["explain"], ["emulate"], ["predict"], ["patch", "--recipe", ROOT / "examples/patch/dot2.toml"]])  # fmt: skip
@pytest.mark.parametrize("text", ["", "; nothing but a remark\n"])
def test_a_listing_without_code_is_told_by_name(run, tmp_path, verb, text):
    (tmp_path / "bare.s").write_text(text)
    run(*verb, tmp_path / "bare.s", *["--target", "gfx942"] * (verb != ["explain"])).refused(2, "bare.s")


# --- requests that cannot be understood ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nosuch"], ["unknown kernel family or file 'nosuch'", "gemm"]),
        (["optimize", "gemm", "--target", "gfx942", "--engine", "ray"], ["with --target", "leave out --engine"]),
        (["tune", "gemm", "--target", "gfx942", "--mode", "hot"], ["with --target", "leave out --mode"]),
        (["check", "gemm", "--target", "gfx942", "--device", "pocl"], ["with --target", "leave out --device"]),
        (["ladder", "gemm", "--target", "gfx942", "--engine", "ray"], ["with --target", "leave out --engine"]),
        (
            ["optimize", "gemm", "--target", "gfx942", "--html", "a.html", "--objective", "edp"],
            ["leave out --objective and --html"],
        ),
        (["optimize", "nosuch.py"], ["there is no file nosuch.py"]),
        (["tune", "gemm@VW=4"], ["names a variant where a kernel is wanted", "give gemm"]),
        (["check", "gemm", "--shape", "axb"], ["'axb' is not understood", "MxNxK"]),
        (["optimize", "gemm", "--shape", "1x2x3x4"], ["is not understood"]),
        (["check", "gemm", "--shape", "8x-8x8"], ["is not understood"]),
        (["check", "gemm", "--shape", "m=-8"], ["m is -8", "negative"]),
        (["check", "gemm", "--shape", "m=many"], ["'many' is not"]),
        (["check", "gemm", "--shape", "q=8"], ["no size 'q'"]),
        (["check", "gemm@NOPE=1"], ["unknown parameter", "'NOPE'"]),
        (["check", "gemm@nope"], ["unknown implementation 'nope'"]),
        (["compare", "gemm", "nosuch"], ["unknown kernel family"]),
        (["optimize", "gemm", "--start", "VW"], ["'VW' is not NAME=VALUE"]),
        (["optimize", "gemm", "--implementation", "cuda"], ["unknown implementation 'cuda'"]),
        (["optimize", "gemm", "--budget", "0"], ["'--budget'", "above 0"]),
        (["optimize", "gemm", "--margin", "nan"], ["'--margin'", "above 0 and below 1"]),
        (["check", "gemm", "--limit", "-3"], ["'--limit'", "above 0"]),
        (["check", "gemm", "--seed", "-1"], ["'--seed'"]),
        (["check"], ["missing argument 'TARGET'", "hotloop check --help"]),
        (["frobnicate"], ["no such command 'frobnicate'"]),
        (["check", "gemm", "--nonsense"], ["no such option"]),
        (["history", "--limit", "0"], ["'--limit'"]),
        (["init", "--name", "1x"], ["'1x' is not usable as a name"]),
    ],
    ids=lambda value: " ".join(value) if value and value[0] in {*VERBS, "frobnicate"} else "",
)
def test_requests_that_cannot_be_understood(run, arguments, words):
    run(*arguments).refused(2, *words)


def test_without_a_verb_there_is_help(run):
    ended = run()
    assert "Commands:" in ended.err + ended.out


# --- users' files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"top": "def ("}, ["twice.py:4: invalid syntax"]),
        ({"top": "1 / 0"}, ["raises ZeroDivisionError when it is loaded", "division by zero"]),
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
        ({"reference": "raise KeyError('gone')"}, ["reference", "KeyError", "gone"]),
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
        ({"inputs": "return dict(x=rng.standard_normal(p.n, 'f4'), y=hl.empty(p.n), n=1 << 40)"}, ["launch failed"]),
        ({"more": "args=['x', 'y']"}, ["launch failed"]),
    ],
    ids=lambda value: next(iter(value.values()))[:48] if isinstance(value, dict) else "",
)
def test_kernels_that_are_wrong_are_bad_news_with_the_reason(opencl, run, user_file, changes, words):
    ended = run("check", user_file(**changes), "--level", "quick", "--limit", "1.5")
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
    ended = run("optimize", path, "--budget", "3", "--quiet", "--json", "--no-peers")
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
    ended = run("optimize", user_file(body="y[i] = 3 * x[i];"), "--budget", "5", "--quiet", "--json")
    assert ended.code == 1
    (step,) = json.loads(ended.out)["steps"]
    assert step["decision"] == "refuse"
    assert "wrong result" in step["reason"]


# --- what is missing on the machine ----------------------------------------------------------------------------------


def test_no_runtime(run, user_file, tmp_path, monkeypatch):
    pytest.importorskip("pyopencl")
    (tmp_path / "vendors").mkdir()
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "vendors"))
    for verb in (["check"], ["optimize", "--quiet"], ["tune", "--quiet"], ["bench"]):
        run(verb[0], user_file(), *verb[1:]).refused(3, "pip install 'hotloop[cpu]'")
    ended = run("doctor", "--json")
    assert ended.code == 3
    assert not json.loads(ended.out)["healthy"]


def test_no_bindings(run, user_file, tmp_path, monkeypatch):
    package = tmp_path / "path" / "pyopencl"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('raise ModuleNotFoundError("No module named pyopencl", name="pyopencl")')
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    run("check", user_file()).refused(3, "pip install 'hotloop[cpu]'")
    assert run("history").refused(3, "there is no store")
    assert run("init", tmp_path).code == 0


def test_no_such_device(opencl, run, user_file):
    run("check", user_file(), "--device", "abacus").refused(3, "no OpenCL device matches 'abacus'", "listed devices")


def test_pages_that_cannot_be_written_are_refused_before_the_run(run, tmp_path):
    missing = tmp_path / "no" / "page.html"
    run("optimize", NULL_KERNEL, "--html", missing).refused(3, "cannot write", "there is no folder")
    run("optimize", NULL_KERNEL, "--markdown", tmp_path).refused(2, "is a directory")


def test_a_page_that_cannot_be_written_after_all_loses_nothing(run, tmp_path):
    ended = run("optimize", NULL_KERNEL, "--budget", "1", "--quiet", "--html", "/dev/full")
    ended.refused(3, "cannot write /dev/full", "No space left on device", "kept in the store")
    assert "Trajectory" in ended.out
    assert len(json.loads(run("history", "--json").out)) == 1


@pytest.mark.parametrize("arguments", [["history", "--json"], ["--help"], ["report"], ["doctor"]])
def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "hotloop", *arguments],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode in (1, 2, 3)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


# --- stores ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path):
    """Return a store with one run in it."""
    path = tmp_path / "store.sqlite"
    with Store.open(path) as opened, opened.begin_run("optimize", "{}", "a run") as begun:
        begun.record("key", "{}")
    return path


OPTIMIZE = ["optimize", NULL_KERNEL, "--budget", "1", "--quiet"]


@pytest.mark.parametrize("arguments", [["history"], ["report"], OPTIMIZE], ids=lambda value: value[0])
def test_a_corrupt_store(run, tmp_path, arguments):
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"not a database, but somebody's letter" * 100)
    run(*arguments, "--store", path).refused(3, "corrupt", "left as it is", str(path))
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize("arguments", [["history"], OPTIMIZE], ids=lambda value: value[0])
def test_a_store_of_a_newer_version(run, store, arguments):
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(f"UPDATE {schema.VERSION_TABLE} SET version_num = 'r9999_future'")
        connection.commit()
    run(*arguments, "--store", store).refused(3, "newer")


def test_a_locked_store(run, store, monkeypatch):
    opened = Store.open
    monkeypatch.setattr(Store, "open", lambda *given, **named: opened(*given, busy_timeout_s=0.1, **named))
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        run(*OPTIMIZE, "--store", store).refused(3, "locked by another process")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_store_can_be_read_but_not_written(run, store):
    store.chmod(0o444)
    store.parent.chmod(0o555)
    assert "a run" in run("history", "--store", store).out
    run(*OPTIMIZE, "--store", store).refused(3, "read-only")
    store.parent.chmod(0o755)


def test_a_store_that_names_no_database(run):
    run("history", "--store", "mysql://host/base").refused(3, "mysql")


def test_nothing_to_report(run, store):
    run("report", "--store", store).refused(2, "nothing to report")
    run("report", "zzz", "--store", store).refused(2, "unknown run 'zzz'")


def test_a_store_without_runs_says_so(run, tmp_path):
    Store.open(tmp_path / "none.sqlite").close()
    run("report", "zzz", "--store", tmp_path / "none.sqlite").refused(2, "unknown run 'zzz'; there is none.")


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
    assert run("check", f"{path}@{better}", "--shape", shape, "--level", "quick").code == 0


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
    ended = run("tune", path, "--shape", "rows=256,columns=256", "--budget", "25", "--quiet", "--json", "--no-peers")
    assert ended.code == 0, ended.err
    (page,) = json.loads(ended.out)
    assert page["search"]["evaluated"] >= 3
    assert json.loads(run("history", "--best", "--json").out)
    assert run("check", f"{path}@best", "--shape", "rows=256,columns=256", "--level", "quick").code == 0


# --- start-up --------------------------------------------------------------------------------------------------------


def process_time_s(arguments, tries=6, good_s=0.0):
    """Return the least CPU time (user and system) that a command took; other users of the machine only add to it."""
    least_s = float("inf")
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least_s = min(least_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        if least_s < good_s:
            break
    return least_s


def test_help_and_import_start_quickly():
    bare_s = process_time_s([sys.executable, "-c", "pass"], tries=10)  # on a busy machine all takes more processor time
    for arguments, most_s in ((["-c", "import hotloop"], 0.1), (["-m", "hotloop", "--help"], 0.15)):
        allowed_s = max(most_s, 10 * bare_s)
        assert process_time_s([sys.executable, *arguments], tries=30, good_s=allowed_s) < allowed_s


@pytest.mark.parametrize("code", ["import hotloop", "import hotloop; hotloop.kernel", "import hotloop.cli.main"])
def test_starting_loads_nothing_heavy(code):
    heavy = ["numpy", "scipy", "sqlalchemy", "alembic", "rich", "cattrs", "pyopencl", "torch", "capstone"]
    program = f"import sys; {code}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("verb", "name"),
    [
        (("check",), "k.py"), (("check", "--size", "n=8"), "k.cl"), (("isa",), "k.s"), (("isa", "--target", "gfx942"), "k.hip"),
        (("explain",), "k.csv"), (("emulate",), "k.s"), (("emulate",), "k.hsaco"), (("predict", "--target", "gfx942"), "k.s"),
        (("patch", "--recipe", ROOT / "examples/patch/dot2.toml"), "k.s"), (("import", "--kernel", "gemm"), "k.json"),
        (("tune", "--workload"), "k.json"), (("ladder", "gemm", "--from"), "k.json"), (("init", "--from"), "k.cl"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["pipe", "loop"])
def test_what_is_no_regular_file_is_never_waited_for(run, tmp_path, verb, name, kind):
    os.mkfifo(tmp_path / name) if kind == "pipe" else (tmp_path / name).symlink_to(tmp_path / name)
    run(*verb, tmp_path / name).refused(2, name)


@pytest.mark.parametrize("name", ["sp a'c\"e.cl", "ca\nb.cl", "né.cl", os.fsdecode(b"n\xff.cl")])
@pytest.mark.parametrize("beginning", [b"", b"\xef\xbb\xbf"])
def test_sources_of_any_name_and_with_any_ends_of_lines_are_taken(opencl, run, tmp_path, name, beginning):
    text = b"__kernel void k(__global float *x, int n) {\r\n    int i = get_global_id(0);\r\n    if (i < n) x[i] += 1;\r\n}\r\n"
    (tmp_path / name).write_bytes(beginning + text)
    ended = run("check", tmp_path / name, "--size", "n=40", "--level", "quick", "--json")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["passed"]


def test_a_source_whose_name_is_no_utf_8_is_optimized_and_kept(opencl, run, tmp_path):
    path = tmp_path / os.fsdecode(b"n\xff.cl")
    path.write_text(
        "__kernel void k(__global float *x, int n) {\n    int i = get_global_id(0);\n    if (i < n) x[i] += 1;\n}\n"
    )
    ended = run("optimize", path, "--size", "n=4000", "--budget", "2", "--quiet", "--no-peers", "--json")
    assert ended.code == 0, ended.err
    ended.out.encode()
    assert json.loads(ended.out)["state"] == "finished"
    assert json.loads(run("history", "--json").out)[0]["state"] == "finished"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("arguments", [["techniques", "show", "pad"], ["techniques", "show", "pad", "--json"], ["check", "é\u2192.py", "--json"]])  # fmt: skip
def test_any_encoding_of_standard_output_will_do(arguments, encoding):
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [sys.executable, "-m", "hotloop", *arguments], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 2 * ("check" in arguments)
    assert b"defect" not in done.stderr
    if "--json" in arguments:
        assert json.loads(done.stdout.decode("ascii"))


@pytest.mark.parametrize("stream", [0, 1, 2])
@pytest.mark.parametrize(("arguments", "code"), [(["isa", "-"], 2), (["check", NULL_KERNEL, "--level", "quick"], 0)])
def test_closed_streams_are_no_defect(arguments, code, stream):
    command = f"exec {shlex.join([sys.executable, '-m', 'hotloop', *map(str, arguments)])} {stream}>&-"
    done = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert not re.search("defect|Traceback|Exception ignored", done.stderr)
