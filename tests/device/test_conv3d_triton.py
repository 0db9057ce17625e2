"""The Triton kernels of depthwise conv3d on a real GPU: numbers against float64, NaN, what `hotloop.ops` runs without cuda-bindings."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

from hotloop import ops  # noqa: E402
from hotloop.dispatch import launch, place  # noqa: E402
from hotloop.kernels.conv3d_depthwise import choosing as convolution  # noqa: E402
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT  # noqa: E402
from hotloop.kernels.conv3d_depthwise.shape import Shape  # noqa: E402
from hotloop.kernels.conv3d_depthwise.triton import space as implementation  # noqa: E402
from hotloop.ops.place import facts  # noqa: E402

pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
HALF_ULP = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
NAIVE = implementation.NAIVE
PATCHES = NAIVE.replace(FORM="patches", PATCHES=64, PLANES=5)
VIDEO = Shape(1, 24, (11, 45, 80), (3, 5, 5), (0, 2, 2))
CASES = {
    "one": (Shape(1, 1, (1, 1, 1), (1, 1, 1)), NAIVE),
    "taps": (VIDEO, NAIVE),
    "taps held": (VIDEO, NAIVE.replace(BLOCK=512, HOLD=1, PLANES=5)),
    "taps float32": (Shape(2, 3, (7, 11, 13), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32"), NAIVE),
    "taps channels last": (
        Shape(2, 70, (5, 9, 10), (3, 3, 3), (1, 1, 1), dtype="float16", channels_last=True),
        NAIVE.replace(BLOCK=16, CHANNELS=64, PLANES=5),
    ),
    "patches": (VIDEO, PATCHES),
    "patches, depths joined": (VIDEO, PATCHES.replace(JOIN=1, num_stages=3)),
    "patches, two depths joined": (
        Shape(1, 5, (6, 30, 26), (2, 3, 3), (1, 1, 1), dtype="float16"), PATCHES.replace(JOIN=1, TILE_H=6, TILE_W=2, num_warps=1),
    ),
    "patches of one warp": (VIDEO, PATCHES.replace(PATCHES=32, num_warps=1, num_stages=3)),
    "patches 6 x 2": (Shape(1, 5, (9, 37, 23), (3, 3, 3), (1, 1, 1), dtype="float16"), PATCHES.replace(TILE_H=6, TILE_W=2)),
    "patches with strides": (Shape(2, 3, (9, 31, 29), (3, 3, 3), (1, 1, 2), (2, 2, 2)), PATCHES.replace(TILE_W=2, num_stages=2)),
    "patches with dilation": (Shape(1, 4, (9, 20, 23), (3, 3, 2), (2, 3, 1), (1, 1, 1), (2, 3, 1)), PATCHES.replace(TILE_H=2)),
    "patches, two of a channel": (Shape(1, 3, (5, 19, 40), (5, 5, 5), (4, 4, 4), multiplier=2), PATCHES),
}  # fmt: skip


def drawn(shape):
    d, h, w = shape.size
    dtype = getattr(torch, shape.dtype)
    generator = torch.Generator(device="cuda").manual_seed(5)
    x = torch.randn((shape.n, shape.c, d, h, w), device="cuda", generator=generator).to(dtype)
    weight = torch.randn((shape.c * shape.multiplier, 1, *shape.kernel), device="cuda", generator=generator).to(dtype)
    return x, weight


def exact(x, weight, shape):
    """Return float64 results and the sums of the products' absolute values, computed on the processor."""
    options = {"stride": shape.stride, "padding": shape.padding, "dilation": shape.dilation, "groups": shape.c}
    x, weight = x.double().cpu(), weight.double().cpu()
    conv = torch.nn.functional.conv3d
    return conv(x, weight, **options).cuda(), conv(x.abs(), weight.abs(), **options).cuda()


def within(found, wanted, size):
    bound = HALF_ULP[found.dtype] * 1.01 * wanted.abs() + 4e-5 * size + 1e-7
    assert torch.isfinite(found).all()
    worst = float(((found.double() - wanted).abs() / bound).max())
    assert worst <= 1, f"error is {worst} of its bound"


