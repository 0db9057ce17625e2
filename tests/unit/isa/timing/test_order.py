"""Order of control flow: blocks that stand elsewhere in the listing are taken where control passes them."""

from hotloop.isa.amdgcn.pipeline import pipelines, straight_line
from hotloop.isa.amdgcn.slots import Group
from hotloop.isa.dialects.amdgcn import DIALECT

LOAD, WAIT, USE = "global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v8, v1"
MFMA = "v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]"


def kernel(*lines, target="gfx942"):
    rows = "".join(f"{line}\n" if line.endswith(":") else f"\t{line}\n" for line in lines)
    (function,) = DIALECT.parse(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n{rows}')
    return function


def test_a_block_placed_behind_the_loop_is_walked_where_control_passes_it():
    # The load stands after its wait in the listing, but runs before it in the same iteration.
    moved = kernel(
        "s_branch .Lload", ".Luse:", WAIT, USE, *[MFMA] * 4, "s_cmp_lt_i32 s0, s1", "s_cbranch_scc0 .Lend",
        ".Lload:", LOAD, "s_branch .Luse", ".Lend:", "s_endpgm",
    )  # fmt: skip
    (found,) = pipelines(moved)
    (distance,) = found.stage(Group.GLOBAL).distances
    assert (distance.iterations, distance.instructions) == (0, 2)
    assert [line.slot.instruction.mnemonic for line in found.timeline.lines[:2]] == ["global_load_dword", "s_branch"]
    plain = kernel(".Lload:", LOAD, WAIT, USE, *[MFMA] * 4, "s_cmp_lt_i32 s0, s1", "s_cbranch_scc1 .Lload", "s_endpgm")
    (straight,) = pipelines(plain)
    assert found.stage(Group.GLOBAL).verdict is straight.stage(Group.GLOBAL).verdict
    assert found.stage(Group.GLOBAL).stall_cycles == straight.stage(Group.GLOBAL).stall_cycles - 4  # the branch between


def test_straight_line_code_has_a_timeline():
    found = straight_line(kernel(LOAD, WAIT, USE, "s_endpgm"))
    assert (found.depth, found.cycles) == (0, 512)  # four issue slots, and the load's 500 cycles but one slot
    assert found.stage(Group.GLOBAL).stall_cycles == 496


def test_inner_loops_are_left_out_of_the_outer_iteration():
    both = kernel(
        ".Louter:", "v_add_f32_e32 v1, v1, v2", ".Linner:", MFMA, "s_cmp_lt_i32 s0, s1", "s_cbranch_scc1 .Linner",
        "v_add_f32_e32 v3, v3, v2", "s_cmp_lt_i32 s2, s3", "s_cbranch_scc1 .Louter", "s_endpgm",
    )  # fmt: skip
    outer, inner = pipelines(both, every=True)
    assert inner.timeline.lines[0].slot.instruction.mnemonic.startswith("v_mfma")
    assert sum(line.slot.instruction.mnemonic.startswith("v_add") for line in outer.timeline.lines) == 2
    assert not any(line.slot.instruction.mnemonic.startswith("v_mfma") for line in outer.timeline.lines)
