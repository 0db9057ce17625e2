"""Rows that are scaled in groups and packed into words: several of them a program give the same bytes as one, in the interpreter."""

from __future__ import annotations

import importlib.util
from importlib.util import find_spec

import pytest

from hotloop.rewrite.jitted import catalogue
from hotloop.rewrite.jitted.form import Script

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("triton") is None, reason="needs PyTorch and Triton"
)
BLOCK, GROUP, EDGE = 32, 8, 7
"""Numbers of a row, of a group of it, and rows behind the last one that must stay as they are."""


@pytest.fixture(scope="module")
def example():
    """The example of rows-per-program that packs."""
    rewrite = next(one for one in catalogue.rewrites() if one.name == "rows-per-program")
    return Script(next(one.before for one in rewrite.examples if "def packed" in one.before), "packed")


def packed(text, folder, name, rows, each):
    """Return codes and scales that a text gives for rows with awkward numbers, `each` of them a program."""
    import torch

    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    torch.manual_seed(rows)
    x = torch.randn(rows + EDGE, BLOCK)
    x[0, :GROUP] = 0.0
    for at, number in enumerate((float("nan"), float("inf"), -float("inf"), 1e-45, -0.0)):
        x[at % rows, GROUP + at] = number
    codes = torch.full((rows + EDGE, BLOCK // 2), 85, dtype=torch.uint8)
    scales = torch.full((rows + EDGE, BLOCK // GROUP), -1.0)
    more = (rows,) if each else ()
    module.packed[(-(-rows // (each or 1)),)](codes, scales, x, BLOCK, GROUP, False, *more)
    return codes.numpy().tobytes(), scales.numpy().tobytes()


@pytest.mark.filterwarnings("ignore:(invalid value|overflow|divide by zero) encountered")
@pytest.mark.parametrize(("rows", "each"), [(1, 2), (5, 4), (15, 16), (37, 8)])
def test_several_packed_rows_a_program_are_the_same_bytes(example, tmp_path, monkeypatch, rows, each):
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    made = catalogue.rewritten(example, {"rows-per-program": each}).text
    alone = packed(example.text, tmp_path, "alone", rows, 0)
    assert packed(made, tmp_path, "together", rows, each) == alone
    for piece, other in (("high << 4", "high << 3"), ("mask=inside)\n", "mask=rows < n_rows + 1)\n"), (f"({each}, BLOCK // 2, 2)", f"({each}, 2, BLOCK // 2)")):  # fmt: skip
        assert piece in made
        wrong = made.replace(piece, other).replace("axis=2).to", "axis=1).to" if "2, BLOCK" in other else "axis=2).to")
        assert packed(wrong, tmp_path, "wrong", rows, each) != alone, piece
