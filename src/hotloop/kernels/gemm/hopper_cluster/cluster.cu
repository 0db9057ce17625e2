// Products for Hopper with few rows and many weights: C[m, n] = act(A[m, k] . B + bias), sums in float32; B lies by columns, as [n, k],
// or by rows, as [k, n].
//
// A tile has COLS columns of C and ROWS rows, about as many as there are: columns are the rows of the matrix instruction (wgmma, 64 of
// them), rows its columns, of which there may be any multiple of 8. A cluster of SPLITS * SHARES blocks multiplies SHARES neighbouring
// tiles with the same rows of A: each of SPLITS blocks takes a slice of k of a tile. Blocks with the same slice read a share of
// the rows each, which the copy engine writes into the shared memory of all of them (multicast). At the end the blocks of a tile
// read one another's sums through the cluster's memory; each adds and writes a part of the tile, always in the order of slices.
//
// Macros: ROWS, COLS = 64 * GROUPS * BLOCKS, GROUPS (of 4 warps that multiply), BLOCKS (instructions of a group side by side), SPLITS, SHARES,
// STAGES, BIAS, ACT (0 none, 1 ReLU, 2 GELU by erf, 3 SiLU), CHAIN (0 none, 1 the next kernel may begin at once, 3 after the last
// load), HALF (1: float16, 0: bfloat16), BY_ROWS (how B lies), and MULTIPLY, the instruction for ROWS columns.

typedef unsigned int u32;
typedef unsigned long long u64;
struct __align__(64) Map { u64 opaque[16]; };  // CUtensorMap

#define STEP 64
#define STEP_BYTES 128
#define CLUSTER (SPLITS * SHARES)
#define THREADS (128 * GROUPS)
#define SUMS (ROWS / 2)
#define QUADS (BLOCKS * SUMS / 4)
#define SHARE (ROWS / SHARES)
#define WEIGHT_BYTES (COLS * STEP_BYTES)
#define ROW_BYTES (ROWS * STEP_BYTES)
#define BLOCK_BYTES (64 * STEP_BYTES)
#if BY_ROWS
#define PART_BYTES (16 * STEP_BYTES)
#else
#define PART_BYTES 32
#endif
#define STAGE_BYTES (WEIGHT_BYTES + ROW_BYTES)
#if GROUPS == 1
#define FEWER 40
#define MORE 216
#elif GROUPS == 2
#define FEWER 40
#define MORE 232
#else
#define FEWER 32
#define MORE 152
#endif
#define TEXT_OF(x) #x
#define REGISTERS_(what, count) asm volatile("setmaxnreg." what ".sync.aligned.u32 " TEXT_OF(count) ";")
#define REGISTERS(what, count) REGISTERS_(what, count)

__device__ __forceinline__ u32 shared_address(const void *at) { return (u32)__cvta_generic_to_shared(at); }

__device__ __forceinline__ void init(u32 barrier, u32 count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}

__device__ __forceinline__ void wait(u32 barrier, u32 parity) {
    asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}"
                 ::"r"(barrier), "r"(parity) : "memory");
}

__device__ __forceinline__ void expect(u32 barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void arrive_at(u32 barrier, u32 block) {
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\nmbarrier.arrive.shared::cluster.b64 _, [there];\n}"
                 ::"r"(barrier), "r"(block) : "memory");
}

__device__ __forceinline__ void load_tile(u32 target, const Map *map, int x, int y, u32 barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(target), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}

__device__ __forceinline__ void load_for_all(u32 target, const Map *map, int x, int y, u32 barrier, int first) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 ::"r"(target), "l"(map), "r"(x), "r"(y), "r"(barrier), "h"((unsigned short)(((1 << SHARES) - 1) << first)) : "memory");
}

// A block of rows of 128 swizzled bytes, as wgmma describes it: PTX ISA, matrix descriptor format. Eight rows follow eight others after
// 1024 bytes, along k where B lies by rows, and else along the instruction's rows or columns.
__device__ __forceinline__ u64 described(u32 address) {
    return (u64)((address & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}

__device__ __forceinline__ void multiply(float *d, u64 weights, u64 rows, int adds) { MULTIPLY }

__device__ __forceinline__ float activate(float x) {
#if ACT == 1
    return x > 0.0f || x != x ? x : 0.0f;
#elif ACT == 2
    // relu(x) - |x| Phi(-|x|), as `activate` of hotloop.kernels.gemm.hopper.kernel, which says how exact it is
    float a = fminf(fabsf(x), 8.0f), power;
    float tail = ((((-2.33251296e-4f * a + 4.86977304e-3f) * a - 4.45990059e-2f) * a - 4.69681110e-1f) * a - 1.14626078f) * a;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(tail - 1.0003591f));
    return (x > 0.0f || x != x ? x : 0.0f) - a * power;
#elif ACT == 3
    return x / (1.0f + __expf(-x));
#else
    return x;
#endif
}

__device__ __forceinline__ u32 packed(float low, float high) {
    u32 pair;
#if HALF
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
#else
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
#endif
    return pair;
}

__device__ __forceinline__ u32 turned(u32 pair) {
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(pair));
    return pair;
}

