"""The HIP ladder: its sources executed on the host, its data, and the lane maps of its matrix rungs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.confirm import groups
from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.maps import element_map
from hotloop.kernels.conv3d_depthwise.ladders import execute, hip
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT
from hotloop.kernels.conv3d_depthwise.reference import magnitude, reference
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape
from hotloop.model.dtype import roundoff
from hotloop.model.ladder import Rung
from hotloop.techniques.moves import techniques

LADDER = ladder_data.ladder_for("conv3d", "gfx950")
BLOCKS_INSTRUCTION = "v_mfma_f32_4x4x4_16b_bf16"
EVEN = Shape(1, 2, (4, 7, 12), (3, 5, 5), (0, 2, 2))
ODD = Shape(1, 2, (3, 6, 10), (2, 3, 4), (1, 1, 2))
"""An odd number of output columns, padding along depth, an even number of taps per row."""
LAST = replace(Shape(1, 64, (3, 4, 5), (2, 3, 3), (1, 1, 1)), channels_last=True)
SIXTEEN = Shape(1, 16, (4, 6, 10), (3, 5, 5), (0, 2, 2))


def problem_of(shape: Shape):
    named = {f"{prefix}{axis}": value for prefix, triple in (
        ("", shape.size), ("k", shape.kernel), ("s", shape.stride), ("p", shape.padding), ("l", shape.dilation)
    ) for axis, value in zip("dhw", triple, strict=True)}  # fmt: skip
    layout = "ndhwc" if shape.channels_last else "ncdhw"
    return DEFAULT.replace(n=shape.n, c=shape.c, layout=layout, **named)


def blocks_text():
    """Return C++ of the 4x4x4 instruction on registers, with the catalogue's maps as tables."""
    instruction = catalogue.find(BLOCKS_INSTRUCTION)
    maps = {operand: element_map(instruction, operand) for operand in "ABD"}
    lines = []
    for operand, found in maps.items():
        for name, values in (("block", found.block), ("row", found.row), ("column", found.column)):
            rows = ",".join("{" + ",".join(map(str, lane)) + "}" for lane in values)
            lines.append(f"constexpr int {operand}_{name}[64][4] = {{{rows}}};")
    return (
        "namespace blocks {"
        + "\n".join(lines)
        + """
struct Registers { float a[4], b[4], c[4]; };
static Registers held[64];
}
static inline void matrix_blocks(float (&sum)[4], const unsigned (&a)[2], const unsigned (&b)[2]) {
    using namespace blocks;
    int lane = emulation::current % 64;
    for (int i = 0; i < 4; ++i) {
        held[lane].a[i] = emulated_element((unsigned short)(a[i / 2] >> 16 * (i % 2)));
        held[lane].b[i] = emulated_element((unsigned short)(b[i / 2] >> 16 * (i % 2)));
        held[lane].c[i] = sum[i];
    }
    __syncwarp();
    float left[16][4][4], right[16][4][4];
    for (int l = 0; l < 64; ++l)
        for (int i = 0; i < 4; ++i) {
            left[A_block[l][i]][A_row[l][i]][A_column[l][i]] = held[l].a[i];
            right[B_block[l][i]][B_row[l][i]][B_column[l][i]] = held[l].b[i];
        }
    for (int i = 0; i < 4; ++i) {
        double total = held[lane].c[i];
        for (int k = 0; k < 4; ++k)
            total += (double)left[D_block[lane][i]][D_row[lane][i]][k] * right[D_block[lane][i]][k][D_column[lane][i]];
        sum[i] = (float)total;
    }
    __syncwarp();
}
"""
    )


