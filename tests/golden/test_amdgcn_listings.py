"""Listings that Triton 3.9.0, clang 22 and llvm-objdump 14 wrote for our own kernels; the numbers were counted by hand.

``triton_matmul``: half-precision tiles of 64×64, four warps, two stages; ``triton_scale``: one element-wise expression;
``clang_window``: a loop of 48 steps over local memory (``window``) and 40 accumulators in registers for 32 (``crowded``),
HIP without headers. The object file of ``triton_scale`` is listed by ``llvm-objdump -d``.
"""

import re
from pathlib import Path

import pytest

from hotloop.isa.amdgcn import objects
from hotloop.isa.code import select
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.gpumix import gpu_mix
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.instruction import MemorySpace as M

LISTINGS = Path(__file__).parent / "amdgcn"
TEXTS = sorted(LISTINGS.glob("*.s"))
EXPECTED = {
    # 8 MFMA; 16 reads of 64 bits; 4 loads; 8 writes of 32 and 2 of 2 × 64 bits; 8 byte permutations; 9 + 1 waits
    ("triton_matmul_gfx942", "matmul"): (69, {K.MATRIX: 8, K.CONVERSION: 8, K.WAIT: 10, K.BARRIER: 2, K.CONTROL: 4},
                                         {(M.LOCAL, K.LOAD, 64): 16, (M.GLOBAL, K.LOAD, 128): 4, (M.LOCAL, K.STORE, 32): 8,
                                          (M.LOCAL, K.STORE, 128): 2}),
    # 4 MFMA; operands reach local memory directly; 8 transposing reads
    ("triton_matmul_gfx950", "matmul"): (56, {K.MATRIX: 4, K.COPY: 4, K.WAIT: 5, K.BARRIER: 1, K.SCALAR: 20},
                                         {(M.LOCAL, K.LOAD, 64): 8, (M.LOCAL, K.LOAD, 128): 4, (M.GLOBAL, K.COPY, 128): 4}),
    ("triton_matmul_gfx1201", "matmul"): (81, {K.MATRIX: 8, K.WAIT: 8, K.CONTROL: 8, K.BARRIER: 2, K.CACHE: 2, K.MOVE: 12},
                                          {(M.LOCAL, K.LOAD, 128): 8, (M.GLOBAL, K.LOAD, 128): 4, (M.LOCAL, K.STORE, 64): 4,
                                           (M.LOCAL, K.STORE, 128): 2}),
    ("triton_matmul_gfx1250", "matmul"): (66, {K.MATRIX: 4, K.COPY: 4, K.WAIT: 4, K.BARRIER: 3},
                                          {(M.LOCAL, K.LOAD, 128): 8, (M.GLOBAL, K.COPY, 128): 4}),
    ("triton_scale_gfx90a", "scale"): (56, {K.ARITHMETIC: 12, K.BRANCH: 2}, {(M.GLOBAL, K.LOAD, 128): 1, (M.GLOBAL, K.STORE, 128): 1}),
    ("clang_window_gfx908", "window"): (10, {K.FMA: 1, K.WAIT: 1}, {(M.LOCAL, K.LOAD, 32): 2}),
    ("clang_window_gfx908", "crowded"): (83, {K.FMA: 40, K.MOVE: 38}, {}),  # spills to accumulation registers
    ("clang_window_gfx1012", "window"): (10, {K.FMA: 1, K.WAIT: 1}, {(M.LOCAL, K.LOAD, 32): 2}),
    ("clang_window_gfx1012", "crowded"): (46, {K.FMA: 40}, {}),
}  # fmt: skip


def functions(name):
    return {function.name: function for function in DIALECT.parse((LISTINGS / f"{name}.s").read_text())}


