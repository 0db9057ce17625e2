"""The vocabulary of evidence: one row per fact that rules may use, with unit and meaning.

Rules and reports refer to facts by these names only; a collector that gives a fact another name is a defect that
`tests/unit/metrics` finds.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.metrics import terms_static


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
    Term(
        "static.work_bits",
        "bit",
        "operand bits of floating-point arithmetic (fused operations double) over all instructions of the hot loop",
    ),
    Term(
        "static.moved_bits",
        "bit",
        "bits that vector instructions load and store, the stack left out, over all instructions of the hot loop",
    ),
    Term("static.spills", "1", "stack loads and stores of vector registers in the hot loop"),
    Term(
        "static.scalar_load_share",
        "1",
        "scalar (one-element, not broadcast) floating-point loads over all loads of the hot loop",
    ),
    Term("static.broadcasts", "1", "broadcast loads in the hot loop"),
    Term(
        "static.memory_updates",
        "1",
        "places in memory that the hot loop writes again in every iteration",
    ),
    Term("static.gathers", "1", "gather instructions or insert sequences that stand for one in the hot loop"),
    Term(
        "static.loads_per_fma",
        "1",
        "load instructions or memory operands over multiply/add instructions of the hot loop",
    ),
    Term(
        "static.sum_cycles",
        "cycle",
        "cycles that the longest chain of sums in one register takes, over multiply/add instructions of the hot loop",
    ),
    Term("static.calls", "1", "calls in the main kernel (math library, barriers of some runtimes)"),
    Term("static.code_bytes", "B", "size of the main kernel's machine code"),
    Term("static.matrix_per_iteration", "1", "matrix instructions in one iteration of the hot loop, as unrolled"),
    Term("static.matrix_macs", "1", "multiply-adds of one matrix instruction, whole wave, mean over the hot loop"),
    Term("static.instructions_per_matrix", "1", "instructions of the hot loop over its matrix instructions"),
    Term("static.valu_per_matrix", "1", "vector instructions of the hot loop over its matrix instructions"),
    Term("static.lds_reads_per_matrix", "1", "local memory reads of the hot loop over its matrix instructions"),
    Term("static.lds_writes_per_matrix", "1", "local memory writes of the hot loop over its matrix instructions"),
    Term("static.global_loads_per_matrix", "1", "global loads and copies of the hot loop over its matrix instructions"),
    Term("static.matrix_share", "1", "matrix instructions over all instructions of the hot loop"),
    Term("static.conversion_share", "1", "conversions over all instructions of the hot loop"),
    Term("static.integer_share", "1", "integer and address arithmetic over all instructions of the hot loop"),
    Term("static.move_share", "1", "register moves over all instructions of the hot loop"),
    Term("static.shuffle_share", "1", "exchanges between lanes over all instructions of the hot loop"),
    Term("static.scalar_share", "1", "scalar instructions over all instructions of the hot loop"),
    Term("static.wait_share", "1", "wait instructions over all instructions of the hot loop"),
    Term("static.control_share", "1", "branches and other control over all instructions of the hot loop"),
    Term("static.transcendental_share", "1", "special functions over all instructions of the hot loop"),
    Term("static.lds_read_bits", "bit", "mean width of the hot loop's local memory reads, per lane"),
    Term("static.lds_write_bits", "bit", "mean width of the hot loop's local memory writes, per lane"),
    Term("static.global_load_bits", "bit", "mean width of the hot loop's global loads, per lane"),
    Term("static.global_store_bits", "bit", "mean width of the hot loop's global stores, per lane"),
    Term("static.direct_to_lds", "1", "copies from global to local memory in the hot loop that pass no register"),
    Term("static.atomics", "1", "atomic operations in the hot loop"),
    Term("static.barriers_per_iteration", "1", "barriers in one iteration of the hot loop, as unrolled"),
    Term("static.trip_count", "1", "iterations of the hot loop where constants in the code tell"),
    Term(
        "static.global_load_cover",
        "1",
        "matrix instructions between a global load of the hot loop and the wait for it, over those of the loop: 0 is exposed",
    ),
    Term(
        "static.local_drains_per_matrix",
        "1",
        "waits of the hot loop for all outstanding local memory reads over its matrix instructions",
    ),
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
    Term(
        "cpu.instructions_per_cycle",
        "1",
        "instructions over clocks of all cores that ran the process; a core can do 4 to 6",
    ),
    Term("cpu.branch_miss_rate", "1", "branches that were predicted wrongly, each some 15 clocks lost"),
    Term(
        "cpu.cache_miss_rate",
        "1",
        "accesses to the last-level cache that went to memory (events as perf maps them on the processor)",
    ),
    Term("cpu.l1_miss_rate", "1", "loads that left the first-level cache"),
    Term(
        "cpu.cache_misses_per_instruction",
        "1",
        "accesses to memory per instruction; from about 0.01 on memory is worth a look",
    ),
    Term(
        "cpu.memory_bytes_per_s", "B/s", "bytes that the memory controllers moved while the process ran, over its time"
    ),
    Term("cpu.retiring_share", "1", "issue slots of the cores that did useful work"),
    Term("cpu.speculation_share", "1", "issue slots lost to work that was thrown away: branches predicted wrongly"),
    Term("cpu.frontend_share", "1", "issue slots that stayed empty for lack of instructions"),
    Term("cpu.backend_share", "1", "issue slots that stayed empty because data or units were not ready"),
    Term("cpu.memory_share", "1", "part of cpu.backend_share that waits for memory"),
    Term("gpu.duration_ns", "ns", "device time of one launch under the profiler: no benchmark result"),
    Term(
        "gpu.elapsed_cycles",
        "cycle",
        "clocks that one launch took; a counting window longer than the launch is left out",
    ),
    Term(
        "gpu.running_share",
        "1",
        "share of gpu.elapsed_cycles in which shader engines held waves; the rest is start and end",
    ),
    Term("gpu.clock_hz", "hz", "mean clock during the launch"),
    Term("gpu.kernel_share", "1", "this kernel's share of the device time in the profile"),
    Term("gpu.rival_share", "1", "largest share of the profile's device time that another kernel has"),
    Term("gpu.cold_ns", "ns", "time of the first launch, where it is so much longer that it is set apart"),
    Term("gpu.cold_share", "1", "what the first launch took beyond a later one, over the time of all launches"),
    Term("gpu.waves", "wave", "waves (warps) launched"),
    Term("gpu.groups", "group", "work-groups (blocks) launched"),
    Term("gpu.rounds", "1", "work-groups over those that the device holds at once; below 1 units stay empty"),
    Term(
        "gpu.counted_waves_share",
        "1",
        "waves that the counters saw over waves launched; below 1 only some engines were counted",
    ),
    Term("gpu.busy_share", "1", "mean share of the launch during which a compute unit held work"),
    Term("gpu.busiest_share", "1", "share of the launch during which the busiest compute unit held work"),
    Term(
        "gpu.imbalance", "1", "idle time of the mean compute unit until the busiest one is done, over the latter's time"
    ),
    Term("gpu.ramp_share", "1", "share of the launch during which not even the busiest unit held work: start and end"),
    Term("gpu.occupancy_waves", "wave", "mean resident waves per SIMD (scheduler) over gpu.elapsed_cycles"),
    Term("gpu.resident_waves", "wave", "mean resident waves of a SIMD while it holds any"),
    Term("gpu.occupancy", "1", "mean resident waves over the hardware's most, while units are busy"),
    Term(
        "gpu.occupancy_limit",
        "1",
        "most waves that registers, local memory and group size allow, over the hardware's most",
    ),
    Term("gpu.limit_registers", "group", "work-groups per unit that the registers allow"),
    Term("gpu.limit_local", "group", "work-groups per unit that local (shared) memory allows"),
    Term("gpu.limit_waves", "group", "work-groups per unit that the wave slots allow"),
    Term("gpu.vgprs", "1", "vector registers of a work-item"),
    Term("gpu.local_bytes", "B", "local (shared) memory of a work-group"),
    Term("gpu.scratch_bytes", "B", "private memory of a work-item that lies in device memory"),
    Term("gpu.insts_per_wave", "inst/wave", "instructions per wave"),
    Term("gpu.valu_per_wave", "inst/wave", "vector instructions per wave"),
    Term("gpu.salu_per_wave", "inst/wave", "scalar instructions per wave"),
    Term("gpu.smem_per_wave", "inst/wave", "scalar memory reads per wave"),
    Term("gpu.lds_per_wave", "inst/wave", "local memory instructions per wave"),
    Term("gpu.vmem_per_wave", "inst/wave", "vector memory instructions per wave"),
    Term("gpu.matrix_per_wave", "inst/wave", "matrix instructions per wave"),
    Term("gpu.fma_share", "1", "fused multiply-adds over vector instructions (NVIDIA: over all instructions)"),
    Term("gpu.int_share", "1", "integer vector instructions over vector instructions"),
    Term("gpu.convert_share", "1", "conversion instructions over vector instructions"),
    Term(
        "gpu.bit_ops_ratio",
        "op/inst",
        "integer and bit operations per vector instruction: operations, not instructions",
    ),
    Term("gpu.lanes", "item", "work-items that an executed vector instruction served, of a wave"),
    Term("gpu.lane_share", "1", "gpu.lanes over the wave's size"),
    Term("gpu.unit_utilization", "1", "share of peak of the busiest unit of the compute units, whichever it is"),
    Term("gpu.issue_utilization", "1", "issue slots used while units were busy"),
    Term("gpu.valu_utilization", "1", "share of the launch during which the busiest vector pipe of a SIMD worked"),
    Term("gpu.fma_utilization", "1", "share of the launch during which the multiply-add pipe worked"),
    Term("gpu.int_utilization", "1", "share of the launch during which the integer and logic pipe worked"),
    Term(
        "gpu.special_utilization",
        "1",
        "busy share of the pipe for special functions and conversions, while units were busy",
    ),
    Term("gpu.double_utilization", "1", "share of the launch during which the double precision pipe worked"),
    Term("gpu.load_utilization", "1", "busy share of the unit for loads and stores, while units were busy"),
    Term(
        "gpu.constant_utilization",
        "1",
        "busy share of the unit for indexed constants and divergent addresses, while units were busy",
    ),
    Term("gpu.matrix_utilization", "1", "share of the launch during which the matrix units worked"),
    Term("gpu.matrix_rate_share", "1", "matrix operations per second over the peak rates of their types"),
    Term(
        "gpu.wave_cycle_identity",
        "1",
        "waiting, issue-waiting and active wave-cycles over all wave-cycles: 1, or the passes do not fit together",
    ),
    Term("gpu.wait_share", "1", "share of resident wave-cycles spent in dependency waits"),
    Term("gpu.issue_wait_share", "1", "share of resident wave-cycles spent waiting to issue"),
    Term("gpu.active_share", "1", "share of resident wave-cycles spent working on an instruction"),
    Term(
        "gpu.global_wait_share",
        "1",
        "share of waves' time waiting for global memory (AMD: upper bound, all dependency waits without the LDS queue)",
    ),
    Term(
        "gpu.lds_wait_share",
        "1",
        "share of waves' time waiting for local memory, its queue included (AMD: its queue only)",
    ),
    Term(
        "gpu.lds_wait_ratio",
        "1",
        "waves' time waiting for local memory over their time in vector work (NVIDIA: in any instruction)",
    ),
    Term("gpu.lds_queue_share", "1", "share of waves' time waiting for a place in the queue of local memory"),
    Term("gpu.barrier_wait_share", "1", "share of waves' time waiting at barriers"),
    Term("gpu.fetch_wait_share", "1", "share of waves' time waiting for instructions"),
    Term("gpu.constant_wait_share", "1", "share of waves' time waiting for constants"),
    Term("gpu.fixed_wait_share", "1", "share of waves' time in fixed latencies of dependent instructions"),
    Term("gpu.math_wait_share", "1", "share of waves' time waiting for a busy arithmetic pipe"),
    Term("gpu.matrix_wait_share", "1", "share of waves' time waiting for matrix instructions of a warp group"),
    Term("gpu.ready_share", "1", "share of waves' time ready, while the scheduler took another wave"),
    Term("gpu.issued_share", "1", "share of waves' time issuing"),
    Term(
        "gpu.stall_identity",
        "1",
        "all reasons of waiting added up over the time between two instructions of a wave: 1, or one is missing",
    ),
    Term("gpu.lds_active_share", "1", "share of the launch during which local memory worked"),
    Term(
        "gpu.lds_conflict_share",
        "1",
        "share of the launch during which local memory was stalled by bank conflicts: upper bound of the damage",
    ),
    Term(
        "gpu.lds_conflicts_per_access", "1", "cycles (wavefronts) lost to conflicts over those that the accesses need"
    ),
    Term("gpu.lds_bytes_moved", "B", "bytes that local memory could move in its conflict-free active cycles"),
    Term("gpu.lds_latency_cycles", "cycle", "mean time of a local memory instruction"),
    Term("gpu.vmem_latency_cycles", "cycle", "mean time of a vector memory instruction"),
    Term("gpu.smem_latency_cycles", "cycle", "mean time of a scalar memory read"),
    Term("gpu.fetch_latency_cycles", "cycle", "mean time of an instruction fetch"),
    Term("gpu.l2_latency_cycles", "cycle", "mean time of a read that L1 sends to L2"),
    Term(
        "gpu.memory_stall_share", "1", "share of the launch in which the unit that addresses memory could take nothing"
    ),
    Term("gpu.icache_miss_rate", "1", "instruction cache requests that miss"),
    Term("gpu.l1_hit_rate", "1", "first-level cache hits"),
    Term("gpu.l2_hit_rate", "1", "second-level cache hits"),
    Term("gpu.l1_utilization", "1", "share of the first-level cache's peak"),
    Term(
        "gpu.l1_local_utilization",
        "1",
        "share of the first-level cache's peak that local memory takes, where both have one data path (NVIDIA)",
    ),
    Term(
        "gpu.l1_bytes", "B", "bytes that the first-level cache moved to or from waves (AMD: upper bound, whole lines)"
    ),
    Term("gpu.l2_bytes", "B", "bytes between first-level and second-level cache"),
    Term("gpu.l2_read_bytes", "B", "bytes that first-level caches asked the second-level cache for"),
    Term("gpu.l2_bytes_per_s", "B/s", "gpu.l2_bytes over gpu.duration_ns"),
    Term("gpu.l2_utilization", "1", "share of the second-level cache's peak"),
    Term("gpu.hbm_read_bytes", "B", "bytes read from device memory"),
    Term("gpu.hbm_write_bytes", "B", "bytes written to device memory"),
    Term("gpu.hbm_bytes", "B", "bytes read from and written to device memory"),
    Term("gpu.hbm_bytes_per_s", "B/s", "gpu.hbm_bytes over gpu.duration_ns"),
    Term("gpu.hbm_utilization", "1", "share of device memory's peak"),
    Term("gpu.lines_per_vmem", "req/inst", "cache lookups of one vector memory instruction"),
    Term("gpu.load_sectors", "sector/req", "sectors of 32 B that one global load of a wave touches"),
    Term("gpu.sector_use", "1", "bytes that global loads ask for over bytes of the sectors that they touch"),
    Term("gpu.wasted_sectors", "1", "sectors beyond what ideal access would need over all sectors of global accesses"),
    Term("gpu.spill_share", "1", "memory requests for spilled registers over all memory requests of waves"),
    Term("gpu.matrix_flops", "flop", "floating-point operations of matrix instructions"),
    Term("gpu.vector_flops", "flop", "floating-point operations of vector instructions"),
    Term("gpu.flops", "flop", "gpu.matrix_flops + gpu.vector_flops: executed, with padding and masked work"),
    Term("gpu.matrix_flops_per_s", "flop/s", "gpu.matrix_flops over gpu.duration_ns"),
    Term("gpu.vector_flops_per_s", "flop/s", "gpu.vector_flops over gpu.duration_ns"),
    Term(
        "gpu.legacy_matrix_share",
        "1",
        "matrix operations through the older instruction (mma) over all, where a newer one (wgmma) exists",
    ),
    Term("gpu.flops_per_hbm_byte", "flop/B", "gpu.flops over gpu.hbm_bytes"),
    Term("gpu.flops_per_l2_byte", "flop/B", "gpu.flops over gpu.l2_bytes"),
    *(Term(*term) for term in terms_static.TERMS),
)
"""Every name in use. Kernels' `traits` give the ``config.*`` facts that apply to them; the ``gpu.*`` facts come from counters
by the formulas of `hotloop.metrics.catalogue`, one name for all vendors, and hold for one launch under the profiler."""

BY_NAME = {term.name: term for term in TERMS}

_PARTS = ("_share", "_utilization", "_hit_rate", "_miss_rate")
SHARES = frozenset(
    {name for name in BY_NAME if name.startswith(("gpu.", "cpu.")) and name.endswith(_PARTS)}
    | {"gpu.occupancy", "gpu.occupancy_limit", "gpu.imbalance", "gpu.wasted_sectors", "gpu.sector_use"}
) - {"gpu.counted_waves_share"}
"""Facts of counters that are parts of a whole, 0 to 1; a value outside is no fact (see `hotloop.metrics.fact`)."""


def meaning(fact: str) -> str:
    """Return what a fact says; empty for a name that is not in the vocabulary."""
    return BY_NAME[fact].meaning if fact in BY_NAME else ""