def run(emulate, kernel, shape, source="", **changes):
    """Return the share of outputs beyond the bound."""
    rng = np.random.default_rng(11)
    rung = hip.KERNELS[kernel](shape, changes)
    x_size = (shape.n, *shape.size, shape.c) if shape.channels_last else (shape.n, shape.c, *shape.size)
    y_size = (shape.n, *shape.output, shape.c) if shape.channels_last else (shape.n, shape.c, *shape.output)
    x, w = (emulate.to_bits(rng.standard_normal(size), "bfloat16") for size in (x_size, (shape.c, *shape.kernel)))
    y = emulate.poisoned(y_size, "bfloat16")
    macros = dict(rung.macros)
    shared = macros.get("LDS_BYTES", macros["SHARED"])
    text = (blocks_text() if kernel == "blocks" else "") + (source or hip.source())
    launch = emulate(text, rung.entry, rung.options, wave=64, matrix="bfloat16" if kernel == "toeplitz" else "")
    packed = np.ascontiguousarray(np.moveaxis(w, 0, -1)) if kernel == "last" else w
    if launch(rung.grid, rung.threads, shared, x, packed, y):
        return 1.0
    arrays = {"x": emulate.from_bits(x, "bfloat16"), "weights": emulate.from_bits(w, "bfloat16")}
    want, size = (f(problem_of(shape), arrays)["y"] for f in (reference, magnitude))
    bound = 1.01 * roundoff("bfloat16") * np.abs(want) + 4e-6 * size + 1e-7
    return float(np.mean(~(np.abs(emulate.from_bits(y, "bfloat16") - want) <= bound)))


