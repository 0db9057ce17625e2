// OpenCL C: atomic operations beyond the usual ones, of 64 bits, and those of 2.0. Read after opencl.h where a text names one.
#define HL_FETCH(NAME, OP, T, SPACE)                                                                                  \
    HL_FN T NAME(volatile SPACE T *p, T x) { return __scoped_atomic_##OP(p, x, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE); }
#define HL_MORE_ATOMICS(T, SPACE)                                                                                     \
    HL_FETCH(atomic_sub, fetch_sub, T, SPACE) HL_FETCH(atomic_and, fetch_and, T, SPACE)                               \
    HL_FETCH(atomic_or, fetch_or, T, SPACE) HL_FETCH(atomic_xor, fetch_xor, T, SPACE)                                 \
    HL_FN T atomic_dec(volatile SPACE T *p) { return atomic_sub(p, (T)1); }
#define HL_ATOM(T, SPACE)                                                                                             \
    HL_FN T atom_add(volatile SPACE T *p, T x) { return atomic_add(p, x); }                                           \
    HL_FN T atom_sub(volatile SPACE T *p, T x) { return atomic_sub(p, x); }                                           \
    HL_FN T atom_and(volatile SPACE T *p, T x) { return atomic_and(p, x); }                                           \
    HL_FN T atom_or(volatile SPACE T *p, T x) { return atomic_or(p, x); }                                             \
    HL_FN T atom_xor(volatile SPACE T *p, T x) { return atomic_xor(p, x); }                                           \
    HL_FN T atom_min(volatile SPACE T *p, T x) { return atomic_min(p, x); }                                           \
    HL_FN T atom_max(volatile SPACE T *p, T x) { return atomic_max(p, x); }                                           \
    HL_FN T atom_xchg(volatile SPACE T *p, T x) { return atomic_xchg(p, x); }                                         \
    HL_FN T atom_cmpxchg(volatile SPACE T *p, T old, T x) { return atomic_cmpxchg(p, old, x); }                       \
    HL_FN T atom_inc(volatile SPACE T *p) { return atomic_inc(p); }                                                   \
    HL_FN T atom_dec(volatile SPACE T *p) { return atomic_dec(p); }
HL_ATOMIC_AT(long, __global) HL_ATOMIC_AT(long, __local) HL_ATOMIC_AT(ulong, __global) HL_ATOMIC_AT(ulong, __local)
#define HL_ATOMICS_OF(T) HL_MORE_ATOMICS(T, __global) HL_MORE_ATOMICS(T, __local) HL_ATOM(T, __global) HL_ATOM(T, __local)
HL_ATOMICS_OF(int) HL_ATOMICS_OF(uint) HL_ATOMICS_OF(long) HL_ATOMICS_OF(ulong)
#define HL_XCHG_REAL(SPACE)                                                                                           \
    HL_FN float atomic_xchg(volatile SPACE float *p, float x)                                                         \
    { return as_float(atomic_xchg((volatile SPACE int *)p, as_int(x))); }                                             \
    HL_FN float atom_xchg(volatile SPACE float *p, float x) { return atomic_xchg(p, x); }
HL_XCHG_REAL(__global) HL_XCHG_REAL(__local)
