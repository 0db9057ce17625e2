"""Kernels with one fault each, whose profiles show what rules about counters say: what `firing.py` profiles."""

import numpy as np

import hotloop as hl

SIDE, DEPTH = 1024, 1024


def fixed(*sizes):
    """Return what gives these sizes for every problem and configuration."""
    return lambda *_: sizes


def one(macro, entry, grid, block, **more):
    """Return the CUDA implementation of one kernel; ROUNDS comes from its problem."""
    return hl.CUDA(
        "kernels.cu",
        entry=entry,
        args=["x", "y"],
        defines=lambda p, _: {macro: 1, **more, **({"ROUNDS": p.rounds} if "rounds" in p.sizes else {})},
        grid=grid,
        block=block,
    )


@hl.kernel(problem=dict(rounds=64), work=lambda p: hl.Work(flops=0, bytes=8 * SIDE**2))
class transpose:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((SIDE, SIDE), "f4"), y=hl.empty((SIDE, SIDE)))

    def reference(p, x, y):
        tiles = x.astype("f8").reshape(SIDE // 32, 32, SIDE // 32, 32)
        sums = sum(np.roll(tiles, -i, axis=3) for i in range(32)) * (p.rounds // 32)
        return dict(y=sums.transpose(2, 3, 0, 1).reshape(SIDE, SIDE))

    cuda = one("TRANSPOSE", "transpose", fixed(SIDE // 32, SIDE // 32), fixed(32, 8), SIDE=SIDE)


@hl.kernel(problem=dict(rounds=512), work=lambda p: hl.Work(flops=32 * p.rounds * 256 * 528, bytes=4 * 256 * 528))
class shared:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(2048, "f4"), y=hl.empty(256 * 528))

    def reference(p, x, y):
        tile, lanes = x.astype("f8").reshape(8, 256), np.arange(256)
        sums = sum(tile[:, lanes ^ (32 * j)].sum(0) for j in range(4))
        return dict(y=np.tile(p.rounds * sums, 528))

    cuda = one("SHARED", "shared", fixed(528), fixed(256))


@hl.kernel(problem=dict(rounds=2048), work=lambda p: hl.Work(flops=8 * p.rounds * 256 * 1056, bytes=8 * 256 * 1056))
class convert:
    def inputs(p, rng):
        return dict(x=rng.integers(0, 1 << 31, 256 * 1056).astype("u4"), y=hl.empty(256 * 1056))

    def reference(p, x, y):
        word, sums = x.copy(), np.zeros((4, x.size))
        for _ in range(p.rounds):
            for j in range(4):
                sums[j] = sums[j] * 0.5 + ((word >> np.uint32(8 * j)) & np.uint32(255))
            word = word * np.uint32(1664525) + np.uint32(1013904223)
        return dict(y=sums.sum(0))

    cuda = one("CONVERT", "convert", fixed(1056), fixed(256))


ROWS = 1 << 19


@hl.kernel(problem=dict(rounds=64), work=lambda p: hl.Work(flops=0, bytes=128 * p.rounds * 2 * 4096))
class gather:
    def inputs(p, rng):
        rows = np.repeat(rng.permutation(ROWS).astype("i4")[:, None], 32, axis=1)
        return dict(x=rows, y=hl.empty(64 * 4096, "i4"))

    def reference(p, x, y):
        row = (2 * np.arange(4096)[:, None] + np.array([1, 0])).reshape(-1)
        for _ in range(p.rounds):
            row = x[row, 0]
        return dict(y=np.repeat(row, 32).astype("i4"))

    cuda = one("GATHER", "gather", fixed(4096), fixed(64))


@hl.kernel(problem=dict(rounds=20000), work=lambda p: hl.Work(flops=4 * p.rounds * 1024 * 330, bytes=8 * 1024 * 330))
class tail:
    def inputs(p, rng):
        return dict(x=rng.standard_normal(1024 * 330, "f4"), y=hl.empty(1024 * 330))

    def reference(p, x, y):
        a, b = x.astype("f8"), 0.5
        for _ in range(p.rounds):
            a = a * np.float32(0.999) + b
            b = b * 0.5 + np.float32(0.001)
        return dict(y=a + b)

    cuda = one("TAIL", "tail", fixed(330), fixed(1024))


@hl.kernel(problem=dict(rounds=256), work=lambda p: hl.Work(flops=4096 * 8 * p.rounds * 4 * 1056, bytes=8 * 128 * 1056))
class older:
    def inputs(p, rng):
        return dict(x=np.zeros(128 * 1056, "f4"), y=hl.empty(128 * 1056))

    def reference(p, x, y):
        return dict(y=np.zeros(128 * 1056))

    cuda = one("OLDER", "older", fixed(1056), fixed(128))


@hl.kernel(problem=dict(rounds=8), work=lambda p: hl.Work(flops=2 * 16384 * p.rounds * 64 * 1056, bytes=8 * 64 * 1056))
class longer:
    def inputs(p, rng):
        return dict(x=np.zeros(64 * 1056, "f4"), y=hl.empty(64 * 1056))

    def reference(p, x, y):
        return dict(y=np.zeros(64 * 1056))

    cuda = one("LONG", "longer", fixed(1056), fixed(64))


@hl.kernel(
    problem=dict(n=SIDE),
    work=lambda p: hl.Work(flops=SIDE * SIDE * DEPTH, bytes=8 * SIDE**2, convention="below the diagonal"),
)
class masked:
    def inputs(p, rng):
        return dict(x=rng.standard_normal((SIDE, SIDE), "f4"), y=hl.empty((SIDE, SIDE)))

    def reference(p, x, y):
        wide = x.astype("f8")
        return dict(y=np.tril(wide @ wide))

    cuda = one("MASKED", "masked", fixed(SIDE // 32, SIDE // 8), fixed(32, 8), SIDE=SIDE, DEPTH=DEPTH)
