"""The names of the vocabulary: name, unit and meaning, a row each.

``isa.*`` are facts of one kernel's machine code, resources and occupancy, which `hotloop.isa.summary.facts` gives.
"""

from __future__ import annotations

TABLE = """
time.call_ns | ns | median wall time of one call, launches included
time.device_ns | ns | median device time of one call, sum over launches
time.launch_ns | ns | wall time of an empty launch on this device
time.launch_share | 1 | launches × time.launch_ns over time.call_ns
time.helper_share | 1 | device time of helper phases (packing, clearing) over all phases
time.cpu_share | 1 | process CPU time over wall time × compute units; low on a disturbed machine or with idle cores

roof.floor_ns | ns | roofline floor of the problem from measured ceilings
roof.fraction | 1 | roof.floor_ns over time.call_ns: 1 is the limit
roof.flops_per_s | flop/s | useful flops over time.call_ns
roof.flops_share | 1 | roof.flops_per_s over the measured FMA ceiling
roof.bytes_share | 1 | compulsory bytes per second over the measured copy bandwidth
roof.memory_bound | 1 | 1 when the memory term decides the floor, else 0

work.flops | flop | useful flops of the problem
work.bytes | B | compulsory bytes of the problem

launch.count | 1 | launches per call
launch.work_items | 1 | work-items of the main launch
launch.groups | 1 | work-groups of the main launch
launch.group_size | 1 | work-items per work-group of the main launch
launch.groups_per_unit | 1 | work-groups per compute unit
launch.tail_waste | 1 | share of compute-unit time idle in the last wave of groups if all take equally long

device.vector_bits | bit | widest vector register of the target
device.vector_registers | 1 | architectural vector registers of the target
device.local_dedicated | 1 | 1 when local memory is its own fast memory, else 0
device.l1_bytes | B | first-level data cache of one core
device.l2_bytes | B | second-level cache of one core
device.compute_units | 1 | compute units

static.hot_instructions | 1 | instructions in the hot loop of the main kernel
static.fma_share | 1 | fused or plain multiply/add vector instructions over all instructions of the hot loop
static.fma_bits | bit | mean register width of the multiply/add instructions of the hot loop (scalar counts its own size)
static.vector_bits | bit | widest register used by arithmetic of the hot loop
static.work_bits | bit | operand bits of floating-point arithmetic (fused operations double) over all instructions of the hot loop
static.moved_bits | bit | bits that vector instructions load and store, the stack left out, over all instructions of the hot loop
static.spills | 1 | stack loads and stores of vector registers in the hot loop
static.scalar_load_share | 1 | scalar (one-element, not broadcast) floating-point loads over all loads of the hot loop
static.broadcasts | 1 | broadcast loads in the hot loop
static.memory_updates | 1 | places in memory that the hot loop writes again in every iteration
static.gathers | 1 | gather instructions or insert sequences that stand for one in the hot loop
static.loads_per_fma | 1 | load instructions or memory operands over multiply/add instructions of the hot loop
static.sum_cycles | cycle | cycles that the longest chain of sums in one register takes, over multiply/add instructions of the hot loop
static.calls | 1 | calls in the main kernel (math library, barriers of some runtimes)
static.code_bytes | B | size of the main kernel's machine code
static.matrix_per_iteration | 1 | matrix instructions in one iteration of the hot loop, as unrolled
static.matrix_macs | 1 | multiply-adds of one matrix instruction, whole wave, mean over the hot loop
static.instructions_per_matrix | 1 | instructions of the hot loop over its matrix instructions
static.valu_per_matrix | 1 | vector instructions of the hot loop over its matrix instructions
static.lds_reads_per_matrix | 1 | local memory reads of the hot loop over its matrix instructions
static.lds_writes_per_matrix | 1 | local memory writes of the hot loop over its matrix instructions
static.global_loads_per_matrix | 1 | global loads and copies of the hot loop over its matrix instructions
static.matrix_share | 1 | matrix instructions over all instructions of the hot loop
static.conversion_share | 1 | conversions over all instructions of the hot loop
static.integer_share | 1 | integer and address arithmetic over all instructions of the hot loop
static.move_share | 1 | register moves over all instructions of the hot loop
static.shuffle_share | 1 | exchanges between lanes over all instructions of the hot loop
static.scalar_share | 1 | scalar instructions over all instructions of the hot loop
static.wait_share | 1 | wait instructions over all instructions of the hot loop
static.control_share | 1 | branches and other control over all instructions of the hot loop
static.transcendental_share | 1 | special functions over all instructions of the hot loop
static.lds_read_bits | bit | mean width of the hot loop's local memory reads, per lane
static.lds_write_bits | bit | mean width of the hot loop's local memory writes, per lane
static.global_load_bits | bit | mean width of the hot loop's global loads, per lane
static.global_store_bits | bit | mean width of the hot loop's global stores, per lane
static.direct_to_lds | 1 | copies from global to local memory in the hot loop that pass no register
static.atomics | 1 | atomic operations in the hot loop
static.barriers_per_iteration | 1 | barriers in one iteration of the hot loop, as unrolled
static.trip_count | 1 | iterations of the hot loop where constants in the code tell
static.global_load_cover | 1 | matrix instructions between a global load of the hot loop and the wait for it, over those of the loop: 0 is exposed
static.local_drains_per_matrix | 1 | waits of the hot loop for all outstanding local memory reads over its matrix instructions

config.accumulators | 1 | independent accumulators of one work-item, in elements
config.accumulator_registers | 1 | vector registers that the accumulators need on this target
config.local_bytes | B | local memory that one work-group declares
config.barriers | 1 | barriers that one work-item executes per call of the main kernel
config.vector_elements | 1 | elements per explicit vector access in the source
config.contiguous_bytes | B | bytes that neighbouring accesses of one work-item's inner loop touch in a row
config.stride_bytes | B | distance between successive inner-loop accesses to the worst operand
config.working_set_bytes | B | bytes that one work-item's inner loop reuses
config.reuse | flop/B | flops per byte loaded in the inner loop of one work-item
config.packed | 1 | 1 when operands are copied into contiguous panels first, else 0

cpu.instructions_per_cycle | 1 | instructions over clocks of all cores that ran the process; a core can do 4 to 6
cpu.branch_miss_rate | 1 | branches that were predicted wrongly, each some 15 clocks lost
cpu.branch_lost_share | 1 | clocks lost to branches predicted wrongly, at 15 each, over all
cpu.busy_cores | 1 | cores that the process used in the mean from its start to its end
cpu.cache_miss_rate | 1 | accesses to the last-level cache that went to memory (events as perf maps them on the processor)
cpu.l1_miss_rate | 1 | loads that left the first-level cache
cpu.cache_misses_per_instruction | 1 | accesses to memory per instruction; from about 0.01 on memory is worth a look
cpu.memory_bytes_per_s | B/s | bytes that the memory controllers moved while the process ran, over its time
cpu.retiring_share | 1 | issue slots of the cores that did useful work
cpu.speculation_share | 1 | issue slots lost to work that was thrown away: branches predicted wrongly
cpu.frontend_share | 1 | issue slots that stayed empty for lack of instructions
cpu.backend_share | 1 | issue slots that stayed empty because data or units were not ready
cpu.memory_share | 1 | part of cpu.backend_share that waits for memory

gpu.duration_ns | ns | device time of one launch under the profiler: no benchmark result
gpu.elapsed_cycles | cycle | clocks that one launch took; a counting window longer than the launch is left out
gpu.running_share | 1 | share of gpu.elapsed_cycles in which shader engines held waves; the rest is start and end
gpu.clock_hz | hz | mean clock during the launch
gpu.kernel_share | 1 | this kernel's share of the device time in the profile
gpu.rival_share | 1 | largest share of the profile's device time that another kernel has
gpu.cold_ns | ns | time of the first launch, where it is so much longer that it is set apart
gpu.cold_share | 1 | what the first launch took beyond a later one, over the time of all launches
gpu.waves | wave | waves (warps) launched
gpu.groups | group | work-groups (blocks) launched
gpu.reached_share | 1 | largest share of the compute units that can have had a work-group
gpu.rounds | 1 | work-groups over those that the device holds at once; below 1 units stay empty
gpu.counted_waves_share | 1 | waves that the counters saw over waves launched; below 1 only some engines were counted
gpu.busy_share | 1 | mean share of the launch during which a compute unit held work
gpu.busiest_share | 1 | share of the launch during which the busiest compute unit held work
gpu.imbalance | 1 | idle time of the mean compute unit until the busiest one is done, over the latter's time
gpu.ramp_share | 1 | share of the launch during which not even the busiest unit held work: start and end
gpu.occupancy_waves | wave | mean resident waves per SIMD (scheduler) over gpu.elapsed_cycles
gpu.resident_waves | wave | mean resident waves of a SIMD while it holds any
gpu.occupancy | 1 | mean resident waves over the hardware's most, while units are busy
gpu.occupancy_limit | 1 | most waves that registers, local memory and group size allow, over the hardware's most
gpu.limit_registers | group | work-groups per unit that the registers allow
gpu.limit_local | group | work-groups per unit that local (shared) memory allows
gpu.limit_waves | group | work-groups per unit that the wave slots allow
gpu.vgprs | 1 | vector registers of a work-item
gpu.local_bytes | B | local (shared) memory of a work-group
gpu.scratch_bytes | B | private memory of a work-item that lies in device memory
gpu.insts_per_wave | inst/wave | instructions per wave
gpu.valu_per_wave | inst/wave | vector instructions per wave
gpu.salu_per_wave | inst/wave | scalar instructions per wave
gpu.smem_per_wave | inst/wave | scalar memory reads per wave
gpu.lds_per_wave | inst/wave | local memory instructions per wave
gpu.vmem_per_wave | inst/wave | vector memory instructions per wave
gpu.matrix_per_wave | inst/wave | matrix instructions per wave
gpu.fma_share | 1 | fused multiply-adds over vector instructions (NVIDIA: over all instructions)
gpu.int_share | 1 | integer vector instructions over vector instructions
gpu.convert_share | 1 | conversion instructions over vector instructions
gpu.bit_ops_ratio | op/inst | integer and bit operations per vector instruction: operations, not instructions
gpu.lanes | item | work-items that an executed vector instruction served, of a wave
gpu.lane_share | 1 | gpu.lanes over the wave's size
gpu.path_utilization | 1 | share of peak of the busiest part of the path to memory, device memory and caches, whichever it is
gpu.unit_utilization | 1 | share of peak of the busiest unit of the compute units, whichever it is
gpu.issue_utilization | 1 | issue slots used while units were busy
gpu.valu_utilization | 1 | share of the launch during which the busiest vector pipe of a SIMD worked
gpu.fma_utilization | 1 | share of the launch during which the multiply-add pipe worked
gpu.int_utilization | 1 | share of the launch during which the integer and logic pipe worked
gpu.special_utilization | 1 | busy share of the pipe for special functions and conversions, while units were busy
gpu.double_utilization | 1 | share of the launch during which the double precision pipe worked
gpu.load_utilization | 1 | busy share of the unit for loads and stores, while units were busy
gpu.constant_utilization | 1 | busy share of the unit for indexed constants and divergent addresses, while units were busy
gpu.matrix_utilization | 1 | share of the launch during which the matrix units worked
gpu.matrix_rate_share | 1 | matrix operations per second over the peak rates of their types
gpu.wave_cycle_identity | 1 | waiting, issue-waiting and active wave-cycles over all wave-cycles: 1, or the passes do not fit together
gpu.wait_share | 1 | share of resident wave-cycles spent in dependency waits
gpu.issue_wait_share | 1 | share of resident wave-cycles spent waiting to issue
gpu.active_share | 1 | share of resident wave-cycles spent working on an instruction
gpu.global_wait_share | 1 | share of waves' time waiting for global memory (AMD: upper bound, all dependency waits without the LDS queue)
gpu.lds_wait_share | 1 | share of waves' time waiting for local memory, its queue included (AMD: its queue only)
gpu.lds_wait_ratio | 1 | waves' time waiting for local memory over their time in vector work (NVIDIA: in any instruction)
gpu.lds_queue_share | 1 | share of waves' time waiting for a place in the queue of local memory
gpu.barrier_wait_share | 1 | share of waves' time waiting at barriers
gpu.fetch_wait_share | 1 | share of waves' time waiting for instructions
gpu.constant_wait_share | 1 | share of waves' time waiting for constants
gpu.fixed_wait_share | 1 | share of waves' time in fixed latencies of dependent instructions
gpu.math_wait_share | 1 | share of waves' time waiting for a busy arithmetic pipe
gpu.matrix_wait_share | 1 | share of waves' time waiting for matrix instructions of a warp group
gpu.ready_share | 1 | share of waves' time ready, while the scheduler took another wave
gpu.issued_share | 1 | share of waves' time issuing
gpu.stall_identity | 1 | all reasons of waiting added up over the time between two instructions of a wave: 1, or one is missing
gpu.lds_active_share | 1 | share of the launch during which local memory worked
gpu.lds_conflict_share | 1 | share of the launch during which local memory was stalled by bank conflicts: upper bound of the damage
gpu.lds_conflicts_per_access | 1 | cycles (wavefronts) lost to conflicts over those that the accesses need
gpu.lds_bytes_moved | B | bytes that local memory could move in its conflict-free active cycles
gpu.lds_latency_cycles | cycle | mean time of a local memory instruction
gpu.vmem_latency_cycles | cycle | mean time of a vector memory instruction
gpu.smem_latency_cycles | cycle | mean time of a scalar memory read
gpu.fetch_latency_cycles | cycle | mean time of an instruction fetch
gpu.l2_latency_cycles | cycle | mean time of a read that L1 sends to L2
gpu.memory_stall_share | 1 | share of the launch in which the unit that addresses memory could take nothing
gpu.icache_miss_rate | 1 | instruction cache requests that miss
gpu.l1_hit_rate | 1 | first-level cache hits
gpu.middle_hit_rate | 1 | hits of the cache between the first level and the second (RDNA: of a shader array)
gpu.l2_hit_rate | 1 | second-level cache hits
gpu.l1_utilization | 1 | share of the first-level cache's peak
gpu.l1_local_utilization | 1 | share of the first-level cache's peak that local memory takes, where both have one data path (NVIDIA)
gpu.l1_bytes | B | bytes that the first-level cache moved to or from waves (AMD: upper bound, whole lines)
gpu.l2_bytes | B | bytes between first-level and second-level cache
gpu.l2_read_bytes | B | bytes that first-level caches asked the second-level cache for
gpu.l2_bytes_per_s | B/s | gpu.l2_bytes over gpu.duration_ns
gpu.l2_utilization | 1 | share of the second-level cache's peak
gpu.hbm_read_bytes | B | bytes read from device memory
gpu.hbm_write_bytes | B | bytes written to device memory
gpu.hbm_bytes | B | bytes read from and written to device memory
gpu.hbm_bytes_per_s | B/s | gpu.hbm_bytes over gpu.duration_ns
gpu.hbm_utilization | 1 | share of device memory's peak
gpu.lines_per_vmem | req/inst | cache lookups of one vector memory instruction
gpu.load_sectors | sector/req | sectors of 32 B that one global load of a wave touches
gpu.sector_use | 1 | bytes that global loads ask for over bytes of the sectors that they touch
gpu.wasted_sectors | 1 | sectors beyond what ideal access would need over all sectors of global accesses
gpu.spill_share | 1 | memory requests for spilled registers over all memory requests of waves
gpu.matrix_flops | flop | floating-point operations of matrix instructions
gpu.vector_flops | flop | floating-point operations of vector instructions
gpu.flops | flop | gpu.matrix_flops + gpu.vector_flops: executed, with padding and masked work
gpu.matrix_flops_per_s | flop/s | gpu.matrix_flops over gpu.duration_ns
gpu.vector_flops_per_s | flop/s | gpu.vector_flops over gpu.duration_ns
gpu.legacy_matrix_share | 1 | matrix operations through the older instruction (mma) over all, where a newer one (wgmma) exists
gpu.flops_per_hbm_byte | flop/B | gpu.flops over gpu.hbm_bytes
gpu.flops_per_l2_byte | flop/B | gpu.flops over gpu.l2_bytes

isa.registers | 1 | vector registers of a work-item, accumulation registers included
isa.local_bytes | B | local (shared) memory of a group that the code itself declares
isa.vgpr_spills | 1 | vector registers that the compiler keeps in memory for lack of room
isa.scratch_bytes | B | private memory of a work-item that is no register
isa.scratch_accesses | 1 | accesses to private memory in one iteration of the hot loop
isa.occupancy_waves | wave | resident waves per SIMD (scheduler) that the resources allow
isa.occupancy_open | 1 | 1 where the launch adds local memory that the code does not state: the waves are the most
isa.occupancy_groups | 1 | work-groups (blocks) resident on a compute unit (multiprocessor)
isa.cliff_waves | wave | resident waves per SIMD (scheduler) above the nearest cliff
isa.cliff_distance | 1 | what the nearest cliff asks for, as a share of the resource in use
isa.iteration_cycles | cycle | estimated time of one iteration of the hot loop for one wave alone
isa.stall_share | 1 | share of isa.iteration_cycles that this wave stands at waits for memory
isa.global_stall_share | 1 | share of isa.iteration_cycles at waits for global memory
isa.lds_stall_share | 1 | share of isa.iteration_cycles at waits for local memory
isa.global_loads | 1 | global loads and copies in one iteration of the hot loop
isa.serial_loads | 1 | global loads of the hot loop that are each waited for before the next is issued
isa.ring_stages | 1 | stages in shared memory that copies fill and the hot loop waits for through mbarriers
isa.ring_apart | 1 | 1 where other warps than the hot loop's issue these copies, 0 where it does itself
isa.ring_cover | 1 | one warp's work on the stages in flight over the time until a stage is full again, nominally
isa.narrow_global_share | 1 | global loads of the hot loop of 32 bits or less per lane, over all
isa.narrow_lds_share | 1 | local memory reads of the hot loop of 32 bits or less per lane, over all
isa.global_share | 1 | global loads over the instructions of the hot loop
isa.lds_share | 1 | local memory instructions over the instructions of the hot loop
isa.lane_spills | 1 | moves of spilled scalars to and from lanes of a vector register in the hot loop
isa.wait_states_share | 1 | cycles of the hot loop's s_nop or NOP, over isa.iteration_cycles or its instructions
isa.accumulator_copies | 1 | moves between vector and accumulation registers in the hot loop
isa.accumulator_copy_share | 1 | isa.accumulator_copies over the instructions of the hot loop
isa.multiply_bits | bit | bits of the numbers that most multiply-adds of the hot loop multiply
isa.matrix_rate_ratio | 1 | rate of the target's matrix unit over its vector unit for the type that the hot loop multiplies; absent where the target has no matrix unit for it
isa.matrix_path_rate | 1 | rate of the hot loop's matrix instructions over the target's best for the same types
isa.instructions_per_barrier | 1 | instructions of the hot loop over its barriers
isa.bank_conflict_ratio | 1 | cycles of the local memory accesses over those without conflicts, where known
isa.thread_copy_share | 1 | copies that threads issue (LDGSTS) over the instructions of a loop of warp-group matrix instructions
isa.moved_bytes | B | bytes that one wave moves to and from global memory in one iteration of the hot loop
isa.gathered_bytes | B | those of isa.moved_bytes that lanes look up one by one, at places that they have loaded
isa.strided_accesses | 1 | global loads and stores of the hot loop whose lanes lie apart by a multiple that the launch gives
isa.indexed_loads | 1 | global loads of the hot loop whose place depends on what each lane has loaded, parts of rows among them
isa.narrow_lookups | 1 | global loads of the hot loop of 32 bits or less per lane whose place each lane looks up
isa.atomic_bytes | B | those of isa.moved_bytes that atomic operations update, but for places that lanes look up
isa.memory_cycles | cycle | time of the rest of isa.moved_bytes at a SIMD's share of the device memory's bandwidth
isa.contraction_share | 1 | multiply-adds of two loaded values on a carried sum, over all of the hot loop
isa.register_reuse | 1 | those multiply-adds for each register that the hot loop loads
isa.latency_cycles | cycle | isa.iteration_cycles over the resident waves of a SIMD: what perfect hiding leaves
isa.unit_cycles | cycle | what one wave's iteration takes of the unit that it takes most
isa.vector_cycles | cycle | the same of the busiest unit that computes
isa.next_unit_cycles | cycle | the same of the unit that it takes next most
isa.latency_share | 1 | time in which, with all resident waves, no unit and not the memory is the bound
isa.issue_share | 1 | time for which the busiest unit that computes is taken, at the bound
isa.vector_bound | 1 | time for which the vector unit is taken where it is the busiest, else 0
isa.matrix_bound | 1 | the same of the matrix unit
isa.local_bound | 1 | the same of local memory
isa.access_bound | 1 | the same of the path to vector memory
isa.special_bound | 1 | the same of the unit for special functions
isa.integer_bound | 1 | the same of the integer unit
isa.scalar_bound | 1 | the same of the scalar unit
isa.issue_bound | 1 | the same of the issue slots
"""
