"""Results that nothing reads."""

import pytest

from hotloop.isa.amdgcn.unused import compiled, inlined, unused
from hotloop.isa.dialects.amdgcn import DIALECT

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\n'


def found(body, *, parts=True):
    (function,) = DIALECT.parse(HEAD + body + "\ts_endpgm\n")
    return [f"{item.mnemonic} {item.operands}" for item, _ in unused(function, parts=parts)]


USED = """
v_add_f32_e32 v2, v0, v1
s_and_saveexec_b64 s[2:3], vcc
v_add_f32_e32 v2, v2, v1
s_or_b64 exec, exec, s[2:3]
global_store_dword v0, v2, s[4:5]
"""


def test_what_is_stored_is_used():
    assert found(USED) == []


def test_without_its_store_the_last_sum_has_no_reader():
    assert found(USED.replace("global_store", "; global_store")) == ["v_add_f32_e32 v2, v2, v1"]


def test_lanes_that_are_off_keep_what_a_masked_write_replaces():
    masked = USED.replace("v_add_f32_e32 v2, v2, v1", "v_add_f32_e32 v2, v1, v1")
    assert found(masked) == []
    whole = masked.replace("s_and_saveexec_b64 s[2:3], vcc\n", "").replace("s_or_b64 exec, exec, s[2:3]\n", "")
    assert found(whole) == ["v_add_f32_e32 v2, v0, v1"]


CHOSEN = """
s_and_saveexec_b64 s[2:3], vcc
s_xor_b64 s[2:3], exec, s[2:3]
s_cbranch_execz .L2
v_mov_b32_e32 v2, v1
s_and_saveexec_b64 s[4:5], s[8:9]
v_add_u32_e32 v2, v0, v1
s_or_b64 exec, exec, s[4:5]
.L2:
s_andn2_saveexec_b64 s[2:3], s[2:3]
v_sub_u32_e32 v2, v0, v1
s_or_b64 exec, exec, s[2:3]
global_store_dword v0, v2, s[6:7]
"""


def test_what_else_writes_is_not_for_the_lanes_of_the_branch_before():
    assert found(CHOSEN) == []
    assert "v_sub_u32_e32 v2, v0, v1" in found(CHOSEN.replace("global_store", "; global_store"))


def test_a_reader_in_the_next_round_of_a_loop_counts():
    body = "{0}.L1:\nglobal_store_dword v0, v2, s[4:5]\nv_add_f32_e32 v2, v0, v1\ns_cbranch_scc1 .L1\n"
    assert found(body.format("v_mul_f32_e32 v2, v0, v1\n")) == []


@pytest.mark.parametrize(
    "line",
    [
        "v_mov_b32_e32 v2, v1",
        "v_readlane_b32 s1, v2, 3",
        "ds_wrxchg_rtn_b32 v2, v0, v1",
        "global_atomic_add v[0:1], v3, off",
        "s_memtime s[2:3]",
        "s_load_dwordx4 s[12:15], s[4:5], 0x0",
        "scratch_load_dword v2, off, s32",
        "buffer_load_dword v2, off, s[44:47], 0 offset:160",
        "buffer_load_dword a2, off, s[0:3], s32 offset:4",
        "s_xor_b64 s[2:3], exec, s[2:3]",
        "global_load_dword v2, v[0:1], off sc1",
        "global_load_b32 v2, v[0:1], off scope:SCOPE_DEV",
        "s_and_saveexec_b64 s[2:3], vcc",
    ],
)
def test_copies_and_what_does_more_than_its_result_are_left_alone(line):
    assert found(line + "\n") == []


def test_a_copy_that_nothing_reads_is_no_reader():
    assert found("v_add_f32_e32 v2, v0, v1\nv_readlane_b32 s4, v2, 31\nv_mov_b32_e32 v3, s4\n") == [
        "v_add_f32_e32 v2, v0, v1"
    ]


def test_an_atomic_returns_the_old_value_only_if_it_is_used():
    assert found("global_atomic_add v2, v[0:1], v3, off sc0\n") == ["global_atomic_add v2, v[0:1], v3, off sc0"]
    assert found("ds_add_rtn_u32 v2, v0, v1\n") == ["ds_add_rtn_u32 v2, v0, v1"]


def test_a_comparison_that_only_an_unused_mask_reads():
    assert found("v_cmp_gt_u32_e64 s[2:3], v0, v1\ns_and_b64 s[2:3], s[2:3], s[4:5]\n") == [
        "v_cmp_gt_u32_e64 s[2:3], v0, v1"
    ]


def test_half_of_a_dual_instruction_counts_unless_it_is_a_copy():
    body = "v_dual_mov_b32 v3, 0 :: v_dual_add_f32 v2, v0, v1\nglobal_store_dword v0, {}, s[4:5]\n"
    assert found(body.format("v3")) == ["v_dual_mov_b32 v3, 0 :: v_dual_add_f32 v2, v0, v1"]
    assert found(body.format("v2")) == []


def test_each_word_of_a_wide_load_must_be_read():
    body = "global_load_dwordx2 v[2:3], v0, s[4:5]\ns_waitcnt vmcnt(0)\nds_write_b32 v1, v3\n"
    assert found(body) == ["global_load_dwordx2 v[2:3], v0, s[4:5]"]
    assert found(body + "ds_write_b32 v1, v2 offset:4\n") == []


def test_half_of_a_computed_result_is_enough():
    assert found("v_lshlrev_b64 v[2:3], 2, v[0:1]\nglobal_store_dword v0, v3, s[4:5]\n") == []


def test_calls_hide_what_is_read():
    assert found("v_add_f32_e32 v2, v0, v1\ns_swappc_b64 s[30:31], s[16:17]\n") == []


def test_lines_of_inline_assembly_and_of_a_compiler():
    text = "\t; -- Begin function k\n\tv_nop\n\t;APP\n\tv_add_f32 v0, v0, v0\n\t;NO_APP\n\ts_endpgm\n"
    assert inlined(text) == {4}
    assert inlined(text.replace(";APP", ";;#ASMSTART").replace(";NO_APP", ";;#ASMEND")) == {4}
    assert compiled(text)
    assert not compiled(text.replace("; -- Begin", "; begin"))


def test_clang_loads_a_vector_for_one_of_its_numbers():
    body = "global_load_dwordx2 v[2:3], v0, s[4:5]\ns_waitcnt vmcnt(0)\nds_write_b32 v1, v2\n"
    assert found(body, parts=False) == []
    assert found(body.replace("v1, v2", "v1, v4"), parts=False) == ["global_load_dwordx2 v[2:3], v0, s[4:5]"]


@pytest.mark.parametrize(
    ("load", "read", "lost"),
    [
        ("global_load_dwordx2 v[2:3], v0, s[4:5]", "v2", False),  # an index of 64 bits that is cut to 32
        ("global_load_dwordx2 v[2:3], v0, s[4:5]", "v3", True),
        ("global_load_dwordx2 v[2:3], v0, s[4:5]", "v4", True),
        ("global_load_dwordx4 v[2:5], v0, s[4:5]", "v2", True),
    ],
)
def test_the_upper_word_of_a_number_may_be_cut_off(load, read, lost):
    assert found(f"{load}\ns_waitcnt vmcnt(0)\nglobal_store_dword v0, {read}, s[6:7]\n") == ([load] if lost else [])
