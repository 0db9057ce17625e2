import pytest

from hotloop.isa.dialects.amdgcn import DIALECT

TEXT = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
buffer_copy:
\ts_load_dwordx2 s[0:1], s[4:5], 0x0
\ts_waitcnt lgkmcnt(0)
global_step: ; the loop
\tglobal_load_dword v1, v0, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v1, 1.0, v1
\tglobal_store_dword v0, v1, s[0:1]
\ts_cbranch_scc1 global_step
\ts_endpgm
"""


def test_a_label_may_begin_like_an_instruction():
    (function,) = DIALECT.parse(TEXT)
    assert function.name == "buffer_copy"
    assert len(function.instructions) == 8
    branch = next(i for i in function.instructions if i.mnemonic == "s_cbranch_scc1")
    assert function.instructions[2].address == branch.target


NUMBERED = """\t.type\tk,@function
k:
\ts_mov_b32 s0, 3
1:\tv_add_u32_e32 v0, 1, v0
\ts_sub_i32 s0, s0, 1
\ts_cbranch_scc1 1b ; back
\ts_branch 1f
1:
\ts_endpgm
.Lend:
\t.size\tk, .Lend-k
"""


def test_numbered_labels_mean_the_nearest_and_may_share_a_line_with_an_instruction():
    (function,) = DIALECT.parse(NUMBERED)
    assert [(i.mnemonic, i.target) for i in function.instructions] == [
        ("s_mov_b32", None), ("v_add_u32_e32", None), ("s_sub_i32", None), ("s_cbranch_scc1", 4), ("s_branch", 20), ("s_endpgm", None),
    ]  # fmt: skip


def test_names_in_capitals_are_instructions_as_llvms_assembler_has_it():
    code = DIALECT.parse("f:\n\tV_PERM_B32 v1, 0, v2, v3;\n\tS_Branch .L1\n.L1:\n\ts_endpgm\n")[0].instructions
    assert [(one.mnemonic, one.operands) for one in code[:1]] == [("v_perm_b32", "v1, 0, v2, v3")]
    assert [one.mnemonic for one in code[1:]] == ["s_branch", "s_endpgm"]
    assert code[1].target == code[2].address
    with pytest.raises(ValueError, match="line 2 is no instruction of an AMD GPU: 'XQ_FROB_B32 v1'"):
        DIALECT.parse("f:\n\tXQ_FROB_B32 v1\n\ts_endpgm\n")


def test_comments_between_signs_hold_no_instruction_and_leave_the_line_numbers():
    text = (
        "f:\n\t/* two\n\tv_mov_b32 v9, v9\n lines */ v_mov_b32 v1, v2 /* copy */\n\ts_nop 0 ; no /* begin\n\ts_endpgm\n"
    )
    code = DIALECT.parse(text)[0].instructions
    assert [(one.mnemonic, one.operands, one.line) for one in code] == [
        ("v_mov_b32", "v1, v2", 4), ("s_nop", "0", 5), ("s_endpgm", "", 6),
    ]  # fmt: skip
