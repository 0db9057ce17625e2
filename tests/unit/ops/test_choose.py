from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Candidate, Origin
from hotloop.dispatch.select import report
from hotloop.kernels.gemm.opencl.rows import CPU
from hotloop.model.kernel import Preset
from hotloop.model.record import Record
from hotloop.ops import book, choose

TILE = CPU.replace(MWI=6, NWI=16, VW=8, KUNROLL=4)
OTHER = TILE.replace(MWI=4)


def known(origin: Origin, config=TILE, stale: str = "", implementation: str = "opencl", **sizes) -> Candidate:
    return Candidate(
        origin=origin,
        implementation=implementation,
        config=config,
        sizes=Record(sizes),
        source=f"{origin} {sizes}",
        stale=stale,
    )


def cube(n: int, **changes) -> dict:
    return {"m": n, "n": n, "k": n, **changes}


def first(gemm, cpu, candidates, **sizes):
    return next(choose.choices(gemm, gemm.kernel.problem.replace(**sizes), cpu, candidates))


def test_the_store_beats_a_preset_for_the_same_shape(gemm, cpu):
    found = first(gemm, cpu, [known(Origin.PRESET, **cube(512)), known(Origin.STORE, OTHER, **cube(512))], **cube(512))
    assert (found.origin, found.config, found.distance, found.exact) == (Origin.STORE, OTHER, 0.0, True)
    assert found.reason.startswith("measured on this shape (store")
    assert found.notes == ()


def test_a_stale_winner_of_the_store_still_beats_a_preset_and_says_so(gemm, cpu):
    rows = [known(Origin.PRESET, **cube(512)), known(Origin.STORE, OTHER, "older driver", **cube(512))]
    found = first(gemm, cpu, rows, **cube(512))
    assert (found.origin, found.stale) == (Origin.STORE, "older driver")
    assert "stale    older driver" in str(found)


def test_a_fresh_winner_beats_a_stale_one_of_the_same_shape(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, "older driver", **cube(512, alpha=2.0)), known(Origin.STORE, TILE, **cube(512))]
    assert first(gemm, cpu, rows, **cube(512)).config == TILE


def test_a_preset_of_the_shape_beats_a_winner_of_another_shape(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, **cube(64)), known(Origin.PRESET, **cube(2048))]
    assert first(gemm, cpu, rows, **cube(2048)).origin is Origin.PRESET


def test_the_nearest_shape_is_taken_with_its_distance_in_the_reason(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, **cube(256)), known(Origin.STORE, TILE, **cube(1024))]
    found = first(gemm, cpu, rows, **cube(800))
    assert found.measured_on.m == 1024
    assert found.distance == pytest.approx(3 * 0.2465, abs=0.01)
    assert "nearest known shape has m=1024 n=1024 k=1024, distance 0.74" in found.reason
    assert "hotloop tune gemm --shape m=800,n=800,k=800" in found.reason


@pytest.mark.parametrize("change", [{"alpha": -2.0}, {"lda": 700}, {"offset_a": 5}, {"accumulate": "float64"}])
def test_what_does_not_change_the_speed_does_not_make_another_shape(gemm, cpu, change):
    assert first(gemm, cpu, [known(Origin.STORE, **cube(512))], **cube(512, **change)).exact


@pytest.mark.parametrize("change", [{"op": "tn"}, {"dtype": "float64"}, {"beta": 1.0}, {"epilogue": "bias"}])
def test_what_changes_the_speed_makes_another_shape(gemm, cpu, change):
    assert not first(gemm, cpu, [known(Origin.STORE, **cube(512))], **cube(512, **change)).exact


def test_a_column_major_problem_is_its_row_major_mirror_image(gemm, cpu):
    rows = [known(Origin.STORE, m=300, n=200, k=100, op="tn")]
    assert first(gemm, cpu, rows, m=200, n=300, k=100, op="nt", layout="col").exact
    assert not first(gemm, cpu, rows, m=300, n=200, k=100, op="nt", layout="col").exact


def test_types_weigh_more_than_sizes(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, **cube(512)), known(Origin.STORE, TILE, **cube(256, dtype="float64"))]
    assert first(gemm, cpu, rows, **cube(512, dtype="float64")).config == TILE


def test_a_float32_configuration_gets_vectors_that_fit_doubles(gemm, cpu):
    found = first(gemm, cpu, [known(Origin.STORE, **cube(512))], **cube(512, dtype="float64"))
    assert (found.config.VW, found.config.NWI) == (4, 8)
    assert "fitted to this shape: NWI 16 → 8, VW 8 → 4" in found.notes[0]


def test_tiles_are_spread_where_a_shape_has_too_few_groups(gemm, cpu):
    rows = [known(Origin.PRESET, TILE.replace(MPI=22, NPI=16), **cube(2048))]
    assert first(gemm, cpu, rows, **cube(128)).config.NPI < 16
    assert first(gemm, replace(cpu, compute_units=256), rows, **cube(2048)).config.NPI < 16
    home = [replace(rows[0], origin=Origin.STORE)]
    assert first(gemm, replace(cpu, compute_units=256), home, **cube(2048)).config.NPI == 16


