"""`hotloop occupancy` and `hotloop banks` as users see them."""

import json

import pytest

from hotloop.cli.main import main


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def test_occupancy_names_limits_and_cliffs(run):
    code, out, err = run("occupancy", "--target", "gfx942", "--vgpr", "124", "--lds", "23k", "--workgroup", "256")
    assert (code, err) == (0, "")
    for words in ("2 of 8 waves per SIMD by LLVM's convention", "2 whole work-groups per CU", "<- limits both",
                  "2048 B fewer (21504) for 3 waves", "124 -> 128 of 512 (granule 8)"):  # fmt: skip
        assert words in out


def test_occupancy_as_json(run):
    code, out, _ = run(
        "occupancy",
        "--target",
        "sm_90",
        "--vgpr",
        "168",
        "--lds",
        "100k",
        "--workgroup",
        "384",
        "--table",
        "vgpr",
        "--json",
    )
    data = json.loads(out)
    assert code == 0
    assert (data["waves"], data["groups"], data["limiting"]) == (12, 1, ["registers"])
    assert data["steps"][0] == {"figure": 24, "most": 80}


def test_tables_and_plots_mark_the_value(run):
    _, out, _ = run("occupancy", "--target", "gfx942", "--vgpr", "124", "--table", "vgpr")
    assert "4                   128   <- 124" in out
    _, out, _ = run("occupancy", "--target", "gfx950", "--vgpr", "86", "--lds", "24696", "--plot", "lds")
    assert "█" in out
    assert "<- 24696" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("occupancy", "--target", "gfx999", "--vgpr", "1"), "unknown GPU target 'gfx999'"),
        (("occupancy", "--target", "gfx942", "--vgpr", "300"), "0 to 256"),
        (("occupancy", "--target", "gfx942", "--vgpr", "1", "--lds", "x"), "'x' is not a size"),
        (("occupancy", "--target", "gfx942", "--vgpr", "1", "--lds", "nan"), "'nan' is not a size"),
        (("occupancy", "--target", "gfx942", "--vgpr", "1", "--workgroup", "a:b"), "not a work-group size"),
        (("occupancy", "--target", "gfx942", "--vgpr", "1", "--workgroup", "256:64"), "--workgroup 256"),
        (("banks", "--target", "gfx942", "--address", "read:32:oops"), "uses 'oops'"),
        (("banks", "--target", "gfx942", "--access", "read:32:lane:0", "--ld", "4"), "needs both --ld"),
        (("banks", "--target", "gfx942", "--address", "read:32:lane", "--pad", "4"), "give --ld and --element"),
        (("banks", "--target", "gfx942", "--access", "read:32:lane:0", "--ld", "4", "--element", "4", "--swizzle", "1,2"), "3 numbers"),
        (("banks", "--target", "gfx942", "--access", "read:32:lane:0", "--ld", "4", "--element", "4", "--swizzle", "3,1,2"), "powers of two"),
    ],
)  # fmt: skip
def test_misuse_is_one_sentence(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_what_does_not_launch_is_bad_news(run):
    code, out, _ = run("occupancy", "--target", "gfx942", "--vgpr", "250", "--workgroup", "1024")
    assert code == 1
    assert "does not launch: one work-group of 16 waves does not fit" in out


def test_banks_draws_the_conflict_and_finds_layouts(run):
    code, out, _ = run("banks", "--target", "gfx942", "--access", "read:128:lane % 16:8 * (lane // 16)", "--ld", "64", "--element", "2",
                       "--solve", "--lds-share", "0.2")  # fmt: skip
    assert code == 1
    for words in ("4-way conflicts: 32 cycles instead of 8", "|44444444........................| x4", "saves at most 15.0%",
                  "smallest padding: 16 elements per row", "XOR swizzle: vec", "documented: AMD ROCm blog"):  # fmt: skip
        assert words in out


def test_banks_without_conflicts(run):
    code, out, _ = run("banks", "--target", "sm_90", "--access", "read:128:lane % 16:8 * (lane // 16)", "--ld", "64", "--element", "2",
                       "--swizzle", "8,1,8", "--json")  # fmt: skip
    assert code == 0
    assert json.loads(out)["free"] is True


def test_findings_take_no_inputs_place(tmp_path, capsys):
    listing = tmp_path / "k.s"
    listing.write_text("s_endpgm\n")
    with pytest.raises(SystemExit) as end:
        main(["isa", "gate", str(listing), "--target", "gfx942", "--sarif", str(listing)])
    assert end.value.code == 2
    assert "is a file that this command reads" in capsys.readouterr().err
    assert listing.read_text() == "s_endpgm\n"
