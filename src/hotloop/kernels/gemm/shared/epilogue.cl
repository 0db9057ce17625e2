#define BIAS_AT(m, n) (BIAS == 2 ? (m) : BIAS == 1 ? (n) : 0)

ACCV activate(ACCV x)
{
#if ACTIVATION == 1     // ReLU; written so that NaN stays NaN
    return x < (ACCV)(0) ? (ACCV)(0) : x;
#elif ACTIVATION == 2   // GELU, tanh form
    const ACCV u = (ACCV)((ACC)0.7978845608028654) * fma((ACCV)((ACC)0.044715) * x * x, x, x);
    return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + tanh(u));
#elif ACTIVATION == 3   // GELU, erf form
    return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + erf((ACCV)((ACC)0.7071067811865476) * x));
#elif ACTIVATION == 4   // SiLU
    return x / ((ACCV)(1) + exp(-x));
#else
    return x;
#endif
}

ACCV with_bias(ACCV x, __global const REAL *bias)
{
#if BIAS == 1
    return x + LOAD_REAL(bias);
#elif BIAS == 2
    return x + (ACCV)((ACC)*bias);
#else
    return x;
#endif
}

// One whole vector of C.
void store_c(__global REAL *c, __global const REAL *bias, ACCV sum, ACC alpha, ACC beta, int last)
{
    ACCV x = (ACCV)(alpha) * sum;
    if (beta != 0) x = fma((ACCV)(beta), LOAD_REAL(c), x);
    if (last) x = activate(with_bias(x, bias));
    STORE_REAL(x, c);
}

// The first n elements of a vector that column N cuts off.
void store_edge(__global REAL *c, __global const REAL *bias, const ACC *sum, ACC alpha, ACC beta, int last, int n)
{
    ACC lane[VW];
    for (int l = 0; l < VW; ++l) lane[l] = l < n ? alpha * sum[l] : (ACC)0;
    for (int l = 0; l < n; ++l) {
        if (beta != 0) lane[l] = fma(beta, (ACC)c[l], lane[l]);
#if BIAS
        if (last) lane[l] += (ACC)bias[BIAS == 1 ? l : 0];
#endif
    }
    if (last) STORE_ACC(activate(LOAD_ACC(lane)), lane);
    for (int l = 0; l < n; ++l) c[l] = (REAL)lane[l];
}

// The sums of an item, MWI rows of NV vectors.
#define NO_SUMS(acc)                                                                                          \
    _Pragma("unroll") for (int i = 0; i < MWI; ++i)                                                           \
        _Pragma("unroll") for (int j = 0; j < NV; ++j) acc[i][j] = (ACCV)(0);

// EACH_IN_TURN(acc) { THIS_SUM(acc) ... } takes one vector after the other, for the edges of C.  An array that the loop indexes
// would lie in scratch memory on AMD's GPUs, whose registers have no index; there the sums move up by a vector per turn instead.
#ifdef __AMDGCN__
#define LAY_OUT(acc)
#define THIS_SUM(acc)                                                                                         \
    ACC sum[VW];                                                                                              \
    STORE_ACC(acc[0][0], sum);                                                                                \
    _Pragma("unroll") for (int v = 1; v < MWI * NV; ++v) acc[(v - 1) / NV][(v - 1) % NV] = acc[v / NV][v % NV];
#else
#define LAY_OUT(acc)                                                                                          \
    ACC sums[MWI * NWI];                                                                                      \
    _Pragma("unroll") for (int i = 0; i < MWI; ++i)                                                           \
        _Pragma("unroll") for (int j = 0; j < NV; ++j) STORE_ACC(acc[i][j], sums + (i * NV + j) * VW);
#define THIS_SUM(acc) const ACC *sum = sums + (i * NV + j) * VW;
#endif
#define EACH_IN_TURN(acc)                                                                                     \
    LAY_OUT(acc)                                                                                              \
    _Pragma("unroll 1") for (int i = 0; i < MWI; ++i)                                                         \
        _Pragma("unroll 1") for (int j = 0; j < NV; ++j)
