import pytest

from hotloop.devices.gpu.load import all_names
from hotloop.devices.relatives import LINES, nearest


@pytest.mark.parametrize(
    ("target", "known", "found"),
    [
        ("gfx1012", ["gfx942", "gfx1100", "gfx1010"], "gfx1010"),
        ("gfx1012:xnack-", ["gfx1100", "gfx1030"], "gfx1030"),
        ("gfx1030", ["gfx1031", "gfx1012"], "gfx1012"),  # as near as the newer one
        ("gfx950", ["gfx90a", "gfx1100", "sm_90"], "gfx90a"),
        ("x86-64-avx512", ["x86-64-avx2"], "x86-64-avx2"),
        ("gfx942", ["gfx942", "gfx950"], "gfx942"),
        ("gfx942", ["gfx1100", "x86-64-avx2", "sm_90", "", "nonsense"], ""),
        ("", ["gfx942"], ""),
    ],
)
def test_the_nearest_of_the_same_line_is_found(target, known, found):
    assert nearest(target, known) == found


def test_every_gpu_of_the_data_files_that_has_relatives_is_placed():
    placed = {name for line in LINES for name in line}
    assert {name for name in all_names() if name not in placed} <= {"gfx1250"}  # the first of its line
