"""Listings of AArch64 that clang made of four loops of our own; the expected numbers were counted by hand.

``dot`` adds up products, ``look_up`` reads where other numbers say, ``count`` counts bytes, ``sum_up`` keeps its sum in memory where it
might be one of the summands. Made by ``clang -O2 -ffast-math -fno-unroll-loops`` of clang 21 (ziglang) for ``aarch64-linux-gnu``, with
``-mcpu=neoverse_n1+sve`` and for ``aarch64-macos``; listed by ``llvm-objdump -d`` of LLVM 14.
"""

from pathlib import Path

import pytest

from hotloop.isa.detect import dialect_of
from hotloop.isa.dialects.aarch64 import DIALECT
from hotloop.isa.mix import mix

LISTINGS = Path(__file__).parent / "aarch64"
NEON = {
    # two vectors of 128 bits, a multiply-add, a counter, a branch
    "dot": {"hot_instructions": 5, "fma_share": 1 / 5, "fma_bits": 128, "loads_per_fma": 2, "scalar_load_share": 0, "spills": 0},
    # an index and an element, both alone
    "look_up": {"hot_instructions": 5, "fma_share": 0, "scalar_load_share": 1 / 2, "vector_bits": 32, "gathers": 0},
    "count": {"hot_instructions": 6, "scalar_load_share": 0, "memory_updates": 0},
    # the vector loop is the hot one, in which the sum is in a register
    "sum_up": {"hot_instructions": 4, "fma_share": 1 / 4, "fma_bits": 128, "loads_per_fma": 1, "memory_updates": 0},
}  # fmt: skip
EXPECTED = {
    "loops_neon.s": NEON,
    "loops_neon.objdump": NEON,
    # Apple's form of the same loops, but four vectors are summed by `dot` and `sum_up` in an iteration
    "loops_apple.s": {"look_up": NEON["look_up"], "count": NEON["count"]},
    # the length of a vector is the processor's: 128 bits at least
    "loops_sve.s": {
        "dot": {"hot_instructions": 6, "fma_share": 1 / 6, "fma_bits": 128, "loads_per_fma": 2, "scalar_load_share": 0},
        "count": NEON["count"],
    },
}


@pytest.mark.parametrize(("file", "name"), [(file, name) for file, known in EXPECTED.items() for name in known])
def test_facts_of_a_real_loop(file, name):
    text = (LISTINGS / file).read_text(encoding="utf-8")
    assert dialect_of(text) == "aarch64"
    function = next(f for f in DIALECT.parse(text) if f.name.lstrip("_") == name)
    evidence = mix(function)
    assert {key: evidence.get(f"static.{key}") for key in EXPECTED[file][name]} == pytest.approx(EXPECTED[file][name])


def test_disassembly_and_assembly_tell_the_same():
    listed, written = (DIALECT.parse((LISTINGS / f"loops_neon.{end}").read_text()) for end in ("objdump", "s"))
    assert [f.name for f in listed] == [f.name for f in written] == ["dot", "look_up", "count", "sum_up"]
    for one, other in zip(listed, written, strict=True):
        assert [i.traits for i in one.instructions] == [i.traits for i in other.instructions]


def test_how_long_a_sum_takes_is_not_guessed():
    function = DIALECT.parse((LISTINGS / "loops_neon.s").read_text())[0]
    assert "not known of this processor" in mix(function).why_absent("static.sum_cycles")
