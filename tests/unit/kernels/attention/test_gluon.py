"""The warp-specialized kernel's own text, executed on the host: numbers, order of tiles, synchronization."""

from __future__ import annotations

import numpy as np
import pytest
import strata

from hotloop.kernels.attention.gluon.plan import pieces
from hotloop.kernels.attention.gluon.rows import TABLE, row_for
from hotloop.kernels.attention.gluon.space import SIZES, SPACE, START, registers, shared_bytes
from hotloop.kernels.attention.reference import attend

SHARED_BYTES = 227 * 1024


def configured(**changes):
    """Return the configuration of heads of 64 with some values changed."""
    return row_for(64).config.replace(**{name: int(value) for name, value in changes.items()})


SMALL = configured(keys=64)


def draw(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float16)


def agree(got, q, k, v, *, causal=False, shift=0):
    o, lse = got
    want, log, size = attend(q, k, v, causal=causal, shift=shift)
    assert (np.abs(o - want) <= 2.0**-9 * size + 1e-30).all()
    np.testing.assert_array_equal(np.isneginf(lse), np.isneginf(log))
    np.testing.assert_allclose(lse[np.isfinite(log)], log[np.isfinite(log)], atol=1e-5)


CONFIGS = (
    SMALL,
    configured(),
    configured(keys=64, stages=3),
    configured(groups=3, keys=64),
    configured(keys=64, stagger=True),
    configured(groups=3, keys=64, stagger=True, band=2),
    configured(keys=64, overlap=False),
    configured(keys=64, overlap=False, stagger=True),
    configured(keys=64, share=True),
    configured(keys=64, resident=False),
    configured(keys=64, share=True, resident=False, band=1),
)
MASKED = [
    (one, causal)
    for n, one in enumerate(CONFIGS)
    for causal in (False, True)
    if strata.WHOLE or n < 3 or causal == bool(n % 2)
]
"""Each configuration, every other one with a mask."""


@pytest.mark.parametrize(("config", "causal"), MASKED, ids=str)
def test_every_configuration_computes_attention(emulate, config, causal):
    q, k, v = draw(2, 3, 300, 64), draw(2, 1, 300, 64, seed=1), draw(2, 1, 300, 64, seed=2)
    agree(emulate(q, k, v, config, causal=causal), q, k, v, causal=causal)


@pytest.mark.parametrize(
    ("length_q", "length_k", "causal", "shift"),
    [
        (1, 1, True, 0),
        (130, 70, False, 0),
        (130, 70, True, 0),
        (70, 200, True, 130),
        (200, 70, True, -130),
        (129, 257, True, 17),
        (64, 1, False, 0),
    ],
)
def test_lengths_that_are_no_multiples_and_shifted_masks(emulate, length_q, length_k, causal, shift):
    q, k, v = draw(1, 2, length_q, 64), draw(1, 2, length_k, 64, seed=1), draw(1, 2, length_k, 64, seed=2)
    got = emulate(q, k, v, SMALL, causal=causal, shift=shift)
    agree(got, q, k, v, causal=causal, shift=shift)


@pytest.mark.parametrize(
    ("size", "changes"),
    [
        (24, {}),
        (40, {"overlap": 0}),
        (72, {}),
        (80, {"stagger": 1}),
        (96, {"overlap": 0, "groups": 3}),
        (104, {"share": 1}),
        (136, {"keys": 32}),
        (192, {"keys": 32, "share": 1, "resident": 0}),
    ],
)
def test_heads_between_the_tiles_are_multiplied_in_parts(emulate, size, changes):
    q, k, v = draw(1, 2, 150, size), draw(1, 1, 170, size, seed=1), draw(1, 1, 170, size, seed=2)
    config = SMALL.replace(**changes)
    for causal in (False, True):
        agree(emulate(q, k, v, config, causal=causal), q, k, v, causal=causal)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("programs", [1, 3])
def test_packed_sequences_do_not_see_or_overwrite_each_other(emulate, causal, programs):
    lengths_q, lengths_k = [1, 140, 0, 64, 128, 33], [5, 140, 17, 90, 0, 64]
    starts = [np.concatenate([[0], np.cumsum(x)]).astype(np.int32) for x in (lengths_q, lengths_k)]
    q, k, v = (draw(1, h, sum(x), 64, seed=s) for h, x, s in ((2, lengths_q, 3), (1, lengths_k, 4), (1, lengths_k, 5)))
    o, lse = emulate(
        q, k, v, SMALL, causal=causal, starts=starts, longest=(max(lengths_q), max(lengths_k)), programs=programs
    )
    for i in range(len(lengths_q)):
        a, b = (slice(s[i], s[i + 1]) for s in starts)
        if lengths_q[i] and lengths_k[i]:
            agree((o[:, :, a], lse[:, :, a]), q[:, :, a], k[:, :, b], v[:, :, b], causal=causal)
        else:
            assert not o[:, :, a].any()
            assert np.isneginf(lse[:, :, a]).all()


@pytest.mark.parametrize(("length_k", "split"), [(300, 2), (70, 4), (512, 4), (257, 3)])
def test_pieces_of_the_keys_are_heads_of_their_own(emulate, length_k, split):
    q, k, v = draw(2, 4, 6, 64), draw(2, 2, length_k, 64, seed=1), draw(2, 2, length_k, 64, seed=2)
    o, lse = emulate(q, k, v, SMALL, split=split)
    blocks = -(-length_k // SMALL["keys"])
    each = -(-blocks // split) * SMALL["keys"]
    for number in range(split):
        keys = slice(number * each, min((number + 1) * each, length_k))
        got = o[:, number::split], lse[:, number::split]
        if keys.start < length_k:
            agree(got, q, k[:, :, keys], v[:, :, keys])
        else:
            assert not got[0].any()
            assert np.isneginf(got[1]).all()


def test_scores_beyond_what_exp_can_hold(emulate):
    q, k, v = 30 * draw(1, 1, 128, 64), 30 * draw(1, 1, 128, 64, seed=1), draw(1, 1, 128, 64, seed=2)
    o, lse = emulate(q, k, v, SMALL, causal=True)
    want, log, size = attend(q, k, v, causal=True)
    assert log.max() > 1000
    assert (np.abs(o - want) <= 2.0**-8 * size).all()
    np.testing.assert_allclose(lse, log, rtol=1e-6)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.evidence)
def test_shipped_configurations_fit_a_multiprocessor(row):
    config = row.config
    assert SPACE.violation(config) is None
    assert shared_bytes(config, row.sizes["size"]) <= SHARED_BYTES
    consumer, producer = registers(config)
    assert 128 * (config["groups"] * consumer + producer) <= 65536


def test_every_head_size_has_a_row_and_the_start_fits_all():
    assert {(row.sizes["size"], row.few) for row in TABLE} == {(size, few) for size in SIZES for few in (False, True)}
    assert SPACE.violation(START) is None
    assert all(shared_bytes(START, size) <= SHARED_BYTES for size in SIZES)
    with pytest.raises(ValueError, match="head size 96 is not one of 64, 128, 256"):
        row_for(96)


@pytest.mark.parametrize(
    ("tiles", "blocks", "wanted"), [(8, 64, 16), (8, 5, 2), (128, 64, 1), (300, 64, 1), (1, 1, 1), (66, 64, 2)]
)
def test_few_tiles_have_their_keys_cut(tiles, blocks, wanted):
    assert pieces(tiles, blocks, 132) == wanted
