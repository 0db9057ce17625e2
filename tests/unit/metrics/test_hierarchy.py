"""The hierarchical roofline: which roof binds, and what it refuses."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.errors import UsageError
from hotloop.metrics.hierarchy import Load, Roof, position, recorded, reported

MEMORY = (Roof("lds", 100e12, "t"), Roof("l2", 5e12, "t"), Roof("hbm", 2e12, "t"))
ARITHMETIC = (Roof("bf16 matrix", 800e12, "t"), Roof("fp32 vector", 50e12, "t"))


def test_each_level_is_a_point_and_the_slowest_roof_binds():
    load = Load({"fp32 vector": 1e9}, {"hbm": 1e9, "l2": 3e9, "lds": 10e9}, 1e6)
    found = position(load, MEMORY, ARITHMETIC)
    assert [p.level for p in found.points] == ["lds", "l2", "hbm"]
    assert [p.fraction for p in found.points] == pytest.approx([0.1, 0.6, 0.5])
    assert [p.intensity for p in found.points] == pytest.approx([0.1, 1 / 3, 1.0])
    assert found.points[2].attainable == pytest.approx(2e12)
    assert found.points[0].attainable == pytest.approx(10e12)
    assert (found.binding, found.fraction) == ("l2", pytest.approx(0.6))
    assert found.missing == ("bf16 matrix",)


def test_kinds_of_arithmetic_add_up_in_time():
    load = Load({"fp32 vector": 25e9, "bf16 matrix": 240e9}, {"hbm": 1e6}, 1e6)
    found = position(load, MEMORY, ARITHMETIC)
    assert found.arithmetic_fraction == pytest.approx(0.5 + 0.3)
    assert (found.binding, found.fraction) == ("fp32 vector", pytest.approx(0.8))
    assert found.points[0].attainable == pytest.approx(265e9 / 0.8e-3)


def test_a_level_that_moved_nothing_is_no_limit():
    found = position(Load({"fp32 vector": 1e9}, {"lds": 0.0}, 1e6), MEMORY, ARITHMETIC)
    assert found.points[0].intensity == inf
    assert found.points[0].attainable == pytest.approx(50e12)
    assert found.binding == "fp32 vector"


def test_a_copy_has_no_arithmetic():
    found = position(Load({}, {"hbm": 1e9}, 1e6), MEMORY, ARITHMETIC)
    assert (found.binding, found.fraction) == ("hbm", pytest.approx(0.5))
    assert found.points[0].attainable == 0


@pytest.mark.parametrize(
    "load",
    [
        Load({"fp32 vector": 1.0}, {}, 0.0),
        Load({"fp32 vector": -1.0}, {}, 1.0),
        Load({"fp32 vector": float("nan")}, {}, 1.0),
        Load({"int4 matrix": 1.0}, {"l1": 1.0}, 1.0),
    ],
)
def test_nonsense_is_refused(load):
    with pytest.raises(UsageError):
        position(load, MEMORY, ARITHMETIC)
    with pytest.raises(UsageError):
        position(Load({}, {"hbm": 1.0}, 1.0), (Roof("hbm", 0.0, "t"),), ())


POSITIVE = st.floats(1.0, 1e15)


@given(flops=POSITIVE, hbm=POSITIVE, l2=POSITIVE, spent_ns=st.floats(1.0, 1e12))
def test_the_fraction_is_the_largest_and_points_never_pass_it(flops, hbm, l2, spent_ns):
    found = position(Load({"fp32 vector": flops}, {"hbm": hbm, "l2": l2}, spent_ns), MEMORY, ARITHMETIC)
    every = [found.arithmetic_fraction, *(p.fraction for p in found.points)]
    assert found.fraction == pytest.approx(max(every))
    for point in found.points:
        reached = point.flops_per_s / point.attainable
        assert reached == pytest.approx(max(point.fraction, found.arithmetic_fraction))


def test_recorded_ceilings_are_in_giga_units_and_zero_is_no_roof():
    memory, arithmetic = recorded(
        {"HBMBw": 1388.93, "L2Bw": 5018.0, "LDSBw": 0.0, "FP32Flops": 20941.0}, "roofline.csv"
    )
    assert [(r.name, r.per_second) for r in memory] == [
        ("l2", pytest.approx(5018e9)),
        ("hbm", pytest.approx(1388.93e9)),
    ]
    assert [(r.name, r.source) for r in arithmetic] == [("fp32 vector", "roofline.csv")]


def test_reported_peaks_need_both_factors():
    values = {"dram__bytes.sum.peak_sustained": 1280.0, "dram__cycles_elapsed.avg.per_second": 2.618e9}
    memory, arithmetic = reported({**values, "derived__lts__lts2xbar_bytes.sum.peak_sustained": 5120.0})
    assert [(r.name, r.per_second) for r in memory] == [("hbm", pytest.approx(3.351e12, rel=1e-3))]
    assert arithmetic == ()
