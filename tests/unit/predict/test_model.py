"""Terms and how they join; a prediction of a golden listing from end to end."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import UsageError
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.timing.price import Unit
from hotloop.predict.ask import ask, kernel
from hotloop.predict.card import card
from hotloop.predict.model import Work, predict
from hotloop.predict.phases import Phase
from hotloop.predict.private import Private, private
from hotloop.predict.reuse import Flow, Residency
from hotloop.predict.sample import sample
from hotloop.predict.sequence import sequel
from hotloop.targets.span import Span

GOLDEN = Path(__file__).parents[2] / "golden/amdgcn/triton_scale_gfx90a.s"
NOTHING = Private(read_bytes=0, written_bytes=0, l1_hit=1, l2_hit=1, mall_hit=1)
CARD = card("MI300X")


def flow(memory_bytes=0.0, written=0.0):
    return Flow(
        wave_lines=0, wave_bytes=0, wave_filled_bytes=0, load_lines=1, l1_bytes=memory_bytes, l2_bytes=memory_bytes, mall_bytes=memory_bytes, memory_bytes=memory_bytes, written=written,
        load_hit=0, l1_hit=0, l2_hit=0, mall_hit=0, footprint_bytes=memory_bytes, pages=0, density=1, warm="",
    )  # fmt: skip


def work(groups, **more):
    known = {"units": {Unit.VECTOR: 4000.0}, "group_waves": 4, "alone": Span(5000, 6000), "serial": Span(0, 0), "instructions": 1000.0,
             "executed_bytes": 8000.0, "code_bytes": 8000}  # fmt: skip
    return Work(
        kernel="k",
        place=Residency(grid=(groups, 1, 1), unit_groups=2),
        waves_per_simd=2,
        **{**known, **more},
    )


def test_the_time_lies_between_the_longest_term_and_the_sum():
    found = predict(work(304 * 8), flow(1e9), NOTHING, CARD)
    own = found.time_ns - found.launch_ns
    assert max(t.ns for t in found.terms) < own < sum(t.ns for t in found.terms)
    assert found.low_ns < found.time_ns < found.high_ns


def test_units_bound_many_waves_and_latency_few():
    # Eight groups a compute unit: eight waves on each SIMD, 4000 cycles of the unit for each, at 2.1 GHz.
    many = predict(work(304 * 8), flow(), NOTHING, CARD)
    assert many.bound == "vector"
    assert many.terms[0].ns == pytest.approx(8 * 4000 / (0.95 * 2.1))
    assert many.terms[0].low_ns == pytest.approx(8 * 4000 / 2.1)
    few = predict(work(304, alone=Span(50_000, 60_000)), flow(), NOTHING, CARD)
    assert few.bound == "latency"
    assert few.terms[0].ns == pytest.approx(55_000 / (0.95 * 2.1))


def test_a_group_that_is_alone_takes_its_parts_one_after_the_other():
    # Two groups a compute unit at a time, eight in all: four rounds of 40,000 cycles at least.
    free = predict(work(304 * 8), flow(), NOTHING, CARD)
    held = predict(work(304 * 8, serial=Span(40_000, 40_000)), flow(), NOTHING, CARD)
    assert held.time_ns - held.launch_ns == pytest.approx(4 * 40_000 / (0.95 * 2.1))
    assert held.bound == "barriers"
    assert free.time_ns < held.time_ns <= held.high_ns
    assert predict(work(304 * 8, serial=Span(40_000, 40_000), group_waves=1), flow(), NOTHING, CARD).bound != "barriers"


def test_every_term_lies_in_its_own_interval():
    for made in (
        predict(work(304 * 8, serial=Span(40_000, 40_000)), flow(), NOTHING, CARD),
        predict(work(11, serial=Span(900, 1_200)), flow(1e6), NOTHING, CARD),
    ):
        assert all(0 <= term.low_ns <= term.ns <= term.high_ns * (1 + 1e-9) for term in made.terms)


def test_device_memory_bounds_what_moves_much():
    found = predict(work(304), flow(5.3e9), NOTHING, CARD)
    assert found.bound == "device memory"
    assert found.terms[0].ns == pytest.approx(1e6 / 0.72, rel=0.01)  # a millisecond at the data sheet's rate


def test_a_launch_takes_no_less_than_its_longest_wave():
    # One wave of four works, the others leave at once: the mean is a quarter of what the launch waits for.
    even, uneven = (predict(work(1, alone=Span(9000, 9000), longest=n), flow(), NOTHING, CARD) for n in (1.0, 4.0))
    assert even.terms[0].name == uneven.terms[0].name == "latency"
    assert uneven.terms[0].ns == pytest.approx(4 * even.terms[0].ns)
    many = predict(work(304 * 8, longest=4.0), flow(), NOTHING, CARD)
    assert many == predict(work(304 * 8), flow(), NOTHING, CARD)  # four rounds: waves that leave make room for others


@pytest.mark.parametrize(("device", "ratio"), [("MI300X", 1 / 0.53), ("W7800", 1)])
def test_writes_pass_the_caches_more_slowly_than_reads(device, ratio):
    reads, writes = (predict(work(304), flow(1e9, written), NOTHING, card(device)) for written in (0.0, 1.0))
    for name in ("L2", "memory-side cache", "device memory"):
        one, other = (next(t.ns for t in found.terms if t.name == name) for found in (reads, writes))
        assert other == pytest.approx(one * (1 if name == "device memory" else ratio))


def test_code_that_does_not_fit_costs():
    assert max(t.ns for t in predict(work(2432, code_bytes=1 << 20, executed_bytes=float(1 << 20)), flow(), NOTHING, CARD).terms
               if t.name == "code") > 10 * max(t.ns for t in predict(work(2432), flow(), NOTHING, CARD).terms if t.name == "code")  # fmt: skip


def test_launches_of_one_call_add_up():
    one = predict(work(304 * 8), flow(), NOTHING, CARD)
    both = sequel("two", CARD, [one, one])
    assert both.time_ns == pytest.approx(2 * (one.time_ns - one.launch_ns) + one.launch_ns + CARD.launch_ns.low)
    assert both.low_ns <= both.time_ns <= both.high_ns


def arguments(count):
    return [Blank(4 * count), Blank(4 * count), count]


def scaled(count, device="MI210"):
    read = kernel(GOLDEN.read_text())
    return ask(
        read, Launch(arguments=arguments(count), grid=(-(-count // 1024), 1, 1), workgroup=(256, 1, 1)), card(device)
    )


def test_scalar_loads_pass_no_vector_cache():
    read = kernel(GOLDEN.read_text())
    launch = Launch(arguments=arguments(1 << 20), grid=(1 << 10, 1, 1), workgroup=(256, 1, 1))
    made = sample(read.program, launch).accesses
    touching = {read.program.code[n].mnemonic for n in made.instruction[~made.scalar]}
    assert touching == {"global_load_dwordx4", "global_store_dwordx4"}  # and two scalar loads of arguments
    assert scaled(1 << 20).l1_hit == 0


def test_a_stream_takes_what_memory_takes():
    found = scaled(1 << 26)
    assert found.bound == "device memory"
    assert found.moved_bytes == pytest.approx(2 * 4 * 2**26, rel=0.01)
    assert found.trusted
    assert found.low_ns < 2 * 4 * 2**26 / 1.6384e12 * 1e9 / 0.8 < found.high_ns


def test_a_small_launch_is_all_launch():
    found = scaled(1 << 10)
    assert found.bound == "launch"
    assert found.time_ns < 2 * found.launch_ns


def test_too_much_local_memory_is_a_sentence():
    read = kernel(GOLDEN.read_text())
    with pytest.raises(UsageError, match=r"local memory"):
        ask(
            read,
            Launch(arguments=arguments(1024), grid=(1, 1, 1), workgroup=(256, 1, 1), dynamic_lds_bytes=1 << 20),
            card("MI210"),
        )


def test_what_is_executed_does_not_depend_on_the_size_of_buffers():
    assert np.isclose(scaled(1 << 26).l1_hit, scaled(1 << 20).l1_hit)


def test_a_grid_without_work_groups_is_refused():
    scale = kernel(GOLDEN.read_text())
    with pytest.raises(UsageError, match=r"grid of \(0, 1, 1\): without work-groups nothing runs"):
        ask(scale, Launch(arguments=[], grid=(0, 1, 1), workgroup=(64, 1, 1)), CARD)


SPILLS = """	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
	scratch_store_dword off, v1, s0
	scratch_load_dword v1, off, s0
	s_waitcnt vmcnt(0)
	s_endpgm
