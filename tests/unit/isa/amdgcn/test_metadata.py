"""Resources of kernels from the text forms of metadata."""

import pytest

from hotloop.isa.amdgcn import metadata
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.targets.target import Target

CODE = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack-"
\t.type\tk,@function
k:
\tds_read_b32 v0, v1
\ts_endpgm
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
\t.amdhsa_kernel k
\t\t.amdhsa_group_segment_fixed_size 512
\t\t.amdhsa_private_segment_fixed_size 16
\t.end_amdhsa_kernel
\t.text
"""
REMARKS = """\
; Kernel info:
; codeLenInByte = 16
; TotalNumSgprs: 10
; NumVgprs: 254
; NumAgprs: 11
; TotalNumVgprs: 267
; ScratchSize: 16
; LDSByteSize: 512 bytes/workgroup (compile time only)
; Occupancy: 1
; WaveLimiterHint : 1
\t.text
"""
YAML = """\
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     11
    .args:
      - .name:           vgprs
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 1024
    .max_flat_workgroup_size: 256
    .name:           k
    .private_segment_fixed_size: 32
    .sgpr_count:     12
    .sgpr_spill_count: 3
    .symbol:         k.kd
    .vgpr_count:     267
    .vgpr_spill_count: 5
    .wavefront_size: 64
amdhsa.target:   'amdgcn-amd-amdhsa--gfx90a:xnack-'
amdhsa.version:
  - 1
  - 2
...

\t.end_amdgpu_metadata
"""


def one(text):
    (found,) = metadata.described(text).values()
    return found


def test_everything_together():
    found = one(CODE + REMARKS + YAML)
    assert (found.name, found.target) == ("k", "gfx90a")
    assert (found.vgprs, found.agprs, found.total_vgprs, found.sgprs) == (254, 11, 267, 12)
    assert (found.vgpr_spills, found.sgpr_spills, found.scratch_bytes, found.lds_bytes) == (5, 3, 32, 1024)
    assert (found.workgroup_max, found.wave_size, found.code_bytes, found.occupancy_waves) == (256, 64, 16, 1)


def test_without_remarks_as_flydsl_writes_it():
    found = one(CODE + YAML)
    assert (found.vgprs, found.agprs, found.total_vgprs) == (256, 11, 267)  # 256: the allocation rounds 254 up
    assert (found.code_bytes, found.occupancy_waves) == (None, None)


def test_directives_alone():
    found = one(CODE)
    assert (found.lds_bytes, found.scratch_bytes, found.vgprs, found.wave_size) == (512, 16, None, None)


def test_count_is_no_sum_where_the_files_are_separate():
    separate = (CODE + YAML).replace("gfx90a:xnack-", "gfx908")
    found = one(separate)
    assert (found.vgprs, found.agprs, found.total_vgprs) == (267, 11, None)


def test_garbled_metadata_values_are_unknown():
    found = one(YAML.replace(" 267", " many").replace(" 12\n", " -1\n").replace("    .wavefront_size: 64\n", ""))
    assert (found.vgprs, found.total_vgprs, found.sgprs, found.wave_size) == (None, None, None, None)
    assert found.lds_bytes == 1024


def test_metadata_of_another_processor_are_refused():
    with pytest.raises(ValueError, match="for gfx90a but its metadata for gfx942"):
        metadata.described(CODE + YAML.replace("gfx90a", "gfx942"))


@pytest.mark.parametrize(
    ("lds", "kind", "code", "dynamic"),
    [
        ("0", "by_value", "ds_read_b32 v0, v1", True),
        ("0", "by_value", "v_mov_b32_e32 v0, v1", False),
        ("1024", "by_value", "ds_read_b32 v0, v1", None),
        ("1024", "hidden_dynamic_lds_size", "ds_read_b32 v0, v1", True),
        ("0", "by_value", "buffer_load_dword v0, s[0:3], 0 offen lds", True),
    ],
)
def test_dynamic_local_memory(lds, kind, code, dynamic):
    text = CODE.replace("ds_read_b32 v0, v1", code) + YAML.replace("size: 1024", f"size: {lds}").replace(
        "by_value", kind
    )
    (function,) = DIALECT.parse(text)
    assert function.resources.dynamic_lds is dynamic


def test_several_kernels_keep_their_own_remarks():
    second = (
        (CODE + REMARKS).replace("k:", "q:").replace("\tk,", "\tq,").replace("-k", "-q").replace("kernel k", "kernel q")
    )
    second = second.replace("NumVgprs: 254", "NumVgprs: 8").replace("func_end0", "func_end1")
    found = metadata.described(CODE + REMARKS + second)
    assert {name: row.vgprs for name, row in found.items()} == {"k": 254, "q": 8}


@pytest.mark.parametrize(
    ("text", "processor", "generation", "wave"),
    [
        ("amdgcn-amd-amdhsa--gfx942", "gfx942", 9, 64),
        ("amdgpu9.42-amd-amdhsa-unknown-gfx942", "gfx942", 9, 64),
        ("hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", "gfx90a", 9, 64),
        ("amdgcn-amd-amdhsa-unknown-gfx1012", "gfx1012", 10, 32),
        ("amdgcn-amd-amdhsa--gfx1201", "gfx1201", 12, 32),
        ("amdgcn-amd-amdhsa--gfx11-generic", "gfx11-generic", 11, 32),
        ("amdgcn-amd-amdhsa--gfx9-4-generic", "gfx9-4-generic", 9, 64),
    ],
)
def test_target(text, processor, generation, wave):
    found = Target.in_identifier(text)
    assert (found.name, found.generation, found.wave_size) == (processor, f"gfx{generation}", wave)


def test_target_features_flags_and_absence():
    assert Target.in_identifier("amdgcn--gfx90a:sramecc+:xnack-").features == ":sramecc+:xnack-"
    assert Target.of_elf_flags(0x54C).name == "gfx942"
    assert Target.of_elf_flags(0xFF) is None
    assert Target.in_identifier("x86_64-linux-gnu") is None
    assert [Target(name).unified for name in ("gfx908", "gfx90a", "gfx950", "gfx1100")] == [
        False,
        True,
        True,
        False,
    ]
