"""What a warp group of the Hopper kernel does with a block: scores, their softmax, and the part of the output that they weigh."""

# ruff: noqa: ANN001, ANN201, N803 - a language inside Python
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma


@gluon.jit
def soften(
    scores, most, norm, scale, row0, column0, length_k, shift,
    MASK: gl.constexpr, CAUSAL: gl.constexpr, LAYOUT: gl.constexpr,
):  # fmt: skip
    """Return weights, each row's new maximum, its sums by threads (`lanes`), and the factor by which older sums shrink."""
    if MASK:
        places = gl.arange(0, scores.shape[1], layout=gl.SliceLayout(0, LAYOUT))
        if CAUSAL:
            rows = row0 + gl.arange(0, scores.shape[0], layout=gl.SliceLayout(1, LAYOUT))
            limit = gl.minimum(rows + (shift + 1), length_k) - column0
            seen = places[None, :] < limit[:, None]
        else:
            seen = (places < length_k - column0)[None, :]
        scores = gl.where(seen, scores, float("-inf"))
    fresh = gl.maximum(most, gl.max(scores, 1))
    base = fresh * scale
    if MASK:  # a row that has seen nothing yet: infinity minus infinity is no number
        base = gl.where(fresh == float("-inf"), 0.0, base)
    weights = gl.exp2(scores * scale - base[:, None])
    shrink = gl.exp2(most * scale - base)
    norm = norm * gl.convert_layout(shrink, gl.SliceLayout(1, norm.type.layout))[:, None] + lanes(weights)
    return weights, fresh, norm, shrink


@gluon.jit
def lanes(weights):
    """Return the sums of each row's weights in the four threads that hold it: added up at the end, no block waits for an exchange."""
    parts = weights.reshape([weights.shape[0], weights.shape[1] // 8, 4, 2])
    return gl.sum(gl.sum(parts, 3), 1)


@gluon.jit
def score(q, k, zero, FIRST: gl.constexpr, REST: gl.constexpr):
    """Begin the product of queries and keys over the elements of a head that there are; its waits count one product more with REST."""
    if FIRST == 0:
        scores = warpgroup_mma(q, k.permute((1, 0)), zero, use_acc=False, is_async=True)
    else:
        scores = warpgroup_mma(
            q.slice(0, FIRST, 1), k.slice(0, FIRST, 1).permute((1, 0)), zero, use_acc=False, is_async=True
        )
    if REST > 0:
        scores = warpgroup_mma(q.slice(FIRST, REST, 1), k.slice(FIRST, REST, 1).permute((1, 0)), scores, is_async=True)
    return scores


@gluon.jit
def widen(left, v, out, PART: gl.constexpr, OFFSET: gl.constexpr):
    """Begin the product of weights and values for a part of a head's elements; all of them where PART is 0."""
    if PART == 0:
        out = warpgroup_mma(left, v, out, is_async=True)
    else:
        out = warpgroup_mma(left, v.slice(OFFSET, PART, 1), out, is_async=True)
    return out
