"""What a file's inputs have to do with each other, by how they are drawn."""

from __future__ import annotations

import time

import numpy as np
import pytest

import hotloop as hl
from hotloop import api
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.cases import Case, UnvariedError, draw
from hotloop.verify.told.drawn import relations
from hotloop.verify.told.steered import Steered
from hotloop.verify.told.traced import Traced, asked
from hotloop.verify.variety import CONSTANT, ENDS, FAR_DOWN, SORTED, STEERED

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


def layers(p, rng):
    def drawn(*form):
        return rng.standard_normal(form).astype("f4")

    return {name: drawn(8, 8) for name in ("x", "wq", "wk", "wv", "wo", "w1", "w2", "bias")}


def tables(p, rng):
    return {name: rng.integers(0, rows, 60) for name, rows in {"user": 100, "item": 30, "kind": 7}.items()}


def many(p, rng):
    return {f"x{index}": rng.random(30) for index in range(40)}


def split(p, rng):
    a, b = np.split(rng.standard_normal(120), 2)
    points = rng.random((60, 4))
    return {"a": a, "b": b, **{f"c{index}": points[:, index].copy() for index in range(4)}}


def singly(p, rng):
    return {"x": np.array([rng.random() for _ in range(60)]), "y": np.array([rng.random() for _ in range(60)])}


def seeded(p, rng):
    other = np.random.RandomState(int(rng.integers(2**31)))
    more = [np.random.default_rng(seed) for seed in rng.integers(0, 2**32, 2)]
    return {"x": other.randn(60), "y": other.randn(60), "a": more[0].random(60), "b": more[1].random(60)}


def unseeded(p, rng):
    return {"x": np.random.rand(60), "y": rng.random(60)}


def rows(p, rng):
    tokens = np.zeros((16, 9), "i4")
    for row, length in enumerate(rng.integers(1, 9, 16)):
        tokens[row, :length] = rng.integers(1, 1000, length)
    return {"tokens": tokens}


@pytest.mark.parametrize(
    "inputs", [layers, tables, many, split, singly, seeded, unseeded, rows], ids=lambda f: f.__name__
)
def test_arrays_that_have_nothing_to_do_with_each_other_are_free(inputs):
    found = relations(inputs, P)
    assert (found.tied, found.inner, found.bounded) == (frozenset(), frozenset(), False)


def test_of_a_large_draw_that_is_split_only_what_follows_is_tied():
    def halves(p, rng):
        large = rng.standard_normal(240)
        return {
            "x": large[:60],
            "positive": (large[:60] > 0).astype("u1"),
            "low": np.minimum(large[60:120], large[120:180]),
            "high": np.maximum(large[60:120], large[120:180]),
            "free": large[180:],
        }

    assert relations(halves, P).tied == {"x", "positive", "low", "high"}


def test_columns_of_a_sparse_matrix_are_no_links():
    def sparse(p, rng):
        kept = rng.random((16, 16)) < 0.3
        return {
            "start": np.concatenate([[0], kept.sum(1).cumsum()]),
            "column": np.nonzero(kept)[1],
            "value": rng.integers(0, 9, np.count_nonzero(kept)),
        }

    found = relations(sparse, P)
    assert not found.bounded
    assert "column" in found.inner
    assert "value" not in found.inner


def test_few_values_of_one_sign_by_chance_may_have_both():
    def few(p, rng):
        return {f"x{index}": rng.standard_normal(4) for index in range(20)}

    assert relations(few, P).onesided == frozenset()


def test_how_a_file_is_formatted_changes_nothing_of_what_is_drawn():
    seen = []
    for text in (
        "{'x': rng.random(9), 'y': rng.random(9)}",
        "\n\n(\n {'x':\n  rng.random(9),\n\n 'y': rng.random(9)}\n)",
    ):
        body = "def inputs(p, rng):\n    return (" + text + ")"
        kept = {}
        exec("\n" * len(seen) + body, kept)
        seen.append(asked(kept["inputs"], P, Traced()))
    np.testing.assert_array_equal(seen[0]["x"], seen[1]["x"])
    np.testing.assert_array_equal(seen[0]["y"], seen[1]["y"])
    assert (seen[0]["x"] != seen[0]["y"]).all()


def test_a_file_that_waits_for_a_disk_is_asked_once():
    asked_for = []

    def slow(p, rng):
        asked_for.append(p)
        time.sleep(0.5)
        return {"x": rng.random(60)}

    assert relations(slow, P).tied == frozenset()
    assert len(asked_for) == 1


