// Elements in memory, the same in CUDA C++, HIP C++ and the host emulation of the tests: ELEM 0 float32, 1 bfloat16, 2 float16;
// arithmetic is float32.
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

// Two elements in a word, none of which are float32.
#if defined(ON_NVIDIA) && ELEM
DEVICE bits32 pack(float low, float high) {
    bits32 r;
#if ELEM == 1
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#else
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#endif
    return r;
}
#elif ELEM
DEVICE bits32 pack(float low, float high) { return (bits32)from_float(low) | ((bits32)from_float(high) << 16); }
#else
DEVICE bits32 pack(float, float) { return 0; }
#endif
#if ELEM == 1  // bfloat16 is the upper half of a float32: no instruction beyond a shift or a mask
DEVICE float low_half(bits32 x) { return as_float(x << 16); }
DEVICE float high_half(bits32 x) { return as_float(x & 0xffff0000u); }
#elif ELEM == 2
DEVICE float low_half(bits32 x) { return to_float((elem)(x & 0xffffu)); }
DEVICE float high_half(bits32 x) { return to_float((elem)(x >> 16)); }
#endif