CASES = {
    "V97": ("pairs", EVEN, {"ORDER": 1}),
    "odd width, through registers": ("pairs", ODD, {"LOAD": 0, "ORDER": 4}),
    "row chunks": ("pairs", EVEN, {"ROWS": 5, "ORDER": 2}),
    "row chunks, one by one": ("pairs", EVEN, {"ROWS": 3, "READ": 1}),
    "row chunks, halves, packed": ("pairs", EVEN, {"ROWS": 5, "READ": 2, "TAPS": 2, "KEEP": 1}),
    "dot2, converted, slices": ("pairs", EVEN, {"TAPS": 3, "MATH": 1, "ORDER": 5}),
    "dot2, four outputs, two words at a time": ("pairs", ODD, {"TAPS": 2, "MATH": 1, "OUTS": 4, "READ": 4}),
    "dot2, shifted weights, four outputs": ("pairs", EVEN, {"TAPS": 1, "MATH": 2, "OUTS": 4}),
    "dot2, shifted weights, odd": ("pairs", ODD, {"TAPS": 1, "MATH": 2, "ORDER": 3}),
    "packed fma": ("pairs", EVEN, {"TAPS": 2, "MATH": 3}),
    "channels last": ("last", LAST, {"TILE_C": 64, "EACH_C": 8, "POSITIONS": 8}),
    "channels last, 16 each, staged": ("last", LAST, {"TILE_C": 32, "EACH_C": 16, "POSITIONS": 32, "STAGED": 1}),
    "channels last, staged by tap": ("last", LAST, {"TILE_C": 64, "EACH_C": 8, "POSITIONS": 8, "STAGED": 2}),
    "blocks": ("blocks", SIXTEEN, {"TILES": 3}),
    "blocks, grouped, all planes": ("blocks", SIXTEEN, {"TILES": 2, "DEPTHS": 3}),
    "strip": ("strip", EVEN, {"STRIP_W": 4}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_rung_computes_the_convolution(name, emulate):
    kernel, shape, changes = CASES[name]
    assert run(emulate, kernel, shape, **changes) == 0.0


PLANTED = {
    "the reported race: nothing between clearing the tile and filling it": (
        "V97", "    __syncthreads();  // a word that one thread clears is brought by another\n", ""),
    "weights of odd outputs that are not shifted": (
        "dot2, shifted weights, odd", "w.odd[line][j] = before >> 16 | here << 16;", "w.odd[line][j] = here;"),
    "the reported index of four outputs": (
        "dot2, four outputs, two words at a time", "x.word[p / 2 + j + 1]", "x.word[j + 1]"),
    "a band of the wrong row": ("blocks", "band(row, taps + (kd * KH + kh) * KW, i);", "band(row, taps + (kd * KH + kh) * KW, 3 - i);"),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_seen(name, emulate):
    case, text, instead = PLANTED[name]
    kernel, shape, changes = CASES[case]
    assert text in hip.source()
    assert run(emulate, kernel, shape, hip.source().replace(text, instead), **changes) > 0.0


# --- lane maps ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
@pytest.mark.parametrize("kernel", execute.INSTRUCTIONS)
def test_lane_maps_of_the_matrix_rungs_give_the_convolution(kernel, target):
    found = execute.verify(LADDER, Rung(name="it", change="it", kernel=kernel), target)
    assert found is not None
    assert found.cases == 2
    assert found.worst_ratio == 0.0  # whole eighths: every sum is exact


WRONG_LANES = {
    "blocks": ("lane_of_blocks", lambda lane: (lane % 16, lane // 16)),
    "toeplitz": ("lane_of_toeplitz", lambda lane: (lane % 4, lane // 4)),
}


@pytest.mark.parametrize("kernel", WRONG_LANES)
def test_wrong_lane_maps_are_seen(kernel, monkeypatch):
    name, wrong = WRONG_LANES[kernel]
    monkeypatch.setattr(execute, name, wrong)
    instruction = catalogue.find(execute.INSTRUCTIONS[kernel], "gfx942")
    assert execute.error(kernel, instruction, execute.SHAPES[kernel][0]) > 1.0


def test_rungs_without_matrix_instruction_are_verified_on_the_host():
    assert execute.verify(LADDER, LADDER.rung("v97"), "gfx942") is None


# --- data --------------------------------------------------------------------------------------------------------------


def test_rungs_stand_on_rungs_before_them_and_change_switches_of_their_kernel():
    seen = {}
    for rung in LADDER.rungs:
        assert rung.name not in seen
        assert rung.change
        assert not rung.after or (seen[rung.after].series, seen[rung.after].problem) == (rung.series, rung.problem)
        assert set(rung.config) <= set(hip.SWITCHES[rung.kernel])
        assert not rung.after or set(rung.targets or LADDER.targets) <= set(seen[rung.after].targets or LADDER.targets)
        seen[rung.name] = rung
    assert [r.name for r in LADDER.rungs if not r.after and not r.series] == ["v97"]
    assert {rung.technique for rung in LADDER.rungs} - {""} <= set(techniques())


@pytest.mark.parametrize("target", LADDER.targets)
def test_every_rung_has_limits_and_no_rung_may_spill(target):
    bounds = ladder_data.limits("conv3d", target)
    assert set(bounds) == {rung.name for rung in LADDER.on(target)}
    assert all((b.max_spills, b.max_scratch_bytes) == (0, 0) and b.max_vgpr and b.min_waves for b in bounds.values())


@pytest.mark.parametrize("target", LADDER.targets)
def test_predictions_are_about_rungs_that_share_inputs(target):
    forecast = ladder_data.forecast("conv3d", target)
    names = {rung.name: rung for rung in LADDER.on(target)}
    assert forecast.winner in names
    reached = {step.rung for step in forecast.steps}
    for step in forecast.steps:
        assert 0 < step.low < step.high
        assert step.evidence
        assert names[step.rung].problem == names[step.over].problem
        assert step.over in reached or not names[step.over].after
    assert [len({str(LADDER.rung(s.rung).problem) for s in part.steps}) for part in groups(LADDER, forecast)] == [1, 1]


def test_local_memory_is_what_the_reported_kernels_have():
    chosen = hip.PAIRS | {"ROWS": 45}
    assert hip.lds_bytes(VIDEO, chosen) == 24_696
    assert hip.lds_bytes(VIDEO, chosen | {"TAPS": 2}) == 24_888
    assert hip.lds_bytes(VIDEO, chosen | {"ROWS": 5}) == 4_536
    macros = {kernel: dict(hip.KERNELS[kernel](shape, changes).macros) for kernel, shape, changes in (
        ("blocks", VIDEO, {}), ("last", replace(VIDEO, channels_last=True), {"STAGED": 1}),
    )}  # fmt: skip
    assert (macros["blocks"]["SHARED"], macros["last"]["SHARED"]) == (21_504, 9_600)


def test_what_a_kernel_does_not_take_is_refused():
    with pytest.raises(ValueError, match="even width"):
        hip.pairs(replace(EVEN, size=(4, 7, 13)), {})
    with pytest.raises(ValueError, match="even number of weights"):
        hip.pairs(replace(EVEN, c=1), {"TAPS": 1})
    with pytest.raises(ValueError, match="whole tiles"):
        hip.last(LAST, {"TILE_C": 128})
    with pytest.raises(ValueError, match="rows of 5 taps"):
        hip.blocks(replace(SIXTEEN, kernel=(3, 5, 3)), {})
