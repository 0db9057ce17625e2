"""What is told of a compiler's messages."""

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
