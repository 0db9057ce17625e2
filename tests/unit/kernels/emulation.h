// Runs CUDA and HIP kernels of this project on the host, one block after another, every thread a coroutine.
//
// It is made to fail where hardware might: threads go on in random order between barriers; shared memory starts as NaN
// and ends at a page without access; an asynchronous copy destroys its target when it is issued and brings the data as
// late as the kernel's waiting allows. Matrix instructions use tables that the test writes from hotloop.isa.matrix.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define __global__
#define __device__
#define __shared__ static
#define __forceinline__ inline
#define __launch_bounds__(...)

struct Index {
    unsigned x = 0, y = 0, z = 0;
};
static Index threadIdx, blockIdx;
static unsigned char* emulated_shared = nullptr;

namespace emulation {
constexpr int WARP = HOTLOOP_EMULATED;
constexpr size_t STACK = 256 * 1024;

// What std::vector would be for: compiling that one takes nine tenths of the time of a test.
template <class T>
struct List {
    T* items = nullptr;
    size_t used = 0, room = 0;
    List() {}
    List(const List& other) { *this = other; }
    List(const T* first, const T* last) {
        for (; first != last; ++first) push_back(*first);
    }
    ~List() { delete[] items; }
    List& operator=(const List& other) {
        if (this == &other) return *this;
        resize(0);
        for (const T& item : other) push_back(item);
        return *this;
    }
    T* begin() { return items; }
    T* end() { return items + used; }
    const T* begin() const { return items; }
    const T* end() const { return items + used; }
    size_t size() const { return used; }
    bool empty() const { return used == 0; }
    T& operator[](size_t place) { return items[place]; }
    T& front() { return items[0]; }
    T& back() { return items[used - 1]; }
    void reserve(size_t wanted) {
        if (wanted <= room) return;
        T* more = new T[room = wanted]();
        for (size_t i = 0; i < used; ++i) more[i] = items[i];
        delete[] items;
        items = more;
    }
    void push_back(const T& item) {
        if (used == room) reserve(2 * room + 1);
        items[used++] = item;
    }
    void resize(size_t wanted) {
        reserve(wanted);
        while (used > wanted) items[--used] = T();
        used = wanted;
    }
    void fill(size_t wanted) {
        resize(0);
        resize(wanted);
    }
    void pop_front() {
        for (size_t i = 1; i < used; ++i) items[i - 1] = items[i];
        resize(used - 1);
    }
};
struct Copy {
    void* to;
    List<unsigned char> data;
    void* barrier;
};
struct Fiber {
    void* stack = nullptr;  // where it stands while others run
    bool done = false;
    unsigned block_arrivals = 0, warp_arrivals = 0;
    List<List<Copy>> groups;  // cp.async, oldest first; the last one is still open
};
struct Arrival {  // an mbarrier
    void* where = nullptr;
    int expected = 0, pending = 0;
    long bytes = 0;
    int phase = 0;
};
inline List<Fiber> fibers;
inline List<unsigned> warp_generation, warp_waiting;
inline unsigned block_generation = 0, block_waiting = 0;
inline List<Copy> bulk;
inline List<Arrival> arrivals;
inline void* scheduler = nullptr;
inline int current = 0;
inline bool progress = false;
inline unsigned random_state = 1;
inline unsigned random_below(unsigned n) { return (random_state = random_state * 1664525u + 1013904223u) / 65536 % n; }
inline Arrival& arrival_at(void* where) {
    for (auto& known : arrivals)
        if (known.where == where) return known;
    fprintf(stderr, "emulation: a barrier that was not initialised\n");
    abort();
}

inline bool failed = false;
// Leave a stack for another one. swapcontext would do, but asks the system for the signal mask each time, which took most of the tests' time.
__attribute__((visibility("hidden"))) void change_stack(void** left, void* next) asm("emulation_change_stack");
asm(R"(
.text
emulation_change_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");
// Return a new stack as `change_stack` leaves one: six registers, where to go on, and a return address that is never used.
inline void* begun(char* end, void (*first)()) {
    void** top = (void**)end - 8;
    memset(top, 0, 8 * sizeof(void*));
    top[6] = (void*)first;
    return top;
}
inline void give_way() { change_stack(&fibers[current].stack, scheduler); }
inline void fail(const char* what) {  // the block is given up and the launch returns 1
    fprintf(stderr, "emulation: %s\n", what);
    failed = true;
    give_way();
}

inline void meet(unsigned& waiting, unsigned& generation, unsigned members) {
    unsigned mine = generation;
    progress = true;
    if (++waiting == members) {
        waiting = 0;
        ++generation;
        return;
    }
    while (generation == mine) give_way();
}
inline void bring(const Copy& copy) {
    memcpy(copy.to, copy.data.begin(), copy.data.size());
    if (copy.barrier) arrival_at(copy.barrier).bytes -= (long)copy.data.size();
}
inline void settle(Arrival& barrier) {
    if (barrier.pending == 0 && barrier.bytes == 0) {
        barrier.phase ^= 1;
        barrier.pending = barrier.expected;
        progress = true;
    }
}
inline Copy issue(void* to, const void* from, int bytes, void* barrier) {
    if ((size_t)to % (barrier ? 16 : bytes) || (size_t)from % (barrier ? 16 : bytes)) fail("misaligned copy");
    Copy copy{to, List<unsigned char>((const unsigned char*)from, (const unsigned char*)from + bytes), barrier};
    memset(to, 0xff, bytes);
    return copy;
}
}  // namespace emulation

static inline void __syncthreads() {
    using namespace emulation;
    meet(block_waiting, block_generation, (unsigned)fibers.size());
}
static inline void __syncwarp() {
    using namespace emulation;
    int warp = current / WARP;
    meet(warp_waiting[warp], warp_generation[warp], WARP);
}

// --- asynchronous copies ------------------------------------------------------------------------------------------------
template <int BYTES>
inline void copy_async(void* to, const void* from) {
    auto& groups = emulation::fibers[emulation::current].groups;
    if (groups.empty()) groups.push_back({});
    groups.back().push_back(emulation::issue(to, from, BYTES, nullptr));
}
inline void copy_commit() {
    auto& groups = emulation::fibers[emulation::current].groups;
    if (groups.empty()) groups.push_back({});
    groups.push_back({});
}
template <int PENDING>
inline void copy_wait() {
    auto& groups = emulation::fibers[emulation::current].groups;
    while ((int)groups.size() - 1 > PENDING) {
        for (auto& copy : groups.front()) emulation::bring(copy);
        groups.pop_front();
    }
}
inline void barrier_init(unsigned long long* barrier, int count) { emulation::arrivals.push_back({barrier, count, count, 0, 0}); }
inline void barrier_fence() {}
inline void barrier_arrive(unsigned long long* barrier) {
    auto& state = emulation::arrival_at(barrier);
    --state.pending;
    emulation::settle(state);
}
inline void barrier_expect(unsigned long long* barrier, int bytes) {
    emulation::arrival_at(barrier).bytes += bytes;
    barrier_arrive(barrier);
}
inline void barrier_wait(unsigned long long* barrier, int parity) {
    while (emulation::arrival_at(barrier).phase == parity) emulation::give_way();
    emulation::progress = true;
}
inline void copy_bulk(void* to, const void* from, int bytes, unsigned long long* barrier) {
    if (bytes % 16) emulation::fail("bulk copy of an odd size");
    emulation::bulk.push_back(emulation::issue(to, from, bytes, barrier));
}

// --- 16-bit floats and matrix instructions ------------------------------------------------------------------------------
typedef short emulated_halves __attribute__((vector_size(16)));
typedef float emulated_floats __attribute__((vector_size(16)));
extern "C" float sqrtf(float), exp2f(float);
static inline float emulated_from_half(unsigned short x) {
    return __builtin_ia32_vcvtph2ps((emulated_halves){(short)x})[0];
}
static inline unsigned short emulated_to_half(float x) {
    return (unsigned short)__builtin_ia32_vcvtps2ph((emulated_floats){x}, 0)[0];
}
static inline float emulated_element(unsigned short x) {
#if ELEM == 1
    unsigned b = (unsigned)x << 16;
    float f;
    memcpy(&f, &b, 4);
    return f;
#else
    return emulated_from_half(x);
#endif
}

#if defined(HOTLOOP_MATRIX)
#include "matrix_maps.h"  // A_ITEMS B_ITEMS D_ITEMS ROWS COLUMNS DEPTH; a_row a_k b_k b_column d_row d_column [lane][item]
namespace emulation {
struct Exchange {
    float a[WARP][maps::A_ITEMS], b[WARP][maps::B_ITEMS], c[WARP][maps::D_ITEMS];
};
inline List<Exchange> exchange;

inline void matrix_registers(float (&sum)[4], const unsigned* a, const unsigned* b) {
    int lane = current % WARP;
    auto& mine = exchange[current / WARP];
    for (int i = 0; i < maps::A_ITEMS; ++i) mine.a[lane][i] = emulated_element((unsigned short)(a[i / 2] >> 16 * (i % 2)));
    for (int i = 0; i < maps::B_ITEMS; ++i) mine.b[lane][i] = emulated_element((unsigned short)(b[i / 2] >> 16 * (i % 2)));
    for (int i = 0; i < maps::D_ITEMS; ++i) mine.c[lane][i] = sum[i];
    __syncwarp();
    float left[maps::ROWS][maps::DEPTH], right[maps::DEPTH][maps::COLUMNS];
    for (int l = 0; l < WARP; ++l) {
        for (int i = 0; i < maps::A_ITEMS; ++i) left[maps::a_row[l][i]][maps::a_k[l][i]] = mine.a[l][i];
        for (int i = 0; i < maps::B_ITEMS; ++i) right[maps::b_k[l][i]][maps::b_column[l][i]] = mine.b[l][i];
    }
    for (int i = 0; i < maps::D_ITEMS; ++i) {
        double total = mine.c[lane][i];
        for (int k = 0; k < maps::DEPTH; ++k)
            total += (double)left[maps::d_row[lane][i]][k] * right[k][maps::d_column[lane][i]];
        sum[i] = (float)total;
    }
    __syncwarp();
}
}  // namespace emulation
#if HOTLOOP_EMULATED == 64
inline void matrix(float (&sum)[4], unsigned a0, unsigned a1, unsigned b0, unsigned b1) {
    unsigned a[] = {a0, a1}, b[] = {b0, b1};
    emulation::matrix_registers(sum, a, b);
}
#else
inline void matrix(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1) {
    unsigned a[] = {a0, a1, a2, a3}, b[] = {b0, b1};
    emulation::matrix_registers(sum, a, b);
}
#endif
#endif

// --- lane exchange ------------------------------------------------------------------------------------------------------
namespace emulation {
inline List<float> lanes;
}
static inline float emulated_shuffle_xor(float x, int distance) {
    using namespace emulation;
    lanes.resize(fibers.size());
    lanes[current] = x;
    __syncwarp();
    float got = lanes[current ^ distance];
    __syncwarp();
    return got;
}

// Returns what lane `from` of the same wave gave; 0 where there is no such lane, as DPP does with bound_ctrl.
static inline float emulated_from_lane(float x, int from) {
    using namespace emulation;
    lanes.resize(fibers.size());
    lanes[current] = x;
    __syncwarp();
    float got = from < 0 ? 0.0f : lanes[current / WARP * WARP + from];
    __syncwarp();
    return got;
}
// DPP as AMD's CDNA 3 ISA reference defines its controls: what a lane reads.
static inline float emulated_dpp(float x, int control) {
    int lane = emulation::current % emulation::WARP, row = lane / 16;
    if (control < 0x100) return emulated_from_lane(x, lane / 4 * 4 + (control >> 2 * (lane % 4) & 3));
    if (control == 0x140) return emulated_from_lane(x, lane ^ 15);
    if (control == 0x141) return emulated_from_lane(x, lane ^ 7);
    if (control == 0x142) return emulated_from_lane(x, row * 16 - 1);
    if (control == 0x143) return emulated_from_lane(x, row < 2 ? -1 : 31);
    emulation::fail("a DPP control that is not emulated");
    return 0.0f;
}
// Exchanges the odd rows of 16 or 32 lanes of `x` with the even rows of `other`.
static inline void emulated_row_swap(float& x, float& other, int rows_of) {
    int lane = emulation::current % emulation::WARP, odd = lane / rows_of % 2;
    float from_other = emulated_from_lane(other, odd ? lane - rows_of : lane);
    float from_x = emulated_from_lane(x, odd ? lane : lane + rows_of);
    if (odd) x = from_other;
    else other = from_x;
}

static inline bool emulated_any(bool mine) {
    using namespace emulation;
    lanes.resize(fibers.size());
    lanes[current] = mine;
    __syncwarp();
    bool any = false;
    for (int lane = current / WARP * WARP, end = lane + WARP; lane < end; ++lane) any |= lanes[lane] != 0;
    __syncwarp();
    return any;
}

// --- running ------------------------------------------------------------------------------------------------------------
namespace emulation {
using Entry = void (*)(const void*, const void*, void*, const void*, int);  // kernels with fewer arguments ignore the rest
struct Arguments {
    const void *x, *w;
    void* y;
    const void* more;
    int count;
};
inline Entry entry;
inline Arguments arguments;

inline void body() {
    entry(arguments.x, arguments.w, arguments.y, arguments.more, arguments.count);
    fibers[current].done = true;
    progress = true;
    give_way();
}

inline void block(int threads, char* stacks) {
    fibers.fill(threads);
    warp_generation.fill(threads / WARP + 1);
    warp_waiting.fill(threads / WARP + 1);
#if defined(HOTLOOP_MATRIX)
    exchange.resize(threads / WARP + 1);
#endif
    block_waiting = 0;
    bulk.resize(0);
    arrivals.resize(0);
    for (int i = 0; i < threads; ++i) fibers[i].stack = begun(stacks + (i + 1) * STACK, body);
    int warps = (threads + WARP - 1) / WARP;
    List<unsigned> patience;  // warps run at different speeds, so they drift apart between barriers
    patience.resize(warps);
    for (auto& each : patience) each = 1 + random_below(4);
    for (int left = threads, idle = 0; left > 0;) {
        progress = false;
        for (int turn = 0, first = (int)random_below(warps); turn < warps; ++turn) {
            if (random_below(patience[(first + turn) % warps])) continue;
            for (int lane = 0, warp = (first + turn) % warps; lane < WARP && warp * WARP + lane < threads; ++lane) {
                current = warp * WARP + lane;
                if (fibers[current].done) continue;
                threadIdx.x = current;
                change_stack(&scheduler, fibers[current].stack);
                if (fibers[current].done) --left;
            }
        }
        idle = progress ? 0 : idle + 1;
        if (!bulk.empty() && (idle > 10 || random_below(16) == 0)) {  // data come late, or at any time
            bring(bulk.front());
            settle(arrival_at(bulk.front().barrier));
            bulk.pop_front();
        } else if (idle > 200) {
            fprintf(stderr, "emulation: deadlock\n");
            failed = true;
        }
        if (failed) return;
    }
    failed = failed || !bulk.empty();  // a copy that nobody waited for
}
}  // namespace emulation

extern "C" int emulate(void* kernel, const void* x, const void* w, void* y, const void* more, int count, int gx, int gy, int gz, int threads, long shared_bytes) {
    using namespace emulation;
    failed = false;
    const size_t page = 4096, room = (shared_bytes + page - 1) / page * page;
    auto* area = (unsigned char*)mmap(nullptr, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(area + room, page, PROT_NONE);
    emulated_shared = area + (room - shared_bytes) / 16 * 16;
    entry = (Entry)kernel;
    arguments = {x, w, y, more, count};
    auto* stacks = (char*)calloc(threads, STACK);
    for (int z = 0; z < gz; ++z)
        for (int j = 0; j < gy; ++j)
            for (int i = 0; i < gx; ++i) {
                blockIdx = {(unsigned)i, (unsigned)j, (unsigned)z};
                memset(area, 0xff, room);
                if (!failed) block(threads, stacks);
            }
    free(stacks);
    munmap(area, room + page);
    return failed;
}
