"""Facts of real PTX of the kernels that `test_sass_listings` describes, by nvcc 13.0 and Triton 3.9 without line information."""

import re
from pathlib import Path

import pytest

from hotloop.isa.dialects.ptx import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.nvidia.groups import group_waits

LISTINGS = Path(__file__).parent / "ptx"
FILES = sorted(LISTINGS.glob("*.ptx"))


def kernels(name):
    return {function.name: function for function in DIALECT.parse((LISTINGS / f"{name}.ptx").read_text())}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_instruction_is_classified_and_every_branch_has_its_target(file):
    text = file.read_text()
    found = DIALECT.parse(text)
    assert {function.name for function in found} == set(re.findall(r"\.entry\s+(\w+)", text))
    for function in found:
        assert function.instructions[-1].kind is K.RETURN
        assert not [i.mnemonic for i in function.instructions if i.kind is K.OTHER]
        assert not [i for i in function.instructions if i.mnemonic.startswith("bra") and i.target is None]
        assert function.resources.workgroup_max in (None, 128, 1024)


def test_the_shared_memory_product():
    tile = hot_loop(kernels("plain_sm80")["tile"]).instructions
    fmas = sum(i.kind is K.FMA for i in tile)
    assert fmas >= 16
    assert sum(i.kind is K.BARRIER for i in tile) * 8 == fmas
    assert sum(i.traits.space == "local" and i.kind is K.LOAD for i in tile) == 2 * fmas
    assert kernels("plain_sm80")["tile"].resources.lds_bytes == 2 * 16 * 17 * 4


def test_matrix_instructions_by_generation():
    for name, root, bits in (("matmul_sm80", "mma", 128), ("matmul_sm90", "wgmma", 1024)):
        (function,) = kernels(name).values()
        matrix = [i for i in hot_loop(function).instructions if i.kind is K.MATRIX]
        assert {(i.mnemonic.partition(".")[0], i.traits.bits) for i in matrix} == {(root, bits)}
        assert function.resources.dynamic_lds is True
    (tma,) = kernels("tma_sm90").values()
    copies = [i for i in hot_loop(tma).instructions if i.kind is K.COPY]
    assert copies
    assert all(i.mnemonic.startswith("cp.async.bulk.tensor.2d") for i in copies)


def test_three_stages_of_cp_async_run_two_groups_ahead():
    (wait,) = group_waits(kernels("plain_sm80")["cpasync"])
    assert (wait.family, wait.left, wait.iterations) == ("cp.async", 2, 2)


def test_waits_of_ptx_and_of_its_machine_code_tell_the_same():
    from hotloop.isa.dialects.sass import DIALECT as SASS

    for name in ("matmul_sm80", "matmul_sm90"):
        (virtual,) = kernels(name).values()
        (real,) = SASS.parse((LISTINGS.parent / "sass" / f"{name}.sass").read_text())
        told = [{(w.family, w.left) for w in group_waits(function)} for function in (virtual, real)]
        assert told[0] == told[1] != set()
