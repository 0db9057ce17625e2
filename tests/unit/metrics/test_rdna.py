"""RDNA's counters: clocks and not four of them, requests by size, and zeros that nobody counted."""

import pytest

from hotloop.metrics.catalogue import derive
from hotloop.metrics.counters import Counts, Launch, known_as
from hotloop.metrics.delivered import undelivered
from hotloop.targets.chips import of_target

LAUNCH = Launch(items=1 << 20, group_items=256, wave_size=32, duration_ns=1e6)
READS = {f"GL2C_EA_RDREQ_{size}B_sum": float(count) for size, count in ((32, 1), (64, 10), (96, 100), (128, 1000))}


def rdna(target, **values):
    chip = of_target(target)
    return derive(Counts(architecture=target, values=values, launch=LAUNCH, machine=chip.machine))


@pytest.mark.parametrize(("target", "slots"), [("gfx1012", 20), ("gfx1030", 16), ("gfx1100", 16), ("gfx1201", 16)])
def test_waves_time_is_counted_in_clocks(target, slots):
    """AMD's own formulas: 100 × the counter here, 400 × on gfx9."""
    machine = of_target(target).machine
    held = 5 * 1.5e6 * machine.compute_units * 2
    found = rdna(target, GRBM_GUI_ACTIVE=1.5e6, SQ_WAVE_CYCLES=held, SQ_WAIT_ANY=0.3 * held)
    assert found.get("gpu.occupancy_waves") == pytest.approx(5)
    assert found.get("gpu.occupancy") == pytest.approx(5 / slots)
    assert found.get("gpu.wait_share") == pytest.approx(0.3)
    assert found.get("gpu.clock_hz") == pytest.approx(1.5e9)


def test_a_window_beyond_the_peak_gives_no_occupancy():
    found = rdna("gfx1100", GRBM_GUI_ACTIVE=4.6e6, SQ_WAVE_CYCLES=1e9)
    assert "gpu.occupancy" not in found


def test_misses_of_the_instruction_cache_are_of_its_requests():
    """Recorded on a gfx1153: 2 misses, 48 requests and 0 hits, which the profiler did not count; that was called a rate of 1."""
    found = rdna("gfx1151", SQC_ICACHE_MISSES=2.0, SQC_ICACHE_REQ=48.0, SQC_ICACHE_HITS=0.0)
    assert found.get("gpu.icache_miss_rate") == pytest.approx(2 / 48)
    assert rdna("gfx1151", SQC_ICACHE_MISSES=2.0, SQC_ICACHE_HITS=6.0).get("gpu.icache_miss_rate") == 0.25


def test_memory_by_the_sizes_of_requests():
    found = rdna("gfx1100", **READS, GL2C_MC_WRREQ_sum=50.0, GL2C_EA_WRREQ_64B_sum=20.0)
    assert found.get("gpu.hbm_read_bytes") == 32 + 640 + 9600 + 128_000
    assert found.get("gpu.hbm_write_bytes") == 20 * 64 + 30 * 32


@pytest.mark.parametrize(
    ("target", "sizes", "read"),
    [
        ("gfx1201", (0.0, 0.0, 0.0), 256_000.0),
        ("gfx1201", (0.0, 0.0, 1000.0), 128_000.0),
        ("gfx1200", (0.0, 0.0, 1000.0), 128_000.0),
        ("gfx1200", (0.0, 0.0, 0.0), None),
    ],
)
def test_sizes_that_do_not_make_up_all_reads_of_gfx12_are_not_believed(target, sizes, read):
    names = (f"GL2C_EA_RDREQ_{size}B_sum" for size in (32, 64, 128))
    values = dict(zip(names, sizes, strict=True)) | {"GL2C_EA_RDREQ_sum": 1000.0}
    assert derive(Counts(architecture=target, values=values)).get("gpu.hbm_read_bytes") == read


def test_hits_of_three_levels():
    found = rdna("gfx1100", TCP_REQ_sum=10.0, TCP_REQ_MISS_sum=4.0, GL1C_REQ_sum=4.0,
                 GL1C_REQ_MISS_sum=3.0, GL2C_HIT_sum=2.0, GL2C_MISS_sum=1.0)  # fmt: skip
    rates = [found.get(f"gpu.{level}_hit_rate") for level in ("l1", "middle", "l2")]
    assert rates == pytest.approx([0.6, 0.25, 2 / 3])


def test_what_nobody_delivered_is_no_count():
    """Recorded on gfx1201 without a profile level: waves are counted, all else reads 0."""
    dead = dict.fromkeys(
        (*READS, "FETCH_SIZE", "SQ_INSTS_VALU", "SQ_INSTS_LDS", "GL2C_HIT_sum", "GL2C_MISS_sum", "SQ_WAVE_CYCLES"), 0.0
    )
    assert set(undelivered(dead | {"SQ_WAVES": 5.0}, "gfx1201")) == set(dead)
    found = rdna("gfx1201", **dead, SQ_WAVES=32768.0)
    assert not {"gpu.hbm_read_bytes", "gpu.l2_hit_rate", "gpu.valu_per_wave", "gpu.lds_per_wave"} & {
        f.name for f in found.facts
    }


def test_a_zero_beside_what_was_delivered_is_a_count():
    read = {"GL2C_EA_RDREQ_sum": 1000.0, "GL2C_EA_WRREQ_sum": 0.0, "SQ_INSTS_VALU": 7.0, "SQ_INSTS_LDS": 0.0}
    assert undelivered(read, "gfx1201") == []
    assert undelivered({"SQ_INSTS_LDS": 0.0}, "gfx942") == [], "compute chips deliver what was asked for"


def test_names_of_sums():
    assert known_as("GRBM_COUNT_sum") == "GRBM_COUNT"
    assert known_as("TCP_REQ_MISS") == "TCP_REQ_MISS_sum"
    assert known_as("FETCH_SIZE") == "FETCH_SIZE"
