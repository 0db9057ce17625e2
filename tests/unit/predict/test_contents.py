"""Which branches depend on contents of memory, on code whose way is known."""

import pytest

from hotloop.isa.amdgcn.registers import SGPR
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.loops import loops
from hotloop.predict import contents
from hotloop.predict.contents import deciding

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n\t.type\tk,@function\nk:\n'
TAIL = "\ts_endpgm\n.Lfunc_end0:\n\t.size\tk, .Lfunc_end0-k\n"
ARGUMENTS = "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dword s8, s[0:1], 0x10\n"
DATUM = ARGUMENTS + "global_load_dword v1, v0, s[4:5]\n"
LOOP = "L:\nv_add_f32_e32 v2, v2, v2\nv_add_f32_e32 v3, v3, v3\n{step}\ns_cbranch_{on} L\n"
WORK = "v_add_f32_e32 v2, v2, v2\n" * 20
GUARDED = "s_and_saveexec_b64 s[10:11], vcc\ns_cbranch_execz .E\n{inside}.E:\ns_or_b64 exec, exec, s[10:11]\n"
UNTIL = "v_cmp_lt_f32_e32 vcc, v1, v2\ns_or_b64 s[12:13], vcc, s[12:13]\ns_andn2_b64 exec, exec, s[12:13]"


def decided(body, executed=None, target="gfx942", **asked):
    lines = [
        line if line.endswith(":") else f"\t{line}"
        for line in body.replace(" L\n", " .L\n").replace("L:", ".L:").splitlines()
    ]
    (function,) = DIALECT.parse(HEAD.replace("gfx942", target) + "\n".join(lines) + "\n" + TAIL)
    counts = {i.address: 1.0 for i in function.instructions if executed is None or executed(i)}
    return deciding(function, counts, **asked)


COUNTED = LOOP.format(step="s_add_i32 s9, s9, 1\ns_cmp_lt_u32 s9, s8", on="scc1")


