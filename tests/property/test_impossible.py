"""Whatever a profile says, nothing impossible is answered: shares above the whole, clocks above the peak, rates beyond a roof."""

import random
import sys
from pathlib import Path

import pytest

from hotloop.app.explain.answer import Request, explained
from hotloop.errors import HotloopError
from hotloop.report.pages.markdown.explanation import render

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from perturbing import broken, perturbed
from test_published import PUBLISHED

COUNTERS = "SQ_WAVES,SQ_WAVE_CYCLES,SQ_BUSY_CYCLES,SQ_BUSY_CU_CYCLES,SQ_WAIT_ANY,SQ_ACTIVE_INST_VALU,SQ_INSTS_VMEM,GRBM_GUI_ACTIVE,TCC_HIT_sum,TCC_MISS_sum,TCC_EA_RDREQ_sum,TCC_EA_RDREQ_32B_sum"
HEAD = f"Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,{COUNTERS}\n"
ROW = '{},2,1,7,7,1048576,256,0,0,8,0,16,64,"vecCopy(double*, double*, int) [clone .kd]",{},{},16384,9800000,210000,6900000,9100000,610000,32768,27000,131072,196608,131072,0\n'
LONG = "Dispatch_Id,Agent_Id,Process_Id,Grid_Size,Kernel_Name,Workgroup_Size,VGPR_Count,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n"
FOLDER = {
    "pmc_perf.csv": (HEAD + "".join(ROW.format(n, 1000 + 40000 * n, 18440 + 40000 * n) for n in range(3))).encode(),
    "sysinfo.csv": b"workload_name,gpu_arch,gpu_model,cu_per_gpu,simd_per_cu,se_per_gpu,max_sclk,max_waves_per_cu\nvcopy,gfx90a,MI200,104,4,8,1700,32\n",
    "timestamps.csv": b'Dispatch_ID,GPU_ID,Kernel_Name,Start_Timestamp,End_Timestamp\n0,2,"vecCopy(double*, double*, int) [clone .kd]",1000,18440\n',
}
TABLE = {
    "counter_collection.csv": (LONG + "".join(
        f'{n},"Agent 1",7,1048576,"k(int, int)",256,8,{name},{value},{1000 + n},{21000 + n}\n'
        for n in range(2)
        for name, value in (("SQ_WAVES", 16384), ("GRBM_GUI_ACTIVE", 300000), ("SQ_BUSY_CYCLES", 290000), ("OccupancyPercent", 61.5), ("L2CacheHit", 50))
    )).encode()
}  # fmt: skip
BASES = {
    "folder": FOLDER,
    "table": TABLE,
    **{name: {"page.txt": text.encode()} for name, (text, *_) in PUBLISHED.items()},
}


@pytest.mark.parametrize("name", BASES)
def test_no_perturbed_profile_says_what_cannot_be(name, tmp_path):
    """Seeds are fixed, so that a failure repeats; ``benchmarks/profile_fuzz.py`` takes as many as one likes."""
    for seed in range(12 if name in {"folder", "table"} else 3):
        files, done = perturbed(BASES[name], random.Random(f"{name}:{seed}"))
        folder = tmp_path / str(seed)
        folder.mkdir()
        for file, raw in files.items():
            (folder / file).write_bytes(raw)
        where = folder if len(files) > 1 else folder / next(iter(files))
        try:
            page, study = explained(Request(inputs=(str(where),)))
        except HotloopError:
            continue
        found = list(broken(page, study, render(page).replace(str(tmp_path), "IN")))
        assert not found, f"seed {seed}, {done}: {found[0]}"
