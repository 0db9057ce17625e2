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
