import pytest

from hotloop.targets.data import gpus
from hotloop.targets.relatives import Relative, lines, ranked


@pytest.mark.parametrize(
    ("target", "known", "found"),
    [
        ("gfx1012", ["gfx942", "gfx1100", "gfx1010"], "gfx1010"),
        ("gfx1012:xnack-", ["gfx1100", "gfx1030"], "gfx1030"),
        ("gfx1012", ["gfx1030", "gfx1010"], "gfx1010"),  # fewer targets lie between it and gfx1030, but that is RDNA 2
        ("gfx1030", ["gfx1100", "gfx1012"], "gfx1100"),  # as near as the older one, and its chip is nearly as large
        ("gfx1030", ["gfx1031", "gfx1012"], "gfx1031"),
        ("gfx950", ["gfx90a", "gfx1100", "sm_90"], "gfx90a"),
        ("sm_87", ["sm_90", "sm_89", "sm_80"], "sm_80"),
        ("x86-64-avx512", ["x86-64-avx2"], "x86-64-avx2"),
        ("gfx942", ["gfx942", "gfx950"], "gfx942"),
        ("gfx1152", ["gfx1100", "gfx1150", "gfx1201"], "gfx1150"),
        ("sm_110", ["sm_90", "sm_120", "sm_100"], "sm_100"),
        ("gfx942", ["gfx1100", "x86-64-avx2", "sm_90", "", "nonsense"], ""),
        ("", ["gfx942"], ""),
    ],
)
def test_the_nearest_of_the_same_line_is_found(target, known, found):
    order = ranked(Relative(target), map(Relative, known))
    assert (order[0].target if order else "") == found


def order(wanted, *known):
    return [(one.target, one.compute_units) for one in ranked(wanted, known)]


def test_local_memory_decides_within_a_family():
    """sm_86 has 100 KiB of shared memory, sm_87 and sm_80 164."""
    assert order(Relative("sm_87"), Relative("sm_86"), Relative("sm_80")) == [("sm_80", None), ("sm_86", None)]


def test_compute_units_decide_between_devices_of_one_target():
    small, large = Relative("gfx1010", 36), Relative("gfx1010", 80)
    assert order(Relative("gfx1012", 22), large, small) == [("gfx1010", 36), ("gfx1010", 80)]
    assert order(Relative("gfx1010", 72), large, small) == [("gfx1010", 80), ("gfx1010", 36)]


def test_compute_units_come_before_targets_but_after_families():
    assert order(Relative("gfx1030", 80), Relative("gfx1031", 40), Relative("gfx1032", 72)) == [
        ("gfx1032", 72),
        ("gfx1031", 40),
    ]
    assert order(Relative("gfx1012", 22), Relative("gfx1030", 22), Relative("gfx1010", 40))[0] == ("gfx1010", 40)


def test_a_number_that_nobody_knows_is_worse_than_an_equal_one_and_better_than_twice():
    unknown, equal, twice = Relative("gfx1010"), Relative("gfx1010", 22), Relative("gfx1010", 44)
    assert [units for _, units in order(Relative("gfx1012", 22), twice, unknown, equal)] == [22, None, 44]


def test_every_gpu_of_the_data_files_that_has_relatives_is_placed():
    placed = {name for line in lines() for family in line for name in family}
    assert {name for name in gpus() if name not in placed} <= {"gfx1250"}  # the first of its line