@pytest.mark.parametrize(
    ("body", "branch"),
    [
        (DATUM + LOOP.format(step=UNTIL, on="execnz"), "s_cbranch_execnz"),
        (DATUM + COUNTED, None),
        (DATUM + LOOP.format(step=UNTIL.replace("v_cmp_lt_f32", "v_cmp_u_f32"), on="execnz"), None),
        (ARGUMENTS + "s_load_dword s8, s[6:7], 0x0\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_readfirstlane_b32 s8, v1\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\n" + GUARDED.format(inside=WORK), "s_cbranch_execz"),
        (DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\n" + GUARDED.format(inside="global_store_dword v0, v1, s[6:7]\n") + WORK, None),
        (DATUM + "v_cmp_lt_u32_e32 vcc, s8, v0\n" + GUARDED.format(inside=WORK), None),
        (DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\nv_cndmask_b32_e32 v2, v1, v3, vcc\n" + WORK, None),
        (DATUM + "ds_write_b32 v0, v1\nds_read_b32 v4, v0\nv_readfirstlane_b32 s8, v4\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_mad_u64_u32 v[4:5], s[10:11], s8, v3, v[0:1]\nv_readfirstlane_b32 s8, v4\n" + COUNTED, None),
        (DATUM + "v_mad_u64_u32 v[4:5], s[10:11], s8, v3, v[0:1]\nv_readfirstlane_b32 s8, v5\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_mad_u64_u32 v[4:5], s[10:11], s8, v1, v[2:3]\nv_readfirstlane_b32 s8, v4\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_pk_add_f32 v[4:5], v[0:1], v[0:1]\nv_readfirstlane_b32 s8, v4\n" + COUNTED, None),
        (DATUM + "v_pk_add_f32 v[4:5], v[0:1], v[0:1] op_sel:[1,0]\nv_readfirstlane_b32 s8, v4\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "v_writelane_b32 v9, s8, 3\nv_readlane_b32 s8, v9, 3\n" + COUNTED, None),
        (DATUM + "v_readfirstlane_b32 s20, v1\nv_writelane_b32 v9, s20, 2\nv_readlane_b32 s8, v9, 3\n" + COUNTED, None),
        (DATUM + "v_readfirstlane_b32 s20, v1\nv_writelane_b32 v9, s20, 2\nv_readlane_b32 s8, v9, 2\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "scratch_store_dword off, v1, off offset:8\nscratch_load_dword v5, off, off offset:4\nv_readfirstlane_b32 s8, v5\n" + COUNTED, None),
        (DATUM + "scratch_store_dwordx2 off, v[0:1], off offset:4\nscratch_load_dword v5, off, off offset:8\nv_readfirstlane_b32 s8, v5\n" + COUNTED, "s_cbranch_scc1"),
        (DATUM + "scratch_store_dword v7, v1, off\nscratch_load_dword v5, off, off offset:8\nv_readfirstlane_b32 s8, v5\n" + COUNTED, "s_cbranch_scc1"),
    ],
    ids=["until", "counted", "not a number", "scalar content", "lane", "guarded", "little guarded", "position", "chosen", "local", "upper word", "its own", "factor", "beside", "crossed", "spilled lane", "other lane", "same lane",
         "other word", "same word", "array"],
)  # fmt: skip
def test_a_branch_on_contents_counts_as_far_as_it_decides_about_much(body, branch):
    found = decided(body)
    assert (found.mnemonic if found else None) == branch


def test_the_halves_of_a_dual_instruction_are_told_apart():
    step = "v_cmp_lt_u32_e32 vcc_lo, s8, v5\ns_or_b32 s12, vcc_lo, s12\ns_and_not1_b32 exec_lo, exec_lo, s12"
    body = (
        DATUM.replace("s_load_dwordx4", "s_load_b128").replace("dword", "b32")
        + "{dual}\n"
        + LOOP.format(step=step, on="execnz")
    )
    counted = body.format(dual="v_dual_fmac_f32 v4, v1, v1 :: v_dual_add_nc_u32 v5, 1, v5")
    assert decided(counted, target="gfx1100") is None
    assert (
        decided(body.format(dual="v_dual_fmac_f32 v5, v1, v1 :: v_dual_add_nc_u32 v4, 1, v4"), target="gfx1100")
        is not None
    )
    assert decided(body.format(dual="v_dual_mov_b32 v6, v7 :: v_dual_mov_b32 v5, v1"), target="gfx1100") is not None


def test_what_no_wave_came_to_counts_where_the_contents_are_not_the_real_ones():
    body = DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\n" + GUARDED.format(inside=WORK)

    def passed_by(instruction):
        return instruction.mnemonic != "v_add_f32_e32"

    assert decided(body, passed_by) is None
    assert decided(body, passed_by, unseen=True) is not None


def test_the_loops_of_a_kernel_are_looked_for_once(monkeypatch):
    asked = []
    monkeypatch.setattr(contents, "loops", lambda graph: asked.append(graph) or loops(graph))
    step = "s_add_i32 s9, s9, 1\ns_cmp_lt_u32 s9, s8"
    assert decided(DATUM + WORK * 20 + LOOP.format(step=step, on="scc1") + "v_readfirstlane_b32 s8, v1\n") is None
    assert len(asked) == 1


STORE = "global_store_dword v0, v1, s[6:7]\n"


@pytest.mark.parametrize(
    ("body", "decided"),
    [
        (DATUM + STORE, False),
        (DATUM + "v_cmp_lt_u32_e32 vcc, s8, v0\n" + GUARDED.format(inside=STORE), False),
        (DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\n" + GUARDED.format(inside=STORE), True),
        (DATUM + "v_cmp_lt_f32_e32 vcc, 0, v1\n" + GUARDED.format(inside=WORK) + STORE, False),
        (DATUM + STORE.replace("v0", "v1", 1), True),
        (DATUM + "global_atomic_add_u32 v5, v0, v1, s[6:7] sc0\n", False),
        (DATUM + "global_atomic_add_u32 v5, v1, v0, s[6:7] sc0\n", True),
        (DATUM + "global_atomic_add_u32 v0, v1, s[6:7]\n", False),
        (DATUM + "flat_atomic_add v[2:3], v1\n", False),
        (DATUM + "v_readfirstlane_b32 s9, v1\ns_cmp_lt_u32 s9, 3\ns_cbranch_scc1 .E\n" + STORE + ".E:\n", True),
        (DATUM + "v_readfirstlane_b32 s9, v1\ns_cmp_lt_u32 s9, 3\ns_cbranch_scc1 .E\n" + WORK + ".E:\n" + STORE, False),
    ],
    ids=[
        "plain",
        "position",
        "mask",
        "mask put back",
        "place",
        "atomic",
        "place of one",
        "without return",
        "flat",
        "branch around it",
        "branch before it",
    ],
)
def test_contents_decide_where_or_whether_memory_is_written(body, decided):
    lines = [line if line.endswith(":") else f"\t{line}" for line in body.splitlines()]
    (function,) = DIALECT.parse(HEAD + "\n".join(lines) + "\n" + TAIL)
    every = {one.address for one in function.instructions}
    assert contents.placing(function, every) is decided
    assert not contents.placing(function, every, stores=set())


def test_a_pointer_that_was_put_into_registers_before_the_start_is_an_argument():
    body = "s_load_dword s9, s[6:7], 0x0\ns_cmp_lt_u32 s9, 3\ns_cbranch_scc1 .E\n" + STORE + ".E:\n"
    lines = [line if line.endswith(":") else f"\t{line}" for line in body.splitlines()]
    (function,) = DIALECT.parse(HEAD + "\n".join(lines) + "\n" + TAIL)
    every = {one.address for one in function.instructions}
    assert not contents.placing(function, every)  # taken for the kernel's arguments
    assert contents.placing(function, every, arguments=range(SGPR + 2, SGPR + 10))
