"""The kernels that walk along depth run on the host, as the rungs do: every index, copy, barrier and matrix fragment."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.kernels.conv3d_depthwise.walking import plan
from hotloop.kernels.conv3d_depthwise.walking.rungs import carry, turn

_SPEC = importlib.util.spec_from_file_location("rungs_on_the_host", Path(__file__).with_name("test_rungs.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
test_rungs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(test_rungs)
nothing, in_the_input, in_the_weights = test_rungs.nothing, test_rungs.in_the_input, test_rungs.in_the_weights

CLIP = Shape(1, 8, (5, 13, 18), (3, 5, 5), (0, 2, 2), channels_last=True)
LONG = Shape(1, 8, (9, 16, 16), (3, 3, 3), (0, 1, 1), channels_last=True)
DEEP = Shape(2, 24, (4, 9, 15), (5, 3, 3), (2, 1, 1), dtype="float16", channels_last=True, bias=True)
BARE = Shape(1, 8, (3, 21, 35), (2, 3, 4), (0, 0, 1), channels_last=True, bias=True)
PLAIN = Shape(1, 3, (6, 12, 22), (3, 5, 5), (1, 2, 2), dtype="float32", bias=True)
SQUARE = Shape(2, 2, (4, 11, 16), (3, 3, 3), (1, 1, 1), dtype="float32")
WIDE = Shape(1, 2, (3, 9, 20), (1, 7, 7), (0, 3, 3), dtype="float32")
SINGLE = replace(DEEP, n=1)
LARGE = (DEEP, SINGLE)
"""Shapes whose emulation takes longer than the compiler's optimization of it."""
CASES = {
    "turn": (CLIP, turn(CLIP, quads=1, channels=8)),
    "turn, two rows of blocks": (BARE, turn(BARE, quads=1, channels=8, planes=1)),
    "turn, groups that are not full": (DEEP, turn(DEEP, quads=2, channels=16, planes=3)),
    "turn, two planes ahead": (CLIP, turn(CLIP, quads=1, channels=8, ahead=2)),
    "turn, more ahead than planes": (BARE, turn(BARE, quads=1, channels=8, planes=1, ahead=3)),
    "turn, channels of a place together": (SINGLE, turn(SINGLE, quads=1, channels=8, planes=2, ahead=2, together=1)),
    "turn, one plane ahead": (SINGLE, turn(SINGLE, quads=2, channels=16, planes=3, ahead=1)),
    "turn, half of the warps early": (CLIP, turn(CLIP, quads=1, channels=8, planes=2, early=1)),
    "turn, two channels a warp": (SINGLE, turn(SINGLE, quads=1, channels=24, planes=3, each=2, early=2)),
    "turn, all together": (SINGLE, turn(SINGLE, quads=2, channels=16, planes=3, ahead=2, together=1, each=2, early=1)),
    "turn, nobody meets": (LONG, turn(LONG, quads=2, channels=8, early=1, slots=3, steady=1)),
    "turn, all warps early, nobody meets": (
        SINGLE,
        turn(SINGLE, quads=1, channels=24, planes=3, early=2, slots=3),
    ),
    "turn, two planes turned before": (SINGLE, turn(SINGLE, quads=2, channels=16, early=3, slots=4, steady=1)),
    "turn, one plane, nobody meets": (BARE, turn(BARE, quads=1, channels=8, planes=1, slots=4)),
    "turn, some columns whole": (BARE, turn(BARE, quads=1, channels=8, planes=1, together=1, whole=5, steady=1)),
    "turn, all columns whole": (DEEP, turn(DEEP, quads=2, channels=16, planes=3, together=1, whole=99, early=1)),
    "carry": (PLAIN, carry(PLAIN, height=5, stages=2)),
    "carry, two channels, in parts": (PLAIN, carry(PLAIN, height=3, channels=2, stages=3, planes=4)),
    "carry, whole copies": (SQUARE, carry(SQUARE, height=2, stages=4)),
    "carry, one plane": (WIDE, carry(WIDE, height=2, channels=2, stages=2)),
}


