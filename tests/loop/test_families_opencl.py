"""The conv3d and reduction families on a real OpenCL runtime: every awkward problem, in several configurations."""

from __future__ import annotations

import json

import pytest

from hotloop.cli.main import main

pytestmark = pytest.mark.usefixtures("kept_engines")

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
def test_every_case_passes(capsys, target, shape):
    command = ["check", target, "--shape", shape, "--level", "quick", "--json"]
    with pytest.raises(SystemExit) as left:
        main(command + ([] if target in SIMULATED else ["--no-sanitize"]))
    out, err = capsys.readouterr()
    if left.value.code == 3:
        pytest.skip(err.strip()[-200:])
    assert left.value.code == 0, out[-2000:] + err[-500:]
    assert json.loads(out)
