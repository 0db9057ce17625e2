"""What an execution counted is read as counters, exactly, and damaged files are sentences."""

import json

import pytest

from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

ROWS = [
    {"kernel": "k", "line": 1, "instruction": "s_load_dwordx2 s[4:5], s[0:1], 0x0", "executions": 8, "accesses": 8, "cache_lines": 8},
    {"kernel": "k", "line": 2, "instruction": "v_add_f32_e32 v1, v2, v3", "executions": 80},
    {"kernel": "k", "line": 3, "instruction": "v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]", "executions": 16},
    {"kernel": "k", "line": 4, "instruction": "ds_read_b128 v[0:3], v4", "executions": 40, "accesses": 40, "cache_lines": 0,
     "bank_cycles": 64, "bank_cycles_ideal": 32, "bank_accesses": 4},
    {"kernel": "k", "line": 5, "instruction": "global_store_dword v1, v2, s[4:5]", "executions": 8, "accesses": 8, "cache_lines": 16},
    {"kernel": "k", "line": 6, "instruction": "s_cbranch_scc1 .LBB0_1", "executions": 8},
]  # fmt: skip


def written(path, rows, **more):
    content = {"format": "hotloop-emulation 1", "input": "k", "target": "gfx942", "waves": 8, "instructions": rows, **more}
    path.write_text(json.dumps(content))
    return path


def test_counts_become_counters(tmp_path):
    profile = read(written(tmp_path / "counts.json", ROWS))
    (kernel,) = profile.kernels
    counters = {name: tally.total for name, tally in kernel.counters.items()}
    assert profile.tool == "hotloop emulate"
    assert profile.architecture == "gfx942"
    assert kernel.duration_ns is None
    assert counters == {
        "SQ_INSTS": 160, "SQ_INSTS_SMEM": 8, "SQ_INSTS_VALU": 96, "SQ_INSTS_MFMA": 16, "SQ_INSTS_LDS": 40, "SQ_INSTS_VMEM": 8,
        "SQ_INSTS_VMEM_WR": 8, "SQ_INSTS_BRANCH": 8, "SQ_WAVES": 8, "TCP_TOTAL_CACHE_ACCESSES_sum": 24,
        "SQ_LDS_IDX_ACTIVE": 640, "SQ_LDS_BANK_CONFLICT": 320,
    }  # fmt: skip


@pytest.mark.parametrize("rows", [None, [1], [{"kernel": "k", "instruction": "v_nop", "executions": "many"}]])
def test_a_damaged_file_is_a_sentence(tmp_path, rows):
    with pytest.raises(ProfileError, match="damaged"):
        read(written(tmp_path / "counts.json", rows))
