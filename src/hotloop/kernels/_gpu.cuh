// What C++ for GPUs needs before anything else, the same in CUDA C++, HIP C++ and the host emulation of the tests: threads of a
// wave, bits of numbers, float16. No header is needed, so run-time compilers take the text as it is.
#if defined(HOTLOOP_EMULATED)  // the tests' emulation defines the qualifiers, indices, barriers and matrix instructions
#define WAVE HOTLOOP_EMULATED
#elif defined(__HIP__)
#define WAVE 64
#else
#define WAVE 32
#define ON_NVIDIA 1
#endif

#define DEVICE __device__ __forceinline__

typedef unsigned short bits16;
typedef unsigned int bits32;
typedef unsigned long long bits64;

#if defined(ON_NVIDIA) && defined(__CUDA_ARCH__)
DEVICE float as_float(bits32 x) { return __uint_as_float(x); }
DEVICE bits32 as_bits(float x) { return __float_as_uint(x); }
#else
DEVICE float as_float(bits32 x) { return __builtin_bit_cast(float, x); }
DEVICE bits32 as_bits(float x) { return __builtin_bit_cast(bits32, x); }
#endif

#if defined(ON_NVIDIA)
DEVICE float from_half(bits16 x) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
    return r;
}
DEVICE bits16 to_half(float x) {
    bits16 r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
#elif defined(HOTLOOP_EMULATED)
DEVICE float from_half(bits16 x) { return emulated_from_half(x); }
DEVICE bits16 to_half(float x) { return emulated_to_half(x); }
#else
DEVICE float from_half(bits16 x) { return (float)__builtin_bit_cast(_Float16, x); }
DEVICE bits16 to_half(float x) { return __builtin_bit_cast(bits16, (_Float16)x); }
#endif

