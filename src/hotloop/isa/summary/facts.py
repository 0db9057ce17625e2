"""A report as evidence: the ``static.*`` facts of the mix, and what waits, resources and occupancy add as ``isa.*``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.isa.amdgcn.costs import cost
from hotloop.isa.gpumix import gpu_evidence
from hotloop.isa.hot import HotLoop
from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.mix import mix
from hotloop.isa.nvidia.prices import GLOBAL_CYCLES
from hotloop.isa.nvidia.rings import ring
from hotloop.isa.nvidia.stack import spills
from hotloop.isa.resources import KernelResources
from hotloop.isa.summary import bounds, matrixuse
from hotloop.isa.summary.model import LoopReport, Room, Unstated
from hotloop.model.evidence import Evidence, Row, static
from hotloop.targets.target import Target

K, S = InstructionKind, MemorySpace
GLOBAL_WAITS = ("global loads", "copies to LDS", "copies to shared memory")
LOCAL_WAITS = ("LDS reads", "shared memory reads")
"""Groups of operations for whose results a wave waits: of device memory, and of local memory."""
_READS = frozenset({K.LOAD, K.SCALAR_LOAD, K.BROADCAST})
_NO_TIMING = "no loop whose waits are known"
_NO_METADATA = "the input does not say"


def evidence(function: Function, hot: HotLoop, loop: LoopReport, origin: str) -> Evidence:
    """Return the facts of a function's hot loop and resources; occupancy comes with `room_evidence`."""
    if not function.instructions:
        return static([*_resource_rows(function.resources), _spill_row(function)], origin or function.name)
    base = mix(function, origin)
    if not function.target:
        return base
    source = ", ".join(part for part in (origin or function.name, loop.place) if part)
    code = hot.instructions
    rows = [
        *_resource_rows(function.resources),
        _spill_row(function),
        *_timing_rows(loop),
        *_memory_rows(code),
        ("isa.lane_spills", lane_spills(code, function.instructions), "1", ""),
        *_other_rows(function.target, code, loop),
        *_ring_rows(Target.of(function.target), code, loop),
        *bounds.code_rows(
            code,
            function,
            function.resources.wave_size if function.resources else None,
            looped=hot.depth > 0,
        ),
    ]
    return base.merged(gpu_evidence(function, origin)).merged(static(rows, source))


def room_evidence(room: Room) -> Evidence:
    """Return the facts of an occupancy."""
    occupancy = room.occupancy
    if occupancy is None or not occupancy.launches:
        reason = room.why_not or (occupancy.why_not if occupancy else "") or "not known"
        names = (
            "isa.occupancy_waves",
            "isa.occupancy_open",
            "isa.occupancy_groups",
            "isa.cliff_waves",
            "isa.cliff_distance",
        )
        return static([(name, None, "", reason) for name in names], "")
    per_simd = occupancy.simds if occupancy.unit == "SM" else 1
    cliffs = [c for c in room.cliffs if c.better and c.fewer and c.value]
    nearest = min(cliffs, key=lambda c: (c.fewer or 0) / c.value, default=None)
    better = nearest.better if nearest else None
    none = "no single resource brings a wave more"
    rows: list[Row] = [
        ("isa.occupancy_waves", occupancy.waves / per_simd, "wave", ""),
        ("isa.occupancy_open", Unstated.LOCAL_MEMORY in room.unstated, "1", ""),
        ("isa.occupancy_groups", occupancy.groups, "1", ""),
        ("isa.cliff_waves", better.figure / per_simd if better else None, "wave", none),
        ("isa.cliff_distance", (nearest.fewer or 0) / nearest.value if nearest else None, "1", none),
    ]
    return static(rows, f"occupancy on {occupancy.target}")


def spilled(known: KernelResources) -> int | None:
    """Return the spilled vector registers; what has no private memory at all has none."""
    return 0 if known.vgpr_spills is None and known.scratch_bytes == 0 else known.vgpr_spills


def lane_spills(code: Sequence[Instruction], function: Sequence[Instruction]) -> int:
    """Return how often AMD code moves a scalar to or from a lane of a vector register that keeps scalars.

    Such a register is written lane by lane; one whose lanes a reduction reads is computed whole.
    """
    keeping = {i.operands.partition(",")[0].strip() for i in function if i.mnemonic.startswith("v_writelane")}
    moves = [i for i in code if i.mnemonic.startswith(("v_readlane", "v_writelane"))]
    return sum(not keeping.isdisjoint(operand.strip() for operand in i.operands.split(",")) for i in moves)


def _registers(known: KernelResources) -> int | None:
    if known.total_vgprs is not None:
        return known.total_vgprs
    return None if known.vgprs is None else known.vgprs + (known.agprs or 0)


def _resource_rows(known: KernelResources | None) -> Iterator[Row]:
    yield "isa.registers", _registers(known) if known else None, "1", _NO_METADATA
    yield "isa.local_bytes", known.lds_bytes if known else None, "B", _NO_METADATA
    yield "isa.scratch_bytes", known.scratch_bytes if known else None, "B", _NO_METADATA