__device__ __forceinline__ float widened(unsigned short bits) {
    float x;
#if HALF
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
#else
    x = __uint_as_float((u32)bits << 16);
#endif
    return x;
}

__device__ __forceinline__ void meet_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ float4 quad_of(u32 address, int block) {
    float4 quad;
    asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %4, %5;\nld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [there];\n}"
                 : "=f"(quad.x), "=f"(quad.y), "=f"(quad.z), "=f"(quad.w) : "r"(address), "r"(block) : "memory");
    return quad;
}

// Where a block works: the first row and column of its tile, and its steps of k.
struct Place { int row, column, begin, end, split, share; };

__device__ __forceinline__ Place placed(int m, int n, int k, int rank) {
    Place place;
    int down = (m + ROWS - 1) / ROWS, tile = blockIdx.x / CLUSTER, steps = (k + STEP - 1) / STEP;
    place.split = rank / SHARES, place.share = rank % SHARES;
    place.row = tile % down * ROWS, place.column = (tile / down * SHARES + place.share) * COLS;
    place.begin = steps * place.split / SPLITS, place.end = steps * (place.split + 1) / SPLITS;
    return place;
}

__device__ __forceinline__ void produce(const Map *a, const Map *b, u32 ring, u32 full, u32 empty, Place place) {
    int slot = 0, phase = 1;
    for (int step = place.begin; step < place.end; step++) {
        u32 stage = ring + slot * STAGE_BYTES, landed = full + slot * 8;
        wait(empty + slot * 8, phase);
        expect(landed, STAGE_BYTES);
#if BY_ROWS
#pragma unroll
        for (int block = 0; block < COLS / 64; block++)
            load_tile(stage + block * BLOCK_BYTES, b, place.column + block * 64, step * STEP, landed);
#else
        load_tile(stage, b, step * STEP, place.column, landed);
#endif
        u32 target = stage + WEIGHT_BYTES + place.share * SHARE * STEP_BYTES;
        int row = place.row + place.share * SHARE;
        if (SHARES == 1) load_tile(target, a, step * STEP, row, landed);
        else load_for_all(target, a, step * STEP, row, landed, place.split * SHARES);
        if (++slot == STAGES) { slot = 0; phase ^= 1; }
    }
}

// Hand a stage back to all who write into it; one lane for each of them.
__device__ __forceinline__ void hand_back(u32 barrier, Place place) {
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    if (SHARES == 1) {
        if (threadIdx.x % 128 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
    } else if (lane == 0 && warp < SHARES) {
        arrive_at(barrier, place.split * SHARES + warp);
    }
}

__device__ __forceinline__ void multiply_steps(float (*sums)[SUMS], u32 ring, u32 full, u32 empty, Place place) {
    int group = threadIdx.x / 128, slot = 0, phase = 0, before = 0;
    for (int step = place.begin; step < place.end; step++) {
        wait(full + slot * 8, phase);
        u64 weights = described(ring + slot * STAGE_BYTES + group * BLOCKS * BLOCK_BYTES);
        u64 rows = described(ring + slot * STAGE_BYTES + WEIGHT_BYTES);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int part = 0; part < STEP / 16; part++)
#pragma unroll
            for (int b = 0; b < BLOCKS; b++)
                multiply(sums[b], weights + (b * BLOCK_BYTES + part * PART_BYTES) / 16, rows + part * 2, step > place.begin || part > 0);
        asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 1;" ::: "memory");
        if (step > place.begin) hand_back(empty + before * 8, place);
        before = slot;
        if (++slot == STAGES) { slot = 0; phase ^= 1; }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (int b = 0; b < BLOCKS; b++)
#pragma unroll
        for (int r = 0; r < SUMS; r++) asm volatile("" : "+f"(sums[b][r])::"memory");
    if (SHARES > 1 && place.end > place.begin) hand_back(empty + before * 8, place);  // others may still wait to write into it
}

// Bias, activation and 8 rows of 16 columns of C: sums are turned, so that neighbouring lanes write neighbouring columns.
__device__ __forceinline__ void write_rows(float4 quad, float low, float high, unsigned short *c, int row, int column, int m, int n) {
    int lane = threadIdx.x % 32;
    u32 first = turned(packed(activate(quad.x + low), activate(quad.y + low)));
    u32 second = turned(packed(activate(quad.z + high), activate(quad.w + high)));
    int at = row + lane / 4, to = column + lane % 4 * 2;
    if (at < m) {
        unsigned short *target = c + (long long)at * n + to;
        if (to < n) *(u32 *)target = first;
        if (to + 8 < n) *(u32 *)(target + 8) = second;
    }
}

__device__ __forceinline__ float bias_at(const unsigned short *bias, int column, int n) {
    return BIAS && column < n ? widened(bias[column]) : 0.0f;
}

__device__ __forceinline__ int column_of(Place place, int block) {
    return place.column + (threadIdx.x / 128 * BLOCKS + block) * 64 + threadIdx.x / 32 % 4 * 16;
}

__device__ __forceinline__ void finish(float (*sums)[SUMS], unsigned short *c, const unsigned short *bias, Place place, int m, int n) {
#pragma unroll
    for (int b = 0; b < BLOCKS; b++) {
        int column = column_of(place, b), lane = threadIdx.x % 32;
        float low = bias_at(bias, column + lane / 4, n), high = bias_at(bias, column + 8 + lane / 4, n);
#pragma unroll
        for (int r = 0; r < SUMS; r += 4)
            write_rows(make_float4(sums[b][r], sums[b][r + 1], sums[b][r + 2], sums[b][r + 3]), low, high, c, place.row + r * 2, column, m, n);
    }
}

__device__ __forceinline__ void show(float (*sums)[SUMS], u32 ring) {
    asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");  // nobody multiplies what is overwritten now
#pragma unroll
    for (int b = 0; b < BLOCKS; b++)
#pragma unroll
        for (int r = 0; r < SUMS; r += 4)
            asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(ring + ((b * SUMS + r) / 4 * THREADS + threadIdx.x) * 16),
                         "f"(sums[b][r]), "f"(sums[b][r + 1]), "f"(sums[b][r + 2]), "f"(sums[b][r + 3]) : "memory");
}

