"""Instructions as text for every mnemonic of the tables, with the forms that assemblers write: modifiers, DPP, SDWA."""

from collections.abc import Iterator

from hotloop.emulate.semantics.compares import CONDITIONS, KINDS
from hotloop.emulate.semantics.row import SCALAR, VECTOR
from hotloop.emulate.units import packed
from hotloop.emulate.units.values import size

_SAVES = (
    "and",
    "or",
    "xor",
    "andn2",
    "orn2",
    "nand",
    "nor",
    "xnor",
    "and_not1",
    "or_not1",
    "and_not0",
    "or_not0",
    "andn1",
    "orn1",
)
_ENDINGS = (
    "row_shr:1 row_mask:0xf bank_mask:0xf",
    "quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0xf",
    "row_ror:3 row_mask:0xf bank_mask:0x5 bound_ctrl:1",
)
_SELECTS = (
    "dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_2",
    "dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 src1_sel:WORD_0",
    "dst_sel:WORD_1 dst_unused:UNUSED_SEXT src0_sel:DWORD src1_sel:BYTE_0",
)


def _vector(first, kind):
    return f"v[{first}:{first + 1}]" if size(kind) == 64 else f"v{first}"


def _scalar(first, kind):
    return f"s[{first}:{first + 1}]" if size(kind) == 64 else f"s{first}"


def rows() -> Iterator[tuple[str, str]]:
    """Yield (mnemonic, operands) of the vector table's rows."""
    for row in VECTOR.values():
        out = _vector(2, row.result)
        sources = [_vector(4 + 2 * n, kind) for n, kind in enumerate(row.sources)]
        text = ", ".join([out, *sources])
        yield row.name, text
        yield row.name, ", ".join([out, _scalar(8, row.sources[0]), *sources[1:]])
        yield row.name, ", ".join([out, *sources[:-1], "-4" if row.sources[-1][0] != "f" else "0.5"])
        yield row.name, ", ".join([out, "0x3c01" if size(row.sources[0]) == 16 else "0x40490fdb", *sources[1:]])
        floats = [kind[0] == "f" for kind in row.sources]
        if any(floats):
            signed = [f"-|{s}|" if f else s for s, f in zip(sources, floats, strict=True)]
            yield row.name, ", ".join([out, *signed])
        if row.result[0] == "f":
            yield row.name, f"{text} clamp"
            yield row.name, f"{text} mul:2"
            yield row.name, f"{text} div:2"
        if 16 in [size(kind) for kind in (*row.sources, row.result)]:
            count = len(row.sources) + 1
            yield row.name, f"{text} op_sel:[{','.join('1' * count)}]"
            yield row.name, f"{text} op_sel:[{','.join('10110'[:count])}]"
        if all(size(kind) <= 32 and kind != "bf16" for kind in (*row.sources, row.result)):
            yield from ((f"{row.name}_dpp", f"{text} {ending}") for ending in _ENDINGS)
            yield from ((f"{row.name}_sdwa", f"{text} {selects}") for selects in _SELECTS)


def scalars() -> Iterator[tuple[str, str]]:
    """Yield those of the scalar table, its compares and masks."""
    for row in SCALAR.values():
        out = [] if row.result == "-" else [_scalar(2, row.result)]
        sources = ["0x8123" if kind == "k16" else _scalar(4 + 2 * n, kind) for n, kind in enumerate(row.sources)]
        yield row.name, ", ".join([*out, *sources])
        if row.sources[-1] != "k16":
            yield row.name, ", ".join([*out, *sources[:-1], "-3" if row.sources[-1][0] != "f" else "-2.0"])
        if out and size(row.result) == 64:
            yield row.name, ", ".join(["exec", *sources])
    for name in ("eq", "lg", "lt", "le", "gt", "ge"):
        for kind in ("i32", "u32", "f32"):
            yield f"s_cmp_{name}_{kind}", f"{_scalar(4, kind)}, {_scalar(6, kind)}"
        yield f"s_cmpk_{name}_i32", "s4, 0x8001"
        yield f"s_cmpk_{name}_u32", "s4, 0x8001"
    for name in ("eq", "lg"):
        yield f"s_cmp_{name}_u64", "s[4:5], s[6:7]"
    for name in ("nge", "nlg", "ngt", "nle", "neq", "nlt", "o", "u"):
        yield f"s_cmp_{name}_f32", "s4, s6"
    for name in _SAVES:
        yield f"s_{name}_saveexec_b64", "s[2:3], s[4:5]"
    yield "s_andn1_wrexec_b64", "s[2:3], s[4:5]"


def compares() -> Iterator[tuple[str, str]]:
    """Yield vector compares of all conditions and types."""
    for kind in KINDS:
        for name in (*CONDITIONS, *(("class",) if kind[0] == "f" else ())):
            if kind[0] != "f" and "isnan" in CONDITIONS.get(name, ""):
                continue
            second = _vector(6, "u32" if name == "class" else kind)
            yield f"v_cmp_{name}_{kind}", f"s[2:3], {_vector(4, kind)}, {second}"
            yield f"v_cmpx_{name}_{kind}", f"{_vector(4, kind)}, {second}"
            if size(kind) == 32:
                yield f"v_cmp_{name}_{kind}_sdwa", f"vcc, v4, {second} src0_sel:WORD_1 src1_sel:DWORD"
                yield f"v_cmp_{name}_{kind}_dpp", f"vcc, v4, {second} row_shl:2 row_mask:0xf bank_mask:0xf"


