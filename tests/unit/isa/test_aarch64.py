"""AArch64: what instructions do, how listings are cut, loops that repeat, sums in memory."""

import pytest

from hotloop.isa.aarch64.classify import classify
from hotloop.isa.aarch64.text import routines
from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.aarch64 import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.loops import loops
from hotloop.isa.summary.build import timing_of
from hotloop.isa.updates import memory_updates


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        ("fmla v0.4s, v1.4s, v2.s[1]", K.FMA, {"bits": 128, "scalar": False}),
        ("fmadd d0, d1, d2, d3", K.FMA, {"bits": 64, "scalar": True}),
        ("sdot v0.4s, v1.16b, v2.16b", K.FMA, {"bits": 128}),
        ("smmla v0.4s, v1.16b, v2.16b", K.MATRIX, {"bits": 128}),
        ("fmla z0.s, p0/m, z1.s, z2.s", K.FMA, {"bits": 128, "scalar": False}),
        ("fmul v0.2s, v1.2s, v2.2s", K.MULADD, {"bits": 64}),
        ("faddp v0.4s, v1.4s, v2.4s", K.ARITHMETIC, {"bits": 128}),
        ("fcmp s0, #0.0", K.ARITHMETIC, {"bits": 32}),
        ("scvtf s0, w1", K.CONVERSION, {"bits": 32}),
        ("add v0.4s, v1.4s, v2.4s", K.INTEGER, {"bits": 128}),
        ("tbl v0.16b, {v1.16b, v2.16b}, v3.16b", K.SHUFFLE, {"bits": 128}),
        ("mov v0.s[1], w3", K.SHUFFLE, {"bits": 32}),
        ("mov v0.16b, v1.16b", K.MOVE, {"bits": 128}),
        ("csel x0, x1, x2, eq", K.MOVE, {"bits": 0}),
        ("madd w0, w1, w2, w3", K.INTEGER, {"bits": 0}),
        ("whilelo p0.s, x0, x1", K.INTEGER, {"bits": 0}),
        ("ldr q0, [x0], #16", K.LOAD, {"bits": 128, "memory_bits": 128, "scalar": False}),
        ("ldp q0, q1, [x0, #32]", K.LOAD, {"memory_bits": 256}),
        ("ldr s0, [x1, x9, lsl #2]", K.SCALAR_LOAD, {"bits": 32, "memory_bits": 32, "scalar": True}),
        ("ldrb w8, [x1], #1", K.LOAD, {"bits": 0, "memory_bits": 8}),
        ("ldrsw x9, [x2], #4", K.LOAD, {"memory_bits": 32}),
        ("ldp x20, x21, [x6]", K.LOAD, {"memory_bits": 128}),
        ("ldpsw x20, x21, [x6, #-4]", K.LOAD, {"memory_bits": 64}),
        ("ld4 {v0.4s, v1.4s, v2.4s, v3.4s}, [x0]", K.LOAD, {"memory_bits": 512}),
        ("ld4 {v0.4s-v3.4s}, [x0]", K.LOAD, {"memory_bits": 512}),
        ("ld1r {v0.4s}, [x0]", K.BROADCAST, {"memory_bits": 32, "broadcast": True}),
        ("ld1 {v0.s}[1], [x0]", K.SCALAR_LOAD, {"insert": True, "memory_bits": 32}),
        ("ld1w { z0.s }, p0/z, [x0, z1.s, sxtw #2]", K.GATHER, {"reads_memory": True}),
        ("st1w { z0.s }, p0, [x0, z1.s, sxtw #2]", K.SCATTER, {"writes_memory": True}),
        ("stp q0, q1, [sp, #16]", K.STACK, {"stack": True, "bits": 128}),
        ("ldr x0, .LC0", K.LOAD, {"memory_bits": 64}),
        ("ldaddal w0, w1, [x2]", K.ATOMIC, {"reads_memory": True, "writes_memory": True}),
        ("prfm pldl1keep, [x0, #256]", K.CACHE, {"reads_memory": False}),
        ("cbnz x0, 10", K.BRANCH, {"falls_through": True}),
        ("b 10", K.BRANCH, {"falls_through": False}),
        ("br x16", K.BRANCH, {"falls_through": False}),
        ("bl expf", K.CALL, {"falls_through": True}),
        ("ret", K.RETURN, {"falls_through": False}),
        ("dmb ish", K.BARRIER, {}),
    ],
)  # fmt: skip
def test_what_instructions_do(text, kind, facts):
    mnemonic, _, operands = text.partition(" ")
    traits = classify(mnemonic, operands)
    assert traits.kind is kind
    assert {name: getattr(traits, name) for name in facts} == facts