// Add what all blocks of the tile have of this block's part, and write it.
__device__ __forceinline__ void finish_part(u32 ring, unsigned short *c, const unsigned short *bias, Place place, int m, int n) {
    int lane = threadIdx.x % 32;
#pragma unroll 4
    for (int quad = QUADS * place.split / SPLITS; quad < QUADS * (place.split + 1) / SPLITS; quad++) {
        float4 parts[SPLITS];
#pragma unroll
        for (int other = 0; other < SPLITS; other++)
            parts[other] = quad_of(ring + (quad * THREADS + threadIdx.x) * 16, other * SHARES + place.share);
        float4 total = parts[0];
#pragma unroll
        for (int other = 1; other < SPLITS; other++)
            total.x += parts[other].x, total.y += parts[other].y, total.z += parts[other].z, total.w += parts[other].w;
        int block = quad / (SUMS / 4), column = column_of(place, block);
        float low = bias_at(bias, column + lane / 4, n), high = bias_at(bias, column + 8 + lane / 4, n);
        write_rows(total, low, high, c, place.row + quad % (SUMS / 4) * 8, column, m, n);
    }
}

extern "C" __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS + 128, 1)
cluster(const __grid_constant__ Map a, const __grid_constant__ Map b, unsigned short *c, const unsigned short *bias, int m, int n, int k) {
    extern __shared__ __align__(1024) unsigned char memory[];
    __shared__ __align__(8) u64 full_barriers[STAGES], empty_barriers[STAGES];
    u32 ring = (shared_address(memory) + 1023) & ~1023u, full = shared_address(full_barriers), empty = shared_address(empty_barriers);
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) init(full + i * 8, 1), init(empty + i * 8, GROUPS * SHARES);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("prefetch.tensormap [%0];\nprefetch.tensormap [%1];" ::"l"(&a), "l"(&b) : "memory");
    }
    if (SHARES > 1) meet_cluster();
    else __syncthreads();
#if CHAIN
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
#if CHAIN == 1
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
    Place place = placed(m, n, k, blockIdx.x % CLUSTER);
    if (threadIdx.x >= THREADS) {
        REGISTERS("dec", FEWER);
        if (threadIdx.x == THREADS) {
            produce(&a, &b, ring, full, empty, place);
#if CHAIN == 3
            asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
        }
        __syncwarp();
        if (SPLITS > 1) meet_cluster();
    } else {
        REGISTERS("inc", MORE);
        float sums[BLOCKS][SUMS];
        multiply_steps(sums, ring, full, empty, place);
        if (SPLITS == 1) {
            finish(sums, c, bias, place, m, n);
        } else {
            show(sums, ring);
            meet_cluster();
            finish_part(ring, c, bias, place, m, n);
        }
    }
    if (CLUSTER > 1) meet_cluster();  // others may still read this block's memory, write into it or arrive at its barriers
}
