"""Running ``attention.hip`` on the host: the source itself, compiled by the clang that compiles it for the GPU."""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hotloop.host import toolchain
from hotloop.kernels.attention.ladders import execute, hip_text
from hotloop.kernels.attention.ladders.tile import Tile

HERE = Path(__file__).parent
SOURCE = hip_text()
SHAPES = ((2, 70, 50), (1, 33, 97))
"""Heads, queries, keys: two work-groups of the smaller tiles, ragged, fewer and more keys than queries."""
FLAGS = (
    "-x", "c++", "-std=c++20", "-target", "x86_64-linux-gnu", "-O0", "-mavx2", "-mf16c", "-ffp-contract=off", "-fPIC",
    "-fno-exceptions", "-fno-rtti", "-nostdinc++", "-nostdlibinc", "-w", "-fno-stack-protector", "-fno-sanitize=all",
)  # fmt: skip
DESCENDING = (0, 1)
_BAND = 256 * 128
"""Elements around an array: more than a work-group's rows."""


class _Arguments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("q", "k", "v", "sizes", "out")]


class Host:
    """Compiles a variant of the source and runs it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0

    def compile(self, tile: Tile, target: str, source: str = SOURCE) -> ctypes.CDLL:
        """Return the library of a tile."""
        self._made += 1
        folder = self._folder / str(self._made)
        folder.mkdir()
        (folder / "attention.hip").write_text(source)
        architecture = [f"-D__{target}__"]
        where = f'-DSOURCE="{folder / "attention.hip"}"'
        zig = [sys.executable, "-m", "ziglang"]
        made = [*FLAGS, *architecture, where, *tile.macros, "-c", str(HERE / "drive.cpp"), "-o", str(folder / "k.o")]
        subprocess.run([*zig, "clang", *made], check=True)
        subprocess.run([*zig, "ld.lld", "-shared", str(folder / "k.o"), "-o", str(folder / "k.so")], check=True)
        return ctypes.CDLL(str(folder / "k.so"))

    def launch(
        self, library: ctypes.CDLL, tile: Tile, arrays: Sequence[np.ndarray], order: int
    ) -> tuple[np.ndarray, int]:
        """Return O and how many barriers a wave passed, -1 when waves disagree; NaN everywhere after a write outside of O."""
        q, k, v = (_banded(array, np.nan) for array in arrays)
        out, (heads, queries, depth) = _banded(np.full_like(arrays[0], np.nan), 7.0), arrays[0].shape
        sizes = np.array([(queries, arrays[1].shape[1], depth**-0.5)], dtype="i4,i4,f4")
        places = [array.ctypes.data + 2 * _BAND for array in (q, k, v)]
        given = _Arguments(*places, sizes.ctypes.data, out.ctypes.data + 2 * _BAND)
        passed = library.run(ctypes.byref(given), -(-queries // tile.rows), heads, order)
        inside = (out[:_BAND] == 7).all() and (out[-_BAND:] == 7).all()
        found = out[_BAND:-_BAND].reshape(arrays[0].shape)
        return found if inside else np.full_like(found, np.nan), passed

    def worst(
        self, tile: Tile, target: str, source: str = SOURCE, shapes: Sequence[tuple[int, int, int]] = SHAPES
    ) -> float:
        """Return the largest error over its bound with waves in both orders; infinite for NaN or a barrier that not all reach."""
        library, found = self.compile(tile, target, source), 0.0
        for heads, queries, keys in shapes:
            growth = execute.GROWTH if tile.lazy else 0.0
            one = [execute.inputs(queries + head, keys + head, growth) for head in range(heads)]
            arrays = [np.stack([head[at][:rows] for head in one]) for at, rows in enumerate((queries, keys, keys))]
            for order in DESCENDING:
                out, passed = self.launch(library, tile, arrays, order)
                for head in range(heads):
                    expected = execute.reference(*(array[head] for array in arrays), causal=bool(tile.causal))
                    found = max(found, execute.worst(out[head], *expected))
                if passed < 0 or found == float("inf"):
                    return float("inf")
        return found


def _banded(array: np.ndarray, value: float) -> np.ndarray:
    """Return the elements of an array between two bands."""
    band = np.full(_BAND, value, array.dtype)
    return np.concatenate([band, array.reshape(-1), band])


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """Return what runs the source here."""
    if toolchain.package("ziglang") is None:
        pytest.skip("the package ziglang is not installed")
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").is_file() else ""
    if platform.machine() != "x86_64" or "avx2" not in flags or "f16c" not in flags:
        pytest.skip("the emulation needs x86-64 with AVX2 and F16C")
    return Host(tmp_path)
