// Depthwise conv3d in OpenCL C: each work-item computes a tile of HWI rows x NWI vectors of VW columns, PLANES times.
//
// Every upper-case name is a -D macro of the launch plan; parameters are described in space.py, sizes in problem.py.
// Sums are float whatever the arrays hold.
#if HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define REAL half
#else
#define REAL float
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if VW == 1
#define VEC float
#define LOAD(p) ((float)*(p))
#define LOAD_FLOAT(p) (*(p))
#define STORE(v, p) (*(p) = (REAL)(v))
#else
#define VEC JOIN(float, VW)
#define LOAD_FLOAT(p) JOIN(vload, VW)(0, (p))
#if HALF
#define LOAD(p) JOIN(convert_float, VW)(JOIN(vload, VW)(0, (p)))
#define STORE(v, p) JOIN(vstore, VW)(JOIN(convert_half, VW)(v), 0, (p))
#else
#define LOAD(p) LOAD_FLOAT(p)
#define STORE(v, p) JOIN(vstore, VW)((v), 0, (p))
#endif
#endif

#define WIDTH (NWI * VW)                                // columns of a tile
#define ROWS_READ ((HWI - 1) * SH + (KH - 1) * LH + 1)  // input rows of a tile
#define PADDED_D ((OD - 1) * SD + (KD - 1) * LD + 1)
#define PADDED_H (((OH + HWI - 1) / HWI * HWI - 1) * SH + (KH - 1) * LH + 1)
#define PADDED_W (((OW + WIDTH - 1) / WIDTH * WIDTH - 1) * SW + (KW - 1) * LW + 1)
#if CHANNELS_LAST
#define STEP C  // elements between two columns
#define STEP_OUT (C * MULT)
#else
#define STEP 1
#define STEP_OUT 1
#endif

// First element of an input row.
inline __global const REAL *row_of(__global const REAL *x, int image, int d, int h)
{
#if CHANNELS_LAST
    return x + (((size_t)(image / C) * D + d) * H + h) * W * C + image % C;
#else
    return x + (((size_t)image * D + d) * H + h) * W;
#endif
}

#if PACK
// One item copies one row, with its zeros on both sides; image is batch and channel together.
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pad(__global const REAL *restrict x, __global float *restrict padded)
{
    const int row = get_global_id(0), plane = get_global_id(1), image = get_global_id(2);
    const int h = row - PH, d = plane - PD;
    __global float *out = padded + (((size_t)image * PADDED_D + plane) * PADDED_H + row) * PADDED_W;
    const bool inside = h >= 0 && h < H && d >= 0 && d < D;
    __global const REAL *in = row_of(x, image, inside ? d : 0, inside ? h : 0);
    const int first = min(PW, PADDED_W), last = inside ? min(PW + W, PADDED_W) : first;
    for (int w = 0; w < first; ++w) out[w] = 0;
    for (int w = first; w < last; ++w) out[w] = (float)in[(w - PW) * STEP];
    for (int w = last; w < PADDED_W; ++w) out[w] = 0;
}
#endif

// VW inputs of a row, SW apart, from column w on; columns outside the input are zero.
#if PACK
inline VEC fetch(__global const float *row, int w)
{
#if SW == 1 || VW == 1
    return LOAD_FLOAT(row + w);
#else
    float each[VW];
    for (int v = 0; v < VW; ++v) each[v] = row[w + v * SW];
    return JOIN(vload, VW)(0, each);
#endif
}
#else
inline VEC fetch(__global const REAL *row, int w)
{
#if STEP == 1 && (SW == 1 || VW == 1)
    if (w >= 0 && w + VW <= W) return LOAD(row + w);
#endif
#if VW == 1
    return w >= 0 && w < W ? (float)row[w * STEP] : 0.0f;
#else
    float each[VW];
    for (int v = 0; v < VW; ++v) each[v] = w + v * SW >= 0 && w + v * SW < W ? (float)row[(w + v * SW) * STEP] : 0.0f;
    return JOIN(vload, VW)(0, each);
#endif
}
#endif

inline void store_row(VEC sum, __global REAL *row, int w)
{
#if !CHANNELS_LAST
    if (w + VW <= OW) {
        STORE(sum, row + w);
        return;
    }
#endif
#if VW == 1
    if (w < OW) row[w * STEP_OUT] = (REAL)sum;
#else
    float each[VW];
    JOIN(vstore, VW)(sum, 0, each);
    for (int v = 0; v < VW; ++v)
        if (w + v < OW) row[(w + v) * STEP_OUT] = (REAL)each[v];
#endif
}

#if BIAS
#define ADDED + (VEC)((float)bias[channel])
#else
#define ADDED
#endif

// Global size: tiles along w, tiles along h, (batch, output channel, group of PLANES output planes).
__kernel __attribute__((reqd_work_group_size(LX, LY, 1)))
void conv3d(__global const SOURCE *restrict x, __global const REAL *restrict weights, __global REAL *restrict y
#if BIAS
            , __global const REAL *restrict bias
#endif
)
{
    const int column = get_global_id(0) * WIDTH, row = get_global_id(1) * HWI;
    const int groups = (OD + PLANES - 1) / PLANES, which = get_global_id(2);
    const int first = which % groups * PLANES, last = min(first + PLANES, OD);
    const int channel = which / groups % (C * MULT), batch = which / groups / (C * MULT);
    const int image = batch * C + channel / MULT;
    __global const REAL *taps = weights + (size_t)channel * (KD * KH * KW);
    if (column >= OW || row >= OH) return;
    for (int od = first; od < last; ++od) {
        VEC sum[HWI][NWI];
        _Pragma("unroll") for (int i = 0; i < HWI; ++i)
            _Pragma("unroll") for (int j = 0; j < NWI; ++j) sum[i][j] = (VEC)(0);
        for (int kd = 0; kd < KD; ++kd) {
            const int d = od * SD + kd * LD;
#if !PACK
            if (d - PD < 0 || d - PD >= D) continue;
#endif
            _Pragma("unroll") for (int r = 0; r < ROWS_READ; ++r) {
#if PACK
                __global const float *from = x + (((size_t)image * PADDED_D + d) * PADDED_H + row * SH + r) * PADDED_W;
                const int w = column * SW;
#else
                const int h = row * SH + r - PH, w = column * SW - PW;
                if (h < 0 || h >= H) continue;
                __global const REAL *from = row_of(x, image, d - PD, h);
#endif
                _Pragma("unroll") for (int kw = 0; kw < KW; ++kw)
                    _Pragma("unroll") for (int j = 0; j < NWI; ++j) {
                        const VEC value = fetch(from, w + j * VW * SW + kw * LW);
                        _Pragma("unroll") for (int i = 0; i < HWI; ++i) {
                            const int kh = r - i * SH;  // times LH
                            if (kh >= 0 && kh % LH == 0 && kh / LH < KH)
                                sum[i][j] = fma(value, (VEC)((float)taps[(kd * KH + kh / LH) * KW + kw]), sum[i][j]);
                        }
                    }
            }
        }
        _Pragma("unroll") for (int i = 0; i < HWI; ++i) {
            if (row + i >= OH) continue;
#if CHANNELS_LAST
            __global REAL *out = y + (((size_t)batch * OD + od) * OH + row + i) * OW * (C * MULT) + channel;
#else
            __global REAL *out = y + ((((size_t)batch * C * MULT + channel) * OD + od) * OH + row + i) * OW;
#endif
            _Pragma("unroll") for (int j = 0; j < NWI; ++j) store_row(sum[i][j] ADDED, out, column + j * VW);
        }
    }
}