HEAD = "0000000000000010 <k>:\n"


def test_forms_of_a_disassembly():
    rows = "  10:\t{}mov\tx0, #0x5\n  14:\t{}sub\tx0, x0, #0x1\n  18:\t{}cbnz\tx0, 14 <k+0x4>\n  1c:\t{}ret\n"
    listings = [
        rows.format("d28000a0 \t", "d1000400 \t", "b5ffffe0 \t", "d65f03c0 \t"),
        rows.format("a0 00 80 d2 \t", "00 04 00 d1 \t", "e0 ff ff b5 \t", "c0 03 5f d6 \t"),
        rows.format("", "", "", "").replace("14 <", "0x14 <"),
    ]
    shown = [
        [(i.address, i.mnemonic, i.target) for i in DIALECT.parse(HEAD + text)[0].instructions] for text in listings
    ]
    assert shown[0] == [(16, "mov", None), (20, "sub", None), (24, "cbnz", 20), (28, "ret", None)]
    assert shown[1:] == [shown[0]] * 2


def test_decoded_bytes_are_read_like_listings():
    pytest.importorskip("capstone")
    code = b"".join(word.to_bytes(4, "little") for word in (0xD28000A0, 0xD1000400, 0xB5FFFFE0, 0xD65F03C0))
    function = DIALECT.decode(code, 16, "k")
    assert [(i.address, i.mnemonic, i.target) for i in function.instructions][2] == (24, "cbnz", 20)
    assert hot_loop(function).depth == 1


def test_what_the_disassembler_does_not_know_is_an_instruction():
    text = HEAD + "      10: 04 a0 40 a5  \t<unknown>\n      14: c0 03 5f d6  \tret\n"
    assert [i.kind for i in DIALECT.parse(text)[0].instructions] == [K.OTHER, K.RETURN]


def test_a_branch_that_waits_for_the_linker_is_no_loop():
    function = DIALECT.parse(HEAD + "  10:\td28000a0 \tmov\tx0, #0x5\n  14:\t14000000 \tb\t14 <k+0x4>\n")[0]
    assert loops(blocks(function)) == ()


def test_comments_relocations_and_directives_are_no_code():
    text = "\t.text\nk:\n\tmov\tw0, #1 // one\n\t.word\t12\n.Lone:\n#APP\n\tadd.4s\tv0, v1, v2 ; Apple's\n\tret\n"
    found, addressed = routines(text)
    assert not addressed
    assert [(r.mnemonic, r.operands) for r in found[0].rows] == [
        ("mov", "w0, #1"), ("add", "v0.4s, v1.4s, v2.4s"), ("ret", ""),
    ]  # fmt: skip


def test_frame_pointer_addresses_the_stack():
    text = "k:\n\tstp\tx29, x30, [sp, #-32]!\n\tmov\tx29, sp\n\tldr\tq0, [x29, #16]\n\tret\n"
    assert [i.traits.stack for i in DIALECT.parse(text)[0].instructions] == [True, False, True, False]


def test_a_swap_that_is_repeated_until_it_comes_through_is_no_hot_loop():
    text = "k:\n.L1:\n\tldaxr\tw8, [x0]\n\tadd\tw8, w8, w1\n\tstlxr\tw9, w8, [x0]\n\tcbnz\tw9, .L1\n\tret\n"
    graph = blocks(DIALECT.parse(text)[0])
    assert len(loops(graph)) == 1
    assert loops(graph, retries=False) == ()


@pytest.mark.parametrize(
    ("store", "updates"),
    [("[x0]", 1), ("[x0, x3, lsl #2]", 1), ("[x0], #4", 0), ("[x0, #4]!", 0), ("[x10]", 0), ("[sp, #8]", 0)],
)
def test_sums_in_memory(store, updates):
    text = f"k:\n.L1:\n\tldr\ts1, [x10], #4\n\tsubs\tx8, x8, #1\n\tfadd\ts0, s0, s1\n\tstr\ts0, {store}\n\tb.ne\t.L1\n\tret\n"
    assert memory_updates(hot_loop(DIALECT.parse(text)[0]).instructions) == updates


def test_waits_of_a_cpu_are_no_question_of_the_gpu():
    (function,) = DIALECT.parse("k:\n\tldr\ts2, [x0]\n\tfadd\ts0, s2, s1\n\tret\n")
    assert "GPU" not in timing_of(function, "aarch64").why_not
