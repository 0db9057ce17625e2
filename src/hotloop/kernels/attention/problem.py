"""The attention forward problem, ``O = softmax(Q·Kᵀ·scale + mask)·V``.

Sizes: ``batch``; ``heads`` of queries and ``kv_heads`` of keys and values, which divide them (grouped queries); ``length_q``
and ``length_k`` rows of each head; ``size`` of a head; ``dtype`` of all arrays (scores and sums are float32); ``causal`` 1
lets query i see the keys up to i, as PyTorch's ``is_causal`` does. Arrays are [batch, heads, length, size].

A problem may have four more: ``lse`` 1 asks for the logarithm of each row's sum too, float32 [batch, heads, length];
``shift`` lets query i see the keys up to i + shift under a causal mask; ``scale`` is what scores are multiplied by where it is not
1/sqrt(size); ``window`` lets query i see only keys nearer than that to i + shift. Rows that see no key give zeros and minus infinity.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record

FAMILY = "attention"
ELEMENT_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}

DEFAULT = Problem(
    FAMILY, Record(batch=1, heads=4, kv_heads=4, length_q=256, length_k=256, size=64, dtype="float32", causal=1)
)


OPTIONAL = ("lse", "shift", "scale", "window")
"""Sizes that a problem need not have; without them they are 0."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of an attention problem as numbers."""

    batch: int
    heads: int
    kv_heads: int
    length_q: int
    length_k: int
    size: int
    dtype: str = "float32"
    causal: bool = False
    lse: bool = False
    """The logarithms of the row sums are an output."""
    shift: int = 0
    """Keys that a causal mask shows beyond a query's own number."""
    scale: float = 0.0
    """Factor of the scores; 0 stands for 1/sqrt(size)."""
    window: int = 0
    """Keys nearer than this to a query's own place are seen, on both sides, or on the left of a causal mask; 0: all."""

    @property
    def factor(self) -> float:
        """What scores are multiplied by."""
        return self.scale or self.size**-0.5

    @property
    def sees_all(self) -> bool:
        """Tell whether every query sees every key."""
        return not self.window and (not self.causal or self.shift >= self.length_k - 1)

    def seen(self, query: int) -> range:
        """Return the keys that a query sees."""
        place = query + self.shift
        right = 1 if self.causal else self.window or self.length_k - place
        first = max(0, place - self.window + 1) if self.window else 0
        return range(first, max(first, min(self.length_k, place + right)))

    @property
    def group(self) -> int:
        """Query heads that share one head of keys."""
        return self.heads // self.kv_heads

    @property
    def pairs(self) -> float:
        """Pairs of query and key that count as work; a causal mask over equal lengths halves them by convention."""
        if self.window or (self.causal and self.shift):
            return float(sum(len(self.seen(i)) for i in range(self.length_q)))
        if not self.causal:
            return float(self.length_q * self.length_k)
        square = min(self.length_q, self.length_k)
        return square * square / 2 + float((self.length_q - square) * self.length_k)

    @property
    def flops(self) -> float:
        """Two products of two flops per pair and element of a head; exponentials are not counted."""
        return 4.0 * self.batch * self.heads * self.pairs * self.size

    @property
    def compulsory_bytes(self) -> int:
        """Every array moved once."""
        queries = 2 * self.batch * self.heads * self.length_q
        keys = 2 * self.batch * self.kv_heads * self.length_k
        sums = 4 * self.batch * self.heads * self.length_q if self.lse else 0
        return (queries + keys) * self.size * ELEMENT_BYTES[self.dtype] + sums


@lru_cache(maxsize=256)
def shape_of(problem: Problem) -> Shape:
    """Return the sizes as a `Shape`. Raises ValueError when one has no meaning."""
    if problem.dtype not in ELEMENT_BYTES:
        raise ValueError(f"dtype={problem.dtype!r} is not one of {', '.join(ELEMENT_BYTES)}")
    names = ("batch", "heads", "kv_heads", "length_q", "length_k", "size")
    for name in names:
        if problem.integer(name) < 1:
            raise ValueError(f"{name}={problem.integer(name)} is not positive")
    if problem.integer("causal") not in (0, 1):
        raise ValueError(f"causal={problem.integer('causal')} is neither 0 nor 1")
    extra = {name: problem.sizes.get(name, 0) for name in OPTIONAL}
    if extra["lse"] not in (0, 1):
        raise ValueError(f"lse={extra['lse']} is neither 0 nor 1")
    if int(extra["window"]) < 0:
        raise ValueError(f"window={extra['window']} is negative")
    if not float(extra["scale"]) >= 0:
        raise ValueError(f"scale={extra['scale']} is not positive")
    if problem.integer("heads") % problem.integer("kv_heads"):
        raise ValueError(f"heads={problem.heads} is no multiple of kv_heads={problem.kv_heads}")
    batch, heads, kv_heads, length_q, length_k, size = (problem.integer(name) for name in names)
    dtype, causal = str(problem.dtype), bool(problem.integer("causal"))
    lse, shift, scale, window = bool(extra["lse"]), int(extra["shift"]), float(extra["scale"]), int(extra["window"])
    return Shape(batch, heads, kv_heads, length_q, length_k, size, dtype, causal, lse, shift, scale, window)


def spreads(problem: Problem) -> bool:
    """Tell whether a tile may hold keys that some of its queries do not see: zero times infinity is no number there."""
    shape = shape_of(problem)
    return not shape.sees_all


def work(problem: Problem) -> Work:
    """Return 4 flops per visible pair and head element, a causal mask counting half, and every array moved once."""
    shape = shape_of(problem)
    text = "4 flops per pair of query and key and head element, a causal mask counts half; q, k, v read once, o written once"
    return Work(shape.flops, float(shape.compulsory_bytes), text)


def awkward(problem: Problem) -> tuple[Problem, ...]:
    """Return small problems that break wrong kernels: single rows and keys, primes, unequal lengths, grouped heads."""
    asked = {name: value for name, value in problem.sizes.items() if name in ("dtype", "causal", *OPTIONAL)}
    base = DEFAULT.replace(**asked)
    changes: tuple[dict[str, int | str], ...] = (
        {"heads": 1, "kv_heads": 1, "length_q": 1, "length_k": 1, "size": 8},
        {"heads": 2, "kv_heads": 1, "length_q": 1, "length_k": 67, "size": 16},
        {"heads": 1, "kv_heads": 1, "length_q": 37, "length_k": 1, "size": 32},
        {"batch": 2, "heads": 6, "kv_heads": 2, "length_q": 65, "length_k": 65, "size": 64},
        {"batch": 3, "heads": 2, "kv_heads": 2, "length_q": 33, "length_k": 129, "size": 128, "causal": 1},
        {"heads": 2, "kv_heads": 1, "length_q": 131, "length_k": 63, "size": 64, "causal": 1},
        {"heads": 1, "kv_heads": 1, "length_q": 17, "length_k": 19, "size": 256, "causal": 0},
        {"heads": 4, "kv_heads": 2, "length_q": 3, "length_k": 1030, "size": 128, "causal": 0},
        {"batch": 2, "heads": 3, "kv_heads": 1, "length_q": 300, "length_k": 300, "size": 128},
    )
    return tuple(base.replace(**change) for change in changes)
