"""The kernels of depthwise conv3d that the GPU benchmark compares: rungs, Triton's, and the shapes that they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec

from hotloop.kernels.conv3d_depthwise.cuda import plan as cuda
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.shape import VIDEO, Shape

SOURCE = cuda.source()


@dataclass(frozen=True)
class Jit:
    """A configuration of the Triton implementation, in the place of a rung."""

    config: object

    @property
    def name(self) -> str:
        """What distinguishes it."""
        from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE

        said = " ".join(f"{name}={value}" for name, value in self.config.items() if NAIVE[name] != value)
        return f"triton {self.config['FORM']} {said.replace('FORM=patches ', '')}"


def runtime() -> str:
    """Name Triton as the device's facts do."""
    return f"Triton {version('triton')}"


def jits() -> dict[str, tuple[object, Jit]]:
    """Return the Triton kernels for the video problem: the one its rule chooses, and multiply-adds."""
    if not find_spec("triton") or not find_spec("hotloop"):
        return {}
    from hotloop.kernels.conv3d_depthwise.triton import plan as triton

    video = VIDEO
    made = [
        Jit(triton.best(video, runtime())),
        Jit(triton.best(video)),
        Jit(triton.NAIVE.replace(PLANES=20, BLOCK=512, HOLD=1)),
    ]
    return {one.name: (video, one) for one in made}


def models() -> dict[str, tuple[object, object]]:
    """Return shapes of other video models, each with the CUDA rung and the Triton kernel that their rules choose."""
    shape = Shape
    shapes = (
        shape(1, 384, (21, 60, 104), (3, 3, 3), (1, 1, 1)),
        shape(1, 256, (16, 64, 64), (3, 7, 7), (1, 3, 3)),
        shape(1, 96, (33, 120, 208), (3, 3, 3), (1, 1, 1), (1, 2, 2), dtype="float16"),
    )
    found: dict[str, tuple[object, object]] = {}
    for one in shapes:
        text = f"model {'x'.join(map(str, (one.c, *one.size)))} window {'x'.join(map(str, one.kernel))}"
        text += "" if one.stride == (1, 1, 1) else f" stride {'x'.join(map(str, one.stride))}"
        found[f"{text}: cuda"] = (one, rungs.best(one))
        if jits():
            from hotloop.kernels.conv3d_depthwise.triton import plan as triton

            found[f"{text}: triton"] = (one, Jit(triton.best(one, runtime())))
    return found


def candidates() -> dict[str, object]:
    """Return the ladder for the video problem: from the naive rung to the variants of the last one."""
    video, t = VIDEO, rungs.toeplitz
    made = [rungs.direct(video), rungs.tile(video)]
    made += [rungs.strip(video, width=width) for width in (4, 8)]
    made += [
        rungs.strip(video, width=4, planes=20, wide=True),
        rungs.strip(video, width=8, planes=20, wide=True),
        rungs.strip(video, width=8, planes=20),
    ]
    made += [
        t(video, quads=3, loader="registers", blocks=2),
        t(video, quads=3, loader="async", stages=4, blocks=2),
        t(video, quads=3, loader="async", stages=6, blocks=2),
        t(video, quads=3, loader="async", stages=4, blocks=2, planes=30),
        t(video, quads=3, loader="async", stages=4, blocks=2, stream=True),
        t(video, quads=3, loader="async", stages=4, blocks=1),
        t(video, quads=6, loader="async", stages=4, blocks=4),
        t(video, quads=6, loader="async", stages=4, blocks=3, planes=20),
        t(video, quads=2, loader="async", stages=4, blocks=2),
        t(video, quads=3, loader="bulk", stages=4, blocks=2),
        t(video, quads=3, loader="bulk", stages=6, blocks=2),
        t(video, quads=3, loader="bulk", stages=8, blocks=2, stream=True),
        t(video, quads=3, loader="bulk", stages=4, blocks=2, planes=30),
        t(video, quads=6, loader="bulk", stages=5, blocks=4),
        t(video, quads=6, loader="bulk", stages=4, blocks=3, planes=20),
    ]
    return {rung.name: (video, rung) for rung in made} | jits()


def awkward() -> dict[str, object]:
    """Return further shapes, verified only: strides, dilations, layouts, types, ragged sizes."""
    shape, t = Shape, rungs.toeplitz
    odd = shape(2, 3, (7, 11, 13), (2, 3, 4), (1, 2, 0), (2, 1, 2), (1, 2, 1), 2, "float32")
    last = shape(2, 6, (5, 9, 10), (3, 3, 3), (1, 1, 1), dtype="float16", channels_last=True)
    fp32 = shape(1, 16, (9, 30, 52), (3, 5, 5), (1, 2, 2), dtype="float32")
    small = shape(1, 16, (9, 16, 20), (3, 5, 5), (1, 2, 2), dtype="float32")
    cubic = shape(2, 24, (17, 60, 104), (3, 3, 3), (1, 1, 1), dtype="float16")
    ragged = shape(1, 5, (6, 37, 22), (5, 5, 5), (2, 2, 2))
    flat = shape(2, 7, (4, 90, 160), (1, 5, 5), (0, 2, 2))
    valid = shape(1, 9, (8, 34, 48), (3, 3, 3), (0, 0, 0))
    large = shape(1, 12, (17, 90, 160), (3, 3, 3), (1, 1, 1))
    wider = shape(1, 9, (7, 33, 46), (3, 3, 3), (1, 1, 1))
    return {
        "direct fp32 stride dilation x2": (odd, rungs.direct(odd)),
        "direct fp16 channels last": (last, rungs.direct(last)),
        "strip fp32": (fp32, rungs.strip(fp32, width=4, planes=3)),
        "tile fp32": (small, rungs.tile(small)),
        "toeplitz fp16 3x3x3": (cubic, t(cubic, quads=4)),
        "toeplitz ragged 5x5x5": (ragged, t(ragged, quads=3, stages=3)),
        "toeplitz 1x5x5": (flat, t(flat, quads=4)),
        "toeplitz no padding bulk": (valid, t(valid, quads=2, loader="bulk")),
        "toeplitz bands": (large, t(large, quads=3, planes=6, vertical=1, blocks=2)),
        "toeplitz bands bulk": (large, t(large, quads=2, stages=3, loader="bulk", vertical=2)),
        "toeplitz bands ragged 5x5x5": (ragged, t(ragged, quads=2, stages=3, vertical=1)),
        "toeplitz bands no padding": (valid, t(valid, quads=1, loader="registers", vertical=2)),
        "toeplitz odd quarter, few planes": (wider, t(wider, quads=2, planes=3, loader="registers")),
        "best of 3x3x3": (cubic, rungs.best(cubic)),
        "best of large planes": (large, rungs.best(large)),
    }
