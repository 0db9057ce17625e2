"""`hotloop explain` of a kernel trace with its listing: the launch is predicted where its arguments are given."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hotloop.cli.commands.explain import COMMAND

LISTING = Path(__file__).parents[1] / "golden" / "amdgcn" / "triton_scale_gfx90a.s"
HEAD = (
    '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp",'
    '"End_Timestamp","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Workgroup_Size_X","Workgroup_Size_Y",'
    '"Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n'
)


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "kernel_trace.csv"
    row = '"KERNEL_DISPATCH","Agent 4",1,1,7,1,10,"scale",1,1000,900000,0,0,8,0,16,256,1,1,1048576,1,1\n'
    path.write_text(HEAD + row)
    return path


def explained(*words):
    return CliRunner().invoke(COMMAND, [*map(str, words), "--json"], standalone_mode=False)


def test_without_arguments_it_says_what_is_missing(trace):
    ran = explained(trace, LISTING)
    assert ran.exception is None
    assert "give them with --arg" in ran.output


def test_with_arguments_the_prediction_stands_beside_the_measurement(trace):
    given = [word for text in ("x=f32:1048576", "y=f32:1048576", "n=i32:=1048576") for word in ("--arg", text)]
    ran = explained(trace, LISTING, "--grid", "1024", *given)
    assert ran.exception is None
    page = json.loads(ran.output)
    (table,) = [t for t in page["tables"] if t["title"] == "predicted and measured"]
    assert table["rows"][0]["cells"][2].startswith("899")
    assert any("outside the interval" in note for note in page["notes"])


def test_arguments_without_a_listing_are_refused(trace):
    ran = explained(trace, "--target", "gfx90a", "--arg", "x=f32:16")
    assert "none is among the inputs" in str(ran.exception)
