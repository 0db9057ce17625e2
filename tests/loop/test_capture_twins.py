"""Rewrites of Triton text in the interpreter: each is right on a captured launch, and verification catches its wrong twin."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from hotloop.captures import folder as folders
from hotloop.cli.main import main
from hotloop.ports import Executed
from hotloop.rewrite.jitted import catalogue
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.oracle import expect

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("triton") is None, reason="needs PyTorch and Triton"
)
LAUNCHES = {
    "exponent-base-two": "grow[(4,)](new(100), new(100), 100, BLOCK=32)",
    "reciprocal": "shares[(3,)](new(3 * 50), new(3 * 50), 50, BLOCK=64)",
    "load-hints": "twice[lambda meta: (128 // meta['BLOCK'],)](new(100), new(100), 100, BLOCK=32)",
    "broadcast-product": "multiplied[(1,)](new(16 * 64), new(16 * 32), new(32 * 64), M=16, N=64, K=32)",
    "stored-products": "product[(1,)](new(16 * 16), new(16 * 64).half(), new(16 * 64).half(), 64, BLOCK=16)",
    "dot-accumulator": "product[(1,)](new(16 * 16), new(16 * 64), new(64 * 16), 64, BLOCK=16)",
    "grouped-order": "flipped[(5, 3)](new(70 * 40), new(70 * 40), 70, 40, BLOCK=16)",
    "unmasked": "twice[(4,)](new(128), new(128), 128, BLOCK=32)",
    "loop-unrolling": "most[(1,)](new(32), new(200), 200, BLOCK=32)",
    "programs-in-turn": "shares[(7,)](new(350), new(350), 50, BLOCK=64)",
    "rounds-apart": "shifted[(3,)](new(11 * 90), new(90), 90, 5, 90, BLOCK=32)",
    "row-kept": "centred[(3,)](new(150), new(150), 50, BLOCK=64)",
    "row-products": "turned[(37,)](new(37 * 32), new(37 * 64), new(64 * 32), 60, K=64, N=32, STEP=16)",
    "rows-per-program": "shares[(6,)](new(300), new(300), new(6), 50, BLOCK=64)",
    "heads-per-program": "turned[(3, 6)](new(3 * 6 * 32), new(3 * 6 * 32), new(3 * 32), 6, WIDTH=32)",
    "store-hints": "doubled[(4,)](new(100), new(100), 100, BLOCK=32)",
    "neighbour-pairs": "turned[(3,)](new(10 * 20), new(10 * 20), 0.8, 0.6, 10, 20, ROWS=4, HALF=16)",
    "narrow-indices": "doubled[(4,)](new(400), new(400), 100, 100, BLOCK=128)",
    "constant-sizes": "bordered[(4,)](new(100), new(100), 100, 5, 10, BLOCK=32)",
    "lane-sums": "sizes[(4,)](new(4), new(4), new(400), 100, BLOCK=32)",
    "paired-stores": "unpacked[(4,)](new(200), new(100), 100, BLOCK=32)",
    "loop-lanes": "signs[(4,)](new(100), new(100), new(4), 100, SIZE=32)",
    "loop-stages": "total[(1,)](new(32), new(200), 200, BLOCK=32)",
}


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    """Kernels of every rewrite's first example, captured in one run of a program."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        from hotloop.app.captured import load as captured

        folder = tmp_path_factory.mktemp("program")
        made = "import torch\n\n\ndef new(n):\n    return torch.randn(n)\n\n\n"
        for rewrite in catalogue.rewrites():
            text = f"{rewrite.examples[0].before}\n\n{made}{LAUNCHES[rewrite.name]}\n"
            (folder / f"{rewrite.name.replace('-', '_')}.py").write_text(text)
        names = "\n".join(f"import {rewrite.name.replace('-', '_')}" for rewrite in catalogue.rewrites())
        (folder / "program.py").write_text(f"{names}\n")
        place = folder / "p.capture"
        with pytest.raises(SystemExit) as left:
            main(["capture", "--no-roof", "--out", str(place), "--", sys.executable, str(folder / "program.py")])
        assert left.value.code == 0
        capture = folders.read(place)
        assert capture.problems == ()
        yield {Path(one.path).stem: captured.load(place, one.name, 60.0) for one in capture.kernels}


@pytest.mark.parametrize("rewrite", catalogue.rewrites(), ids=lambda one: one.name)
def test_a_rewrite_is_right_and_its_twin_is_caught(rewrite, kernels):
    from hotloop.app.captured.truth import _beside

    example = rewrite.examples[0]
    kernel = kernels[rewrite.name.replace("-", "_")]
    engine, device = _beside(60.0).engine()
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{rewrite.name: example.value})
    program = implementation.plan(kernel.problem, config, device)
    assert program.source.strip() == example.after.strip()
    inputs = kernel.inputs(kernel.problem, np.random.default_rng(5))

    def judged(candidate):
        expected = expect(kernel, kernel.problem, inputs)
        dataset = engine.dataset("judged", inputs, tuple(expected.outputs))
        ran = engine.execute(candidate, dataset)
        engine.discard(dataset)
        assert isinstance(ran, Executed), ran
        return judge(kernel, Case(kernel.problem, "normal", 5, 0), inputs, ran.arrays, expected=expected).passed

    assert judged(program)
    twin = program.source.replace(*rewrite.twin)
    assert twin != program.source
    assert not judged(replace(program, source=twin)), "verification must catch it"


def test_what_is_only_written_begins_as_one_number_that_differs_between_inputs(kernels):
    kernel = kernels["load_hints"]
    first, second = (kernel.inputs(kernel.problem, np.random.default_rng(seed)) for seed in (5, 6))
    assert len(set(first["y"])) == len(set(second["y"])) == 1
    assert first["y"][0] != second["y"][0]
    assert len(set(first["x"])) > 50


def test_more_rows_than_the_threads_of_a_program_hold_are_refused(kernels, monkeypatch):
    from hotloop.app.captured import triton
    from hotloop.app.captured.truth import _beside

    kernel, (_, device) = kernels["rows_per_program"], _beside(60.0).engine()
    implementation = kernel.implementations[0]
    config = implementation.start.replace(**{"rows-per-program": 4})
    implementation.plan(kernel.problem, config, device)
    monkeypatch.setattr(triton, "_HELD", 1)
    with pytest.raises(ValueError, match="4 rows of a block of 64 are more than 128 threads hold"):
        implementation.plan(kernel.problem, config, device)