"""


@pytest.mark.parametrize(("share", "stays"), [(0.5, 1.0), (1.25, 0.63), (2.0, 0.20)])
def test_private_memory_that_does_not_fit_is_gone_through_in_turn(share, stays):
    # A random line is dropped: of twice what fits a fifth stays, not the half that no choice can surpass.
    code = DIALECT.parse(SPILLS)[0]
    per_item = share * CARD.mall_bytes / CARD.units / CARD.unit_simds / 64
    used = SimpleNamespace(wave_size=64, scratch_bytes=per_item)
    counts = {i.address: 1.0 for i in code.instructions}
    found = private(SimpleNamespace(resources=used, instructions=code.instructions), counts, CARD, 1000, CARD.simds)
    assert found.mall_hit == pytest.approx(stays, abs=0.01)
    assert found.memory.low <= found.memory_bytes <= found.memory.high
    assert found.memory.high == (0 if share < 1 else 2 * 4 * 64 * 1000)
    term = next(t for t in predict(work(304), flow(), found, CARD).terms if t.name == "device memory")
    assert term.high_ns == pytest.approx(found.memory.high / CARD.memory_bytes_per_s.low * 1e9)


def test_what_else_is_touched_lies_in_the_same_cache():
    code = DIALECT.parse(SPILLS)[0]
    used = SimpleNamespace(wave_size=64, scratch_bytes=0.98 * CARD.mall_bytes / CARD.units / CARD.unit_simds / 64)
    counts = {i.address: 1.0 for i in code.instructions}
    given = SimpleNamespace(resources=used, instructions=code.instructions), counts, CARD, 1000, CARD.simds
    alone, beside = private(*given), private(*given, 0.05 * CARD.mall_bytes)
    assert alone.memory.high == 0 < beside.memory.high
    fits, swings = (predict(work(304), flow(), kept, CARD) for kept in (alone, beside))
    assert fits.choice_ns.low == fits.choice_ns.high == pytest.approx(fits.time_ns)
    assert swings.choice_ns.low < swings.time_ns < swings.choice_ns.high


LOAD = Phase(Span(20_000, 24_000), {Unit.VECTOR: 100.0}, meetings=1, halts=60)
COMPUTE = Phase(Span(10_000, 12_000), {Unit.VECTOR: 3900.0}, halts=100)


@pytest.mark.parametrize(
    ("group_waves", "parts", "least", "most"),
    [
        (16, (LOAD, COMPUTE), 1.05, 2.0),
        (16, (replace(LOAD, meetings=60, halts=60), replace(COMPUTE, meetings=100)), 1.1, 2.0),
        (16, (Phase(Span(100, 200), {}, meetings=1), Phase(Span(29_900, 35_800), {Unit.VECTOR: 4000.0}, halts=160)), 1.0, 1.05),
        (4, (LOAD, COMPUTE), 1.0, 1.0),
    ],
)  # fmt: skip
def test_waves_that_begin_and_meet_together_fill_fewer_gaps(group_waves, parts, least, most):
    """Two groups of sixteen waves a compute unit: four of each on a SIMD do the same at the same time. One barrier at the start is next to none."""
    place = Residency(grid=(304 * 64 // group_waves, 1, 1), unit_groups=32 // group_waves)
    known = {"group_waves": group_waves, "alone": Span(30_000, 36_000)}
    made = replace(work(1, **known, parts=parts), place=place, waves_per_simd=8)
    found = predict(made, flow(), NOTHING, CARD)
    joined = sum(term.ns**2 for term in found.terms if term.name != "barriers") ** 0.5
    own = found.time_ns - found.launch_ns
    assert least * joined * (1 - 1e-9) <= own <= most * joined * (1 + 1e-9)
    assert own <= sum(term.ns for term in found.terms if term.name != "barriers")
    assert found.low_ns < found.time_ns < found.high_ns
    free = predict(replace(made, parts=tuple(replace(part, meetings=0) for part in parts)), flow(), NOTHING, CARD)
    assert "groups" in {term.name for term in free.terms}  # without barriers they begin and end together, too
    assert free.time_ns <= found.time_ns
