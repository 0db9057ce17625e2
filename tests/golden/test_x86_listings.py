"""Listings that Intel's CPU runtime produced from our own kernels; the expected numbers were counted by hand.

The kernels, all single precision: ``tile``, a register-tiled matrix product with R rows and 2 vectors of columns per
work-item; ``naive``, one element of C per work-item; ``local_tile``, a 16×16 tile in local memory with barriers, scalar
version and vectorized clone; ``exp``, a math library call per element. The AVX-512 ones were built on an AVX2 machine
with ``CL_CONFIG_CPU_TARGET_ARCH=skx``. Listed by ``objdump -dr -M intel``.
"""

from pathlib import Path

import pytest

from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.mix import mix

LISTINGS = Path(__file__).parent / "x86"
EXPECTED = {
    # 2 vector loads, 6 broadcasts, 12 FMAs, 8 integer and address instructions
    "tile_6x2_avx2": {"hot_instructions": 28, "fma_share": 12 / 28, "fma_bits": 256, "spills": 0, "broadcasts": 6,
                      "loads_per_fma": 8 / 12, "scalar_load_share": 0, "gathers": 0, "calls": 0},
    # 32 accumulators in 16 registers: 21 reloads and 21 stores of the stack
    "tile_16x2_avx2": {"hot_instructions": 128, "fma_share": 32 / 128, "fma_bits": 256, "spills": 42, "broadcasts": 16,
                       "loads_per_fma": (2 + 16 + 21) / 32, "scalar_load_share": 0},
    # 24 accumulators fit in 32 registers
    "tile_12x2_avx512": {"hot_instructions": 53, "fma_share": 24 / 53, "fma_bits": 512, "spills": 0, "broadcasts": 12,
                         "loads_per_fma": 14 / 24, "vector_bits": 512},
    # B is collected element by element: 8 one-element loads into two registers, 1 broadcast of A, 1 FMA
    "naive_avx2": {"hot_instructions": 30, "fma_share": 1 / 30, "fma_bits": 256, "spills": 0, "broadcasts": 1, "gathers": 2,
                   "loads_per_fma": 9, "scalar_load_share": 8 / 9},
    # 16 FMAs; 17 loads and 16 operands in memory, all of one element
    "local_tile_scalar": {"hot_instructions": 48, "fma_share": 16 / 48, "fma_bits": 32, "vector_bits": 32, "spills": 0,
                          "loads_per_fma": 33 / 16, "scalar_load_share": 1},
    "local_tile_avx2": {"hot_instructions": 50, "fma_bits": 256, "spills": 0, "broadcasts": 16, "scalar_load_share": 0},
    "local_tile_avx512": {"hot_instructions": 50, "fma_bits": 512, "spills": 0, "broadcasts": 16, "scalar_load_share": 0},
    "exp_avx2": {"calls": 2, "fma_share": 0, "vector_bits": 256},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_facts_of_a_real_kernel(name):
    (function,) = DIALECT.parse((LISTINGS / f"{name}.s").read_text())
    found = mix(function)
    assert {key: found.get(f"static.{key}") for key in EXPECTED[name]} == pytest.approx(EXPECTED[name])


def test_every_listing_is_expected_and_every_row_is_read():
    files = sorted(LISTINGS.glob("*.s"))
    assert {file.stem for file in files} == set(EXPECTED)
    for file in files:
        cells = [line.split("\t") for line in file.read_text().splitlines()]
        width = max(map(len, (c for c in cells if c[0].strip().endswith(":"))))  # 3 with raw bytes, 2 without
        rows = [c for c in cells if c[0].strip().endswith(":") and len(c) == width]
        (function,) = DIALECT.parse(file.read_text())
        assert [i.address for i in function.instructions] == [int(c[0].strip()[:-1], 16) for c in rows]
        told = [next(w for w in c[-1].split() if w not in ("data16", "cs")) for c in rows]
        assert [i.mnemonic for i in function.instructions] == told
