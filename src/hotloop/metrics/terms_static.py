"""Facts of one kernel's machine code, resources and occupancy that the static rules use, named ``isa.*``.

`hotloop.isa.summary.facts` gives them; `hotloop.metrics.vocabulary` joins them to the others.
"""

from __future__ import annotations

from typing import NamedTuple


class StaticTerm(NamedTuple):
    """One name: the fields of `hotloop.metrics.vocabulary.Term`, which cannot be imported from here."""

    name: str
    unit: str
    meaning: str


TERMS = (
    StaticTerm("isa.registers", "1", "vector registers of a work-item, accumulation registers included"),
    StaticTerm("isa.local_bytes", "B", "local (shared) memory of a group that the code itself declares"),
    StaticTerm("isa.vgpr_spills", "1", "vector registers that the compiler keeps in memory for lack of room"),
    StaticTerm("isa.scratch_bytes", "B", "private memory of a work-item that is no register"),
    StaticTerm("isa.scratch_accesses", "1", "accesses to private memory in one iteration of the hot loop"),
    StaticTerm("isa.occupancy_waves", "wave", "resident waves per SIMD (scheduler) that the resources allow"),
    StaticTerm("isa.occupancy_open", "1", "1 where the launch adds local memory that the code does not state: the waves are the most"),
    StaticTerm("isa.occupancy_groups", "1", "work-groups (blocks) resident on a compute unit (multiprocessor)"),
    StaticTerm("isa.cliff_waves", "wave", "resident waves per SIMD (scheduler) above the nearest cliff"),
    StaticTerm("isa.cliff_distance", "1", "what the nearest cliff asks for, as a share of the resource in use"),
    StaticTerm("isa.iteration_cycles", "cycle", "estimated time of one iteration of the hot loop for one wave alone"),
    StaticTerm("isa.stall_share", "1", "share of isa.iteration_cycles that this wave stands at waits for memory"),
    StaticTerm("isa.global_stall_share", "1", "share of isa.iteration_cycles at waits for global memory"),
    StaticTerm("isa.lds_stall_share", "1", "share of isa.iteration_cycles at waits for local memory"),
    StaticTerm("isa.global_loads", "1", "global loads and copies in one iteration of the hot loop"),
    StaticTerm("isa.serial_loads", "1", "global loads of the hot loop that are each waited for before the next is issued"),
    StaticTerm("isa.ring_stages", "1", "stages in shared memory that copies fill and the hot loop waits for through mbarriers"),
    StaticTerm("isa.ring_apart", "1", "1 where other warps than the hot loop's issue these copies, 0 where it does itself"),
    StaticTerm("isa.ring_cover", "1", "one warp's work on the stages in flight over the time until a stage is full again, nominally"),
    StaticTerm("isa.narrow_global_share", "1", "global loads of the hot loop of 32 bits or less per lane, over all"),
    StaticTerm("isa.narrow_lds_share", "1", "local memory reads of the hot loop of 32 bits or less per lane, over all"),
    StaticTerm("isa.global_share", "1", "global loads over the instructions of the hot loop"),
    StaticTerm("isa.lds_share", "1", "local memory instructions over the instructions of the hot loop"),
    StaticTerm("isa.lane_spills", "1", "moves of spilled scalars to and from lanes of a vector register in the hot loop"),
    StaticTerm("isa.wait_states_share", "1", "cycles of the hot loop's s_nop or NOP, over isa.iteration_cycles or its instructions"),
    StaticTerm("isa.accumulator_copies", "1", "moves between vector and accumulation registers in the hot loop"),
    StaticTerm("isa.accumulator_copy_share", "1", "isa.accumulator_copies over the instructions of the hot loop"),
    StaticTerm("isa.multiply_bits", "bit", "bits of the numbers that most multiply-adds of the hot loop multiply"),
    StaticTerm("isa.matrix_rate_ratio", "1", "rate of the target's matrix unit over its vector unit for the type that the hot loop "
               "multiplies; absent where the target has no matrix unit for it"),
    StaticTerm("isa.matrix_path_rate", "1", "rate of the hot loop's matrix instructions over the target's best for the same types"),
    StaticTerm("isa.instructions_per_barrier", "1", "instructions of the hot loop over its barriers"),
    StaticTerm("isa.bank_conflict_ratio", "1", "cycles of the local memory accesses over those without conflicts, where known"),
    StaticTerm("isa.thread_copy_share", "1", "copies that threads issue (LDGSTS) over the instructions of a loop of warp-group matrix instructions"),
    StaticTerm("isa.moved_bytes", "B", "bytes that one wave moves to and from global memory in one iteration of the hot loop"),
    StaticTerm("isa.gathered_bytes", "B", "those of isa.moved_bytes that lanes look up one by one, at places that they have loaded"),
    StaticTerm("isa.atomic_bytes", "B", "those of isa.moved_bytes that atomic operations update, but for places that lanes look up"),
    StaticTerm("isa.memory_cycles", "cycle", "time of the rest of isa.moved_bytes at a SIMD's share of the device memory's bandwidth"),
    StaticTerm("isa.contraction_share", "1", "multiply-adds of two loaded values on a carried sum, over all of the hot loop"),
    StaticTerm("isa.register_reuse", "1", "those multiply-adds for each register that the hot loop loads"),
    StaticTerm("isa.latency_cycles", "cycle", "isa.iteration_cycles over the resident waves of a SIMD: what perfect hiding leaves"),
    StaticTerm("isa.unit_cycles", "cycle", "what one wave's iteration takes of the unit that it takes most"),
    StaticTerm("isa.vector_cycles", "cycle", "the same of the busiest unit that computes"),
    StaticTerm("isa.next_unit_cycles", "cycle", "the same of the unit that it takes next most"),
    StaticTerm("isa.latency_share", "1", "time in which, with all resident waves, no unit and not the memory is the bound"),
    StaticTerm("isa.issue_share", "1", "time for which the busiest unit that computes is taken, at the bound"),
    StaticTerm("isa.vector_bound", "1", "time for which the vector unit is taken where it is the busiest, else 0"),
    StaticTerm("isa.matrix_bound", "1", "the same of the matrix unit"),
    StaticTerm("isa.local_bound", "1", "the same of local memory"),
    StaticTerm("isa.access_bound", "1", "the same of the path to vector memory"),
    StaticTerm("isa.special_bound", "1", "the same of the unit for special functions"),
    StaticTerm("isa.integer_bound", "1", "the same of the integer unit"),
    StaticTerm("isa.scalar_bound", "1", "the same of the scalar unit"),
    StaticTerm("isa.issue_bound", "1", "the same of the issue slots"),
)  # fmt: skip
"""Every name that static analysis of GPU code adds to the vocabulary."""
