"""How fast are listings analysed: functions, basic blocks, loops, hot loop and instruction mix, on one core?

    python benchmarks/listing_speed.py LISTING... [--repeats 15]
    python benchmarks/listing_speed.py --make FOLDER [--unroll 50]

Prints the best and the median of CPU time over the repeats in MB of text per second, for the whole and for each stage.
`--make` compiles a large matrix product with Triton (no GPU is needed), unrolled by hand, into FOLDER: about 53,000 lines
for gfx1201, about a minute and a half. Garbage collection stays on and nothing is kept from one repeat to the next, but for
the classifier's memory of mnemonics.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import stand

from hotloop.isa.blocks import blocks
from hotloop.isa.detect import dialect_of
from hotloop.isa.dialects.aarch64 import DIALECT as AARCH64
from hotloop.isa.dialects.amdgcn import DIALECT as AMDGCN
from hotloop.isa.dialects.ptx import DIALECT as PTX
from hotloop.isa.dialects.sass import DIALECT as SASS
from hotloop.isa.dialects.x86 import DIALECT as X86
from hotloop.isa.gpumix import gpu_mix
from hotloop.isa.hot import hot_loop
from hotloop.isa.loops import loops

GOAL_MB_PER_S = 20.0
DIALECTS = {dialect.name: dialect for dialect in (AARCH64, AMDGCN, PTX, SASS, X86)}


def main() -> None:
    parser = stand.parser(__doc__)
    parser.add_argument("listings", nargs="*", type=Path)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--make", type=Path, metavar="FOLDER")
    parser.add_argument("--unroll", type=int, default=50)
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.make, arguments.unroll)
    elif not arguments.listings:
        parser.error("name listings, or make one with --make FOLDER")
    for file in arguments.listings:
        report(file, arguments.repeats)


def report(file: Path, repeats: int) -> None:
    """Print the speed on one listing."""
    text = file.read_text(encoding="utf-8")
    megabytes = len(text.encode()) / 1e6
    dialect = DIALECTS[dialect_of(text)]
    functions = dialect.parse(text)
    graphs = [blocks(function) for function in functions]
    stages: list[tuple[str, Callable[[], object]]] = [
        ("parse", lambda: dialect.parse(text)),
        ("blocks", lambda: [blocks(function) for function in functions]),
        ("loops", lambda: [loops(graph) for graph in graphs]),
        ("hot loop (with blocks and loops)", lambda: [hot_loop(function) for function in functions]),
        ("mix (with hot loop)", lambda: [gpu_mix(function) for function in functions]),
        ("everything", lambda: [gpu_mix(function) for function in dialect.parse(text)]),
    ]
    instructions = sum(len(function.instructions) for function in functions)
    print(f"{file.name} ({dialect.name}): {megabytes:.2f} MB, {text.count(chr(10))} lines, {instructions} instructions")
    for name, stage in stages:
        seconds = sorted(timed(stage) for _ in range(repeats))
        best, middle = megabytes / seconds[0], megabytes / statistics.median(seconds)
        print(f"  {name:34} best {best:8.1f} MB/s   median {middle:8.1f} MB/s   {seconds[0] * 1e3:8.2f} ms")
    print(f"  goal {GOAL_MB_PER_S:g} MB/s for everything: {'met' if best >= GOAL_MB_PER_S else 'missed'} by the best")


def timed(stage: Callable[[], object]) -> float:
    begin = time.process_time()
    stage()
    return time.process_time() - begin


def make(folder: Path, unroll: int) -> None:
    """Compile a long listing with Triton."""
    try:
        import triton
        import triton.language as tl
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource
    except ModuleNotFoundError:
        sys.exit("making a listing needs Triton: pip install triton")

    @triton.jit
    def product(
        a_ptr,
        b_ptr,
        c_ptr,
        k_size,
        a_row,
        b_row,
        c_row,
        TILE: tl.constexpr,
        DEPTH: tl.constexpr,
        TIMES: tl.constexpr,
    ):
        rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
        columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
        inner = tl.arange(0, DEPTH)
        a = a_ptr + rows[:, None] * a_row + inner[None, :]
        b = b_ptr + inner[:, None] * b_row + columns[None, :]
        total = tl.zeros((TILE, TILE), tl.float32)
        for _ in range(0, k_size, DEPTH * TIMES):
            for _ in tl.static_range(TIMES):
                total = tl.dot(tl.load(a), tl.load(b), total)
                total = tl.where(total > 0, total, total * 0.5)
                a += DEPTH
                b += DEPTH * b_row
        tl.store(c_ptr + rows[:, None] * c_row + columns[None, :], total.to(tl.float16))

    pointers, sizes = ("a_ptr", "b_ptr", "c_ptr"), ("k_size", "a_row", "b_row", "c_row")
    constants = {"TILE": 128, "DEPTH": 32, "TIMES": unroll}
    signature = {
        **dict.fromkeys(pointers, "*fp16"),
        **dict.fromkeys(sizes, "i32"),
        **dict.fromkeys(constants, "constexpr"),
    }
    attributes = {(index,): [["tt.divisibility", 16]] for index in range(len(pointers) + len(sizes))}
    source = ASTSource(product, signature=signature, constexprs=constants, attrs=attributes)
    kernel = triton.compile(source, target=GPUTarget("hip", "gfx1201", 32), options={"num_warps": 4, "num_stages": 1})
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"product_{unroll}_gfx1201.s"
    file.write_text(kernel.asm["amdgcn"])
    print(f"{file}: {kernel.asm['amdgcn'].count(chr(10))} lines")


if __name__ == "__main__":
    main()
