"""What of a hot loop's traffic surely reaches the device's memory."""

import pytest

from hotloop.app.code.analysis import Request, analyse
from hotloop.report.code.listing import verdict

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nkernel:\n\ts_mov_b32 s4, 0\n.LBB0_1:\n'
BACK = "\ts_add_i32 s4, s4, 1\n\ts_cmp_lg_u32 s4, s5\n\ts_cbranch_scc1 .LBB0_1\n"
ACROSS = "\tv_add_f32_dpp v20, v20, v20 row_shr:1 row_mask:0xf bank_mask:0xf\n"
PRODUCT = """\tglobal_load_dword v10, v1, s[0:1]
\tglobal_load_dword v11, v2, s[2:3]
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v20, v10, v11
"""
SPARSE = """\tglobal_load_dword v10, v1, s[0:1]
\tglobal_load_dword v11, v2, s[2:3]
\ts_waitcnt vmcnt(0)
\tv_lshlrev_b32_e32 v11, 2, v11
\tglobal_load_dword v12, v11, s[6:7]
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v20, v10, v12
"""


@pytest.mark.parametrize(
    ("body", "behind", "streamed"),
    [(PRODUCT, "", None), (PRODUCT, ACROSS, 512), (SPARSE, "", 512)],
    ids=["a product of matrices, or one lane a row", "a row that lanes share", "a sparse product"],
)
def test_operands_that_nobody_else_reads_take_the_memorys_time(tmp_path, body, behind, streamed):
    path = tmp_path / "kernel.s"
    path.write_text(HEAD + body + BACK + behind + "\ts_endpgm\n")
    (report,) = analyse(Request(text=str(path)))
    cycles = report.evidence.get("isa.memory_cycles")
    if streamed is None:
        assert cycles is None
        assert report.evidence.why_absent("isa.memory_cycles").startswith("other groups read the operands")
    else:
        moved, looked_up = (report.evidence.get(f"isa.{name}_bytes") for name in ("moved", "gathered"))
        assert moved - looked_up == streamed
        assert cycles == pytest.approx(streamed / (5.3e12 / 2.1e9 / 304 / 4), rel=0.01)


def test_a_unit_that_is_taken_all_the_time_is_named_where_no_rule_finds_anything(tmp_path):
    products = "".join(f"\tv_mfma_f32_32x32x2_f32 a[{n}:{n + 15}], v0, v1, a[{n}:{n + 15}]\n" for n in (0, 16, 32, 48))
    metadata = """
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .name: kernel
    .symbol: kernel.kd
    .vgpr_count: 72
    .agpr_count: 64
    .sgpr_count: 16
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .max_flat_workgroup_size: 256
    .wavefront_size: 64
...
\t.end_amdgpu_metadata
"""
    path = tmp_path / "kernel.s"
    path.write_text(HEAD + products + BACK + "\ts_endpgm\n" + metadata)
    (report,) = analyse(Request(text=str(path)))
    assert "by the timing model matrix is taken 100.0 % of the time" in verdict(report)


def test_atomic_updates_are_no_traffic_of_the_memory(tmp_path):
    """The second-level cache does them: a scatter of rows into sums by k-means, published, is not bound by the bytes that it adds."""
    path = tmp_path / "kernel.s"
    update = "\tglobal_load_dword v10, v1, s[0:1]\n\ts_waitcnt vmcnt(0)\n\tglobal_atomic_add_f32 v2, v10, s[2:3]\n"
    path.write_text(HEAD + update + BACK + "\ts_endpgm\n")
    (report,) = analyse(Request(text=str(path)))
    moved, updated = (report.evidence.get(f"isa.{name}_bytes") for name in ("moved", "atomic"))
    assert (moved, updated) == (512, 256)
    assert report.evidence.get("isa.memory_cycles") == pytest.approx(256 / (5.3e12 / 2.1e9 / 304 / 4), rel=0.01)
