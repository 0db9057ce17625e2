"""The vocabulary of evidence: one row per fact that rules may use, with unit and meaning.

Rules and reports refer to facts by these names only; a collector that gives a fact another name is a defect that
`tests/unit/metrics` finds.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """One name that evidence may carry."""

    name: str
    unit: str
    meaning: str


TERMS = (
    Term("time.call_ns", "ns", "median wall time of one call, launches included"),
    Term("time.device_ns", "ns", "median device time of one call, sum over launches"),
    Term("time.launch_ns", "ns", "wall time of an empty launch on this device"),
    Term("time.launch_share", "1", "launches × time.launch_ns over time.call_ns"),
    Term("time.helper_share", "1", "device time of helper phases (packing, clearing) over all phases"),
    Term(
        "time.cpu_share",
        "1",
        "process CPU time over wall time × compute units; low on a disturbed machine or with idle cores",
    ),
    Term("roof.floor_ns", "ns", "roofline floor of the problem from measured ceilings"),
    Term("roof.fraction", "1", "roof.floor_ns over time.call_ns: 1 is the limit"),
    Term("roof.flops_per_s", "flop/s", "useful flops over time.call_ns"),
    Term("roof.flops_share", "1", "roof.flops_per_s over the measured FMA ceiling"),
    Term("roof.bytes_share", "1", "compulsory bytes per second over the measured copy bandwidth"),
    Term("roof.memory_bound", "1", "1 when the memory term decides the floor, else 0"),
    Term("work.flops", "flop", "useful flops of the problem"),
    Term("work.bytes", "B", "compulsory bytes of the problem"),
    Term("launch.count", "1", "launches per call"),
    Term("launch.work_items", "1", "work-items of the main launch"),
    Term("launch.groups", "1", "work-groups of the main launch"),
    Term("launch.group_size", "1", "work-items per work-group of the main launch"),
    Term("launch.groups_per_unit", "1", "work-groups per compute unit"),
    Term(
        "launch.tail_waste", "1", "share of compute-unit time idle in the last wave of groups if all take equally long"
    ),
    Term("device.vector_bits", "bit", "widest vector register of the target"),
    Term("device.vector_registers", "1", "architectural vector registers of the target"),
    Term("device.local_dedicated", "1", "1 when local memory is its own fast memory, else 0"),
    Term("device.l1_bytes", "B", "first-level data cache of one core"),
    Term("device.l2_bytes", "B", "second-level cache of one core"),
    Term("device.compute_units", "1", "compute units"),
    Term("static.hot_instructions", "1", "instructions in the hot loop of the main kernel"),
    Term(
        "static.fma_share", "1", "fused or plain multiply/add vector instructions over all instructions of the hot loop"
    ),
    Term(
        "static.fma_bits",
        "bit",
        "mean register width of the multiply/add instructions of the hot loop (scalar counts its own size)",
    ),
    Term("static.vector_bits", "bit", "widest register used by arithmetic of the hot loop"),
    Term("static.spills", "1", "stack loads and stores of vector registers in the hot loop"),
    Term(
        "static.scalar_load_share",
        "1",
        "scalar (one-element, not broadcast) floating-point loads over all loads of the hot loop",
    ),
    Term("static.broadcasts", "1", "broadcast loads in the hot loop"),
    Term("static.gathers", "1", "gather instructions or insert sequences that stand for one in the hot loop"),
    Term(
        "static.loads_per_fma",
        "1",
        "load instructions or memory operands over multiply/add instructions of the hot loop",
    ),
    Term("static.calls", "1", "calls in the main kernel (math library, barriers of some runtimes)"),
    Term("static.code_bytes", "B", "size of the main kernel's machine code"),
    Term("config.accumulators", "1", "independent accumulators of one work-item, in elements"),
    Term("config.accumulator_registers", "1", "vector registers that the accumulators need on this target"),
    Term("config.local_bytes", "B", "local memory that one work-group declares"),
    Term("config.barriers", "1", "barriers that one work-item executes per call of the main kernel"),
    Term("config.vector_elements", "1", "elements per explicit vector access in the source"),
    Term(
        "config.contiguous_bytes", "B", "bytes that neighbouring accesses of one work-item's inner loop touch in a row"
    ),
    Term("config.stride_bytes", "B", "distance between successive inner-loop accesses to the worst operand"),
    Term("config.working_set_bytes", "B", "bytes that one work-item's inner loop reuses"),
    Term("config.reuse", "flop/B", "flops per byte loaded in the inner loop of one work-item"),
    Term("config.packed", "1", "1 when operands are copied into contiguous panels first, else 0"),
)
"""Every name in use. Kernels' `traits` give the ``config.*`` facts that apply to them."""

BY_NAME = {term.name: term for term in TERMS}
