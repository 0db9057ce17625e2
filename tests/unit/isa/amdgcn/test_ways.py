"""A write of the local data share that is waited for where lanes read it, and not where none does."""

import pytest

from hotloop.isa.amdgcn.findings import HazardKind
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.amdgcn.ways import meets
from hotloop.isa.blocks import blocks
from hotloop.isa.dialects.amdgcn import DIALECT

CODE = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
kernel:
\tds_write_b8 v26, v0
\tds_read_u8 v37, v28
\tv_cmp_gt_u32_e32 vcc_lo, s3, v24
{guard}\ts_waitcnt lgkmcnt({count})
\tglobal_store_byte v[0:1], v37, off
.LBB0_2:
\ts_barrier
\ts_endpgm
"""
MASKED = "\ts_and_saveexec_b32 s4, vcc_lo\n\ts_cbranch_execz .LBB0_2\n"
LOADED = "\ts_load_dwordx2 s[16:17], s[4:5], 0x0\n"
UNIFORM = "\ts_cbranch_scc0 .LBB0_2\n"


def function(guard, count):
    (found,) = DIALECT.parse(CODE.format(guard=guard, count=count))
    return found


@pytest.mark.parametrize(
    ("guard", "count", "hazards", "doubts"),
    [
        ("", 0, 0, 0),
        (MASKED, 0, 0, 1),
        (MASKED + LOADED, 0, 1, 0),
        (UNIFORM, 0, 1, 0),
        ("", 2, 1, 0),
        (MASKED, 2, 1, 0),
    ],
    ids=["waited for", "where lanes read", "for a load of its own", "on one way only", "not waited for", "nowhere"],
)
def test_only_a_jump_of_waves_without_lanes_makes_a_doubt_of_it(guard, count, hazards, doubts):
    report = analyse(function(guard, count))
    assert sum(h.kind is HazardKind.BARRIER for h in report.hazards) == hazards
    assert sum(h.kind is HazardKind.BARRIER for h in report.doubts) == doubts


def test_ways_end_at_their_end():
    graph = blocks(function(MASKED, 0))
    starts = [0]
    for block in graph[:-1]:
        starts.append(starts[-1] + len(block.instructions))
    code = [i.mnemonic for block in graph for i in block.instructions]
    wait, barrier = code.index("s_waitcnt"), code.index("s_barrier")
    assert meets(graph, starts, 0, barrier, [wait])
    assert not meets(graph, starts, 0, wait, [barrier])
    assert not meets(graph, starts, wait, barrier, [wait])
