"""Whole runs through the CUDA and HIP backends on fake vendor bindings: kernels in host memory, time on a virtual clock."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FAKES = Path(__file__).parents[1] / "fakes"
KERNEL = '''
import numpy as np
import hotloop as hl

SOURCE = """
/*fake saxpy: fault() if VEC * THREADS == 512 else np.copyto(z[:n], a * x[:n] + y[:n])*/
/*time saxpy: 9000 / VEC + (0 if THREADS > 64 else 6000)*/
__global__ void saxpy(float a, const float *x, const float *y, float *z, int n) {}
"""
DECLARED = dict(
    source=SOURCE, entry="saxpy", params=dict(VEC=[1, 2, 4], THREADS=[64, 128]),
    techniques=dict(VEC="vectorize", THREADS="workgroup-size"),
    grid=lambda p, c: (-(-p.n // (c.VEC * c.THREADS)),), block=lambda p, c: (c.THREADS,),
)

@hl.kernel(problem=dict(n=1 << 14), work=lambda p: hl.Work(flops=2 * p.n, bytes=12 * p.n), awkward=lambda p: [dict(n=9)])
class saxpy:
    def inputs(p, rng):
        x, y = rng.standard_normal((2, p.n), "f4")
        return dict(a=2.0, x=x, y=y, z=hl.empty(p.n), n=np.int32(p.n))
    def reference(p, a, x, y, z, n):
        return dict(z=a * x.astype("f8") + y)
    cuda = hl.CUDA(**DECLARED)
    hip = hl.HIP(**DECLARED)
'''


@pytest.fixture
def hotloop(tmp_path):
    (tmp_path / "saxpy.py").write_text(KERNEL)
    paths = os.pathsep.join([str(FAKES), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths, "HOTLOOP_STORE": str(tmp_path / "store.db")}

    def run(verb, *arguments):
        command = [sys.executable, "-m", "hotloop", verb, *arguments, "--json"]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert "Traceback" not in ended.stderr
        return ended.returncode, json.loads(ended.stdout) if ended.stdout else ended.stderr

    return run


@pytest.mark.parametrize(
    ("more", "device"), [((), "cuda:Virtual GPU"), (("--implementation", "hip"), "hip:Virtual Instinct")]
)
def test_the_loop_climbs_and_a_fault_on_the_way_is_one_outcome(hotloop, more, device):
    code, found = hotloop("optimize", "saxpy.py", "--budget", "600", "--quiet", *more)
    assert code == 0
    steps = [(s["technique"], s["change"], s["decision"]) for s in found["steps"]]
    assert steps[:2] == [("baseline", "start", "baseline"), ("vectorize", "VEC 1 → 4", "keep")]
    crashed = [s for s in found["steps"] if "crashed in execute" in s["failure"]]
    assert [(s["change"], s["decision"]) for s in crashed] == [("THREADS 64 → 128", "refuse")]
    assert "saxpy" in crashed[0]["failure"]
    assert len(found["steps"]) > found["steps"].index(crashed[0]) + 1 or found["stop_reason"]
    conditions = dict(map(tuple, found["conditions"]))
    assert conditions["clock"] == "device"
    ceiling = next(value for name, value in conditions.items() if "FMA ceiling" in name)
    assert device in ceiling
    assert int(conditions["worker restarts"]) >= 1


def test_a_file_against_itself_is_the_same(hotloop):
    code, found = hotloop("compare", "saxpy.py", "saxpy.py")
    assert (code, found["comparison"]["verdict"]) == (0, "SAME")


def test_the_doctor_finds_the_gpus(hotloop):
    _, found = hotloop("doctor")
    rows = {row["what"]: row for row in found["findings"]}
    assert rows["CUDA device"]["works"]
    assert "Virtual GPU, CUDA 13.0, NVRTC 13.0, sm_90, 4 compute units" in rows["CUDA device"]["detail"]
    assert rows["HIP device"]["works"]
