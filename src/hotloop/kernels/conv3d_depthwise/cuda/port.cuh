// What differs between CUDA C++, HIP C++ and the host emulation of the tests. No header is needed, so run-time compilers
// take these files as they are. The parts of this folder are joined in the order port, direct, strip, exact, bands, toeplitz.
//
// Build-time macros, all integers:
//   ELEM              element type of x, w and y: 0 float32, 1 bfloat16, 2 float16; sums are always float32
//   N C D H W         input [N, C, D, H, W]           OD OH OW  output sizes
//   KD KH KW          weights [C * MULT, KD, KH, KW]  MULT      output channels per input channel
//   SD SH SW          strides    PD PH PW  zero padding    LD LH LW  dilation
//   THREADS SHARED    threads of a block and bytes of dynamic shared memory that the launch will have
//   CHANNELS_LAST     1: x and y are [N, D, H, W, C]
//   BIAS              1: each output channel's element of the last argument is added to its sums, before they are rounded
#ifndef HOTLOOP_PORT
#define HOTLOOP_PORT

#define KERNEL(THREADS, GROUPS) extern "C" __global__ void __launch_bounds__(THREADS, GROUPS)
#if defined(HOTLOOP_EMULATED)
#define DYNAMIC_SHARED(NAME) unsigned char* NAME = emulated_shared
#else
#define DYNAMIC_SHARED(NAME) extern __shared__ __attribute__((aligned(128))) unsigned char NAME[]
#endif
#define CEIL_DIV(A, B) (((A) + (B) - 1) / (B))
#define LARGER(A, B) ((A) > (B) ? (A) : (B))

template <int BYTES>
struct alignas(BYTES) Block {  // moves as one access of 4, 8 or 16 bytes
    bits32 word[BYTES / 4];
};

// --- what is rarely done, and shall not cost registers before --------------------------------------------------------
#if defined(ON_NVIDIA) || defined(HOTLOOP_EMULATED)
#define RARELY static __device__ __attribute__((noinline))
DEVICE int wave_to_remember() { return 0; }
DEVICE int thread_again(int) { return threadIdx.x; }
#else  // a call would reserve scratch memory; a wave's number needs a scalar register, a thread's would need a vector one
#define RARELY DEVICE
DEVICE int wave_to_remember() { return __builtin_amdgcn_readfirstlane(threadIdx.x / WAVE); }
DEVICE int thread_again(int wave) {
    return wave * WAVE + (int)__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
#endif

// --- elements ---------------------------------------------------------------------------------------------------------
#if ELEM == 0
typedef float elem;
DEVICE float to_float(elem x) { return x; }
DEVICE elem from_float(float x) { return x; }
#elif ELEM == 1
typedef bits16 elem;
DEVICE float to_float(elem x) { return as_float((bits32)x << 16); }
DEVICE elem from_float(float x) {  // round to nearest even; a NaN stays one
    bits32 b = as_bits(x);
    if ((b & 0x7fffffffu) > 0x7f800000u) return (elem)((b >> 16) | 0x40u);
    return (elem)((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
}
#else
typedef bits16 elem;
DEVICE float to_float(elem x) { return from_half(x); }
DEVICE elem from_float(float x) { return to_half(x); }
#endif

// Minus zero added to a number is that number, so that compilers leave the addition out.
#if BIAS
#define ARGUMENTS \
    const elem *__restrict__ x, const elem *__restrict__ weights, elem *__restrict__ y, const elem *__restrict__ bias
#define BIAS_OF(CHANNEL) to_float(bias[CHANNEL])
#else
#define ARGUMENTS const elem *__restrict__ x, const elem *__restrict__ weights, elem *__restrict__ y
#define BIAS_OF(CHANNEL) (-0.0f)
#endif

DEVICE bits32 pack2(float low, float high) {  // two 16-bit elements in a word
#if ELEM == 1 && defined(ON_NVIDIA)
    bits32 r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
#elif ELEM == 2 && defined(ON_NVIDIA)
    bits32 r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
    return r;
#elif ELEM == 0
    return 0;
#else
    return (bits32)from_float(low) | ((bits32)from_float(high) << 16);
#endif
}

#if ELEM == 1  // bfloat16 is the upper half of a float32: no instruction beyond a shift or a mask
DEVICE float low_half(bits32 x) { return as_float(x << 16); }
DEVICE float high_half(bits32 x) { return as_float(x & 0xffff0000u); }
#elif ELEM == 2
DEVICE float low_half(bits32 x) { return to_float((elem)(x & 0xffffu)); }
DEVICE float high_half(bits32 x) { return to_float((elem)(x >> 16)); }
#endif

// --- asynchronous copies from global to shared memory, NVIDIA only -----------------------------------------------------
#if defined(ON_NVIDIA)
DEVICE bits32 shared_address(const void* p) { return (bits32)__cvta_generic_to_shared(p); }

template <int BYTES>
DEVICE void copy_async(void* to, const void* from) {
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(to)), "l"(from), "n"(BYTES)
                     : "memory");
}
DEVICE void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int PENDING>
DEVICE void copy_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

// Bulk copies (compute capability 9.0) report their bytes to a barrier in shared memory.
DEVICE void barrier_init(bits64* barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}
DEVICE void barrier_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
DEVICE void barrier_expect(bits64* barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}
DEVICE void barrier_arrive(bits64* barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
DEVICE void barrier_wait(bits64* barrier, int parity) {
    bits32 address = shared_address(barrier), done = 0;
    for (int patience = 1 << 24; !done; --patience) {
        asm volatile(
            "{\n .reg .pred p;\n mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n selp.u32 %0, 1, 0, p;\n}"
            : "=r"(done)
            : "r"(address), "r"(parity)
            : "memory");
        if (patience == 0) asm volatile("trap;");  // an error instead of a machine that hangs
    }
}
DEVICE void copy_bulk(void* to, const void* from, int bytes, bits64* barrier) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}
#endif
#endif
