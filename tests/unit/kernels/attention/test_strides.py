"""Operands that lie oddly: what kernels are told of them is how they meet them."""

from __future__ import annotations

import random

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop.dispatch import arguments  # noqa: E402
from hotloop.kernels.attention import tensors  # noqa: E402


def laid(rng):
    """Return a tensor [batch, heads, length, size] with heads between rows, gaps, a shifted begin, or none of these."""
    batch, heads, length, size = rng.choice((1, 2)), rng.choice((1, 3)), rng.choice((1, 5)), rng.choice((8, 40))
    gap, ahead = rng.choice((0, 0, 1, 8)), rng.choice((0, 0, 1, 4, 8))
    order = rng.choice(((0, 1, 2), (0, 2, 1), (2, 0, 1)))
    extents = [(batch, heads, length)[place] for place in order]
    memory = torch.randn(ahead + 2 * heads * length * (size + gap) + 64, dtype=torch.bfloat16)
    x = memory.as_strided(
        (*extents, size), (extents[1] * extents[2] * (size + gap), extents[2] * (size + gap), size + gap, 1), ahead
    )
    back = [order.index(place) for place in range(3)]
    x = x.permute(*back, 3)
    strides = [rng.choice((1, step)) if extent == 1 else step for extent, step in zip(x.shape, x.stride(), strict=True)]
    return x.as_strided(x.shape, strides)


@pytest.mark.parametrize("seed", range(300))
def test_strides_are_those_of_what_a_kernel_is_given(seed):
    x = laid(random.Random(seed))
    given, made = arguments.evened(x), torch.empty_like(x)
    assert torch.equal(given, x)
    assert not arguments.uneven(given)
    for told, met in ((tensors._steps(x), given), (tensors._made(x), made)):
        steps = zip(told, met.stride(), met.shape, strict=True)
        assert all(step == real or extent == 1 for step, real, extent in steps)
        assert all(step % 8 == 0 for step in told[:3])


def test_a_copy_is_made_only_where_it_helps():
    even = torch.randn(2, 3, 5, 16)
    assert arguments.evened(even) is even
    turned = even.transpose(1, 2)
    assert arguments.evened(turned) is turned
    narrow = torch.randn(2, 3, 5, 7)  # rows of 28 bytes: a copy would lie no better
    assert arguments.evened(narrow) is narrow
    shifted = torch.randn(2 * 3 * 5 * 16 + 1)[1:].view(2, 3, 5, 16)
    assert arguments.evened(shifted).data_ptr() % 16 == 0
