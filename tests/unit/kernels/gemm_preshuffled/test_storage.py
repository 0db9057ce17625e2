"""The stored order of weights, the plan, and the tile algorithm executed lane by lane."""

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.maps import element_map
from hotloop.kernels import _offline
from hotloop.kernels.gemm_preshuffled import KERNEL
from hotloop.kernels.gemm_preshuffled.hip import HIP
from hotloop.kernels.gemm_preshuffled.ladders import execute, layout_of
from hotloop.kernels.gemm_preshuffled.problem import BLOCK_K, BLOCK_N, FORMS, MX_BLOCK
from hotloop.kernels.gemm_preshuffled.storage import (
    GROUPS,
    LANES,
    shape,
    unshuffle,
    unshuffle_factors,
)

(LADDER,) = ladder_data.ladders("gemm_preshuffled")
RNG = np.random.default_rng(3)


def shuffle(form, weights):
    """Return the stored weights of W [n, k]; those of 4 bits are integers from -8 to 7 and become bytes."""
    n, k = weights.shape
    sizes = (n // BLOCK_N, BLOCK_N, k // form.pack, form.segments, GROUPS, form.segment // GROUPS)
    lying = weights.reshape(sizes).transpose(0, 2, 4, 1, 3, 5).reshape(n // BLOCK_N, k // form.pack, LANES, -1)
    if form.weight_bits == 4:
        halves = (lying.astype(np.int8) & 15).astype(np.uint8).reshape(*lying.shape[:3], -1, 2, 4)
        lying = (halves[..., 0, :] | halves[..., 1, :] << 4).reshape(*lying.shape[:3], -1)
    return np.ascontiguousarray(lying)


def shuffle_factors(factors):
    """Return the stored powers of two of those [n, k / 32] of W: lane 16 g + c has block g of column c."""
    n, blocks = factors.shape
    each = BLOCK_K // MX_BLOCK
    lying = factors.reshape(n // BLOCK_N, BLOCK_N, blocks // each, each).transpose(0, 2, 3, 1)
    return np.ascontiguousarray(lying.reshape(n // BLOCK_N, blocks // each, LANES))


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda f: f.name)
def test_stored_weights_come_back(form):
    weights = RNG.integers(-8, 8, (48, 384)).astype(np.int8)
    stored = shuffle(form, weights)
    assert stored.shape == shape(form, 48, 384)
    assert np.array_equal(unshuffle(form, stored), weights)


def test_stored_powers_of_two_come_back():
    powers = RNG.integers(0, 255, (32, 12))
    stored = shuffle_factors(powers)
    assert stored.shape == (2, 3, 64)
    assert stored[1, 2, 16 * 3 + 5] == powers[16 + 5, 4 * 2 + 3]
    assert np.array_equal(unshuffle_factors(stored), powers)


def test_a_pack_is_the_operand_of_a_deep_instruction():
    """Without another order of k: what the instruction calls k is that of W itself."""
    form, weights = FORMS["mxfp8"], RNG.integers(-8, 8, (16, 128))
    where = element_map(catalogue.find("v_mfma_scale_f32_16x16x128_f8f6f4 f8 f8", "gfx950"), "A")
    both = shuffle(form, weights)[0]
    assert np.array_equal(np.concatenate((both[0], both[1]), axis=1), weights[where.row, where.column])


def rungs(target):
    """Return one rung of every layout; the others have the same numbers in the same places."""
    seen = {}
    for rung in LADDER.on(target):
        layout = layout_of(LADDER, rung, target)
        config = layout.config.replace(HINTS=0, AHEAD=0, BUFFERS=1)
        seen.setdefault((layout.form.name, config), rung.name)
    return [(target, name) for name in seen.values()]


@pytest.mark.parametrize(("target", "name"), [*rungs("gfx942"), *rungs("gfx950")])
def test_every_layout_computes_the_product(target, name):
    made = execute.verify(layout_of(LADDER, LADDER.rung(name), target), target)
    assert made.passed


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("swizzle", lambda layout: ("unit", lambda self, row, unit: row * self.units + (unit ^ (row % 2)))),
        ("w4a8", lambda layout: ("words_wrong", None)),
    ],
)
def test_a_wrong_place_is_seen(name, change, monkeypatch):
    layout = layout_of(LADDER, LADDER.rung(name), "gfx942")
    kind, wrong = change(layout)
    if kind == "unit":
        # Stored by another rule than read by.
        right = type(layout).unit
        monkeypatch.setattr(execute, "stage", lambda *a: _staged(wrong, right, *a))
    else:
        monkeypatch.setattr(execute, "_signed", lambda words: words & np.uint32(0x0F0F0F0F))
    assert execute.error(layout, "gfx942", 37, 32, 256) > 1.0


_STAGE = execute.stage


def _staged(wrong, right, layout, *rest):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(layout), "unit", wrong)
        return _STAGE(layout, *rest)


def plan(target="gfx942", form="bf16", sizes=None, **changes):
    problem = KERNEL.problem.replace(form=form, **(sizes or {}))
    return HIP.plan(problem, HIP.start.replace(**changes), _offline.device(target))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "gfx90a"}, "the kernel is for AMD's gfx942 and gfx950, not gfx90a"),
        ({"form": "fp8"}, "float8_e4m3fn is not what gfx942 means by an 8-bit float"),
        ({"form": "fp8-fnuz", "target": "gfx950"}, "float8_e4m3fnuz is not what gfx950 means"),
        ({"form": "bf16", "WIDE": 1}, "gfx942 has no matrix instructions with block factors"),
        ({"form": "w4a16"}, "a step of 128 bytes is no whole pack of 4 segments"),
        ({"sizes": {"k": 384}, "BKB": 512}, "rows of 768 bytes are no whole steps of 512"),
        ({"sizes": {"k": 100}}, "m=512 must be at least 1, k=100 a multiple of 128 and n=1024 of 16"),
        ({"form": "int3"}, "form='int3' is not one of bf16, fp8, fp8-fnuz, mxfp8, w4a16, w4a8"),
        ({"UNPACK": 1}, "bf16 has nothing to unpack"),
        ({"BM": 256, "BKB": 256}, "bytes of local memory are needed, gfx942 has 65536"),
    ],
)
def test_what_does_not_fit_is_said(arguments, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        plan(**arguments)


def test_awkward_problems_are_planned():
    for problem in KERNEL.awkward(KERNEL.problem):
        program = HIP.plan(problem, HIP.start, _offline.device("gfx942"))
        (launch,) = program.launches
        made = _offline.unit(program, "x.hip")
        assert made.grid[0] * 128 >= problem.integer("n")
        assert made.grid[1] * 64 >= problem.integer("m")
        assert made.numbers == tuple(problem.integer(name) for name in "mnk")
        assert launch.local_size == (256, 1)


def test_the_reference_reads_powers_of_two():
    problem = KERNEL.problem.replace(form="mxfp8", m=3, n=16, k=128)
    arrays = KERNEL.inputs(problem, np.random.default_rng(1))
    plain = {**arrays, "scale_a": np.full_like(arrays["scale_a"], 127), "scale_w": np.full_like(arrays["scale_w"], 127)}
    twice = {**plain, "scale_a": np.full_like(arrays["scale_a"], 128)}
    assert np.array_equal(2 * KERNEL.reference(problem, plain)["c"], KERNEL.reference(problem, twice)["c"])
    assert not np.array_equal(KERNEL.reference(problem, plain)["c"], KERNEL.reference(problem, arrays)["c"])


def test_a_layout_knows_its_counts():
    layout = layout_of(LADDER, LADDER.rung("w4a8"), "gfx942")
    assert (layout.moves, layout.packs, layout.products, layout.words) == (2, 1, 32, 8)
    assert replace(layout, config=layout.config.replace(STAGE_B=1)).stores == 4
