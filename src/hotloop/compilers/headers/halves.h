// OpenCL C: numbers of 16 bits in memory as single and double ones. Read after opencl.h where a text names one.
#define HL_HALF_READ(N, SPACE)                                                                                        \
    HL_FN float##N vload_half##N(size_t i, SPACE const half *p) { return convert_float##N(vload##N(i, p)); }
#define HL_HALF_READS(SPACE) HL_HALF_READ(3, SPACE) HL_HALF_READ(8, SPACE) HL_HALF_READ(16, SPACE)
HL_HALF_READS(__global) HL_HALF_READS(__local) HL_HALF_READS(__constant) HL_HALF_READS(__private)
HL_FN float vload_half(size_t i, __private const half *p) { return (float)p[i]; }
HL_HALF_READ(2, __private) HL_HALF_READ(4, __private)
// A vector of three takes the place of four where it is aligned.
#define HL_HALF_ALIGNED(N, STEP, SPACE)                                                                               \
    HL_FN float##N vloada_half##N(size_t i, SPACE const half *p) { return convert_float##N(vload##N(0, p + STEP * i)); }
#define HL_HALF_ALL(SPACE)                                                                                            \
    HL_HALF_ALIGNED(2, 2, SPACE) HL_HALF_ALIGNED(3, 4, SPACE) HL_HALF_ALIGNED(4, 4, SPACE) HL_HALF_ALIGNED(8, 8, SPACE) \
    HL_HALF_ALIGNED(16, 16, SPACE)                                                                                    \
    HL_FN float vloada_half(size_t i, SPACE const half *p) { return (float)p[i]; }
HL_HALF_ALL(__global) HL_HALF_ALL(__local) HL_HALF_ALL(__constant) HL_HALF_ALL(__private)
#define HL_HALF_WRITE(N, F, SPACE)                                                                                    \
    HL_FN void vstore_half##N(F##N x, size_t i, SPACE half *p) { vstore##N(convert_half##N(x), i, p); }
#define HL_HALF_WRITE_ALIGNED(N, STEP, F, SPACE)                                                                      \
    HL_FN void vstorea_half##N(F##N x, size_t i, SPACE half *p) { vstore##N(convert_half##N(x), 0, p + STEP * i); }
#define HL_HALF_ALIGNED_WRITES(F, SPACE)                                                                              \
    HL_HALF_WRITE_ALIGNED(2, 2, F, SPACE) HL_HALF_WRITE_ALIGNED(3, 4, F, SPACE) HL_HALF_WRITE_ALIGNED(4, 4, F, SPACE) \
    HL_HALF_WRITE_ALIGNED(8, 8, F, SPACE) HL_HALF_WRITE_ALIGNED(16, 16, F, SPACE)                                     \
    HL_FN void vstorea_half(F x, size_t i, SPACE half *p) { p[i] = (half)x; }
#define HL_HALF_WRITES(F, SPACE) HL_HALF_WRITE(3, F, SPACE) HL_HALF_WRITE(8, F, SPACE) HL_HALF_WRITE(16, F, SPACE)
#define HL_HALF_FIRST(F, SPACE)                                                                                       \
    HL_FN void vstore_half(F x, size_t i, SPACE half *p) { p[i] = (half)x; }                                          \
    HL_HALF_WRITE(2, F, SPACE) HL_HALF_WRITE(4, F, SPACE)
HL_HALF_WRITES(float, __global) HL_HALF_WRITES(float, __local) HL_HALF_WRITES(float, __private)
HL_HALF_WRITES(double, __global) HL_HALF_WRITES(double, __local) HL_HALF_WRITES(double, __private)
HL_HALF_FIRST(float, __local) HL_HALF_FIRST(float, __private)
HL_HALF_FIRST(double, __global) HL_HALF_FIRST(double, __local) HL_HALF_FIRST(double, __private)
HL_HALF_ALIGNED_WRITES(float, __global) HL_HALF_ALIGNED_WRITES(float, __local) HL_HALF_ALIGNED_WRITES(float, __private)
HL_HALF_ALIGNED_WRITES(double, __global) HL_HALF_ALIGNED_WRITES(double, __local) HL_HALF_ALIGNED_WRITES(double, __private)
