// Reductions and normalisations of contiguous rows, in CUDA C++, HIP C++ and the tests' host emulation: no header needed.
//
//   OP       0 sum, 1 max, 2 softmax, 3 RMS norm, 4 layer norm
//   ELEM     element type of everything in memory: 0 float32, 1 bfloat16, 2 float16; arithmetic is float32
//   COLUMNS  elements of a row
//   LANES    threads that share a row: a power of two up to the wave, or a multiple of the wave up to 1024
//   ROWS     rows of a block; LANES * ROWS threads
//   VEC      elements of one access, a divisor of COLUMNS, at most 16 bytes
//   HELD     1: a row stays in registers between its passes; 2: as it came from memory, so that 16-bit types take half the
//            registers and two blocks fit where one did (16-bit types, VEC 8; else like 1); 0: it is read once per pass,
//            from the caches if they are kind
//   STREAM   1: whole accesses of 16 bytes tell the caches that nobody reads these lines again; with HELD 0, that somebody does
//            until the last pass (NVIDIA)
//   EARLY    1: scale and shift are loaded with the row, before the sums that they wait for anyway (HELD > 0)
//   CROWD    1: registers are left for 2048 threads of a multiprocessor (NVIDIA)
//   EXCHANGE how the 64 lanes of a wave meet (AMD's gfx9): 0 a butterfly of shuffles, whose addresses are computed; 1 the same by
//            ds_swizzle, whose pattern is part of the instruction; both pass through the crossbar of local memory; 2 DPP, operands
//            of the addition itself, nothing in local memory; 3 DPP and then swaps of rows of 16 and 32 lanes (gfx950)
//   EPSILON  added to the variance or mean square
//
// One row is read once and written once when HELD. The sum over a wave is a butterfly of lane exchanges; waves meet in
// shared memory, and every wave adds up the partial results itself, so that one barrier is enough.
#ifndef STREAM
#define STREAM 0
#endif
#ifndef EARLY
#define EARLY 0
#endif
#ifndef CROWD
#define CROWD 0
#endif
#ifndef EXCHANGE
#define EXCHANGE 0
#endif
#if HELD == 2 && !(ELEM && VEC == 8)
#undef HELD
#define HELD 1
#endif

#if ELEM == 0
typedef float elem;
DEVICE float to_float(elem x) { return x; }
DEVICE elem from_float(float x) { return x; }
#elif ELEM == 1
typedef bits16 elem;
DEVICE float to_float(elem x) { return as_float((bits32)x << 16); }
DEVICE elem from_float(float x) {  // round to nearest even; a NaN stays one
#if defined(ON_NVIDIA)
    bits32 r;  // the form for two values is the one that compute capability 8.0 has
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(0.0f), "f"(x));
    return (elem)r;
#elif defined(__gfx950__)  // has an instruction for it, which the compiler takes for two values at once
    return __builtin_bit_cast(bits16, (__bf16)x);
#else
    bits32 b = as_bits(x);
    if ((b & 0x7fffffffu) > 0x7f800000u) return (elem)((b >> 16) | 0x40u);
    return (elem)((b + 0x7fffu + ((b >> 16) & 1u)) >> 16);
#endif
}
#else
typedef bits16 elem;
DEVICE float to_float(elem x) { return from_half(x); }
DEVICE elem from_float(float x) { return to_half(x); }
#endif

#if ELEM  // of two elements in a word
#if defined(ON_NVIDIA)
DEVICE bits32 pack(float low, float high) {
    bits32 r;
#if ELEM == 1
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#endif
    return r;
}
#else
DEVICE bits32 pack(float low, float high) { return (bits32)from_float(low) | ((bits32)from_float(high) << 16); }
#endif
#if ELEM == 1  // the upper half of a float32: a shift or a mask
DEVICE float half_of(bits32 x, int upper) { return as_float(upper ? x & 0xffff0000u : x << 16); }
#else
DEVICE float half_of(bits32 x, int upper) { return to_float((elem)(upper ? x >> 16 : x)); }
#endif
#endif

