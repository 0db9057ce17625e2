"""Unit pressure, critical path and bounds, counted by hand."""

import pytest

from hotloop.isa.amdgcn.costs import price
from hotloop.isa.amdgcn.pipeline import pipelines, straight_line
from hotloop.isa.amdgcn.slots import arrivals
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.timing.clock import bound, clock
from hotloop.isa.timing.price import Unit

TAIL = ("s_cmp_lt_i32 s0, s1", "s_cbranch_scc1 .L")


def kernel(*lines, target="gfx942"):
    rows = "".join(f"{line}\n" if line.endswith(":") else f"\t{line}\n" for line in lines)
    (function,) = DIALECT.parse(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n{rows}\ts_endpgm\n')
    return function


def timed(*lines, target="gfx942"):
    (found,) = pipelines(kernel(".L:", *lines, *TAIL, target=target))
    return clock(found.timeline, arrivals([line.slot for line in found.timeline.lines]))


@pytest.mark.parametrize(
    ("text", "target", "unit", "busy"),
    [
        ("v_fma_f32 v0, v1, v2, v3", "gfx942", Unit.VECTOR, 4),  # 64 lanes through 16
        ("v_fma_f32 v0, v1, v2, v3", "gfx1100", Unit.VECTOR, 1),
        ("v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", "gfx90a", Unit.VECTOR, 4),
        ("v_fma_f64 v[0:1], v[2:3], v[4:5], v[6:7]", "gfx1100", Unit.VECTOR, 32),
        ("v_exp_f32_e32 v0, v1", "gfx942", Unit.VECTOR, 16),
        ("v_exp_f32_e32 v0, v1", "gfx1201", Unit.SPECIAL, 4),
        ("v_mul_lo_u32 v0, v1, v2", "gfx950", Unit.VECTOR, 16),
        ("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", "gfx942", Unit.MATRIX, 32),
        ("ds_read_b128 v[0:3], v4", "gfx942", Unit.LOCAL, 32),  # 1 KiB at 128 B a cycle, shared by four SIMDs
        ("ds_load_b32 v0, v4", "gfx1100", Unit.LOCAL, 2),  # 128 B, shared by two
        ("global_load_dwordx4 v[0:3], v[4:5], off", "gfx942", Unit.MEMORY, 64),
        ("s_add_u32 s0, s1, s2", "gfx942", Unit.SCALAR, 4),
        ("s_waitcnt vmcnt(0)", "gfx942", None, 0),
    ],
)
def test_prices(text, target, unit, busy):
    found = price(kernel(text, target=target).instructions[0], target)
    assert (found.unit, found.busy_cycles) == (unit, busy)


def test_waves_of_64_take_two_passes_on_rdna():
    instruction = kernel("v_fma_f32 v0, v1, v2, v3", target="gfx1100").instructions[0]
    assert price(instruction, "gfx1100", 64).busy_cycles == 2 * price(instruction, "gfx1100", 32).busy_cycles


def test_independent_work_is_bound_by_its_unit_and_a_chain_by_latency():
    free = timed(*(f"v_fma_f32 v{n}, v100, v101, v{n}" for n in range(16)), target="gfx1100")
    assert (free.units[0].unit, free.units[0].cycles, free.critical.carried_cycles) == (Unit.VECTOR, 16, 5)
    chained = timed(*["v_fma_f32 v0, v100, v101, v0"] * 16, target="gfx1100")
    assert chained.critical.carried_cycles == 16 * 5
    assert len(chained.critical.links) == 16
    assert chained.alone_cycles >= 80 > free.alone_cycles
    assert chained.units[0].cycles == free.units[0].cycles  # the unit itself has as much to do


def test_enough_waves_turn_latency_into_a_bound_by_a_unit():
    found = timed("global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)", *["v_fma_f32 v0, v1, v1, v0"] * 32)
    assert found.alone_cycles == 4 * 36 + 496
    assert bound(found.alone_cycles, found.units, 1).by == "latency"
    assert bound(found.alone_cycles, found.units, found.enough_waves).by == "vector"
    assert bound(found.alone_cycles, found.units, found.enough_waves - 1).by == "latency"


def test_the_matrix_unit_runs_beside_the_wave_and_passes_sums_on():
    chained = timed(*["v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]"] * 4)
    assert (chained.alone_cycles, chained.units[0].cycles) == (128, 128)
    read = timed("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", "v_accvgpr_read_b32 v4, a0")
    assert read.stall_cycles == 32 - 4 + 12  # the rest of the passes, and the extra slots of another kind of reader


def test_straight_code_carries_nothing():
    found = straight_line(kernel("v_add_f32_e32 v0, v1, v2", "v_add_f32_e32 v0, v0, v2"))
    timing = clock(found.timeline, arrivals([line.slot for line in found.timeline.lines]), straight=True)
    assert (timing.critical.cycles, timing.critical.carried_cycles) == (8, 0)
