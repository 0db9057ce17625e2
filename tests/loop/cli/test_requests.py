"""The command line as people meet it: help, errors as JSON, requests that cannot be understood."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hotloop import registry
from hotloop.cli.main import COMMANDS

ROOT = Path(__file__).parents[3]
NULL_KERNEL = Path(__file__).parents[1] / "null_kernel.py"
VERBS = [name.replace("_", "-") for name in registry.names(COMMANDS)]


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


def test_a_file_that_ends_the_process_is_told_as_json(ended, tmp_path):
    (tmp_path / "leaves.py").write_text("import os\nos.write(1, b'noise of a library')\nos._exit(0)\n")
    command = [sys.executable, "-m", "hotloop", "check", str(tmp_path / "leaves.py"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    noise, _, said = done.stderr.partition("hotloop: ")
    assert noise == "noise of a library"
    ended(done.returncode, done.stdout, f"hotloop: {said}").answered(2, "KernelFileError", "leaves.py", "os._exit")


def test_an_answer_that_cannot_be_written_leaves_the_sentence_and_its_code():
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "hotloop", "isa", "nowhere.s", "--json"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"), [(["isa", "nowhere.s"], 2), (["init", "--name", "mine"], 3), (["techniques"], 0)]
)
def test_a_sentence_that_cannot_be_written_leaves_the_code(tmp_path, arguments, code):
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "hotloop", *arguments]
        done = subprocess.run(command, stderr=full, stdout=subprocess.PIPE, cwd=tmp_path, check=False)
    assert done.returncode == code


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
