"""Rewrites of Triton text that change how a kernel is launched, or hold for some sizes only: told, patched and adopted as such."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from hotloop.app.capture import adopt
from hotloop.app.run.kept import patch as patches
from hotloop.cli.main import main
from hotloop.model.codec import decode

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("triton") is None, reason="needs PyTorch and Triton"
)
PROGRAM = """import sys

import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({}, num_warps=2)], key=["cols"])
@triton.jit
def shares(y, x, cols, BLOCK: tl.constexpr):
    # a row for each program
    row = tl.program_id(0).to(tl.int64)
    y += row * cols
    total = 0.0
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.sum(tl.load(x + row * cols + at, mask=at < cols, other=0.0))
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        tl.store(y + at, tl.load(x + row * cols + at, mask=at < cols) / total, mask=at < cols)


torch.manual_seed(1)
x = torch.rand(7, int(sys.argv[1]))
y = torch.full_like(x, -1.0)
shares[lambda meta: (7,)](y, x, x.shape[1], BLOCK=32)
print("off", float((y - x / x.sum(1, keepdim=True)).abs().max()), file=sys.stderr)
"""


def found(place, changes):
    """Return the patch of a captured kernel that won with changes."""
    from hotloop.app.captured import load as captured
    from hotloop.app.captured.truth import _beside

    kernel = captured.load(place / "p.capture", "shares", 60.0)
    implementation = kernel.implementations[0]
    rows = []
    steps = tuple(
        SimpleNamespace(implementation=implementation.name, config=implementation.start.replace(**one))
        for one in ({}, changes)
    )
    journal = SimpleNamespace(record=lambda _key, text: rows.append(text))
    patches.record(journal, kernel, kernel.problem, _beside(60.0).engine()[1], steps, "2 × faster")
    return decode(json.loads(rows[0]), patches.Patch)


def adopted(place, patch, cols, capfd):
    """Run the program with a winner; return how far its results are off, and what was said."""
    adopt.write([adopt.adoption(patch)], place / "adoption.json")
    adopt.run([sys.executable, str(place / "program.py"), str(cols)], place / "adoption.json")
    lines = capfd.readouterr().err.splitlines()
    return next(float(one.split()[1]) for one in lines if one.startswith("off")), [
        one for one in lines if "adopt" in one
    ]


def patched(place, patch, cols):
    """Run the program as a patch makes it, its launches unchanged; return how far its results are off."""
    (place / "patched.py").write_text(patch.after)
    done = subprocess.run(
        [sys.executable, str(place / "patched.py"), str(cols)], capture_output=True, text=True, check=True
    )
    return next(float(one.split()[1]) for one in done.stderr.splitlines() if one.startswith("off"))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("program")
    (folder / "program.py").write_text(PROGRAM)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        command = [sys.executable, str(folder / "program.py"), "20"]
        with pytest.raises(SystemExit) as left:
            main(["capture", "--no-roof", "--out", str(folder / "p.capture"), "--", *command])
        assert left.value.code == 0
        yield folder


def test_fewer_programs_are_told_and_adopted(place, capfd):
    patch = found(place, {"rows-per-program": 2, "programs-in-turn": 2})
    (text,) = patch.launches
    assert text.startswith("shares: the decorator above it launches shares_faster with the grid and the constants")
    assert patch.after.count("    # a row for each program") == 2
    assert (
        '\n@triton.autotune(configs=[triton.Config({}, num_warps=2)], key=["cols"])\n@_shares_chosen\n@triton.jit\ndef shares('
        in patch.after
    )
    assert all(not line.startswith("-") for line in patch.diff.splitlines()[2:]), (
        "nothing of the program's own goes away"
    )
    assert patched(place, patch, 50) < 1e-6
    off, said = adopted(place, patch, 50, capfd)
    assert (off < 1e-6, said) == (True, []), "for sizes that were not captured, too"


def test_more_programs_are_told_and_adopted_unless_arguments_are_the_same_memory(place, capfd):
    patch = found(place, {"rounds-apart": 2})
    assert "where shared_memory() == 0, the kernel as it was elsewhere" in patch.launches[0]
    assert patched(place, patch, 50) < 1e-6
    other = replace(patch, after=patch.after.replace("](y, x, x.shape", "](y, y, x.shape"))
    assert patched(place, other, 50) == patched(
        place, replace(other, after=other.before.replace("](y, x, x.shape", "](y, y, x.shape")), 50
    )
    off, said = adopted(place, patch, 50, capfd)
    assert (off < 1e-6, said) == (True, [])
    program = (place / "program.py").read_text()
    try:
        (place / "program.py").write_text(program.replace("](y, x, x.shape", "](y, y, x.shape"))
        assert "shared_memory() == 0 does not hold" in adopted(place, patch, 50, capfd)[1][0]
    finally:
        (place / "program.py").write_text(program)


def test_what_holds_for_some_sizes_only_runs_for_these_only(place, capfd):
    patch = found(place, {"row-kept": 1})
    assert "where cols <= BLOCK, the kernel as it was elsewhere" in patch.launches[0]
    assert max(patched(place, patch, cols) for cols in (20, 50)) < 1e-6
    off, said = adopted(place, patch, 50, capfd)
    assert off < 1e-6
    assert said == ["hotloop adopt: shares: the program's own kernel runs: cols <= BLOCK does not hold"]


def test_a_block_that_the_row_fits_in_comes_with_the_rewrite(place):
    from hotloop.app.captured import load as captured
    from hotloop.app.captured.truth import _beside

    kernel = captured.load(place / "p.capture", "shares", 60.0)
    implementation, device = kernel.implementations[0], _beside(60.0).engine()[1]
    narrow = implementation.start.replace(BLOCK=16)
    offer = next(one for one in implementation.offers(kernel.problem, narrow, device) if one.rule == "row-kept")
    assert offer.changes == {"row-kept": 1, "BLOCK": 32, "num_warps": 2}
    with pytest.raises(ValueError, match="cols <= BLOCK does not hold in this launch"):
        implementation.plan(kernel.problem, narrow.replace(**{"row-kept": 1}), device)
