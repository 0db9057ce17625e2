"""Which kernel runs attention: pure decisions, without PyTorch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.dispatch.choice import Origin
from hotloop.dispatch.select import PEER
from hotloop.kernels.attention import choosing as attending
from hotloop.kernels.attention.choosing import Attention
from hotloop.kernels.attention.gluon.rows import row_for
from hotloop.kernels.attention.gluon.space import SIZES
from hotloop.kernels.attention.triton.rows import config_for


def attention(size=128, obstacle=""):
    return Attention(2, 16, 4, 1000, 900, size, "bfloat16", causal=True, obstacle=obstacle)


@pytest.mark.parametrize("size", SIZES)
def test_attention_on_the_measured_device_takes_what_was_measured(h200, size):
    choice = attending.choose(attention(size), h200)
    assert choice.implementation == attending.GLUON
    assert choice.config == row_for(size).config
    assert choice.measured_on is not None
    assert choice.measured_on["size"] == size


@pytest.mark.parametrize(
    ("lengths", "causal", "few"),
    [((2, 5000), False, True), ((32, 5000), False, True), ((33, 5000), False, False), ((32, 5000), True, False),
     ((3, 1), True, True)],
)  # fmt: skip
def test_few_queries_that_see_all_keys_have_a_configuration_of_their_own(h200, lengths, causal, few):
    choice = attending.choose(Attention(2, 16, 4, *lengths, 128, "bfloat16", causal=causal), h200)
    assert choice.config == row_for(128, few=few).config
    assert ("few queries" in choice.source) == few


def test_single_queries_are_left_to_pytorch_where_it_was_measured_to_be_faster(h200, a100):
    call = Attention(2, 16, 4, 1, 5000, 128, "bfloat16", causal=False)
    assert "one query a head" in attending.choose(call, h200).reason
    assert attending.choose(call, a100).implementation == attending.TRITON


def test_attention_elsewhere_takes_the_plain_kernel(a100):
    choice = attending.choose(attention(256), a100)
    assert (choice.implementation, choice.origin) == (attending.TRITON, Origin.START)
    assert choice.config == config_for(128).replace(rows=64, keys=32)
    assert attending.choose(attention(), replace(a100, target="sm_70")).implementation == PEER
    crowd = attending.choose(replace(attention(256), batch=8192), a100)
    assert crowd.implementation == PEER
    assert "8192 batches of 16 heads exceed" in crowd.reason


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dtype": "float32"}, "not float32"),
        ({"size": 100}, "multiples of 8 from 8 to 256, not 100"),
        ({"empty": True}, "zero"),
        ({"scale": -1.0}, "positive scale, not -1"),
        ({"loose": "k"}, "k has a last stride"),
        ({}, ""),
    ],
)
def test_obstacles_of_attention(changed, said):
    usual = {"dtype": "float16", "size": 64, "empty": False, "scale": None, "loose": ""}
    found = attending.obstacle(**{**usual, **changed})
    assert said in found
    assert bool(said) == bool(found)


@pytest.mark.parametrize(
    ("size", "queries", "more", "first"),
    [(80, 1000, {}, "gluon"), (80, 8, {}, "general"), (80, 1000, {"window": 9}, "general"), (96, 64, {"loose": "q"}, "general"),
     (40, 64, {}, "gluon"), (128, 1000, {"window": 9}, "general")],
)  # fmt: skip
def test_prompts_of_other_heads_try_the_kernel_of_the_next_larger_ones_first(h200, a100, size, queries, more, first):
    rest = {"loose": "", "window": 0, "shift": 0} | more
    narrow = attending.narrowness(size=size, **rest)
    padded = attending.paddable(size=size, **rest)
    call = Attention(
        2, 16, 4, queries, 900, size, "bfloat16", causal=False, window=rest["window"], narrow=narrow, padded=padded
    )
    assert attending.choose(call, h200).implementation == PEER
    tried = attending.alternatives(call, h200)
    assert (tried[0].implementation, tried[1].implementation) == (first, attending.GENERAL)
    assert all(one.implementation == attending.GENERAL for one in attending.alternatives(call, a100))
