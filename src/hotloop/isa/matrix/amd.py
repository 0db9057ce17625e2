"""AMD's matrix instructions: MFMA and SMFMAC of gfx908 to gfx950, WMMA of gfx11 and gfx12.

Passes (4 cycles each) are those of AMD's ISA references; for MFMA benchmarks/matrix_proof.py compares them with the wait
states that LLVM's hazard recogniser puts between an instruction and the use of its result.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hotloop.isa.matrix.instruction import Cost, Family, Instruction
from hotloop.targets import data
from hotloop.targets.target import Target

_CDNA = "AMD CDNA 1 to 4 ISA references, matrix core instructions; AMD matrix instruction calculator; names and register counts checked by LLVM 22's assembler"
_SCALED = "AMD CDNA 4 ISA reference; AMD Composable Kernel, test/mx_mfma_op (k in chunks of 16 for 8-bit elements, 32 consecutive for 6 and 4 bits)"
_SPARSE = "AMD CDNA 3 and 4 ISA references, SMFMAC; layout of the stored half derived from MFMA's"
_WMMA11 = "AMD GPUOpen: How to accelerate AI applications on RDNA 3 using WMMA; RDNA 3 ISA reference 7.9"
_WMMA12 = "AMD GPUOpen: Using the Matrix Cores of AMD RDNA 4 architecture GPUs; RDNA 4 ISA reference"
_OLD = ("gfx908", "gfx90a")
_NEW = ("gfx942", "gfx950")
_FP8 = tuple(product(("fp8", "bf8"), repeat=2))

_Row = tuple[int, int, int, int, str, str]
"""M, N, K, blocks, targets, passes per target."""
_ALL = "gfx908 gfx90a gfx942 gfx950"
_SINGLE: tuple[_Row, ...] = (
    (32, 32, 1, 2, _ALL, "16 16 16 16"),
    (16, 16, 1, 4, _ALL, "8 8 8 8"),
    (4, 4, 1, 16, _ALL, "2 2 2 2"),
    (32, 32, 2, 1, _ALL, "16 16 16 16"),
    (16, 16, 4, 1, _ALL, "8 8 8 8"),
)
_HALF: tuple[_Row, ...] = (
    (32, 32, 4, 2, _ALL, "16 16 16 16"),
    (16, 16, 4, 4, _ALL, "8 8 8 8"),
    (4, 4, 4, 16, _ALL, "2 2 2 2"),
    (32, 32, 8, 1, _ALL, "16 16 8 8"),
    (16, 16, 16, 1, _ALL, "8 8 4 4"),
    (16, 16, 32, 1, "gfx950", "4"),
    (32, 32, 16, 1, "gfx950", "8"),
)
_BRAIN_FIRST: tuple[_Row, ...] = (
    (32, 32, 2, 2, "gfx908 gfx90a", "16 16"),
    (16, 16, 2, 4, "gfx908 gfx90a", "8 8"),
    (4, 4, 2, 16, "gfx908 gfx90a", "2 2"),
    (32, 32, 4, 1, "gfx908 gfx90a", "16 16"),
    (16, 16, 8, 1, "gfx908 gfx90a", "8 8"),
)
_BRAIN: tuple[_Row, ...] = (
    (32, 32, 4, 2, "gfx90a gfx942 gfx950", "16 16 16"),
    (16, 16, 4, 4, "gfx90a gfx942 gfx950", "8 8 8"),
    (4, 4, 4, 16, "gfx90a gfx942 gfx950", "2 2 2"),
    (32, 32, 8, 1, "gfx90a gfx942 gfx950", "16 8 8"),
    (16, 16, 16, 1, "gfx90a gfx942 gfx950", "8 4 4"),
    (16, 16, 32, 1, "gfx950", "4"),
    (32, 32, 16, 1, "gfx950", "8"),
)
_INTEGER: tuple[_Row, ...] = (
    (32, 32, 4, 2, _ALL, "16 16 16 16"),
    (16, 16, 4, 4, _ALL, "8 8 8 8"),
    (4, 4, 4, 16, _ALL, "2 2 2 2"),
    (32, 32, 8, 1, "gfx908 gfx90a", "16 16"),
    (16, 16, 16, 1, "gfx908 gfx90a", "8 8"),
    (32, 32, 16, 1, "gfx942 gfx950", "8 8"),
    (16, 16, 32, 1, "gfx942 gfx950", "4 4"),
    (16, 16, 64, 1, "gfx950", "4"),
    (32, 32, 32, 1, "gfx950", "8"),
)
_XF32: tuple[_Row, ...] = ((16, 16, 8, 1, "gfx942", "4"), (32, 32, 4, 1, "gfx942", "8"))
_EIGHT: tuple[_Row, ...] = ((16, 16, 32, 1, "gfx942 gfx950", "4 4"), (32, 32, 16, 1, "gfx942 gfx950", "8 8"))
_DOUBLE: tuple[_Row, ...] = (
    (16, 16, 4, 1, "gfx90a gfx942 gfx950", "8 8 16"),
    (4, 4, 4, 4, "gfx90a gfx942 gfx950", "4 4 4"),
)
_SPARSE_SHAPES = (
    ("f32", (("f16", "f16"), ("bf16", "bf16")), ((16, 16, 32), (32, 32, 16)), ((16, 16, 64), (32, 32, 32))),
    ("i32", (("i8", "i8"),), ((16, 16, 64), (32, 32, 32)), ((16, 16, 128), (32, 32, 64))),
    ("f32", _FP8, ((16, 16, 64), (32, 32, 32)), ((16, 16, 128), (32, 32, 64))),
)


def instructions() -> Iterator[Instruction]:
    """Yield every instruction of every AMD target."""
    for rows, out, kind, legacy in (
        (_SINGLE, "f32", "f32", "f32"),
        (_HALF, "f32", "f16", "f16"),
        (_BRAIN, "f32", "bf16", "bf16_1k"),
        (_INTEGER, "i32", "i8", "i8"),
        (_DOUBLE, "f64", "f64", "f64"),
    ):
        for row in rows:
            yield _mfma(row, out, kind, kind, legacy)
    for row in _BRAIN_FIRST:
        yield _mfma(row, "f32", "bf16", "bf16", "bf16", name=f"v_mfma_f32_{_shape(row)}bf16")
    for row in _XF32:
        yield _mfma(row, "f32", "xf32", "xf32", "")
    for row, (a, b) in product(_EIGHT, _FP8):
        yield _mfma(row, "f32", a, b, "")
    yield from _scaled()
    yield from _sparse()
    yield from _wmma()


def _shape(row: _Row) -> str:
    return f"{row[0]}x{row[1]}x{row[2]}"


def _costs(targets: str, passes: str) -> tuple[Cost, ...]:
    pairs = zip(targets.split(), passes.split(), strict=True)
    return tuple(Cost(target, 4 * int(count), int(count)) for target, count in pairs)


def _mfma(row: _Row, out: str, a: str, b: str, legacy: str, name: str = "") -> Instruction:
    m, n, k, blocks, targets, passes = row
    kinds = a if a == b and a not in ("fp8", "bf8") else f"{a}_{b}"
    block = f"_{blocks}b" if blocks > 1 else ""
    modern = f"v_mfma_{out}_{_shape(row)}{block}_{kinds}"
    spellings = [f"v_mfma_{out}_{_shape(row)}{legacy}"] if legacy and targets.split()[0] in _OLD else []
    spellings += [f"__builtin_amdgcn_mfma_{out}_{_shape(row)}{legacy}"] * bool(spellings)
    if not set(targets.split()) & set(_NEW):
        modern = spellings[0]
    first = name or modern
    return Instruction(
        name=first,
        family=Family.MFMA,
        m=m,
        n=n,
        k=k,
        blocks=blocks,
        a_type=a,
        b_type=b,
        c_type=out,
        costs=_costs(targets, passes),
        spellings=tuple(s for s in spellings if s != first),
        targets=tuple(targets.split()),
        source=_CDNA,
        status="verified"
        if kinds in ("f16", "bf16") and blocks == 1 and (m, k) in ((16, 16), (32, 8), (16, 32))
        else "documented",
    )


def _scaled() -> Iterator[Instruction]:
    """Yield the f8f6f4 instructions once per width of A and B; an 8-bit operand halves the rate."""
    for (m, k, slow), scale in product(((16, 128, 8), (32, 64, 16)), ("", "scale_")):
        for a, b in product(("f8", "f6", "f4"), repeat=2):
            passes = slow if "f8" in (a, b) else slow // 2
            base = f"v_mfma_{scale}f32_{m}x{m}x{k}_f8f6f4"
            yield Instruction(
                name=f"{base} {a} {b}",
                family=Family.MFMA,
                m=m,
                n=m,
                k=k,
                a_type=a,
                b_type=b,
                c_type="f32",
                costs=_costs("gfx950", str(passes)),
                spellings=(base,) if (a, b) == ("f8", "f8") else (),
                targets=("gfx950",),
                source=_SCALED,
            )


def _sparse() -> Iterator[Instruction]:
    for out, kinds, first, second in _SPARSE_SHAPES:
        for (a, b), (targets, shapes) in product(kinds, ((_NEW, first), (_NEW[1:], second))):
            for m, n, k in shapes:
                suffix = a if a == b and a not in ("fp8", "bf8") else f"{a}_{b}"
                passes = " ".join([str(m // 4)] * len(targets))
                yield Instruction(
                    name=f"v_smfmac_{out}_{m}x{n}x{k}_{suffix}",
                    family=Family.SMFMAC,
                    m=m,
                    n=n,
                    k=k,
                    a_type=a,
                    b_type=b,
                    c_type=out,
                    costs=_costs(" ".join(targets), passes),
                    targets=targets,
                    source=_SPARSE,
                    status="derived",
                )


def _wmma() -> Iterator[Instruction]:
    rdna = data.names("rdna")
    gfx11, gfx12 = (tuple(n for n in rdna if Target.of(n).generation == family) for family in ("gfx11", "gfx12"))
    for out, kind, cycles11, cycles12 in (
        ("f32", "f16", 32, 16),
        ("f32", "bf16", 32, 16),
        ("f16", "f16", 32, 16),
        ("bf16", "bf16", 32, 16),
        ("i32", "iu8", 32, 8),
        ("i32", "iu4", 16, 8),
    ):
        yield _wmma_one(f"v_wmma_{out}_16x16x16_{kind}", Family.WMMA_GFX11, 16, kind, kind, out, gfx11, cycles11)
        yield _wmma_one(f"v_wmma_{out}_16x16x16_{kind}", Family.WMMA_GFX12, 16, kind, kind, out, gfx12, cycles12)
    yield _wmma_one("v_wmma_i32_16x16x32_iu4", Family.WMMA_GFX12, 32, "iu4", "iu4", "i32", gfx12, 8)
    for a, b in _FP8:
        yield _wmma_one(f"v_wmma_f32_16x16x16_{a}_{b}", Family.WMMA_GFX12, 16, a, b, "f32", gfx12, 8)


def _wmma_one(
    name: str, family: Family, k: int, a: str, b: str, out: str, targets: tuple[str, ...], cycles: int
) -> Instruction:
    builtin = name.replace("v_", "__builtin_amdgcn_", 1)
    return Instruction(
        name=name,
        family=family,
        m=16,
        n=16,
        k=k,
        a_type=a,
        b_type=b,
        c_type=out,
        lanes=32,
        costs=tuple(Cost(target, cycles, None) for target in targets),
        spellings=(f"{builtin}_w32", f"{builtin}_w32_gfx12")[family is Family.WMMA_GFX12 :],
        targets=targets,
        source=(_WMMA11 if family is Family.WMMA_GFX11 else _WMMA12)
        + "; cycles derived from the rates published there",
    )
