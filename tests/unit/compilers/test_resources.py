from hotloop.compilers.resources import from_cubin, from_metadata, launched, with_remarks, without_remarks
from hotloop.host.disassemble import Usage
from hotloop.targets.target import Target

CDNA = """
	.size	mfma, .Lfunc_end0-mfma
; Kernel info:
; codeLenInByte = 1234
; NumVgprs: 82
; Occupancy: 3
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     64
    .args:
      - .address_space:  global
        .name:           x
        .offset:         0
    .group_segment_fixed_size: 8704
    .max_flat_workgroup_size: 256
    .name:           mfma
    .private_segment_fixed_size: 16
    .sgpr_count:     34
    .sgpr_spill_count: 1
    .symbol:         mfma.kd
    .vgpr_count:     148
    .vgpr_spill_count: 4
    .wavefront_size: 64
  - .agpr_count:     0
    .name:           other
    .vgpr_count:     12
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
"""
RDNA = """
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:           []
    .name:           'k'
    .vgpr_count:     125
    .wavefront_size: 32
amdhsa.target:   amdgcn-amd-amdhsa--gfx1012
...
	.end_amdgpu_metadata
"""
REMARKS = """k.cl:3:1: remark: Function Name: k [-Rpass-analysis=kernel-resource-usage]
    3 | __kernel void k(
      | ^
k.cl:3:1: remark:     VGPRs: 125 [-Rpass-analysis=kernel-resource-usage]
    3 | __kernel void k(
      | ^
k.cl:3:1: remark:     Occupancy [waves/SIMD]: 8 [-Rpass-analysis=kernel-resource-usage]
k.cl:9:2: warning: unused variable 'q'
    9 | int q;
      | ^
"""


def test_cdna_counts_both_kinds_of_registers_together():
    mfma, other = from_metadata(CDNA, Target.parse("gfx942"))
    assert (mfma.vgprs, mfma.agprs, mfma.total_vgprs) == (82, 64, 148)
    assert (mfma.vgpr_spills, mfma.sgpr_spills, mfma.scratch_bytes, mfma.lds_bytes) == (4, 1, 16, 8704)
    assert (mfma.code_bytes, mfma.occupancy_waves, mfma.workgroup_max, mfma.wave_size) == (1234, 3, 256, 64)
    assert (other.name, other.vgprs, other.total_vgprs, other.lds_bytes) == ("other", 12, 12, None)


def test_rdna_has_one_kind_of_registers():
    (kernel,) = from_metadata(RDNA, Target.parse("gfx1012"))
    assert (kernel.name, kernel.vgprs, kernel.agprs, kernel.total_vgprs) == ("k", 125, None, None)


def test_a_listing_without_metadata_tells_nothing():
    assert from_metadata("s_endpgm", Target.parse("gfx942")) == ()


def test_remarks_add_the_occupancy_and_leave_the_messages_clean():
    (kernel,) = with_remarks(from_metadata(RDNA, Target.parse("gfx1012")), REMARKS)
    assert (kernel.vgprs, kernel.occupancy_waves) == (125, 8)
    assert without_remarks(REMARKS) == "k.cl:9:2: warning: unused variable 'q'\n    9 | int q;\n      | ^"


def test_a_cubin_prefers_what_ptxas_said():
    said = (
        "ptxas info    : Compiling entry function 'k' for 'sm_90'\nptxas info    : Function properties for k\n"
        "    8 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads\n"
        "ptxas info    : Used 168 registers, used 1 barriers, 1024 bytes smem\n"
    )
    (kernel,) = from_cubin((Usage("k", 168, 8, 2048, 0),), said, Target.parse("sm_90"))
    assert (kernel.vgprs, kernel.vgpr_spills, kernel.lds_bytes, kernel.barriers) == (168, 4, 1024, 1)
    (alone,) = from_cubin((Usage("k", 168, 8, 2048, 0),), "", Target.parse("sm_90"))
    assert (alone.vgpr_spills, alone.lds_bytes, alone.scratch_bytes) == (None, 2048, 8)


def test_what_a_launch_adds_goes_to_the_launched_kernel_only():
    mfma, other = from_metadata(CDNA, Target.parse("gfx942"))
    made = launched(mfma, "mfma", 32768, 256)
    assert (made.lds_bytes, made.dynamic_lds, made.workgroup_max) == (32768, False, 256)
    assert launched(other, "mfma", 32768, 256) == other
