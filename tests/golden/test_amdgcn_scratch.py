"""Accesses of private memory through a buffer descriptor in listings of clang; see `amdgcn/scratch/README.md`."""

import re
from pathlib import Path

import pytest

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import InstructionKind, MemorySpace

LISTINGS = Path(__file__).parent / "amdgcn" / "scratch"


def functions(target, change=str):
    return {f.name: f for f in DIALECT.parse(change((LISTINGS / f"hip_scratch_{target}.s").read_text()))}


def buffers(function):
    return [i.traits for i in function.instructions if i.mnemonic.startswith(("buffer_load", "buffer_store"))]


@pytest.mark.parametrize("target", ["gfx90a", "gfx1012"])
@pytest.mark.parametrize("name", ["array", "spills", "called"])
def test_what_lies_behind_the_descriptor_is_scratch_and_the_rest_is_not(target, name):
    function = functions(target)[name]
    assert buffers(function)
    assert {(t.kind, t.space, t.stack) for t in buffers(function)} == {
        (InstructionKind.STACK, MemorySpace.SCRATCH, True)
    }
    others = [i.traits.space for i in function.instructions if i.mnemonic.startswith(("global_", "flat_"))]
    assert others
    assert MemorySpace.SCRATCH not in others


@pytest.mark.parametrize("target", ["gfx90a", "gfx1012"])
def test_spills_are_known_without_the_compilers_remark(target):
    plain = functions(target, lambda text: text.replace("Folded", ""))["spills"]
    assert [i.traits for i in plain.instructions] == [i.traits for i in functions(target)["spills"].instructions]


@pytest.mark.parametrize("target", ["gfx90a", "gfx1012"])
def test_without_private_memory_the_same_code_reads_global_memory(target):
    stated = re.compile(r"(private_segment_fixed_size:?\s+)\d+")
    bare = functions(target, lambda text: stated.sub(r"\g<1>0", text))
    assert {t.space for t in buffers(bare["array"])} == {MemorySpace.GLOBAL}
