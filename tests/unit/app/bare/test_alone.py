"""What is left of a text where only one kernel of it is asked for."""

from __future__ import annotations

import pytest

from hotloop.app.bare.alone import alone

TEXT = """/* kernels; {all} */
#define TWICE(x) twice(x)
typedef float real;
static real twice(real x) { return 2 * x; }
static Strange odd(Strange x) { return x; }
// a note; of it {
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void bad(global Strange *x) {
#ifdef DEEP
    x[0] = odd(x[0]);
#endif
}
kernel void good(global real *x) { x[get_global_id(0)] = TWICE(1.0f); }
"""


def test_only_what_a_kernel_needs_is_left_and_nothing_moves():
    left = alone(TEXT, "good")
    assert len(left) == len(TEXT)
    assert "Strange" not in left
    assert "reqd_work_group_size" not in left
    for line in ("/* kernels; {all} */", "static real twice(real x) { return 2 * x; }", "// a note; of it {", "#endif"):
        assert line in left
    assert left.splitlines()[-1] == TEXT.splitlines()[-1]


@pytest.mark.parametrize("entry", ["bad", "missing"])
def test_what_a_kernel_names_stays(entry):
    left = alone(TEXT, entry)
    assert "odd(Strange x)" in left
    assert ("void good" in left) == (entry == "missing")
