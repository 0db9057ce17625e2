"""Rewritten CUDA C++ and HIP C++: compiled for a card of each vendor, executed as AMD code, equal bit for bit; wrong twins are not."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.cli.main import main
from hotloop.compilers import executor
from hotloop.compilers.offer import Compiled
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.rewrite.gpu import catalogue, words

pytest.importorskip("ziglang")

MATMUL = """__global__ void matmul(const float *a, const float *b, float *c, int n, int m) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
            sum += a[i * n + k] * __ldg(&b[k * n + j]);
        }
        c[i * n + j] = sum;
    }
}
"""
BLOCK, N, M = 16, 50, 7


def arguments(posed: words.Posed) -> list[np.ndarray | np.generic]:
    rng = np.random.default_rng(3)
    numbers = {"n": np.int32(N), "m": np.int32(M), "a": np.float32(0.75)}
    return [
        rng.standard_normal(N * N).astype(np.float32) if one.pointer else numbers[one.name]
        for one in posed.function.arguments
    ]


def executed(folder: Path, text: str, posed: words.Posed) -> list[np.ndarray]:
    """Return what all arrays are after a run of a text as AMD code, in which a thread takes what `posed` says."""
    path = folder / "k.hip"
    path.write_text(text.replace("__global__", 'extern "C" __global__'))
    made = compile_offline(f"{path}:{posed.function.name}", "gfx942")
    assert isinstance(made, Compiled), made
    given = arguments(posed)
    sides = [-(-extent // step) for extent, step in zip((N, M), (*posed.steps, 1), strict=False)]
    grid = (-(-sides[0] // BLOCK), sides[1] if len(posed.steps) > 1 else 1, 1)
    launch = Launch(arguments=given, grid=grid, workgroup=(BLOCK, 1, 1))
    done = run(load(made.listing, posed.function.name), launch, backend=executor.native())
    assert done.findings == ()
    return [np.asarray(one) for one in done.arrays]


CASES = [
    *((one.examples[0].before, {one.name: one.examples[0].value}, one.twin) for one in catalogue.rewrites() if "__global__" in one.examples[0].before),
    (MATMUL, {"outputs-per-item": "2x2x1"}, ("a[(i + 1) * n + k]", "a[i * n + k]")),
    (MATMUL, {"outputs-per-item": "1x4x1", "loop-unrolling": 4, "restrict-pointers": "on", "launch-bounds": "on"}, ("sum_3 += a[i * n + k]", "sum_3 += a[i * n]")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "wanted", "twin"), CASES, ids=["+".join(map(str, wanted)) for _, wanted, _ in CASES]
)
def test_a_rewritten_kernel_is_the_same_and_its_twin_is_not(before, wanted, twin, tmp_path):
    name = words.kernels(before)[0].name
    posed = words.pose(before, name, (BLOCK,))
    made = catalogue.rewritten(posed, wanted)
    text = words.replaced(before, made)
    expected = executed(tmp_path, before, posed)
    assert all(np.array_equal(one, other) for one, other in zip(executed(tmp_path, text, made), expected, strict=True))
    assert twin[0] in text
    wrong = executed(tmp_path, text.replace(*twin), made)
    assert not all(np.array_equal(one, other) for one, other in zip(wrong, expected, strict=True))


@pytest.mark.parametrize("target", ["sm_90", "gfx942"])
def test_four_elements_are_one_access(target, tmp_path):
    rewrite = next(one for one in catalogue.rewrites() if one.name == "vector-access")
    path = tmp_path / f"k.{'cu' if target == 'sm_90' else 'hip'}"
    path.write_text(rewrite.examples[0].after)
    made = compile_offline(f"{path}:mix", target)
    assert isinstance(made, Compiled), made
    assert any(one in made.listing for one in ("global_load_dwordx4", "LDG.E.128", "ld.global.v4"))


def ended(words_: list[str]) -> object:
    """Return the exit code of a command."""
    with pytest.raises(SystemExit) as exit_:
        main(words_)
    return exit_.value.code


def test_a_source_is_rewritten_for_a_card_that_is_not_here(tmp_path, capsys):
    (tmp_path / "k.hip").write_text(
        MATMUL + "__global__ void tile(float *x) { __shared__ float s[64]; x[0] = s[0]; }\n"
    )
    words_ = ["optimize", f"{tmp_path}/k.hip:matmul", "--target", "gfx942", "--size", "n=50,m=7"]
    wanted = ["--start", "outputs-per-item=2x1x1", "--start", "restrict-pointers=on", "--local", "16"]
    assert ended([*words_, *wanted, "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["tried"]
    assert (row["executed"], row["grid"]) == ("same", "y / 2")
    assert (
        "+__global__ void matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c"
        in row["diff"]
    )
    assert ended([*words_, *wanted[:2]]) == 0
    assert "not executed: name --local 256" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words_", "told"),
    [
        (("k.hip:matmul",), "add --target sm_90"),
        (("k.hip:tile", "--target", "gfx942"), "tile is not rewritten: it keeps shared memory"),
        (("k.hip", "--target", "gfx942"), "has several kernels; name one"),
        (("k.hip:mat", "--target", "gfx942"), "did you mean matmul"),
        (("k.hip:matmul", "--target", "gfx942", "--start", "unroll=4"), "did you mean loop-unrolling"),
        (("no.hip", "--target", "gfx942"), "cannot be read"),
        (("k.hip:matmul", "--target", "sm_90"), "for sm_90 give a .cu file"),
    ],
)
def test_what_cannot_be_rewritten_is_a_sentence(words_, told, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hip").write_text(
        MATMUL + "__global__ void tile(float *x) { __shared__ float s[64]; x[0] = s[0]; }\n"
    )
    assert ended(["optimize", *words_]) == 2
    assert told in capsys.readouterr().err
