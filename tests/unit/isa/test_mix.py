"""The facts of planted listings with known numbers."""

import pytest

from hotloop.isa.dialect import load
from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.instruction import Function
from hotloop.isa.mix import mix
from hotloop.isa.static import NAMES
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Provenance


def facts(body):
    rows = "".join(f"  {index:x}:\t{text.strip()}\n" for index, text in enumerate(body.strip().splitlines()))
    (function,) = DIALECT.parse("0 <f>:\n" + rows)
    return mix(function)


def loop(body):
    return facts(f"push rbp\nmov rbp, rsp\n{body.strip()}\ndec ecx\njne 2\npop rbp\nret")


def test_planted_spills_are_counted_one_by_one():
    found = loop("""
        vmovups ymm0, ymmword ptr [rsp + 0x40]
        vfmadd231ps ymm0, ymm1, ymm2
        vmovups ymmword ptr [rsp + 0x40], ymm0
        vfmadd231ps ymm3, ymm1, ymmword ptr [rbp - 0x60]
        mov rax, qword ptr [rsp + 8]
        vmovups ymm4, ymmword ptr [rax]
    """)
    assert found.get("static.spills") == 3  # the reload of the pointer in rax is no vector register
    assert found.get("static.loads_per_fma") == 3 / 2  # reload, folded reload, vector load
    assert found.get("static.hot_instructions") == 8


def test_embedded_broadcasts_are_broadcasts_and_loads():
    found = loop("""
        vmovups zmm0, zmmword ptr [rax]
        vfmadd231ps zmm1, zmm0, dword ptr [rdi]{1to16}
        vfmadd231ps zmm2, zmm0, dword ptr [rdi + 4]{1to16}
        vfmadd231ps zmm3, zmm0, dword bcst [rdi + 8]
        vbroadcastss zmm4, dword ptr [rdi + 12]
        vfmadd231ps zmm5, zmm0, zmm4
    """)
    assert found.get("static.broadcasts") == 4
    assert found.get("static.fma_bits") == 512
    assert found.get("static.vector_bits") == 512
    assert found.get("static.loads_per_fma") == 5 / 4
    assert found.get("static.scalar_load_share") == 0
    assert found.get("static.fma_share") == 4 / 8


def test_scalar_code_shows_as_scalar():
    found = loop("""
        vmovss xmm0, dword ptr [rax]
        vfmadd231ss xmm1, xmm0, dword ptr [rdi]
    """)
    assert found.get("static.fma_bits") == 32
    assert found.get("static.vector_bits") == 32
    assert found.get("static.scalar_load_share") == 1
    assert found.get("static.loads_per_fma") == 2


def test_widths_are_averaged_over_multiply_and_add_only():
    found = loop("vmulps ymm0, ymm1, ymm2\nvaddss xmm3, xmm3, xmm4\nvdivps zmm5, zmm6, zmm7")
    assert found.get("static.fma_bits") == (256 + 32) / 2
    assert found.get("static.vector_bits") == 512
    assert found.get("static.fma_share") == 2 / 5


def test_a_register_filled_part_by_part_counts_as_one_gather():
    found = loop("""
        vmovss xmm0, dword ptr [rax]
        vinsertps xmm0, xmm0, dword ptr [rbx], 0x10
        vmovss xmm1, dword ptr [rdx]
        vinsertps xmm0, xmm0, dword ptr [rsi], 0x20
        vinsertps xmm1, xmm1, dword ptr [rdi], 0x10
        vinsertps xmm2, xmm0, dword ptr [r8], 0x30
        vaddps xmm0, xmm2, xmm1
        vinsertps xmm0, xmm0, dword ptr [r9], 0x10
        vgatherdps ymm5, dword ptr [rax + ymm6*4], ymm7
    """)
    assert found.get("static.gathers") == 4  # into xmm0/xmm2, into xmm1, into the new xmm0, and the instruction
    assert found.get("static.scalar_load_share") == 7 / 8


