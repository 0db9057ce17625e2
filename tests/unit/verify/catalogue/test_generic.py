import numpy as np
import pytest

from hotloop.model.program import Program
from hotloop.verify.catalogue.generic import CORRUPTIONS, source_mutants

SOURCE = """\
// a < b in a comment
#define LESS(a, b) ((a) < (b))
__kernel void k(__global const float *x, __global float *y, const int n) {
    __local float t[16];
    const int i = get_global_id(0);
    if (i >= n) return;
    float sum = 0.0f;
    for (int j = 0; j < n; ++j) sum += x[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[i] = sum - x[i] * 2.0f;
}
"""


def mutated():
    return {m.name: m.apply(Program("opencl", SOURCE)).source for m in source_mutants(SOURCE, 1000)}


def test_each_mutant_differs_in_exactly_the_line_that_it_names():
    for name, source in mutated().items():
        number = int(name.removeprefix("line ").partition(":")[0])
        before, after = SOURCE.splitlines(), source.splitlines()
        assert [i for i, (a, b) in enumerate(zip(before, after, strict=True), 1) if a != b] == [number]


def test_the_operators_find_their_places():
    names = set(mutated())
    assert {
        "line 6: >= → >",
        "line 8: < → <=",
        "line 8: += → =",
        "line 9: barrier(CLK_LOCAL_MEM_FENCE); → ;",
        "line 7: = 0.0f; → = 1.0f;",
        "line 10: - → +",
        "line 10: * → +",
        "line 10: [i] → [i + 1]",
        "line 5: get_global_id(0) → get_global_id(1)",
        "line 6: if (i >= n) return → ;",
    } <= names | {name.replace("return; → ;", "return → ;") for name in names}


def test_comments_directives_and_declarations_stay():
    numbers = {int(name.removeprefix("line ").partition(":")[0]) for name in mutated()}
    assert not numbers & {1, 2, 4}


@pytest.mark.parametrize("most", [1, 3, 7])
def test_a_limit_spreads_over_the_source(most):
    found = source_mutants(SOURCE, most)
    assert len(found) == most
    assert len({mutant.name for mutant in found}) == most


def test_a_kind_of_each_comes_first():
    kinds = [mutant.kind for mutant in source_mutants(SOURCE, 1000)]
    assert len(set(kinds)) > 4
    assert len(set(kinds[: len(set(kinds))])) == len(set(kinds))


def test_steps_of_loops_stay_because_all_that_changes_is_that_they_never_end():
    loop = "for (int j = l; j < (n + 1); j += 64) { sum += x[j]; }\n"
    changed = [m.apply(Program("opencl", loop)).source for m in source_mutants(loop, 1000) if m.kind == "accumulation"]
    assert changed == [loop.replace("sum +=", "sum =")]


def test_a_source_without_operators_has_no_mutants():
    assert source_mutants("__kernel void k() {}\n", 10) == ()


@pytest.mark.parametrize("corruption", CORRUPTIONS, ids=lambda c: c.bug)
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
def test_corruptions_change_results_in_place(corruption, dtype):
    values = (np.arange(1, 25, dtype=np.float64).reshape(4, 6) * 3712.3).astype(dtype)
    if "NaN" in corruption.bug and dtype != "int32":
        values[0, 0] = np.nan
    before = values.copy()
    corruption.change(values)
    assert values.dtype == before.dtype
    cut = "cut to" in corruption.bug and dtype != "float32"
    same = cut or ("NaN" in corruption.bug and dtype == "int32")
    assert np.array_equal(values, before, equal_nan=values.dtype.kind == "f") == same