def squares(p, rng):
    """Latin squares, of which half have another digit at one place."""
    rows, columns = np.indices((9, 9))
    x = np.argsort(rng.random((200, 9)), axis=1)[:, (rows + columns) % 9].reshape(200, 81)
    spoiled = np.flatnonzero(rng.random(200) < 0.5)
    x[spoiled, rng.integers(0, 81, spoiled.size)] = rng.integers(0, 9, spoiled.size)
    return {"x": x.astype("u1")}


def nearly_sorted(p, rng):
    x = np.sort(rng.random(200))
    x[rng.integers(0, 200, 40)] += 0.01 * rng.random(40)
    return {"x": x}


def parities(p, rng):
    """Words with a sum behind them, of which no element is overwritten."""
    x = rng.integers(0, 100, (60, 8))
    return {"x": np.concatenate([x, x.sum(axis=1, keepdims=True) % 7], axis=1)}


def test_what_a_file_itself_overwrites_anywhere_has_no_relation_that_counts():
    assert relations(squares, P).inner == frozenset()
    assert relations(nearly_sorted, P).inner == {"x"}
    assert relations(parities, P).inner == {"x"}


def stabbed(p, rng):
    low = np.sort(rng.random(1024, "f4"))
    return {"low": low, "high": low + np.float32(0.05) * rng.random(1024, "f4"), "n": np.int32(p.n)}


def weights(p, rng):
    w = rng.random((512, 64)) + 0.1
    return {"w": w / w.sum(axis=1, keepdims=True)}


def repeated(p, rng):
    """Draws until half of the points lie in the middle: of steered numbers they may never do."""
    while True:
        x = rng.random(200)
        if np.mean(np.abs(x - 0.5) < 0.25) > 0.5:
            return {"x": np.sort(x)}


def steered(inputs, seed):
    kernel = hl.kernel(problem={"n": 60}, work=lambda p: hl.Work(flops=0, bytes=1))(_file(inputs))
    return draw(kernel, Case(kernel.problem, STEERED, seed, 0, added=True))


def _file(inputs):
    return type("any", (), {
        "inputs": inputs, "reference": lambda p, **arrays: {}, "__doc__": "Any.",
        "opencl": hl.OpenCL("__kernel void k() {}", "k", global_size=lambda p, c: (1,)),
    })  # fmt: skip


def test_steered_draws_keep_relations_and_crowd_what_chance_spreads():
    made, usual = steered(stabbed, 1), stabbed(P, np.random.default_rng(1))
    assert (np.diff(made["low"]) >= 0).all()
    assert (made["low"] <= made["high"]).all()
    crowded = [np.histogram(one["low"], 64, (0, 1))[0].max() for one in (made, usual)]
    assert crowded[0] > 3 * crowded[1]
    rows = steered(weights, 1)["w"]
    assert np.allclose(rows.sum(axis=1), 1)
    assert rows[:, :16].sum(axis=1).max() > 0.6  # by chance a quarter of the places has a quarter of the weight


def test_steered_draws_end_where_a_file_draws_again_and_leave_free_arrays_to_other_kinds():
    assert (np.diff(steered(repeated, 1)["x"]) >= 0).all()
    with pytest.raises(UnvariedError):
        steered(lambda p, rng: {"x": rng.random(200)}, 1)


@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "f4", "f8"])
def test_steered_numbers_stay_within_what_a_method_may_return(dtype):
    rng = Steered(3, 8)
    if np.dtype(dtype).kind == "f":
        made = np.concatenate([rng.random((64, 9), dtype).reshape(-1) for _ in range(8)])
        assert (made >= 0).all()
        assert (made < 1).all()
        assert (made.astype("f4") < 1).all()
    else:
        made = np.concatenate([rng.integers(3, 90, (64, 9), dtype).reshape(-1) for _ in range(8)])
        assert made.min() == 3
        assert made.max() == 89
    assert made.dtype == dtype
    whole = rng.integers(0, 2**64 - 1, 9, "u8", endpoint=True)
    assert whole.dtype == "u8"
    assert (rng.integers(0, [1, 5, 9], (50, 3)) < [1, 5, 9]).all()
    assert isinstance(rng.random(), float)
    assert 0 <= rng.random() < 1
    assert 0 <= int(rng.integers(5)) < 5
    assert {int(rng.choice([4, 5])) for _ in range(20)} <= {4, 5}
