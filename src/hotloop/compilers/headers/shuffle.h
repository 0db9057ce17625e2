// OpenCL C: shuffle and shuffle2. Read after opencl.h where a text names them.
// --- elements in another order: the low bits of each number of the mask name an element -------------------------------
#define HL_SHUFFLE(M, N, T, U)                                                                                        \
    HL_FN T##N shuffle(T##M x, U##N mask)                                                                             \
    {                                                                                                                 \
        T##N made;                                                                                                    \
        for (int i = 0; i < N; i++) made[i] = x[mask[i] & (M - 1)];                                                   \
        return made;                                                                                                  \
    }                                                                                                                 \
    HL_FN T##N shuffle2(T##M x, T##M y, U##N mask)                                                                    \
    {                                                                                                                 \
        T##N made;                                                                                                    \
        for (int i = 0; i < N; i++) made[i] = mask[i] & M ? y[mask[i] & (M - 1)] : x[mask[i] & (M - 1)];              \
        return made;                                                                                                  \
    }
#define HL_SHUFFLE_FROM(M, T, U) HL_SHUFFLE(M, 2, T, U) HL_SHUFFLE(M, 4, T, U) HL_SHUFFLE(M, 8, T, U) HL_SHUFFLE(M, 16, T, U)
#define HL_SHUFFLES(T, U)                                                                                             \
    HL_SHUFFLE_FROM(2, T, U) HL_SHUFFLE_FROM(4, T, U) HL_SHUFFLE_FROM(8, T, U) HL_SHUFFLE_FROM(16, T, U)
HL_SHUFFLES(char, uchar) HL_SHUFFLES(uchar, uchar) HL_SHUFFLES(short, ushort) HL_SHUFFLES(ushort, ushort)
HL_SHUFFLES(half, ushort) HL_SHUFFLES(int, uint) HL_SHUFFLES(uint, uint) HL_SHUFFLES(float, uint)
HL_SHUFFLES(long, ulong) HL_SHUFFLES(ulong, ulong) HL_SHUFFLES(double, ulong)
