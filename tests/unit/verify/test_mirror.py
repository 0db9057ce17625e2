"""Programs in other orders: what is rewritten, and what is left alone."""

from __future__ import annotations

import pytest

from hotloop.model.program import Launch, Program
from hotloop.verify.mirror import orders

PLAIN = "__kernel void k(__global float *x) { x[get_global_id(0)] = 1.0f; }"


def program(source=PLAIN, local=(64,), extent=(128,), options=(), language="opencl"):
    return Program(language, source, options, (Launch("k", (), extent, local),))


def test_the_text_stays_and_the_functions_are_replaced():
    alone, turned = orders(program())
    found = turned.program
    assert alone.program.source == PLAIN
    assert "-cl-opt-disable" in alone.program.options
    assert found.source.endswith("#line 1\n" + PLAIN)
    assert "#define get_global_id" in found.source
    assert found.launches == program().launches


@pytest.mark.parametrize(
    "changes",
    [
        {"source": "__kernel void k(__global float *x) { x[0] = 1.0f; }"},
        {"source": PLAIN.replace("get_global_id(0)", "get_sub_group_id() + get_global_id(0)")},
        {"source": PLAIN.replace("get_global_id(0)", "get_global_id(0) + get_global_linear_id()")},
        {"source": PLAIN.replace("{", "{ while (atomic_add(f, 0) != get_group_id(0));", 1)},
        {"source": "#define get_group_id(d) 0\n" + PLAIN},
        {"language": "cuda"},
    ],
)
def test_what_may_mean_something_else_is_left_alone(changes):
    assert orders(program(**changes)) == ()


def test_the_runtime_may_choose_the_groups():
    assert len(orders(program(local=None))) == 2


@pytest.mark.parametrize("changes", [{"extent": (100,)}, {"options": ("-cl-std=CL2.0",), "local": None}])
def test_uneven_groups_are_not_turned_round(changes):
    (alone,) = orders(program(**changes))
    assert alone.program.source == PLAIN


@pytest.mark.parametrize(
    ("statement", "many"),
    [
        ("y[r[i]] += v;", True),
        ("y[2 * r[i + 1]]++;", True),
        ("y[i] += v;", False),
        ("y[r[i]] = v;", False),
        ("v += y[r[i]];", False),
    ],
)
def test_elements_whose_place_is_read_and_that_are_added_to_are_run_often(statement, many):
    text = f"__kernel void k(__global int *y, __global int *r) {{ int i = get_global_id(0), v = 1; {statement} }}"
    assert orders(program(text))[0].contended is many
