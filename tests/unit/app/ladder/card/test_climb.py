"""Ladders on NVIDIA cards: their data, the walk up one, and reading what Nsight Compute counted."""

from importlib import import_module
from math import prod

import pytest

from hotloop.app import userfile
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.card import climb as ladder_card
from hotloop.app.ladder.card import code as ladder_card_code
from hotloop.app.ladder.card import counts as ladder_card_counts
from hotloop.app.ladder.subjects import problem_of, subject_of, verified_on
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.ladder import DOWN, UP, Bounds
from hotloop.report.ladder.cardview import FACTS
from hotloop.targets.target import Target
from hotloop.techniques import methods

FAMILIES = ("gemm", "attention", "conv3d", "reduction")
LADDERS = [ladder_data.card_ladder(family, "sm_90") for family in FAMILIES]
RUNGS = [(ladder, rung) for ladder in LADDERS for rung in ladder.rungs]
each_ladder = pytest.mark.parametrize("ladder", LADDERS, ids=FAMILIES)
each_rung = pytest.mark.parametrize(("ladder", "rung"), RUNGS, ids=[f"{la.family}-{r.name}" for la, r in RUNGS])


# -- data -------------------------------------------------------------------------------------------------------------


@each_ladder
def test_rungs_stand_on_earlier_ones(ladder):
    names = [rung.name for rung in ladder.rungs]
    assert len(set(names)) == len(names) > 8
    for place, rung in enumerate(ladder.rungs):
        assert rung.after in ("", *names[:place])
        assert rung.implementation or rung.after
    assert not ladder.rungs[0].after


@each_rung
def test_every_step_names_its_cause_beforehand(ladder, rung):
    assert all(fact in FACTS and way in (UP, DOWN) for fact, way in rung.moves)
    assert rung.moves or not rung.after
    assert None not in (rung.bounds.registers, rung.bounds.spilled_bytes, rung.bounds.shared_bytes)
    if rung.technique:
        import_module(f"{methods.__name__}.{rung.technique.replace('-', '_')}")


@each_rung
def test_a_rung_differs_from_the_one_below(ladder, rung):
    if rung.after:
        below = ladder.rung(rung.after)
        assert (ladder.implementation(rung), ladder.changes(rung)) != (
            ladder.implementation(below),
            ladder.changes(below),
        )


H200 = ladder_card_code.card_for(Target.parse("sm_90"))


@each_rung
def test_rungs_are_programs_on_the_timed_and_the_ragged_sizes(ladder, rung):
    kernel = userfile.find(ladder.family)
    problem = problem_of(kernel, ladder, rung)
    sizes = (problem, *verified_on(kernel, ladder, problem).awkward(problem))
    assert len(sizes) == 1 + len(ladder.ragged) * (problem == problem_of(kernel, ladder, ladder.rungs[0]))
    for each in sizes:
        program = subject_of(kernel, ladder, rung, each, H200).plan(each, H200)
        for launch in program.launches:
            assert launch.entry in program.source
            assert 0 < prod(launch.local_size) <= 1024
            assert launch.local_bytes <= rung.bounds.shared_bytes


def test_constants_are_inherited_within_a_kernel_and_sizes_always():
    ladder = LADDERS[0]
    stages, tall = ladder.rung("stages"), ladder.rung("tall-meet")
    assert ladder.changes(stages) | {"BM": 128, "BN": 128, "BK": 64, "num_stages": 3} == ladder.changes(stages)
    assert ladder.varied(tall) == {"m": 512, "n": 512, "k": 16384, "dtype": "bfloat16"}
    assert "PATH" not in ladder.changes(tall)


def test_rungs_are_chosen_with_those_below():
    names = [rung.name for rung in LADDERS[3].chosen(("held",))]
    assert names == ["tree", "shuffles", "vectors", "held"]
    with pytest.raises(UnknownNameError):
        LADDERS[3].chosen(("hold",))


def test_other_targets_are_refused():
    with pytest.raises(UsageError, match="no ladder that is measured on sm_80"):
        ladder_data.card_ladder("gemm", "sm_80")


def test_the_other_ladders_do_not_see_the_data_file():
    assert all("sm_90" not in ladder.targets for family in FAMILIES for ladder in ladder_data.ladders(family))


def test_shape_changes_known_sizes_only():
    ladder = ladder_card._sized(LADDERS[1], "length_q=1024,causal=0")
    assert (ladder.problem["length_q"], ladder.problem["causal"], ladder.problem["heads"]) == (1024, 0, 32)
    for wrong in ("rows=3", "length_q", "length_q=-4", "dtype=float16"):
        with pytest.raises(UsageError, match="is not understood"):
            ladder_card._sized(LADDERS[1], wrong)


# -- code and counters ------------------------------------------------------------------------------------------------


def test_bounds_are_broken_by_more_than_they_allow():
    code = ladder_card_code.Code({"registers": 168.0, "spilled_bytes": 16.0, "shared_bytes": 1024.0})
    assert ladder_card_code.violations(code, Bounds(168, 16, 1024)) == ()
    assert ladder_card_code.violations(code, Bounds(160, 0)) == (
        "168 registers of a thread, the limit is 160",
        "16 bytes of local memory of a thread, the limit is 0",
    )


def page(*launches):
    """A page as Nsight Compute writes it: messages, names, units, then a row for each launch."""
    metrics = ladder_card_counts.METRICS
    head = ["ID", "Kernel Name", *metrics.values()]
    lines = ["==PROF== Connected to process 42", ",".join(f'"{name}"' for name in head), ",".join('""' for _ in head)]
    for number, (name, values) in enumerate(launches):
        cells = [str(number), name, *(values.get(fact, "0") for fact in metrics)]
        lines.append(",".join(f'"{cell}"' for cell in cells))
    return "\n".join(lines)


def test_launches_are_given_to_the_rungs_in_order():
    text = page(
        ("tile(bf16 *, int)", {"counted_ns": "1,000", "dram_read_bytes": "300", "dram_write_bytes": "50", "occupancy": "40"}),
        ("vectorized_elementwise_kernel", {"counted_ns": "5"}),
        ("tile", {"counted_ns": "3,000", "l2_sectors": "10", "occupancy": "20"}),
        ("add_slices", {"counted_ns": "1,000", "l2_sectors": "4", "occupancy": "60"}),
    )  # fmt: skip
    found = ladder_card_counts.facts([("plain", ("tile",)), ("split", ("tile", "add_slices"))], text)
    assert found["plain"]["dram_bytes"] == 350
    assert found["split"]["l2_bytes"] == 32 * 14
    assert found["split"]["occupancy"] == pytest.approx((3000 * 20 + 1000 * 60) / 4000)


def test_a_rung_whose_launches_are_missing_has_no_facts():
    found = ladder_card_counts.facts([("one", ("tile",)), ("two", ("hopper",))], page(("tile", {"counted_ns": "1"})))
    assert set(found) == {"one"}
    assert ladder_card_counts.facts([("one", ("tile",))], "==ERROR== no permission") == {}
