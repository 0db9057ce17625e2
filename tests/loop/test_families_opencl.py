"""The conv3d and reduction families on a real OpenCL runtime: every awkward problem, in several configurations."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SIMULATED = ("conv3d_depthwise", "reduction", "conv3d_depthwise@LX=2,LY=2,VW=4,HWI=2,NWI=2")
"""Also on the simulator, where it is installed: one variant of each family, and one that it cannot run for its type."""
CASES = (
    ("conv3d_depthwise", "c=2,d=4,h=8,w=20"),
    ("conv3d_depthwise@LX=1,LY=1,VW=8,HWI=2,NWI=1,PLANES=4,PACK=1", "c=2,d=4,h=8,w=20"),
    ("conv3d_depthwise@LX=2,LY=2,VW=4,HWI=2,NWI=2", "c=2,d=4,h=8,w=20,dtype=float16"),
    ("reduction", "rows=16,columns=300"),
    ("reduction@LX=1,VW=16,UNROLL=4,RPI=4", "rows=16,columns=300,operation=layernorm"),
    ("reduction@LX=4,VW=4,UNROLL=2,RPI=2", "rows=16,columns=300,operation=max,dtype=float16"),
    ("reduction@LX=8,VW=2", "rows=16,columns=300,operation=rmsnorm"),
    ("reduction@LX=1,VW=8,FAST=1", "rows=16,columns=300,operation=sum"),
)


@pytest.mark.parametrize(("target", "shape"), CASES)
def test_every_case_passes(target, shape):
    command = [sys.executable, "-m", "hotloop", "check", target, "--shape", shape, "--level", "quick", "--json"]
    command += [] if target in SIMULATED else ["--no-sanitize"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode == 3:
        pytest.skip(ran.stderr.strip()[-200:])
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-500:]
    assert json.loads(ran.stdout)