def test_calls_are_counted_in_the_whole_function():
    found = facts("call rax\nvaddps ymm0, ymm0, ymm1\ncall rbx\ndec ecx\njne 1\ncall 99\nret")
    assert found.get("static.calls") == 3


def test_padding_is_not_counted():
    found = loop("nop\nvaddps ymm0, ymm0, ymm1\nnop word ptr [rax + rax]")
    assert found.get("static.hot_instructions") == 3


def test_without_multiply_or_add_the_ratios_are_absent_with_a_reason():
    found = loop("vmovups ymm0, ymmword ptr [rax]\nvmovups ymmword ptr [rdi], ymm0")
    assert found.get("static.fma_share") == 0
    assert found.get("static.fma_bits") is None
    assert "multiply/add" in found.why_absent("static.fma_bits")
    assert found.get("static.loads_per_fma") is None
    assert found.get("static.vector_bits") == 256


def test_integer_code_without_vectors_has_no_vector_width():
    found = loop("add eax, ebx")
    assert found.get("static.vector_bits") is None
    assert found.get("static.scalar_load_share") is None


def test_a_function_without_instructions_has_no_shares():
    found = mix(Function("f", (), 0))
    assert found.get("static.fma_share") is None
    assert found.get("static.hot_instructions") == 0


@pytest.mark.parametrize("body", ["vfmadd231ps ymm0, ymm1, ymmword ptr [rax]", "add eax, ebx"])
def test_every_name_is_given_or_absent_with_the_vocabularys_unit(body):
    found = loop(body)
    assert {f.name for f in found.facts} | {a.name for a in found.absent} == set(NAMES)
    assert set(NAMES) <= set(BY_NAME)
    assert all(f.unit == BY_NAME[f.name].unit and f.provenance is Provenance.STATIC and f.source for f in found.facts)
    assert all(a.reason for a in found.absent)


def sum_cycles(body):
    rows = "".join(f"  {4 * number:x}:\t{text}\n" for number, text in enumerate(body))
    (function,) = DIALECT.parse(f"0 <k>:\n{rows}  {4 * len(body):x}:\tjne 0 <k>\n")
    return mix(function).get("static.sum_cycles")


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        (["vmovups ymm1,[rdi]", "vfmadd231ps ymm0,ymm1,[rsi]"], 4),  # one sum
        (["vfmadd231ps ymm0,ymm4,[rsi]", "vfmadd231ps ymm1,ymm4,[rsi+32]"], 2),  # two of them
        (["vmulps ymm1,ymm2,[rdi]", "vaddps ymm0,ymm1,ymm0"], 2),  # a product and a sum
        (["vmovups ymm0,[rdi]", "vfmadd231ps ymm0,ymm4,[rsi]"], 0),  # set anew in each iteration
    ],
)
def test_sums_that_wait_for_one_another(body, cycles):
    assert sum_cycles(body) == cycles


@pytest.mark.parametrize(
    ("calls", "inside", "counted"),
    [("`(helper)", True, 1), ("`($__internal_0_$__cuda_sm20_sqrt_rn_f32_slowpath)", True, 0), ("`(helper)", False, 0)],
    ids=["a function", "for denormal numbers", "behind the loop"],
)
def test_calls_of_a_gpus_code_count_where_it_is_hot(calls, inside, counted):
    rows = [
        "FFMA R4, R4, R4, R4", *(["CALL.REL.NOINC " + calls] * inside), "IADD3 R2, R2, -0x1, RZ", "ISETP.NE.AND P0, PT, R2, RZ, PT",
        "@P0 BRA `(.L_1)", *(["CALL.REL.NOINC " + calls] * (not inside)), "EXIT",
    ]  # fmt: skip
    text = "\t.target\tsm_90\n\t.section\t.text.k\nk:\n.L_1:\n"
    text += "".join(f"        /*{16 * n:04x}*/ {row} ;\n" for n, row in enumerate(rows))
    text += "helper:\n        /*0100*/ RET.REL.NODEC R2 `(k) ;\n"
    function = load("sass").parse(text)[0]
    assert mix(function).get("static.calls") == counted
