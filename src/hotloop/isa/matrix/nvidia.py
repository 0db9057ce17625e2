"""NVIDIA's matrix instructions: mma.sync per warp, wgmma per warp group of four."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.targets import data
from hotloop.targets.target import Target

_PTX = "PTX ISA, warp-level matrix instructions: matrix fragments for mma.m8n8k*, mma.m16n8k*"
_WGMMA = "PTX ISA, asynchronous warpgroup-level matrix instructions: register fragments of wgmma.mma_async.m64nNk*"
_OWN = 120
"""First compute capability whose additions no other line of processors took over; older ones are for all that follow."""

_MMA = (
    ("m16n8k8", "f16", ("f16", "f32"), "sm_75"),
    ("m16n8k16", "f16", ("f16", "f32"), "sm_80"),
    ("m16n8k8", "bf16", ("f32",), "sm_80"),
    ("m16n8k16", "bf16", ("f32",), "sm_80"),
    ("m16n8k4", "tf32", ("f32",), "sm_80"),
    ("m16n8k8", "tf32", ("f32",), "sm_80"),
    ("m8n8k4", "f64", ("f64",), "sm_80"),
    ("m16n8k4", "f64", ("f64",), "sm_90"),
    ("m16n8k8", "f64", ("f64",), "sm_90"),
    ("m16n8k16", "f64", ("f64",), "sm_90"),
    ("m8n8k16", "i8", ("i32",), "sm_75"),
    ("m16n8k16", "i8", ("i32",), "sm_80"),
    ("m16n8k32", "i8", ("i32",), "sm_80"),
    ("m8n8k32", "i4", ("i32",), "sm_75"),
    ("m16n8k32", "i4", ("i32",), "sm_80"),
    ("m16n8k64", "i4", ("i32",), "sm_80"),
    ("m16n8k256", "b1", ("i32",), "sm_80"),
    ("m16n8k32", "e4m3", ("f32",), "sm_89"),
    ("m16n8k32", "e5m2", ("f32",), "sm_89"),
    ("m16n8k64", "e2m1", ("f32",), "sm_120"),
)
_PTX_NAMES = {"i32": "s32", "i8": "s8", "i4": "s4"}
_WGMMA_KINDS = (("f16", 16, ("f32", "f16")), ("bf16", 16, ("f32",)), ("tf32", 8, ("f32",)), ("i8", 32, ("i32",)),
                ("e4m3", 32, ("f32", "f16")), ("e5m2", 32, ("f32", "f16")))  # fmt: skip


def instructions() -> Iterator[Instruction]:
    """Yield every instruction of every NVIDIA target; wgmma once per N."""
    for shape, kind, outs, first in _MMA:
        m, n, k = (int(number) for number in shape[1:].replace("n", " ").replace("k", " ").split())
        for out in outs:
            yield _one("mma.sync.aligned", Family.MMA, (m, n, k), kind, out, 32, _since(first), _PTX)
    for kind, k, outs in _WGMMA_KINDS:
        for out in outs:
            for n in range(8, 257, 8):
                if kind == "i8" and n > 32 and n % 16:
                    continue  # integer shapes go in steps of 16 above 32
                yield _one("wgmma.mma_async.sync.aligned", Family.WGMMA, (64, n, k), kind, out, 128, ("sm_90",), _WGMMA)


def _since(first: str) -> tuple[str, ...]:
    """Return the targets from one on, the oldest first."""
    oldest, targets = Target.of(first), sorted(map(Target.of, data.names("nvidia")), key=lambda t: t.capability)
    later = [target for target in targets if target.at_least(oldest.capability)]
    return tuple(t.name for t in later if not oldest.at_least(_OWN) or t.generation == oldest.generation)


def _one(
    prefix: str,
    family: Family,
    shape: tuple[int, int, int],
    kind: str,
    out: str,
    lanes: int,
    targets: tuple[str, ...],
    source: str,
) -> Instruction:
    m, n, k = shape
    a, d = (_PTX_NAMES.get(name, name) for name in (kind, out))
    size = f"m{m}n{n}k{k}"
    layout = ".row.col" if family is Family.MMA else ""
    tail = f".{d}.{a}.{a}.{d}" if family is Family.MMA else f".{d}.{a}.{a}"
    return Instruction(
        name=f"{prefix}.{size}{layout}{tail}",
        family=family,
        m=m,
        n=n,
        k=k,
        a_type=kind,
        b_type=kind,
        c_type=out,
        lanes=lanes,
        spellings=(f"{size}{tail}", f"{size}.{d}.{a}"),
        targets=targets,
        source=source,
    )
