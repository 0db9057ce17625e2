"""Transpose of a matrix in Gluon: tiles that pass from one layout of registers to another on their way.

Starts with one element per thread, stored straight from the layout that it was loaded in: neighbouring threads write to
different rows. The loop arrives at tiles that change their layout through shared memory, so that both sides move
neighbouring elements, several per thread.

    hotloop isa examples/transpose_gluon.py --target sm_90    what the compiler makes of it, on any machine
    hotloop optimize examples/transpose_gluon.py              on an NVIDIA GPU
"""

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

import hotloop as hl


@hl.offline(signature=dict(y="*fp32", x="*fp32"), constexprs=dict(TILE=32, VECTOR=1, PATH="direct"))
@gluon.jit
def transpose_kernel(y, x, rows, columns, TILE: gl.constexpr, VECTOR: gl.constexpr, PATH: gl.constexpr):
    """Write one tile of the transposed matrix in each program."""
    along: gl.constexpr = min(TILE // VECTOR, 32)
    read: gl.constexpr = gl.BlockedLayout([1, VECTOR], [32 // along, along], [gl.num_warps(), 1], [1, 0])
    i = gl.program_id(0) * TILE + gl.arange(0, TILE, layout=gl.SliceLayout(1, read))[:, None]
    j = gl.program_id(1) * TILE + gl.arange(0, TILE, layout=gl.SliceLayout(0, read))[None, :]
    tile = gl.load(x + i * columns + j, mask=(i < rows) & (j < columns), other=0.0)
    if PATH == "direct":
        gl.store(y + j * rows + i, tile, mask=(i < rows) & (j < columns))
    else:
        write: gl.constexpr = gl.BlockedLayout([VECTOR, 1], [along, 32 // along], [1, gl.num_warps()], [0, 1])
        m = gl.program_id(0) * TILE + gl.arange(0, TILE, layout=gl.SliceLayout(1, write))[:, None]
        n = gl.program_id(1) * TILE + gl.arange(0, TILE, layout=gl.SliceLayout(0, write))[None, :]
        gl.store(y + n * rows + m, gl.convert_layout(tile, write), mask=(m < rows) & (n < columns))


@hl.kernel(
    problem=dict(rows=4096, columns=4096),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.rows * p.columns, convention="each element read and written once"),
    tolerance=hl.Tolerance(factor=0.0),
    awkward=lambda p: [dict(rows=1, columns=1), dict(rows=67, columns=129), dict(rows=96, columns=32)],
)
class transpose:
    def inputs(p, rng):
        return dict(
            x=rng.standard_normal((p.rows, p.columns), "f4"),
            y=hl.empty((p.columns, p.rows)),
            rows=p.rows,
            columns=p.columns,
        )

    def reference(p, x, y, rows, columns):
        return dict(y=x.T.astype("f8"))

    gluon = hl.Gluon(
        transpose_kernel,
        params=dict(TILE=[32, 64, 128], VECTOR=[1, 2, 4], PATH=["direct", "staged"], num_warps=[1, 2, 4, 8]),
        start=dict(num_warps=4),
        grid=lambda p, c: (-(-p.rows // c.TILE), -(-p.columns // c.TILE)),
        techniques=dict(TILE="work-per-item", VECTOR="vectorize", PATH="path"),
        traits=lambda p, c, d: {
            "config.contiguous_bytes": 4 * (1 if c.PATH == "direct" else c.TILE),
            "config.stride_bytes": 4 * p.rows,
            "config.vector_elements": c.VECTOR,
            "config.local_bytes": 0 if c.PATH == "direct" else 4 * c.TILE * c.TILE,
        },
    )
