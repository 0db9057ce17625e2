"""Attention of sequences of different lengths that lie one after the other; none sees another.

Sizes: ``sequences``; ``heads`` of queries and ``kv_heads`` of keys and values, which divide them; ``longest_q`` and ``longest_k``
rows of the longest sequence; ``lengths`` of the others: ``equal`` to it, ``halving`` from one to the next, or ``random`` (the same
for the same problem); ``size`` of a head; ``dtype`` of q, k, v and o; ``causal`` 1 lets a query see the keys up to its own place, for
which queries and keys must be equally many; ``lse`` 1 asks for the logarithm of each row's sum too, float32 [heads, rows].
q and o are [rows, heads, size], k and v [rows of keys, kv_heads, size]; ``starts_q`` and ``starts_k`` are int32 [sequences + 1]: the
first row of each sequence, and the end.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

from hotloop.kernels.attention.problem import ELEMENT_BYTES
from hotloop.kernels.attention_packed.shape import Shape
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "attention_packed"
LENGTHS = ("equal", "halving", "random")
DEFAULT = Problem(
    FAMILY,
    Record(
        sequences=8, heads=8, kv_heads=2, longest_q=512, longest_k=512, lengths="random", size=128, dtype="bfloat16",
        causal=1, lse=0,
    ),
)  # fmt: skip


@lru_cache(maxsize=256)
def lengths_of(problem: Problem) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the queries and the keys of each sequence. Raises ValueError when a size has no meaning."""
    kind, many = problem.lengths, problem.integer("sequences")
    if kind not in LENGTHS:
        raise ValueError(f"lengths={kind!r} is not one of {', '.join(LENGTHS)}")
    for name in ("sequences", "heads", "kv_heads", "longest_q", "longest_k", "size"):
        if problem.integer(name) < 1:
            raise ValueError(f"{name}={problem.integer(name)} is not positive")
    longest = problem.integer("longest_q"), problem.integer("longest_k")
    queries, keys = (_lengths(str(kind), many, most) for most in longest)
    return queries, keys


def _lengths(kind: str, many: int, longest: int) -> tuple[int, ...]:
    if kind == "equal":
        return (longest,) * many
    if kind == "halving":
        return tuple(longest >> index for index in range(many))
    draw = random.Random(many * 1_000_003 + longest)  # noqa: S311 - the same problem has the same lengths
    return longest, *(draw.randint(longest // 8, longest) for _ in range(many - 1))


@lru_cache(maxsize=256)
def shape_of(problem: Problem) -> Shape:
    """Return the sizes as a `Shape`. Raises ValueError when one has no meaning."""
    queries, keys = lengths_of(problem)
    if problem.dtype not in ELEMENT_BYTES:
        raise ValueError(f"dtype={problem.dtype!r} is not one of {', '.join(ELEMENT_BYTES)}")
    for name in ("causal", "lse"):
        if problem.integer(name) not in (0, 1):
            raise ValueError(f"{name}={problem.integer(name)} is neither 0 nor 1")
    if problem.integer("heads") % problem.integer("kv_heads"):
        raise ValueError(f"heads={problem.heads} is no multiple of kv_heads={problem.kv_heads}")
    if problem.integer("causal") and queries != keys:
        raise ValueError("causal=1 is for sequences with as many keys as queries")
    return Shape(
        sequences=len(queries), heads=problem.integer("heads"), kv_heads=problem.integer("kv_heads"),
        longest_q=max(queries), longest_k=max(keys), rows_q=sum(queries), rows_k=sum(keys), size=problem.integer("size"),
        dtype=str(problem.dtype), causal=bool(problem.causal), lse=bool(problem.lse),
    )  # fmt: skip


def work(problem: Problem) -> Work:
    """Return 4 flops per visible pair of each sequence and head element, a causal mask counting half, and every array moved once."""
    shape, (queries, keys) = shape_of(problem), lengths_of(problem)
    alone = replace(shape.bound, batch=1)
    flops = sum(replace(alone, length_q=q, length_k=k).flops for q, k in zip(queries, keys, strict=True))
    elements = 2 * (shape.rows_q * shape.heads + shape.rows_k * shape.kv_heads) * shape.size
    sums = 4 * shape.heads * shape.rows_q if shape.lse else 0
    text = "4 flops per pair of query and key and head element, a causal mask counts half; q, k, v read once, o written once"
    return Work(flops, float(elements * ELEMENT_BYTES[shape.dtype] + sums + 8 * (shape.sequences + 1)), text)


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: single rows, empty sequences, primes, more keys than queries."""
    base = DEFAULT.replace(dtype=str(problem.dtype), causal=problem.integer("causal"), lse=problem.integer("lse"))
    changes: tuple[dict[str, int | str], ...] = (
        {"sequences": 1, "heads": 1, "kv_heads": 1, "longest_q": 1, "longest_k": 1, "lengths": "equal", "size": 64},
        {"sequences": 5, "heads": 2, "kv_heads": 1, "longest_q": 7, "longest_k": 7, "lengths": "halving", "size": 64},
        {"sequences": 6, "heads": 3, "kv_heads": 3, "longest_q": 131, "longest_k": 131, "size": 64},
        {"sequences": 4, "heads": 4, "kv_heads": 2, "longest_q": 257, "longest_k": 257},
        {"sequences": 7, "heads": 2, "kv_heads": 1, "longest_q": 33, "longest_k": 300, "causal": 0},
        {"sequences": 3, "heads": 1, "kv_heads": 1, "longest_q": 65, "longest_k": 65, "size": 256},
    )
    return tuple(base.replace(**change) for change in changes)
