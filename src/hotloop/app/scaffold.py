"""The kernel file that ``hotloop init`` writes: small, working, and worth optimizing."""

from __future__ import annotations

import keyword
from pathlib import Path

from hotloop.errors import MachineError, UsageError

_PYTHON = '''\
"""{name}: y = a * x + y. Try: hotloop check {name}.py, then hotloop optimize {name}.py"""

import numpy as np

import hotloop as hl


@hl.kernel(
    problem=dict(n=1 << 22),
    # What the problem costs at least: one multiply and one add per element, x and y read, y written.
    work=lambda p: hl.Work(flops=2 * p.n, bytes=12 * p.n),
    # Small problems that break wrong kernels; the verification runs them too.
    awkward=lambda p: [dict(n=1), dict(n=1009), dict(n=4096)],
    linear=("x", "y"),
)
class {name}:
    # Arrays and numbers in kernel argument order. A Python float becomes a float, an int an int.
    def inputs(p, rng):
        return dict(a=2.0, x=rng.standard_normal(p.n, "f4"), y=rng.standard_normal(p.n, "f4"), n=np.int32(p.n))

    # The truth, in float64. What it returns are the outputs; everything else must come back unchanged.
    def reference(p, a, x, y, n):
        return dict(y=a * x.astype("f8") + y)

    opencl = hl.OpenCL(
        "{name}.cl",
        entry="{name}",
        # Each parameter reaches the source as a macro; the first value is where optimize begins.
        params=dict(VW=[1, 2, 4, 8, 16], ITEMS=[1, 4, 16, 64, 256]),
        # Which technique a parameter embodies tells the loop when to change it.
        techniques=dict(VW="vectorize", ITEMS="work-per-item"),
        global_size=lambda p, c: (-(-p.n // (c.VW * c.ITEMS)),),
        local_size=lambda p, c: (1,),
        traits=lambda p, c, d: {{"config.vector_elements": c.VW, "config.contiguous_bytes": 4 * c.VW}},
    )
'''
_OPENCL = """\
// Each work-item computes ITEMS vectors of VW elements, one after the other.
#if VW == 1
typedef float V;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#else
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
typedef CAT(float, VW) V;
#define LOAD(p) CAT(vload, VW)(0, p)
#define STORE(v, p) CAT(vstore, VW)(v, 0, p)
#endif

__kernel void @NAME@(const float a, __global const float *restrict x, __global float *restrict y, const int n) {
    const int first = get_global_id(0) * VW * ITEMS;
    for (int i = first; i < first + VW * ITEMS && i < n; i += VW) {
        if (i + VW <= n) {
            STORE(fma((V)(a), LOAD(x + i), LOAD(y + i)), y + i);
        } else {
            for (int j = i; j < n; ++j) y[j] = fma(a, x[j], y[j]);
        }
    }
}
"""


def write(folder: Path, name: str, language: str = "opencl", *, overwrite: bool = False) -> tuple[Path, Path]:
    """Write NAME.py and NAME.cl into a folder and return their paths.

    Raises:
        UsageError: the name is no identifier, or a file exists already.
        MachineError: the folder cannot be written.
    """
    assert language == "opencl"
    if not name.isidentifier() or keyword.iskeyword(name):
        raise UsageError(f"--name {name!r} is not usable as a name in Python and OpenCL C; use letters, digits and _.")
    paths = (folder / f"{name}.py", folder / f"{name}.cl")
    existing = [str(path) for path in paths if path.exists()]
    if existing and not overwrite:
        raise UsageError(f"{' and '.join(existing)} exist already; choose another --name or give --force.")
    # `kernel` is a keyword of OpenCL C, so a kernel of that name needs another entry point.
    entry = f"{name}_main" if name == "kernel" else name
    texts = (_PYTHON.format(name=name).replace(f'entry="{name}"', f'entry="{entry}"'), _OPENCL.replace("@NAME@", entry))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
    except OSError as error:
        raise MachineError(f"cannot write into {folder}: {error.strerror}; choose another folder.") from None
    return paths
