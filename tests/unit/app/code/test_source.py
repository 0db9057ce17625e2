"""What is told of a compiler's messages."""

import gzip
import json
import sys
from pathlib import Path

import pytest

from hotloop.app.code import source
from hotloop.app.code.compiled import Request, _first, compiled
from hotloop.errors import UsageError

TRITON = (
    "CompilationError: at 3:26:\ndef twice(x, n):\n    tl.load(x + i)\n            ^\n{reason}\nValueError: {reason}"
)


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("k.hip:3:1: note: here\nk.hip:4:2: error: no such name 'q'.\n    q\n    ^\n", "k.hip:4:2: error: no such name 'q'"),
        ("k.cl:4:2: error: no such name", "k.cl:4:2: error: no such name"),
        ("something else\nmore", "something else"),
        ("", "no message"),
    ],
)  # fmt: skip
def test_the_first_error_is_told(log, told):
    assert _first(log) == told


def test_triton_gives_place_and_reason():
    assert _first(TRITON.format(reason="x is not defined")) == "CompilationError: at 3:26: x is not defined"


def test_the_reason_of_what_the_language_lacks_is_told_too():
    log = TRITON.format(reason="some of it").replace("CompilationError", "UnsupportedLanguageConstruct")
    assert _first(log) == "UnsupportedLanguageConstruct: at 3:26: some of it"


def test_a_guessed_type_is_named_as_such():
    told = _first(TRITON.format(reason="Unsupported ptr type int32 in `tl.load`"))
    assert told.startswith("CompilationError: at 3:26: Unsupported ptr type")
    assert "signature=dict(" in told


@pytest.mark.parametrize("target", ["", "gfx942"])
def test_the_best_is_not_offered_where_no_store_is_read(target):
    with pytest.raises(
        UsageError, match=r"^gemm@best: what is best is not looked up for this; name its values"
    ) as told:
        compiled("gemm", "best", Request(text="gemm@best", target=target))
    assert "or gemm@best" not in str(told.value)


LISTINGS = Path(__file__).parents[3] / "golden" / "amdgcn"


@pytest.mark.parametrize(
    ("file", "target", "held"),
    [
        (sys.executable, "gfx942", "x86"),
        (LISTINGS / "triton_scale_gfx90a.s", "gfx942", "gfx90a"),
        (LISTINGS / "triton_scale_gfx90a.s", "sm_90", "gfx90a"),
    ],
)
def test_code_of_another_processor_is_not_taken_for_the_asked_gpus(file, target, held):
    with pytest.raises(UsageError, match=rf"holds code for {held}, not for {target}: leave --target out"):
        source.read(Request(text=str(file), target=target))


@pytest.mark.parametrize(("name", "target"), [("triton_scale_gfx90a.s", "gfx90a:xnack-"), ("objdump_scale_gfx90a.s", "gfx90a"), ("triton_scale_gfx90a.s", "")])  # fmt: skip
def test_code_of_the_asked_gpu_is_read(name, target):
    assert source.read(Request(text=str(LISTINGS / name), target=target))


KERNEL = (
    '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n\t.type scale,@function\nscale:\n\tglobal_load_dword v2, v[2:3], off\n\ts_waitcnt vmcnt(0)\n'
    "\tv_mul_f32_e32 v2, 2.0, v2\n\tglobal_store_dword v[0:1], v2, off\n\ts_endpgm\n"
)
"""From its label to its last instruction, as people pass a kernel on."""
LINES = KERNEL.splitlines()
WRAPPED = {
    "alone": KERNEL,
    "mail": "From: a\n\nHi,\n" + "".join(f"> {line}\n" for line in LINES),
    "markdown": f"Look:\n\n```asm\n{KERNEL}```\n\nWhy?\n",
    "page": f"<html><pre>{KERNEL}</pre></html>\n",
    "numbered": "".join(f"{number:4d}  {line}\n" for number, line in enumerate(LINES, 1)),
    "log": "".join(f"2026-01-01 10:00:00,000 {line}\n" for line in LINES),
    "notebook": json.dumps({"cells": [{"outputs": [{"text": [f"{line}\n" for line in LINES]}]}]}),
    "gzip": gzip.compress(KERNEL.encode(), mtime=0),
}


@pytest.mark.parametrize("content", WRAPPED.values(), ids=WRAPPED)
def test_a_listing_within_something_else(tmp_path, content):
    path = tmp_path / "given"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (listed,) = source.read(Request(text=str(path)))
    assert (listed.function.name, listed.function.target, len(listed.function.instructions)) == ("scale", "gfx90a", 5)


def test_what_is_packed_and_no_code_is_told(tmp_path):
    path = tmp_path / "given.gz"
    path.write_bytes(gzip.compress(KERNEL.replace("\ts_endpgm\n", "").encode()))
    with pytest.raises(UsageError, match="cut off inside function 'scale'"):
        source.read(Request(text=str(path)))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("k.py", "import triton\n", "k.py:small"),
        ("k.py", "import triton\nimport hotloop\n", "k.py"),
        ("k.hip", "__global__ void small() {}\n", "k.hip"),
    ],
)
def test_the_kernel_that_is_asked_for_is_the_only_one_compiled(tmp_path, name, text, expected):
    """Drawn: `isa moe.py --kernel small` asked to choose one of several kernels."""
    (tmp_path / name).write_text(text)
    assert source._chosen(str(tmp_path / name), "small") == str(tmp_path / expected)
