// AMD's built-ins on an x86-64 processor: the lanes of a work-group are coroutines that meet at every wave operation.
//
// A wave's lanes take turns; each runs to its next wave operation (matrix instruction, shuffle, wave barrier), leaves its
// operands and lets the next lane go on, so an operation sees the operands of all 64. At a barrier of the work-group the wave
// hands over to the next wave, in ascending or descending order, so that a missing barrier shows: the first wave reads what
// the others have not written yet, or overwrites what they have not read.
#define __global__
#define __shared__
#define __device__
#define amdgpu_flat_work_group_size(...)
#define amdgpu_waves_per_eu(...)
#define LOCAL
#define GLOBAL

typedef unsigned long long Word;
typedef unsigned Words2 __attribute__((ext_vector_type(2)));

extern "C" void *memcpy(void *, const void *, Word);

constexpr int LANE_COUNT = 64, MOST_WAVES = 8, STACK = 64 * 1024;
struct Wave {
    void *lane[LANE_COUNT];
    unsigned char slot[2][LANE_COUNT][32];
    int turn[LANE_COUNT];
};
static Wave waves[MOST_WAVES];
alignas(64) static char stacks[MOST_WAVES * LANE_COUNT][STACK];
static void *scheduler;
static int this_wave, this_lane, group_x, group_y, done;

// Copies past the registers land when the lane waits for them, or at once: a missing wait shows in one way, a place that is
// still being read in the other.
struct Copy { const void *from; void *to; int size; };
static struct { Copy copy[64]; int count; } pending[MOST_WAVES * LANE_COUNT];
static bool prompt;

extern "C" void hop(void **leave, void *enter);
asm(".globl hop\nhop:\n"
    "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
    "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
    "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");

static void next_lane()  // the next lane of the wave goes on
{
    const int left = this_lane;
    this_lane = (this_lane + 1) % LANE_COUNT;
    hop(&waves[this_wave].lane[left], waves[this_wave].lane[this_lane]);
}

static void next_wave()  // as next_lane, but after the last lane the scheduler chooses
{
    if (this_lane + 1 < LANE_COUNT) return next_lane();
    hop(&waves[this_wave].lane[this_lane], scheduler);
}

// Every lane leaves `size` bytes and gets those of all lanes of its wave.
static const unsigned char (*exchange(const void *mine, int size))[32]
{
    Wave &wave = waves[this_wave];
    const int lane = this_lane, buffer = wave.turn[lane]++ & 1;
    memcpy(wave.slot[buffer][lane], mine, size);
    next_lane();
    return wave.slot[buffer];
}

