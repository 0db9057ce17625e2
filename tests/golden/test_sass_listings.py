"""Facts of real NVIDIA code that our own kernels gave.

``plain``: saxpy over float4, a 16×16 shared-memory product, a spilled one, shuffles, double division with a switch, cp.async
with three stages; by nvcc 13.0. ``matmul`` and ``tma``: Triton 3.9 products in fp16, the latter through tensor descriptors.
``tc5``: tensor memory of Blackwell by inline PTX. Listed by nvdisasm 13.1 (``-c -hex``) and cuobjdump (``-sass``), runs of
blanks shortened to one.
"""

import re
from pathlib import Path

import pytest

from hotloop.isa.dialects.sass import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.nvidia import cubin
from hotloop.isa.nvidia.groups import group_waits
from hotloop.isa.nvidia.registers import effects
from hotloop.isa.nvidia.scheduled import read

LISTINGS = Path(__file__).parent / "sass"
FILES = sorted(LISTINGS.glob("*.sass"))


def functions(name):
    return {function.name: function for function in DIALECT.parse((LISTINGS / name).read_text())}


def count(function, kind):
    return sum(i.kind is kind for i in hot_loop(function).instructions)


@pytest.mark.parametrize("file", [*FILES, LISTINGS / "plain_sm80.cuobjdump"], ids=lambda file: file.name)
def test_every_row_is_read_and_classified(file):
    text = file.read_text()
    found = DIALECT.parse(text)
    rows = re.findall(r"^\s*/\*[0-9a-f]{4,}\*/.*;", text, re.MULTILINE)
    assert (
        sum(len(function.instructions) for function in found)
        == len(rows)
        > (30 if file.stem == "opposite_sm86" else 100)
    )
    assert {function.target.removesuffix("a") for function in found} == {f"sm_{file.stem.rpartition('_sm')[2]}"}
    assert not [i.mnemonic for function in found for i in function.instructions if i.kind is K.OTHER]
    for function in found:
        ends = {i.address for i in function.instructions}
        lost = [i for i in function.instructions if i.mnemonic == "BRA" and i.target not in ends]
        assert not lost
        assert all(effects(i) for i in function.instructions)


@pytest.mark.parametrize("target", ["sm75", "sm80", "sm90", "sm100", "sm120"])
def test_the_shared_memory_product(target):
    tile = functions(f"plain_{target}.sass")["tile"]
    hot = hot_loop(tile).instructions
    assert count(tile, K.FMA) % 16 == 0
    assert count(tile, K.FMA) >= 16
    per_step = count(tile, K.FMA) // 16
    assert count(tile, K.BARRIER) == 2 * per_step
    assert sum(i.mnemonic.startswith("LDS") for i in hot) >= 16
    assert {i.traits.memory_bits for i in hot if i.mnemonic.startswith("LDG")} == {32}


def test_wide_accesses_of_saxpy():
    for target in ("sm75", "sm80", "sm90", "sm100", "sm120"):
        hot = hot_loop(functions(f"plain_{target}.sass")["saxpy4"]).instructions
        assert [i.traits.memory_bits for i in hot if i.traits.space == "global"] == [128, 128, 128]
        assert sum(i.kind is K.FMA for i in hot) == 4 or sum(i.mnemonic == "FFMA2" for i in hot) == 2


def test_spills_are_stack_traffic_of_the_hot_loop():
    assert count(functions("spilled_sm80.sass")["spilled"], K.STACK) > 0
    assert not count(functions("plain_sm80.sass")["tile"], K.STACK)


def test_matrix_instructions_by_generation():
    for name, mnemonic, bits in (("matmul_sm80", "HMMA.16816.F32", 128), ("matmul_sm90", "HGMMA.64x64x16.F32", 1024)):
        (function,) = functions(f"{name}.sass").values()
        matrix = [i for i in hot_loop(function).instructions if i.kind is K.MATRIX]
        assert {(i.mnemonic, i.traits.bits) for i in matrix} == {(mnemonic, bits)}
    tc5 = functions("tc5_sm100.sass")["tc5"]
    assert any(i.mnemonic == "UTCHMMA" and i.kind is K.MATRIX for i in tc5.instructions)
    assert any(
        i.mnemonic.startswith("UTMALDG") and i.kind is K.COPY
        for i in functions("tma_sm90.sass")["matmul_tma"].instructions
    )


def test_three_stages_of_cp_async_run_two_groups_ahead():
    for target in ("sm80", "sm90", "sm100", "sm120"):
        (wait,) = group_waits(functions(f"plain_{target}.sass")["cpasync"])
        assert (wait.family, wait.left, wait.iterations) == ("cp.async", 2, 2)


def test_cuobjdump_and_nvdisasm_agree():
    other = functions("plain_sm80.cuobjdump")
    for name, function in functions("plain_sm80.sass").items():
        if name in other:
            ours = [(i.address, i.mnemonic, i.kind, i.target) for i in function.instructions if i.kind is not K.CALL]
            theirs = [
                (i.address, i.mnemonic, i.kind, i.target) for i in other[name].instructions if i.kind is not K.CALL
            ]
            assert ours == theirs[: len(ours)] or name == "divide"


def test_encodings_of_the_cubin_and_of_the_listing_agree():
    for name in ("plain_sm75", "plain_sm80", "matmul_sm90"):
        listing = (LISTINGS / f"{name}.sass").read_text()
        codes = cubin.codes((LISTINGS / f"{name}.cubin").read_bytes())
        for with_hex, with_code in zip(read(listing), read(listing, codes), strict=True):
            assert with_hex == with_code


PRINTED = re.compile(
    r"entry function '(?P<name>\w+)' for 'sm_80'.*?(?P<stack>\d+) bytes stack frame, (?P<spilled>\d+) bytes spill stores"
    r".*?Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
    re.DOTALL,
)


def test_resources_are_what_ptxas_printed():
    text = (LISTINGS / "plain_sm80.ptxas").read_text()
    printed = {match["name"]: match for match in PRINTED.finditer(text)}
    found = {kernel.name: kernel for kernel in cubin.kernels((LISTINGS / "plain_sm80.cubin").read_bytes())}
    assert set(found) == set(printed) == {"saxpy4", "tile", "spilled", "shuffled", "divide", "cpasync"}

    def told(match, pattern):
        number = re.search(pattern, match["rest"])
        return int(number[1]) if number else 0

    for name, kernel in found.items():
        match = printed[name]
        barriers, shared = told(match, r"used (\d+) barriers"), told(match, r"(\d+) bytes smem")
        assert (kernel.vgprs, kernel.lds_bytes, kernel.barriers) == (int(match["registers"]), shared, barriers)
        assert kernel.target == "sm_80"
    assert int(printed["spilled"]["spilled"]) > 0
    assert found["spilled"].scratch_bytes == int(printed["spilled"]["stack"]) > 0
    assert found["spilled"].workgroup_max == 1024
