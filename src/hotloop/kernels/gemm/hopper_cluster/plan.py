"""From problem and configuration of the clustered kernel to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _text
from hotloop.kernels._jit import GROUP_THREADS
from hotloop.kernels.gemm.hopper_cluster.space import STEP, columns, ring_bytes, shared_bytes
from hotloop.kernels.gemm.problem import Gemm, Matrix
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Local, Null, Program, Tiled
from hotloop.model.space import Config

_PACKAGE = "hotloop.kernels.gemm.hopper_cluster"
_INSTRUCTION_DEPTH = {"bfloat16": "k16.f32.bf16.bf16", "float16": "k16.f32.f16.f16"}
_MACROS = ("GROUPS", "BLOCKS", "SPLITS", "SHARES", "STAGES", "CHAIN")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch of clusters, each of which multiplies neighbouring tiles.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    form = tiles.taken(problem, turns_a=False)
    if form.n % 2:
        raise ValueError(f"n={form.n} is odd, and the kernel writes two columns at a time")
    tiles.refuse_gaps(form)
    tiles.refuse_device(device, least=tiles.HOPPER)
    tiles.refuse_shared(device, shared_bytes(config))
    splits, steps = config.integer("SPLITS"), tiles.tiles(form.k, STEP)
    if splits > steps:
        raise ValueError(f"{steps} steps of k cannot be shared by {splits} blocks")
    text, options = _source(form, config), _options(form, config)
    if form.empty:
        return Program("cuda", text, options, source_name="cluster.cu")
    return Program("cuda", text, options, (_launch(form, config),), source_name="cluster.cu")


def _launch(form: Gemm, config: Config) -> Launch:
    bm, groups, splits, shares = config.integers("BM", "GROUPS", "SPLITS", "SHARES")
    count = tiles.tiles(form.n, columns(config) * shares) * tiles.tiles(form.m, bm) * splits * shares
    threads = GROUP_THREADS * (groups + 1)
    arguments: tuple[Argument, ...] = (
        _tiled(form, form.a, bm // shares),
        _tiled(form, form.b, columns(config) if form.transposed_b else STEP),
        Array("c"),
        Null() if form.bias == "none" else Array("bias"),
        *tiles.sizes(form),
        Local(ring_bytes(config)),
    )
    return Launch("cluster", arguments, (count * threads,), (threads,), early=config.integer("CHAIN") > 0)


def _tiled(form: Gemm, matrix: Matrix, rows: int) -> Tiled:
    """Return a matrix as boxes of rows and 64 columns: of A and of B by columns these are steps of k, of B by rows columns of C."""
    return Tiled(matrix.name, form.dtype, (matrix.rows, matrix.columns), matrix.ld, (rows, STEP))


def _options(form: Gemm, config: Config) -> tuple[str, ...]:
    values: Mapping[str, object] = {
        "ROWS": config["BM"],
        "COLS": columns(config),
        **{name: config[name] for name in _MACROS},
        **{name: int(value) for name, value in tiles.epilogue(form).items()},  # type: ignore[call-overload]
        "HALF": int(form.dtype == "float16"),
        "BY_ROWS": int(not form.transposed_b),
    }
    return tuple(f"-D{name}={value}" for name, value in values.items())


def _source(form: Gemm, config: Config) -> str:
    multiply = instruction(config.integer("BM"), form.dtype, turned=not form.transposed_b)
    return f"#define MULTIPLY {multiply}\n" + _text.read(_PACKAGE, "cluster.cu")


def instruction(rows: int, dtype: str, *, turned: bool = False) -> str:
    """Return the asynchronous matrix instruction that adds products for so many rows to `d`, as inline assembly on one line.

    `turned` where the weights lie along the instruction's rows instead of along k.

    Source: NVIDIA, PTX ISA, wgmma.mma_async.

    >>> instruction(8, "float16").count("+f"), "m64n8k16.f32.f16.f16" in instruction(8, "float16")
    (4, True)
    """
    sums = rows // 2
    targets, operands = (", ".join(form.format(i) for i in range(sums)) for form in ("%{}", '"+f"(d[{}])'))
    return (
        f'asm volatile("{{\\n.reg .pred adds;\\nsetp.ne.b32 adds, %{sums + 2}, 0;\\n'
        f"wgmma.mma_async.sync.aligned.m64n{rows}{_INSTRUCTION_DEPTH[dtype]} {{{targets}}}, %{sums}, %{sums + 1}, adds, 1, 1, {int(turned)}, 0;"
        f'\\n}}" : {operands} : "l"(weights), "l"(rows), "r"(adds));'
    )


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, groups, stages = config.integers("BM", "GROUPS", "STAGES")
    return tiles.facts_of(problem, (bm, columns(config), STEP), GROUP_THREADS * groups, stages)