// --- built-ins ---------------------------------------------------------------------------------------------------------
static inline int __builtin_amdgcn_workitem_id_x() { return this_wave * LANE_COUNT + this_lane; }
static inline int __builtin_amdgcn_workgroup_id_x() { return group_x; }
static inline int __builtin_amdgcn_workgroup_id_y() { return group_y; }
static inline int __builtin_amdgcn_readfirstlane(int x) { return x; }
static inline void __builtin_amdgcn_s_barrier() { next_wave(); }
static inline void __builtin_amdgcn_wave_barrier() { int nothing = 0; exchange(&nothing, 4); }
static inline int hop_value(int x, int lane) { int found; memcpy(&found, exchange(&x, 4)[lane], 4); return found; }
static inline int __builtin_amdgcn_ds_bpermute(int byte, int x) { return hop_value(x, byte / 4 % LANE_COUNT); }
static inline int __builtin_amdgcn_ds_swizzle(int x, int code)
{
    const int at = this_lane % 32;
    return hop_value(x, this_lane - at + (((at & (code & 31)) | (code >> 5 & 31)) ^ (code >> 10 & 31)));
}
static inline int __builtin_amdgcn_update_dpp(int, int x, int control, int, int, bool)
{
    const int at = this_lane % 16;  // row_ror: 0x121 to 0x12f
    return hop_value(x, this_lane - at + (at - (control - 0x120) + 16) % 16);
}
static inline void __builtin_amdgcn_global_load_lds(const void *from, void *to, int size, int, int)
{
    const Copy copy{from, (char *)to + this_lane * size, size};
    auto &mine = pending[this_wave * LANE_COUNT + this_lane];
    if (prompt) memcpy(copy.to, copy.from, size);
    else mine.copy[mine.count++] = copy;
}
static inline void __builtin_amdgcn_s_waitcnt(int code)
{
    auto &mine = pending[this_wave * LANE_COUNT + this_lane];
    if ((code & 15) || code >> 14) return;  // not for all of them
    for (int i = 0; i < mine.count; ++i) memcpy(mine.copy[i].to, mine.copy[i].from, mine.copy[i].size);
    mine.count = 0;
}
typedef short Halves4 __attribute__((ext_vector_type(4)));
static inline Halves4 __builtin_amdgcn_ds_read_tr16_b64_v4i16(const Halves4 *from)
{
    const int first = this_lane / 16 * 16, i = this_lane % 16;
    const auto *all = exchange(from, 8);
    Halves4 found;
    for (int j = 0; j < 4; ++j) found[j] = ((const short *)all[first + 4 * j + i / 4])[i % 4];
    return found;
}
static inline Word __builtin_amdgcn_ballot_w64(bool mine)
{
    const auto *all = exchange(&mine, 1);
    Word found = 0;
    for (int lane = 0; lane < LANE_COUNT; ++lane) found |= (Word)(all[lane][0] & 1) << lane;
    return found;
}
static inline Words2 swapped(int a, int b, int width)
{
    const int both[2] = {a, b};
    const auto *all = exchange(both, 8);
    const bool odd = this_lane / width % 2;
    int first[2], other[2];
    memcpy(first, all[odd ? this_lane - width : this_lane], 8);
    memcpy(other, all[odd ? this_lane : this_lane + width], 8);
    return odd ? Words2{(unsigned)first[1], (unsigned)other[1]} : Words2{(unsigned)first[0], (unsigned)other[0]};
}
static inline Words2 __builtin_amdgcn_permlane16_swap(int a, int b, bool, bool) { return swapped(a, b, 16); }
static inline Words2 __builtin_amdgcn_permlane32_swap(int a, int b, bool, bool) { return swapped(a, b, 32); }
#define __builtin_amdgcn_fence(...) asm volatile("" ::: "memory")
#define __builtin_amdgcn_sched_group_barrier(...)
#define __builtin_amdgcn_sched_barrier(...)
#define __builtin_amdgcn_s_setprio(...)

static float power(float x)  // 2^x, right to float32
{
    if (x < -150.0f) return 0.0f;
    if (x != x || x > 128.0f) return x;
    const int whole = (int)x - (x < (int)x);
    const double y = ((double)x - whole) * 0.69314718055994530942;
    double term = 1.0, sum = 1.0;
    for (int i = 1; i < 18; ++i) sum += term *= y / i;
    const Word scale = (Word)(whole + 1023) << 52;
    return (float)(sum * __builtin_bit_cast(double, scale));
}
#define __builtin_amdgcn_exp2f power

// C[8 (i / 4) + 4 g + i % 4, n] += sum over k of A[., k] B[k, .]; lane (g, n) holds A[n, width g + j] and B[width g + j, n].
template <int SIDE_, int WIDTH_, typename Pack_, typename Sums_> static Sums_ matrix(Pack_ a, Pack_ b, Sums_ c)
{
    struct { _Float16 a[8], b[8]; } mine{};
    for (int j = 0; j < WIDTH_; ++j) mine.a[j] = a[j], mine.b[j] = b[j];
    const int lane = this_lane;
    const auto *all = exchange(&mine, 32);
    for (int i = 0; i < SIDE_ * SIDE_ / LANE_COUNT; ++i) {
        const int r = 8 * (i / 4) + 4 * (lane / SIDE_) + i % 4;
        float sum = c[i];
        for (int g = 0; g < LANE_COUNT / SIDE_; ++g) {
            const _Float16 *left = (const _Float16 *)all[g * SIDE_ + r];
            const _Float16 *right = (const _Float16 *)all[g * SIDE_ + lane % SIDE_] + 8;
            for (int j = 0; j < WIDTH_; ++j) sum += (float)left[j] * (float)right[j];
        }
        c[i] = sum;
    }
    return c;
}
#define __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, ...) matrix<16, 4>(a, b, c)
#define __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, ...) matrix<32, 4>(a, b, c)
#define __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, ...) matrix<16, 8>(a, b, c)
#define __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, ...) matrix<32, 8>(a, b, c)
