"""Kernels written as assembly for tests: a body between a head that loads the arguments and the description of the launch."""

import pytest

_METADATA = """\t.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
{arguments}
    .group_segment_fixed_size: {lds}
    .kernarg_segment_size: {size}
    .max_flat_workgroup_size: 1024
    .name:           k
    .private_segment_fixed_size: {scratch}
    .symbol:         k.kd
    .wavefront_size: {wave}
amdhsa.target:   amdgcn-amd-amdhsa--{target}
amdhsa.version:
  - 1
  - 2
...
\t.end_amdgpu_metadata
"""
_ARGUMENT = """      - .address_space:  global
        .offset:         {offset}
        .size:           8
        .value_kind:     global_buffer"""


def text_of(body, buffers=2, target="gfx942", wave=64, lds=0, scratch=0):
    """Return a kernel whose buffers' addresses are in s[4:5], s[6:7] ..., the work-item in v0, the group in s2."""
    loads = "\n".join(f"\ts_load_dwordx2 s[{4 + 2 * n}:{5 + 2 * n}], s[0:1], {8 * n:#x}" for n in range(buffers))
    arguments = "\n".join(_ARGUMENT.format(offset=8 * n) for n in range(buffers))
    text = "\n".join(
        f"\t{line.strip()}" if not line.strip().endswith(":") else line.strip() for line in body.strip().splitlines()
    )
    small = (
        f"\t\t.amdhsa_wavefront_size32 {int(wave == 32)}\n"
        if target >= "gfx1" and not target.startswith("gfx9")
        else ""
    )
    return f"""\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"
\t.text
\t.globl\tk
\t.type\tk,@function
k:
{loads}
\ts_waitcnt lgkmcnt(0)
{text}
\ts_endpgm
.Lfunc_end0:
\t.size\tk, .Lfunc_end0-k
\t.amdhsa_kernel k
\t\t.amdhsa_group_segment_fixed_size {lds}
\t\t.amdhsa_private_segment_fixed_size {scratch}
\t\t.amdhsa_kernarg_size {8 * buffers}
\t\t.amdhsa_user_sgpr_count 2
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
\t\t.amdhsa_system_sgpr_workgroup_id_x 1
\t\t.amdhsa_system_vgpr_workitem_id 0
{small}\t\t.amdhsa_next_free_vgpr 64
\t\t.amdhsa_next_free_sgpr 32
\t.end_amdhsa_kernel
""" + _METADATA.format(arguments=arguments, lds=lds, size=8 * buffers, scratch=scratch, wave=wave, target=target)


@pytest.fixture
def listing():
    """Return the function that makes a listing of a body."""
    return text_of
