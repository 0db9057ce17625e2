"""What a file's inputs have to do with each other, by how they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import hotloop as hl
from hotloop import api
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.cases import Case, UnvariedError, draw
from hotloop.verify.told.drawn import relations
from hotloop.verify.variety import CONSTANT, ENDS, FAR_DOWN, SORTED

P = Problem("any", Record(n=60))


def suffixes(p, rng):
    text = rng.integers(97, 101, 60, dtype="u1")
    return {
        "text": text,
        "order": np.array(sorted(range(60), key=lambda i: text[i:].tobytes())),
        "words": rng.integers(97, 101, 60, dtype="u1"),
    }


def noisy(p, rng):
    first = rng.random(60)
    return {"first": first, "second": first + 0.1 * rng.standard_normal(60)}


def heap(p, rng):
    heap = rng.random(63)
    for at in reversed(range(31)):
        while 2 * at + 1 < 63 and heap[child := 2 * at + 1 + int(heap[2 * at + 1] > heap[2 * at + 2])] < heap[at]:
            heap[at], heap[child], at = heap[child], heap[at], child
    return {"heap": heap, "x": rng.random(63)}


def unit(p, rng):
    v = rng.standard_normal((60, 3))
    return {"v": v / np.linalg.norm(v, axis=1, keepdims=True), "free": rng.standard_normal((60, 3))}


def walk(p, rng):
    return {"x": np.cumsum(rng.standard_normal(60)), "y": (3 * rng.random(60)).astype("f2")}


def cleared(p, rng):
    x = rng.standard_normal((20, 6))
    x[rng.random(20) < 0.2] = 0
    letters = rng.choice(np.frombuffer(b"ab cd", "u1"), 60)
    return {"x": x, "letters": letters, "both": np.stack(list(rng.random((2, 60))))}


def threes(p, rng):
    a, b, c = rng.random((3, 20, 5))
    return {"a": a, "b": b, "c": c}


@pytest.mark.parametrize(
    ("inputs", "tied", "inner"),
    [
        (suffixes, {"text", "order"}, set()),
        (noisy, set(), set()),
        (heap, set(), {"heap"}),
        (unit, set(), {"v"}),
        (walk, set(), set()),
        (threes, set(), set()),
    ],
)
def test_what_hangs_together_is_found_and_what_does_not_is_free(inputs, tied, inner):
    found = relations(inputs, P)
    assert found.tied == tied
    assert found.inner - tied == inner


def test_a_row_that_is_cleared_by_chance_leaves_its_other_values_free():
    assert relations(cleared, P).tied | relations(cleared, P).inner == frozenset()


def test_columns_that_are_drawn_apart_are_different_things():
    def edges(p, rng):
        return {
            "edges": np.stack([rng.integers(0, 9, 60), rng.integers(0, 9, 60), rng.integers(0, 10**6, 60)], 1),
            "xy": np.stack([rng.random(60), rng.random(60)], 1),
        }

    assert relations(edges, P).columns == {"edges": (1, ((0,), (1,), (2,)))}


def test_rows_of_one_call_are_the_same_thing():
    def rows(p, rng):
        return {"x": rng.standard_normal((3, 60)).cumsum(axis=1), "y": rng.integers(0, 9, 60)}

    assert relations(rows, P).columns == {}


def test_a_file_that_raises_when_it_is_asked_says_nothing():
    assert relations(lambda p, rng: {"x": rng.no_such_thing(3)}, P).tied == frozenset()


@pytest.fixture
def options():
    @hl.kernel(problem={"n": 60}, work=lambda p: hl.Work(flops=0, bytes=8 * p.n), awkward=lambda p: [{"n": 1}])
    class priced:
        def inputs(p, rng):
            return {"o": np.stack([rng.uniform(80, 120, p.n), rng.uniform(0.1, 0.4, p.n)], 1), "y": hl.empty(p.n)}

        def reference(p, o, y):
            return {"y": o[:, 0] * o[:, 1]}

        plain = hl.OpenCL("__kernel void k() {}\n\n", "k", global_size=lambda p, c: (p.n,))

    yield api.DEFINED[-1]
    api.DEFINED.pop()


@pytest.mark.parametrize("kind", [CONSTANT, ENDS, SORTED])
def test_a_price_does_not_become_a_volatility(options, kind):
    o = draw(options, Case(options.problem, kind, 5, 0))["o"]
    assert (o[:, 0] >= 80).all()
    assert (o[:, 1] <= 0.4).all()


def test_one_price_alone_does_not_become_negative(options):
    one = options.problem.replace(n=1)
    with pytest.raises(UnvariedError):
        draw(options, Case(one, FAR_DOWN, 5, 0))


def test_limits_that_differ_and_sizes_that_grow_leave_integers_as_they_are():
    def graph(p, rng):
        before, links = [0], []
        for node in range(1, 60):
            before.append(int(rng.integers(0, node)))
            if rng.random() < 0.5:
                links.append(node % 7)
        marks = rng.integers(0, 5, len(links))
        return {
            "before": np.array(before),
            "links": np.array(links),
            "marks": marks,
            "sums": np.zeros(60, "i4"),
            "cost": rng.integers(0, 9, 60),
        }

    assert relations(graph, P).inner == {"before", "links", "marks"}