@pytest.mark.parametrize(("name", "kernel"), sorted(EXPECTED))
def test_hot_loop(name, kernel):
    instructions, counts, accesses = EXPECTED[name, kernel]
    found = gpu_mix(functions(name)[kernel])
    assert found.instructions == instructions
    assert {kind: found.count(kind) for kind in counts} == counts
    seen = {(a.space, a.kind, a.bits): a.count for a in found.accesses if a.space in (M.LOCAL, M.GLOBAL)}
    assert seen == accesses


def test_trip_counts():
    assert gpu_mix(functions("clang_window_gfx1012")["window"]).trips == 48
    assert gpu_mix(functions("clang_window_gfx908")["window"]).trips == 48
    assert gpu_mix(functions("triton_matmul_gfx942")["matmul"]).trips is None


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_every_instruction_is_read_and_none_is_other(file):
    text = file.read_text()
    code = text.partition("\t.amdgpu_metadata")[0]
    rows = re.findall(r"^\t([a-z]\w+)(?=[ \t\n])", code, re.MULTILINE)
    read = [i.mnemonic for function in DIALECT.parse(text) for i in function.instructions]
    assert read == rows[: len(read)]
    assert set(rows[len(read) :]) <= {"s_nop"}  # padding after the last program
    assert not [i for f in DIALECT.parse(text) for i in f.instructions if i.kind is K.OTHER]
    assert all(i.target is not None for f in DIALECT.parse(text) for i in f.instructions if i.kind is K.BRANCH)


@pytest.mark.parametrize(
    ("name", "kernel", "expected"),
    [  # vector, accumulation, both, scalar, spilled, scratch, LDS, dynamic, group, wave, code, waves
        ("triton_matmul_gfx942", "matmul", (106, 0, 106, 28, 0, 0, 0, True, 256, 64, 3088, 4)),
        ("triton_matmul_gfx1250", "matmul", (82, None, None, 68, 0, 0, 0, True, 128, 32, 2052, 10)),
        ("clang_window_gfx908", "crowded", (31, 32, None, 20, 5, 16, 0, False, 1024, 64, 3044, 8)),
        ("clang_window_gfx1012", "window", (7, None, None, 9, 0, 0, 1024, None, 256, 32, 180, 20)),
    ],
)
def test_resources(name, kernel, expected):
    r = functions(name)[kernel].resources
    assert r.target == name.rpartition("_")[2]
    assert (
        r.vgprs, r.agprs, r.total_vgprs, r.sgprs, r.vgpr_spills, r.scratch_bytes, r.lds_bytes, r.dynamic_lds,
        r.workgroup_max, r.wave_size, r.code_bytes, r.occupancy_waves,
    ) == expected  # fmt: skip


def test_object_file_and_its_disassembly():
    binary = (LISTINGS / "triton_scale_gfx90a.hsaco").read_bytes()
    (item,) = objects.code_objects(binary)
    assert item.target.name == "gfx90a"
    (listed,) = objects.functions(item, (LISTINGS / "objdump_scale_gfx90a.s").read_text())
    written = functions("triton_scale_gfx90a")["scale"]
    assert (listed.name, listed.target, listed.code_bytes) == ("scale", "gfx90a", written.code_bytes)
    assert listed.instructions[-1].kind is K.RETURN
    padding = {"s_nop"}  # the text has a directive where the object has padding behind the first branch
    assert [i.mnemonic for i in listed.instructions if i.mnemonic not in padding] == [
        i.mnemonic for i in written.instructions if i.mnemonic not in padding
    ]
    for field in ("vgprs", "agprs", "total_vgprs", "sgprs", "lds_bytes", "dynamic_lds", "workgroup_max", "wave_size"):
        assert getattr(listed.resources, field) == getattr(written.resources, field), field
    code = select(binary, "scale", None)
    assert (code.dialect, len(code.code), code.note) == ("amdgcn", written.code_bytes, "for gfx90a")
    with pytest.raises(ValueError, match="of another file: it lists other"):
        objects.functions(item, (LISTINGS / "objdump_scale_gfx90a.s").read_text().replace("<scale>", "<other>"))
