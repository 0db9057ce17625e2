"""A loop that repeats a compare-and-swap is passed once as a rule: it is part of what is around it, never the hot loop."""

import pytest

from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.amdgcn import DIALECT as AMDGCN
from hotloop.isa.dialects.x86 import DIALECT as X86
from hotloop.isa.hot import hot_loop
from hotloop.isa.loops import loops
from hotloop.isa.summary.regions import regions

TARGET = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nkernel:\n'
RETRY = """.LBB0_2:
\tv_add_f32_e32 v2, v3, v1
\tglobal_atomic_cmpswap v4, v9, v[2:3], s[0:1] sc0
\ts_waitcnt vmcnt(0)
\tv_cmp_eq_u32_e32 vcc, v4, v3
\ts_or_b64 s[2:3], vcc, s[2:3]
\tv_mov_b32_e32 v3, v4
\ts_andn2_b64 exec, exec, s[2:3]
\ts_cbranch_execnz .LBB0_2
"""
"""The sum of floats as clang 22 writes it for gfx942 without a floating-point atomic."""
DATA = """.LBB0_1:
\tglobal_load_dword v1, v0, s[4:5]
\ts_waitcnt vmcnt(0)
\tv_add_u32_e32 v0, s8, v0
"""
BACK = "\tv_cmp_lt_u32_e32 vcc, v0, v7\n\ts_cbranch_vccnz .LBB0_1\n"


def parsed(text):
    (function,) = AMDGCN.parse(f"{TARGET}{text}\ts_endpgm\n")
    return function


def test_an_atomic_behind_straight_code_is_not_the_hot_loop():
    hot = hot_loop(parsed(f"\tglobal_load_dword v1, v0, s[4:5]\n\ts_waitcnt vmcnt(0)\n{RETRY}"))
    assert hot.depth == 0
    assert "global_atomic_cmpswap" in {i.mnemonic for i in hot.instructions}


def test_an_atomic_in_a_loop_belongs_to_that_loop():
    function = parsed(f"{DATA}{RETRY}{BACK}")
    hot, *others = regions(function)
    assert (hot.hot.depth, others) == (1, [])
    assert hot.hot.instructions[0].mnemonic == "global_load_dword"
    assert "global_atomic_cmpswap" in {i.mnemonic for i in hot.hot.instructions}


def test_a_loop_that_swaps_and_reads_elsewhere_stays_a_loop():
    inserting = parsed(f"{DATA}\tglobal_atomic_cmpswap v4, v9, v[2:3], s[0:1] sc0\n{BACK}")
    assert hot_loop(inserting).depth == 1


@pytest.mark.parametrize(("place", "kept"), [("rdi", 0), ("rsi + 4*rcx", 1)])
def test_on_a_cpu_the_swap_may_read_its_own_place_again(place, kept):
    body = [f"mov eax, dword ptr [{place}]", "lock cmpxchg dword ptr [rdi], edx", "jne 0", "ret"]
    (function,) = X86.parse("0 <f>:\n" + "".join(f"  {n:x}:\t{text}\n" for n, text in enumerate(body)))
    assert len(loops(blocks(function), retries=False)) == kept
    assert len(loops(blocks(function))) == 1


TREE = """.LBB0_4:
\tds_read_b64 v[4:5], v8
\ts_waitcnt lgkmcnt(0)
\tv_max_f32_e32 v2, v2, v4
\tv_min_f32_e32 v3, v3, v5
\tds_write_b64 v8, v[2:3]
\ts_waitcnt lgkmcnt(0)
\ts_barrier
\tv_lshrrev_b32_e32 v8, 1, v8
\tv_cmp_lt_u32_e32 vcc, v8, v7
\ts_cbranch_vccnz .LBB0_4
"""


def test_the_loop_over_memory_is_hot_and_not_the_tree_behind_it_whose_memory_the_launch_brings():
    reading = "\tv_max_f32_e32 v2, v2, v1\n\tv_min_f32_e32 v3, v3, v1\n"
    hot = hot_loop(parsed(f"{DATA}{reading}{BACK}{TREE}"))
    assert hot.instructions[0].mnemonic == "global_load_dword"