def test_configurations_that_cannot_run_are_passed_over_with_the_reason(gemm, cpu):
    rows = [
        known(Origin.STORE, TILE.replace(VW=3), **cube(512)),
        known(Origin.STORE, implementation="cuda", **cube(512)),
        known(Origin.STORE, TILE.replace(MDIM=32, NDIM=32), **cube(600)),
        known(Origin.PRESET, OTHER, **cube(700)),
    ]
    found = first(gemm, replace(cpu, max_workgroup=256), rows, **cube(512))
    assert found.config.replace(NPI=1, MPI=1) == OTHER.replace(NPI=1, MPI=1)
    passed = [note for note in found.notes if note.startswith("passed over")]
    assert len(passed) == 3
    assert "VW=3 is not one of" in passed[0]
    assert "cuda" in passed[1]
    assert "1024 work-items" in passed[2]


def test_sizes_of_another_world_are_left_out(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, m=5, n=5, k=5, layout="spiral"), known(Origin.STORE, **cube(64))]
    assert first(gemm, cpu, rows, **cube(5)).config.replace(NPI=1) == TILE


def test_when_nothing_is_known_the_start_runs_and_that_is_a_warning(gemm, cpu, caplog):
    found = first(gemm, replace(cpu, target="mystery"), [], **cube(99))
    assert (found.origin, found.distance, found.config) == (Origin.START, None, gemm.kernel.implementation().start)
    with caplog.at_level(logging.INFO, "hotloop.ops"):
        report(found)
    assert [r.levelno for r in caplog.records] == [logging.WARNING]
    assert "nothing usable is known of gemm on mystery" in caplog.text
    assert "hotloop tune gemm --shape m=99,n=99,k=99" in caplog.text


def test_later_choices_follow_when_the_first_does_not_compile(gemm, cpu):
    rows = [known(Origin.STORE, OTHER, **cube(512)), known(Origin.PRESET, TILE, **cube(1024))]
    found = list(choose.choices(gemm, gemm.kernel.problem.replace(**cube(512)), cpu, rows))
    assert [c.origin for c in found] == [Origin.STORE, Origin.PRESET, Origin.START]
    assert "does not compile here" in found[1].notes[-1]


def test_a_problem_that_the_device_cannot_do_has_no_choice(gemm, cpu):
    with pytest.raises(ValueError, match="no float64"):
        first(gemm, replace(cpu, fp64=False), [known(Origin.STORE, **cube(64))], **cube(64, dtype="float64"))


def test_exact_choices_are_not_reported(gemm, cpu, caplog):
    with caplog.at_level(logging.INFO, "hotloop.ops"):
        report(first(gemm, cpu, [known(Origin.STORE, **cube(64))], **cube(64)))
        assert caplog.records == []
        report(first(gemm, cpu, [known(Origin.STORE, **cube(64))], **cube(65)))
    assert [r.levelno for r in caplog.records] == [logging.INFO]


def with_presets(gemm, *presets):
    return replace(gemm, kernel=replace(gemm.kernel, presets=presets))


def test_presets_count_for_their_own_target_only(gemm, cpu):
    own = Preset(config=OTHER, implementation="opencl", target=cpu.target, sizes=Record(cube(96)), evidence="here")
    foreign = replace(own, target="sm_90", config=TILE)
    found = book.presets(with_presets(gemm, foreign, own), gemm.kernel.problem, cpu)
    assert [c.source for c in found if not c.advised] == ["shipped preset: here"]
    elsewhere = replace(cpu, target="gfx942")
    assert book.presets(with_presets(gemm, foreign), gemm.kernel.problem, elsewhere) == ()
    only = Preset(config=OTHER, implementation="opencl", target="gfx942", sizes=Record(cube(96)), evidence="there")
    rows = book.presets(with_presets(gemm, only), gemm.kernel.problem, elsewhere)
    assert first(gemm, elsewhere, rows, **cube(100)).config.replace(MPI=1, NPI=1) == OTHER.replace(MPI=1, NPI=1)


def test_thresholds_decide_where_distance_would_take_the_wrong_path(gemm, cpu):
    problem = gemm.kernel.problem.replace(m=2048, n=16, k=2048)
    rows = [*book.presets(gemm, problem, cpu), known(Origin.STORE, TILE.replace(PACK=2), **cube(2048))]
    found = first(gemm, cpu, rows, m=2048, n=16, k=2048)
    assert (found.origin, found.config.PACK) == (Origin.PRESET, 0)
    assert "direct path" in found.source
    unadvised = [row for row in rows if not row.advised]
    assert next(choose.choices(gemm, problem, cpu, unadvised)).source == rows[-1].source


@pytest.mark.parametrize(("n", "origin"), [(1000, Origin.STORE), (250, Origin.STORE), (90, Origin.PRESET)])
def test_winners_of_near_shapes_beat_thresholds_and_those_of_far_ones_do_not(gemm, cpu, n, origin):
    rows = [*book.presets(gemm, gemm.kernel.problem.replace(**cube(n)), cpu), known(Origin.STORE, OTHER, **cube(500))]
    assert first(gemm, cpu, rows, **cube(n)).origin is origin


def test_the_text_of_a_choice_says_everything(gemm, cpu):
    rows = [known(Origin.STORE, stale="older driver", **cube(256))]
    text = str(first(gemm, cpu, rows, **cube(300, op="nt")))
    labels = [line.split()[0] for line in text.splitlines()]
    assert labels == ["problem", "device", "runs", "from", "because", "stale"]
    assert "gemm m=300 n=300 k=300 op=nt dtype=float32" in text
    assert "Test CPU (test, x86-64-avx2)" in text
    assert "opencl MDIM=1" in text
    assert "nearest known shape has m=256 n=256 k=256 op=nn" in text
    assert "--shape m=300,n=300,k=300,op=nt" in text
