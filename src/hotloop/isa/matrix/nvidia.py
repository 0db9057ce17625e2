"""NVIDIA's matrix instructions by the names of PTX: mma.sync per warp, wgmma per warp group of four.

Which there are, and on which processors, is data (targets/matrix.toml).
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.targets import data
from hotloop.targets.target import Target

_PTX_NAMES = {"i32": "s32", "i8": "s8", "i4": "s4"}
_STEP, _COARSE_STEP = 8, 16
"""Steps in which N of a warp group's instructions goes: the usual one, and that of wide shapes of some types."""


def instructions() -> Iterator[Instruction]:
    """Yield every instruction of every NVIDIA target; wgmma once per N."""
    tables = data.table("matrix")
    for row in tables["mma"]["shapes"]:
        m, n, k = (int(number) for number in row["shape"][1:].replace("n", " ").replace("k", " ").split())
        for out in row["out"]:
            targets = _since(row["since"], own_line=row.get("own_line", False))
            yield _one(
                "mma.sync.aligned", Family.MMA, (m, n, k), row["operands"], out, 32, targets, tables["mma"]["source"]
            )
    group = tables["wgmma"]
    for kind in group["kinds"]:
        for out in kind["out"]:
            for n in range(_STEP, group["most_n"] + 1, _STEP):
                if n > kind.get("fine_to", n) and n % _COARSE_STEP:
                    continue
                shape, targets = (group["m"], n, kind["k"]), tuple(group["targets"])
                yield _one("wgmma.mma_async.sync.aligned", Family.WGMMA, shape, kind["operands"], out, 128, targets, group["source"])  # fmt: skip


def _since(first: str, *, own_line: bool) -> tuple[str, ...]:
    """Return the targets from one on, the oldest first; of what no other line of processors took over, those of its own line."""
    oldest, targets = Target.of(first), sorted(map(Target.of, data.names("nvidia")), key=lambda t: t.capability)
    later = [target for target in targets if target.at_least(oldest.capability)]
    return tuple(t.name for t in later if not own_line or t.generation == oldest.generation)


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