def launched(x, weight, shape, config):
    device = facts(x, "triton").device
    program = convolution.triton.plan(DEFAULT.replace(**convolution.sizes_of(shape)), config, device)
    y = torch.full((shape.n, weight.shape[0], *shape.output), float("nan"), device="cuda", dtype=x.dtype)
    if shape.channels_last:
        x, y = x.movedim(1, -1).contiguous(), y.movedim(1, -1).contiguous()
    launch.run(program, device, {"x": x, "weights": weight, "y": y})
    return y.movedim(-1, 1) if shape.channels_last else y


@pytest.mark.parametrize("case", CASES)
def test_numbers(case):
    shape, config = CASES[case]
    assert implementation.SPACE.valid(config)
    x, weight = drawn(shape)
    found = launched(x, weight, shape, config)
    within(found, *exact(x, weight, shape))
    assert torch.equal(found, launched(x, weight, shape, config))


def test_nan_and_infinity_reach_only_their_windows():
    x, weight = drawn(VIDEO)
    x[0, 3, 4, 20, 33], x[0, 7, 10, 44, 79] = float("nan"), float("inf")
    found = launched(x, weight, VIDEO, PATCHES)
    wanted, size = exact(x, weight, VIDEO)
    assert torch.equal(found.isnan(), wanted.isnan())
    assert torch.equal(found.isinf(), wanted.isinf())
    finite = wanted.isfinite()
    within(found[finite], wanted[finite], size[finite])


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_without_cuda_bindings_triton_runs(monkeypatch, tmp_path, dtype):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))

    def without_cuda(tensor, backend):
        return (
            place.Place(facts(tensor, "triton").device, "no bindings") if backend == "cuda" else facts(tensor, backend)
        )

    monkeypatch.setattr(place, "facts", without_cuda)
    ops.refresh()
    shape = Shape(2, 10, (9, 33, 47), (3, 3, 3), (1, 1, 1), dtype=str(dtype).removeprefix("torch."))
    x, weight = drawn(shape)
    bias = torch.randn(10, device="cuda").to(dtype)
    choice = ops.explain_choice("depthwise_conv3d", x, weight, bias, padding=1)
    assert choice.implementation == "triton"
    assert choice.config["FORM"] == ("taps" if dtype == torch.float32 else "patches")
    found = ops.depthwise_conv3d(x, weight, padding=1)
    within(found, *exact(x, weight, shape))
    wanted, size = exact(x, weight, shape)
    added = bias.double().view(1, -1, 1, 1, 1)
    within(ops.depthwise_conv3d(x, weight, bias, padding=1), wanted + added, size + added.abs())  # rounded once
    ops.refresh()


def test_channels_that_lie_last_stay_last(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    ops.refresh()
    shape = Shape(2, 40, (9, 17, 23), (3, 5, 5), (1, 2, 2))
    x, weight = drawn(shape)
    last = x.to(memory_format=torch.channels_last_3d)
    choice = ops.explain_choice("depthwise_conv3d", last, weight, padding=(1, 2, 2))
    assert choice.implementation in ("turn", "triton")
    found = ops.depthwise_conv3d(last, weight, padding=(1, 2, 2))
    assert found.is_contiguous(memory_format=torch.channels_last_3d)
    within(found, *exact(x, weight, shape))


@pytest.mark.parametrize("more", [{"stride": (1, 2, 2), "padding": 1}, {"stride": 2}], ids=str)
def test_triton_runs_where_no_cuda_rung_has_matrix_instructions(tmp_path, monkeypatch, more):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    ops.refresh()
    x, weight = drawn(Shape(1, 240, (9, 33, 40), (3, 3, 3)))  # more outputs than threads run at once
    assert ops.explain_choice("depthwise_conv3d", x, weight, **more).implementation == "triton"
    found = ops.depthwise_conv3d(x, weight, **more)
    conv = torch.nn.functional.conv3d
    wide, taps = x.double().cpu(), weight.double().cpu()
    within(found, conv(wide, taps, groups=240, **more).cuda(), conv(wide.abs(), taps.abs(), groups=240, **more).cuda())
