"""Limits on reports: broken, held, and not known."""

import pytest

from hotloop.diagnose.code import Launched, judged
from hotloop.errors import UsageError
from hotloop.isa.dialect import load
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary.build import Source, report
from hotloop.isa.summary.limits import Limits, check

TEXT = """
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.type\tk,@function
k:
.LBB0_1:
\tglobal_load_dwordx4 v[0:3], v[8:9], off
\ts_waitcnt vmcnt(0)
\tv_fmac_f32_e32 v10, v0, v3
\ts_sub_u32 s8, s8, 1
\ts_cmp_lg_u32 s8, 0
\ts_cbranch_scc1 .LBB0_1
\ts_endpgm
.Lend:
\t.size\tk, .Lend-k
"""


def analysed(**resources):
    from dataclasses import replace

    (function,) = load("amdgcn").parse(TEXT)
    if resources:
        function = replace(function, resources=KernelResources(name="k", target="gfx942", **resources))
    return judged(report(function, Source(dialect="amdgcn", origin="test")), Launched())


KNOWN = analysed(vgprs=130, sgprs=20, vgpr_spills=0, scratch_bytes=0, lds_bytes=1024, dynamic_lds=False, workgroup_max=256,
                 wave_size=64)  # fmt: skip


def verdict(found, **limits):
    (only,) = check((found,), Limits(**limits))
    return only


@pytest.mark.parametrize(
    ("limits", "value", "passed"),
    [
        ({"max_vgpr": 128}, 130, False),
        ({"max_vgpr": 130}, 130, True),
        ({"max_spills": 0}, 0, True),
        ({"max_lds": 1023}, 1024, False),
        ({"min_occupancy": 3}, 3, True),
        ({"min_occupancy": 4}, 3, False),
        ({"max_exposed_loads": 0}, 1, False),
        ({"max_exposed_lds": 0}, 0, True),
        ({"max_serial_loads": 1}, 1, True),
        ({"max_barriers": 0}, 0, True),
        ({"min_matrix": 1}, 0, False),
        ({"max_hazards": 0}, 0, True),
    ],
)
def test_limits(limits, value, passed):
    found = verdict(KNOWN, **limits)
    assert (found.value, found.passed) == (value, passed)
    assert ("but the limit" in found.message) is not passed


@pytest.mark.parametrize(
    "limits",
    [{"max_vgpr": 512}, {"max_spills": 999}, {"min_occupancy": 0}, {"max_lds": 1 << 20}, {"max_code": 1 << 20}],
)
def test_without_metadata_nothing_passes(limits):
    found = verdict(analysed(), **limits)
    assert not found.passed
    assert found.value is None
    assert "not known" in found.message


def test_an_upper_bound_of_occupancy_is_not_a_pass():
    bound = analysed(vgprs=32, lds_bytes=0, dynamic_lds=True, workgroup_max=256, wave_size=64)
    found = verdict(bound, min_occupancy=2)
    assert not found.passed
    assert "--dynamic-lds" in found.message
    assert not verdict(bound, max_lds=1 << 20).passed


def test_instructions_per_matrix_need_a_matrix_instruction():
    assert "no matrix instruction" in verdict(KNOWN, max_instructions_per_matrix=10.0).message


def test_no_limit_at_all_is_a_mistake():
    with pytest.raises(UsageError, match="no limit"):
        check((KNOWN,), Limits())
