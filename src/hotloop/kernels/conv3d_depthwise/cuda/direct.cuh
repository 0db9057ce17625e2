// The two simple rungs. conv3d_direct takes any size, stride, dilation, padding, multiplier and both layouts.
#if defined(RUNG_DIRECT)
#define DIRECT_THREADS 256
#define DIRECT_OUTPUTS ((bits64)N * C * MULT * OD * OH * OW)

DEVICE bits64 input_index(int n, int c, int d, int h, int w) {
#if CHANNELS_LAST
    return ((((bits64)n * D + d) * H + h) * W + w) * C + c;
#else
    return ((((bits64)n * C + c) * D + d) * H + h) * W + w;
#endif
}

// One thread, one output; consecutive threads lie along the contiguous axis of y.
KERNEL(DIRECT_THREADS, 1)
conv3d_direct(ARGUMENTS) {
    bits64 index = (bits64)blockIdx.x * DIRECT_THREADS + threadIdx.x;
    if (index >= DIRECT_OUTPUTS) return;
    bits64 rest = index;
#if CHANNELS_LAST
    int oc = (int)(rest % (C * MULT));
    rest /= C * MULT;
#endif
    int ow = (int)(rest % OW);
    rest /= OW;
    int oh = (int)(rest % OH);
    rest /= OH;
    int od = (int)(rest % OD);
    rest /= OD;
#if !CHANNELS_LAST
    int oc = (int)(rest % (C * MULT));
    rest /= C * MULT;
#endif
    int n = (int)rest, c = oc / MULT;
    const elem* taps = weights + (bits64)oc * (KD * KH * KW);
    float sum = 0.0f;
    for (int kd = 0; kd < KD; ++kd) {
        int d = od * SD - PD + kd * LD;
        if (d < 0 || d >= D) continue;
        for (int kh = 0; kh < KH; ++kh) {
            int h = oh * SH - PH + kh * LH;
            if (h < 0 || h >= H) continue;
#pragma unroll
            for (int kw = 0; kw < KW; ++kw) {
                int w = ow * SW - PW + kw * LW;
                if (w >= 0 && w < W)
                    sum += to_float(x[input_index(n, c, d, h, w)]) * to_float(taps[(kd * KH + kh) * KW + kw]);
            }
        }
    }
    y[index] = from_float(sum + BIAS_OF(oc));
}
#endif

#if defined(RUNG_TILE)
#define TILE_THREADS 256
#define TILE_H ((OH - 1) * SH + (KH - 1) * LH + 1)
#define TILE_W ((OW - 1) * SW + (KW - 1) * LW + 1)

// One block, one output plane: the planes it needs lie in shared memory with their zero border. NCDHW, MULT = 1.
KERNEL(TILE_THREADS, 1)
conv3d_tile(ARGUMENTS) {
    __shared__ elem tile[KD * TILE_H * TILE_W];
    __shared__ float taps[KD * KH * KW];
    int od = blockIdx.x, c = blockIdx.y, n = blockIdx.z;
    const elem* source = x + ((bits64)n * C + c) * D * H * W;
    for (int i = threadIdx.x; i < KD * KH * KW; i += TILE_THREADS)
        taps[i] = to_float(weights[(bits64)c * (KD * KH * KW) + i]);
    for (int i = threadIdx.x; i < KD * TILE_H * TILE_W; i += TILE_THREADS) {
        int w = i % TILE_W - PW, h = i / TILE_W % TILE_H - PH, d = od * SD - PD + i / (TILE_W * TILE_H) * LD;
        bool inside = d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W;
        tile[i] = inside ? source[((bits64)d * H + h) * W + w] : (elem)0;
    }
    __syncthreads();
    elem* target = y + (((bits64)n * C + c) * OD + od) * OH * OW;
    for (int i = threadIdx.x; i < OH * OW; i += TILE_THREADS) {
        const elem* corner = tile + i / OW * SH * TILE_W + i % OW * SW;
        float sum = 0.0f;
        for (int kd = 0; kd < KD; ++kd)
#pragma unroll
            for (int kh = 0; kh < KH; ++kh)
#pragma unroll
                for (int kw = 0; kw < KW; ++kw)
                    sum += to_float(corner[(kd * TILE_H + kh * LH) * TILE_W + kw * LW]) * taps[(kd * KH + kh) * KW + kw];
        target[i] = from_float(sum + BIAS_OF(c));
    }
}
#endif