def several() -> Iterator[tuple[str, str]]:
    """Yield packed instructions, dot products, carries, and those that move data between lanes."""
    for name in packed.SAME:
        count = 2 if "mov" in name else len(VECTOR[packed.SAME[name]].sources)
        wide = name.endswith("32")
        items = [f"v[{4 + 2 * n}:{5 + 2 * n}]" if wide else f"v{4 + n}" for n in range(count - ("fmac" in name))]
        text = ", ".join(["v[2:3]" if wide else "v2", *items])
        ones = ",".join("1" for _ in items)
        yield name, text
        yield name, f"{text} op_sel:[{ones}] op_sel_hi:[{ones.replace('1', '0', 1)}]"
        if "f16" in name or "f32" in name:
            yield name, f"{text} neg_lo:[{ones}] neg_hi:[{ones.replace('1', '0', 1)}]"
            yield name, f"{text} clamp"
    for sides in ("f32_f16", "f32_bf16", "f16_f16", "bf16_bf16"):
        yield f"v_dot2_{sides}", "v2, v4, v5, v6"
    yield from ((f"v_dot2{name}", "v2, v4, v5") for name in ("c_f32_f16", "c_f32_bf16", "acc_f32_f16"))
    for name in ("4_i32_i8", "4_u32_u8", "8_i32_i4", "8_u32_u4", "2_i32_i16", "2_u32_u16", "4_i32_iu8", "8_i32_iu4"):
        yield f"v_dot{name}", "v2, v4, v5, v6"
        yield f"v_dot{name}", "v2, v4, v5, v6 neg_lo:[1,0,0] clamp"
    yield from ((f"v_dot4_f32_{sides}", "v2, v4, v5, v6") for sides in ("fp8_fp8", "fp8_bf8", "bf8_fp8", "bf8_bf8"))
    for name in (
        "v_fma_mix_f32",
        "v_fma_mixlo_f16",
        "v_fma_mixhi_f16",
        "v_mad_mix_f32",
        "v_fma_mix_f32_bf16",
        "v_fma_mixlo_bf16",
    ):
        yield name, "v2, v4, -v5, |v6| op_sel_hi:[1,0,1]"
        yield name, "v2, v4, v5, v6 op_sel:[1,1,0] op_sel_hi:[1,1,0] clamp"
    for name in ("v_add_co_u32", "v_sub_co_u32", "v_subrev_co_u32"):
        yield name, "v2, vcc, v4, v5"
        yield f"{name}_sdwa", "v2, vcc, v4, v5 dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1"
    for name in ("v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32", "v_add_co_ci_u32", "v_sub_co_ci_u32"):
        yield name, "v2, s[2:3], v4, s8, s[10:11]"
    yield from ((name, "v[2:3], vcc, v4, s8, v[6:7]") for name in ("v_mad_u64_u32", "v_mad_i64_i32"))
    for kind in ("f32", "f64"):
        out, a, b, c = (_vector(n, kind) for n in (2, 4, 6, 8))
        yield f"v_div_scale_{kind}", f"{out}, vcc, {a}, {b}, {a}"
        yield f"v_div_fmas_{kind}", f"{out}, {a}, {b}, {c}"
        yield f"v_div_fixup_{kind}", f"{out}, {a}, {b}, {c}"
    yield "v_cndmask_b32", "v2, v4, v5, s[10:11]"
    yield "v_cndmask_b32", "v2, -v4, |v5|, vcc"
    yield "v_cndmask_b32_dpp", "v2, v4, v5, vcc row_shr:3 row_mask:0xf bank_mask:0xf bound_ctrl:1"
    yield (
        "v_cndmask_b32_sdwa",
        "v2, v4, v5, vcc dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_1",
    )
    yield "v_readfirstlane_b32", "s2, v4"
    yield "v_readlane_b32", "s2, v4, s5"
    yield "v_readlane_b32", "s2, v4, 9"
    yield "v_writelane_b32", "v2, s4, 11"
    yield "v_swap_b32", "v2, v4"
    yield "v_mbcnt_lo_u32_b32", "v2, s4, v5"
    yield "v_mbcnt_hi_u32_b32", "v2, -1, v5"
    yield "v_bitop3_b32", "v2, v4, v5, s6 bitop3:0x6a"
    yield "v_permlane32_swap_b32", "v2, v4"
    yield "v_permlane16_swap_b32", "v2, v4"
    yield "v_permlane64_b32", "v2, v4"
    yield from (
        (f"v_permlane{x}16_b32", f"v2, v4, s5, s6{more}")
        for x in ("", "x")
        for more in ("", " op_sel:[1,0]", " op_sel:[0,1]")
    )
    for name in ("v_cvt_f32_fp8", "v_cvt_f32_bf8"):
        yield name, "v2, v4"
        yield f"{name}_sdwa", "v2, v4 src0_sel:BYTE_2"
    yield from ((f"v_cvt_pk_f32_{kind}", "v[2:3], v4") for kind in ("fp8", "bf8"))
    yield from ((f"v_cvt_pk_{kind}_f32", "v2, v4, v5 op_sel:[0,0,1]") for kind in ("fp8", "bf8"))
    yield "s_getpc_b64", "s[2:3]"
    yield "s_getreg_b32", "s2, hwreg(HW_REG_MODE)"
