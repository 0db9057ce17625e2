"""Running CUDA and HIP kernels on the host: `emulation.h` compiled with the kernel's own text."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.maps import element_map

HERE = Path(__file__).parent
MATRIX = {
    (32, "bfloat16"): "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
    (32, "float16"): "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    (64, "bfloat16"): "v_mfma_f32_16x16x16_bf16",
    (64, "float16"): "v_mfma_f32_16x16x16_f16",
}
FLAGS = (
    "-std=c++20", "-O0", "-mf16c", "-w", "-shared", "-fPIC", "-fno-gnu-unique",  # kernels of waves of 32 and 64 share a process
    "-fsanitize=alignment,bounds", "-fsanitize-undefined-trap-on-error",
)  # fmt: skip

Launch = Callable[..., int]


def to_bits(values: np.ndarray, dtype: str) -> np.ndarray:
    """Return an array as it lies in memory; bfloat16 as uint16, rounded to nearest even."""
    if dtype != "bfloat16":
        return values.astype(dtype)
    wide = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((wide + 0x7FFF + (wide >> 16 & 1)) >> 16).astype(np.uint16)


def from_bits(stored: np.ndarray, dtype: str) -> np.ndarray:
    """Return the float64 values of an array in memory."""
    if dtype != "bfloat16":
        return stored.astype(np.float64)
    return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def poisoned(shape: Sequence[int], dtype: str) -> np.ndarray:
    """Return an output array full of NaN."""
    return np.full(shape, 0x7FFF, np.uint16) if dtype == "bfloat16" else np.full(shape, np.nan, dtype)


def _tables(wave: int, dtype: str) -> str:
    """Return the C++ tables of a matrix instruction: where each lane's elements belong."""
    instruction = catalogue.find(MATRIX[wave, dtype])
    a, b, d = (element_map(instruction, operand) for operand in "ABD")
    sizes = (a.items, b.items, d.items, instruction.m, instruction.n, instruction.k)
    names = ("A_ITEMS", "B_ITEMS", "D_ITEMS", "ROWS", "COLUMNS", "DEPTH")
    lines = [f"constexpr int {name} = {value};" for name, value in zip(names, sizes, strict=True)]
    arrays = {
        "a_row": a.row, "a_k": a.column, "b_k": b.row, "b_column": b.column, "d_row": d.row, "d_column": d.column
    }  # fmt: skip
    for name, values in arrays.items():
        text = ",".join("{" + ",".join(map(str, lane)) + "}" for lane in values)
        lines.append(f"constexpr int {name}[{wave}][{values.shape[1]}] = {{{text}}};")
    return "namespace maps {" + "\n".join(lines) + "}"


class Emulator:
    """Compiles kernels for the host and holds what their arrays look like in memory."""

    to_bits = staticmethod(to_bits)
    from_bits = staticmethod(from_bits)
    poisoned = staticmethod(poisoned)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: dict[tuple[object, ...], Launch] = {}

    def __call__(self, source: str, entry: str, options: Sequence[str], *, wave: int = 32, matrix: str = "") -> Launch:
        """Return the launch of a kernel, compiled once; `matrix` names the element type of its matrix instruction."""
        key = (source, entry, tuple(options), wave, matrix)
        if key not in self._made:
            self._made[key] = self._compiled(source, entry, options, wave, matrix)
        return self._made[key]

    def _compiled(self, source: str, entry: str, options: Sequence[str], wave: int, matrix: str) -> Launch:
        folder = self._folder / f"{entry}-{len(self._made)}"
        folder.mkdir()
        (folder / "kernel.cpp").write_text(f'#include "{HERE / "emulation.h"}"\n{source}')
        flags = [*FLAGS, *options, f"-DHOTLOOP_EMULATED={wave}", f"-I{folder}"]
        if matrix:
            (folder / "matrix_maps.h").write_text(_tables(wave, matrix))
            flags.append("-DHOTLOOP_MATRIX")
        command = ["g++", *flags, "-o", str(folder / "kernel.so"), str(folder / "kernel.cpp")]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr[:3000]
        library = ctypes.CDLL(str(folder / "kernel.so"))

        def launch(grid, threads, shared_bytes, x, w, y, more=None, count=0):
            pointers = [ctypes.c_void_p(None if a is None else a.ctypes.data) for a in (x, w, y, more)]
            kernel = ctypes.cast(getattr(library, entry), ctypes.c_void_p)
            return library.emulate(kernel, *pointers, count, *grid, threads, ctypes.c_long(shared_bytes))

        return launch


@pytest.fixture(scope="module")
def emulate(tmp_path_factory: pytest.TempPathFactory) -> Emulator:
    """Return what compiles kernels for the host, each once."""
    if not shutil.which("g++") or platform.machine() != "x86_64":
        pytest.skip("the emulation needs g++ on x86-64")
    return Emulator(tmp_path_factory.mktemp("emulated"))


@pytest.fixture(scope="session")
def planned_code(tmp_path_factory):
    """Return what compiles the program that an implementation plans for an H200, and what came of it.

    In a process of its own, for Triton keeps state and warns: one for all of them, which loads Triton once.
    """
    if importlib.util.find_spec("triton") is None:
        pytest.skip("Triton is not installed")
    folder = tmp_path_factory.mktemp("planned")
    environment = {**os.environ, "TRITON_CACHE_DIR": str(folder), "TRITON_DEFAULT_FP_FUSION": "1"}
    command, told = [sys.executable, str(HERE / "compile_planned.py")], folder / "stderr.txt"
    with told.open("w") as errors, subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
    ) as child:  # fmt: skip

        def compiled(family: str, implementation: str, config: dict, sizes: dict, *, listed: bool = False) -> dict:
            asked = {
                "family": family,
                "implementation": implementation,
                "config": dict(config),
                "sizes": sizes,
                "listed": listed,
            }
            assert child.poll() is None, told.read_text()[-3000:]
            child.stdin.write(json.dumps(asked) + "\n")
            child.stdin.flush()
            answer = child.stdout.readline()
            assert answer, told.read_text()[-3000:]
            return json.loads(answer)

        yield compiled