def wrong(emulate, name, plants, change=lambda text: text):
    shape, rung = CASES[name]
    matrix = shape.dtype if rung.entry == "conv3d_turn" else ""
    options = (*rung.options, "-O1") if shape in LARGE else rung.options
    launch = emulate(change(plan.source(rung.entry)), rung.entry, options, matrix=matrix)
    shares = (test_rungs.share(emulate, shape, rung, launch, plant) for plant in plants)
    return next((one for one in shares if one), 0.0)


@pytest.mark.parametrize("name", CASES)
def test_a_walk_computes_the_convolution(name, emulate):
    assert wrong(emulate, name, [nothing, in_the_weights]) == 0.0


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("turn")])
def test_nothing_is_read_before_it_is_there(name, emulate):
    assert wrong(emulate, name, [nothing], without_repair) == 0.0


def without_repair(source):
    """Return the text of a kernel that leaves NaNs as they are: what was read too early is one."""
    return source.replace("if (any_of_wave(seen)) repair(", "if (0) repair(")


@pytest.mark.parametrize(
    ("case", "text", "instead"),
    [
        (
            "turn",
            "        __syncthreads();\n#endif\n#if AHEAD\n        if (step + AHEAD",
            "#endif\n#if AHEAD\n        if (step + AHEAD",
        ),
        (
            "turn, two planes ahead",
            "copy_wait<AHEAD - 1>();\n                if",
            "copy_wait<AHEAD>();\n                if",
        ),
        ("turn, nobody meets", "if (step >= 2) barrier_wait(", "if (step < 0) barrier_wait("),
        ("turn, nobody meets", "if (step >= LEAD) barrier_wait(", "if (step < 0) barrier_wait("),
        ("carry", "copy_wait<STAGES - 2>();", "copy_wait<STAGES - 1>();"),
        ("carry, whole copies", "kd == 0 ? 0.0f : carried", "kd == 1 ? 0.0f : carried"),
    ],
)
def test_planted_errors_are_seen(case, text, instead, emulate):
    assert text in plan.source(CASES[case][1].entry)
    assert wrong(emulate, case, [nothing] * 8, lambda source: without_repair(source).replace(text, instead)) > 0.0


def in_the_clip(x, _w):
    """Plant numbers that are not finite, as `in_the_input` does, where channels lie last."""
    in_the_input(x.transpose(0, 4, 1, 2, 3), None)


def test_nan_and_infinity_reach_only_their_windows(emulate):
    big = Shape(1, 8, (4, 13, 20), (3, 3, 3), (1, 1, 1), channels_last=True, bias=True)
    CASES["big"] = (big, turn(big, quads=1, channels=8, planes=2))
    assert wrong(emulate, "big", [in_the_clip, in_the_weights]) == 0.0


def test_without_the_repair_they_spread(emulate):
    big = Shape(1, 8, (4, 13, 20), (3, 3, 3), (1, 1, 1), channels_last=True, bias=True)
    CASES["big"] = (big, turn(big, quads=1, channels=8, planes=2))
    text = "if (any_of_wave(seen)) repair("
    assert wrong(emulate, "big", [in_the_clip], lambda source: source.replace(text, "if (0) repair(")) > 0.0


def test_what_a_walk_does_not_take_is_refused():
    with pytest.raises(ValueError, match="float32, stride and dilation 1"):
        carry(VIDEO, height=5)
    with pytest.raises(ValueError, match="channels last and a multiple of 8"):
        turn(VIDEO, quads=3)
    with pytest.raises(ValueError, match="shared memory"):
        turn(CLIP, quads=6, channels=32)
    with pytest.raises(ValueError, match="registers"):
        carry(Shape(1, 2, (9, 20, 20), (7, 7, 7), (3, 3, 3), dtype="float32"), height=5)