def _spill_row(function: Function) -> Row:
    """Return the spilled vector registers as the metadata count them, else as NVIDIA's code shows them."""
    counted = spilled(function.resources) if function.resources else None
    machine_code = any(i.mnemonic[:1].isupper() for i in function.instructions)  # PTX has no registers to spill yet
    if counted is None and machine_code and Target.of(function.target).nvidia:
        counted = spills(function.instructions)
    return "isa.vgpr_spills", counted, "1", _NO_METADATA


def _timing_rows(loop: LoopReport) -> Iterator[Row]:
    reason = loop.why_no_hiding or _NO_TIMING
    cycles = loop.cycles
    timed = cycles if cycles and not loop.why_no_hiding else None
    yield "isa.iteration_cycles", timed, "cycle", reason
    for name, groups in (("stall", None), ("global_stall", GLOBAL_WAITS), ("lds_stall", LOCAL_WAITS)):
        chosen = [h for h in loop.hiding if groups is None or h.group in groups]
        yield f"isa.{name}_share", sum(h.stall_cycles for h in chosen) / timed if timed else None, "1", reason
    yield "isa.serial_loads", loop.serial_loads if timed else None, "1", reason
    matrices = next((c.count for c in loop.counts if c.what == "matrix"), 0)
    yield (
        "static.global_load_cover",
        loop.load_cover if timed else None,
        "1",
        "no global load and matrix instruction in a loop whose waits are known",
    )
    drains = loop.drains / matrices if timed and matrices else None
    yield "static.local_drains_per_matrix", drains, "1", "no matrix instruction in a loop whose waits are known"


def _ring_rows(target: Target, code: Sequence[Instruction], loop: LoopReport) -> Iterator[Row]:
    """Give what is known of stages that copies fill, where a loop waits for them through mbarriers."""
    walked = ring(code) if target.nvidia else None
    reason = "the hot loop waits for no mbarrier of a ring whose stages the code tells"
    timed = walked is not None and loop.cycles and not loop.why_no_hiding
    cover = walked.cover(loop.cycles or 0, GLOBAL_CYCLES) if walked and timed else None
    yield "isa.ring_stages", walked.stages if walked else None, "1", reason
    yield "isa.ring_apart", walked.apart if walked else None, "1", reason
    yield "isa.ring_cover", cover, "1", reason if walked is None else loop.why_no_hiding or _NO_TIMING


def _memory_rows(code: Sequence[Instruction]) -> Iterator[Row]:
    total = len(code)
    wide = [i.traits.memory_bits for i in code if i.traits.space is S.GLOBAL and i.kind in _READS | {K.COPY}]
    reads = [i.traits.memory_bits for i in code if i.traits.space is S.LOCAL and i.kind in _READS]
    local = sum(i.traits.space is S.LOCAL for i in code)
    yield "isa.global_loads", len(wide), "1", ""
    yield "isa.narrow_global_share", _narrow(wide), "1", "the hot loop loads nothing of known width from global memory"
    yield "isa.narrow_lds_share", _narrow(reads), "1", "the hot loop reads no local memory"
    yield "isa.global_share", len(wide) / total if total else None, "1", "the function has no instructions"
    yield "isa.lds_share", local / total if total else None, "1", "the function has no instructions"
    yield "isa.scratch_accesses", sum(i.kind is K.STACK for i in code), "1", ""


def _narrow(bits: Sequence[int]) -> float | None:
    widths = [b for b in bits if b]
    return sum(b <= bounds.NARROW_BITS for b in widths) / len(widths) if widths else None


def _other_rows(target: str, code: Sequence[Instruction], loop: LoopReport) -> Iterator[Row]:
    total = len(code)
    nops = [i for i in code if i.mnemonic == "s_nop"]
    lost = sum(cost(i, target).issue_cycles for i in nops)
    over = loop.cycles or (sum(cost(i, target).issue_cycles for i in code) if Target.of(target).amd else 0)
    yield "isa.wait_states_share", lost / over if over else None, "1", "no wait states on this processor"
    copies = sum(i.mnemonic.startswith("v_accvgpr_") for i in code)
    yield "isa.accumulator_copies", copies, "1", ""
    yield "isa.accumulator_copy_share", copies / total if total else None, "1", "the function has no instructions"
    bits = matrixuse.multiply_bits(code)
    yield "isa.multiply_bits", bits, "bit", "the hot loop multiplies nothing"
    ratio = matrixuse.rate_ratio(target, bits) if bits else None
    yield "isa.matrix_rate_ratio", ratio, "1", "the target has no faster matrix unit for what the hot loop multiplies"
    rate = matrixuse.path_rate(target, code)
    yield "isa.matrix_path_rate", rate, "1", "the hot loop has no matrix instruction of known rate"
    groups = any(i.mnemonic.startswith(("HGMMA", "QGMMA", "IGMMA", "BGMMA")) for i in code)
    copied = sum(i.mnemonic.startswith("LDGSTS") for i in code) / total if groups else None
    yield "isa.thread_copy_share", copied, "1", "the hot loop has no matrix instruction of a warp group"
    barriers = sum(i.kind is K.BARRIER for i in code)
    yield "isa.instructions_per_barrier", total / barriers if barriers else None, "1", "the hot loop has no barrier"
    yield "isa.bank_conflict_ratio", None, "1", "addresses are known at run time; describe them with --lds-address"
