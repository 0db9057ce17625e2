"""Triton examples from the command line: verified in the interpreter, refused in one sentence where PyTorch is missing."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from hotloop.cli.main import main

ROOT = Path(__file__).parents[2]
SOFTMAX, TRANSPOSE = ROOT / "examples" / "softmax_triton.py", ROOT / "examples" / "transpose_gluon.py"
MATMUL = ROOT / "examples" / "matmul_triton.py"
SMALL = "rows=3,columns=150"
needs_triton = pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")
without_torch = pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
with_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")


@pytest.fixture
def run(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    monkeypatch.delenv("HOTLOOP_DEVICE", raising=False)
    monkeypatch.setenv("COLUMNS", "300")

    def ran(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(a) for a in arguments])
        captured = capfd.readouterr()
        return left.value.code, captured.out + captured.err

    return ran


@needs_triton
@without_torch
@pytest.mark.parametrize("example", [SOFTMAX, TRANSPOSE])
def test_missing_pytorch_is_one_sentence(run, example):
    code, text = run("check", example)
    assert code == 3
    assert "pip install 'hotloop[torch]'" in text
    assert "Traceback" not in text


@needs_triton
@with_torch
def test_an_example_is_verified_in_the_interpreter(run):
    code, text = run("check", f"{SOFTMAX}@WHOLE=1", "--shape", SMALL, "--level", "quick")
    assert code == 0
    assert "interpreter" in text


@needs_triton
@with_torch
def test_a_product_is_verified_in_the_interpreter(run):
    code, text = run("check", f"{MATMUL}@GROUP=4", "--shape", "m=70,n=40,k=50", "--level", "quick")
    assert code == 0, text


@needs_triton
@with_torch
@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("weights / tl.sum(weights, 0), mask=inside", "weights / tl.sum(weights, 0)", "canary after y"),
        ('other=-float("inf")', "other=0.0", "error"),
        ("tl.program_id(0).to(tl.int64) * columns", "tl.program_id(0).to(tl.int64) * BLOCK", ""),
    ],
)
def test_wrong_kernels_are_caught_there(run, tmp_path, right, wrong, why):
    text = SOFTMAX.read_text()
    assert right in text
    broken = tmp_path / "broken.py"
    broken.write_text(text.replace(right, wrong))
    code, said = run("check", f"{broken}@WHOLE=1", "--shape", SMALL, "--level", "quick")
    assert code == 1
    assert why in said
