// The reported channels-last ladder (V80 to V105): no input is shared between threads, every tap reads x again.
// 16-bit elements, stride and dilation 1, MULT 1; x and y are [N, D, H, W, C], weights [KD, KH, KW, C], packed so once.
//
// Build-time switches beyond those of port.cuh:
//   TILE_C     channels of a block          EACH_C     channels of a thread, a multiple of 8
//   POSITIONS  outputs of a block; TILE_C / EACH_C * POSITIONS threads
//   STAGED     weights: 0 from global memory, 1 all taps of the block's channels in shared memory, 2 one tap at a time there
//   ALIGNED    1: a wave is at one position, and the compiler knows
#if defined(RUNG_LAST)
#define PER_POSITION (TILE_C / EACH_C)
#define LAST_THREADS (PER_POSITION * POSITIONS)
#define LAST_TAPS (KD * KH * KW)
#define VECTORS (EACH_C / 8)

static_assert(ELEM != 0 && EACH_C % 8 == 0 && C % TILE_C == 0 && TILE_C % EACH_C == 0, "vectors of 8 channels");
static_assert(!ALIGNED || PER_POSITION % WAVE == 0, "a position is several whole waves");

typedef Block<16> Vector;  // 8 channels

DEVICE void multiply_vector(float* sum, const Vector& x, const Vector& w) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        sum[2 * i] += low_half(x.word[i]) * low_half(w.word[i]);
        sum[2 * i + 1] += high_half(x.word[i]) * high_half(w.word[i]);
    }
}

// Grid: x = positions of all images in blocks, y = C / TILE_C.
KERNEL(LAST_THREADS, 1)
conv3d_last(const elem* __restrict__ x, const elem* __restrict__ weights, elem* __restrict__ y) {
#if STAGED
#if defined(HOTLOOP_EMULATED)
    DYNAMIC_SHARED(memory);
#else
    __shared__ __attribute__((aligned(16))) unsigned char memory[(STAGED == 1 ? LAST_TAPS : 1) * TILE_C * 2];
#endif
    Vector* staged = reinterpret_cast<Vector*>(memory);
#endif
    int thread = threadIdx.x, base = blockIdx.y * TILE_C, own = thread % PER_POSITION * EACH_C;
    int place = thread / PER_POSITION;
#if ALIGNED && defined(__HIP__) && !defined(HOTLOOP_EMULATED)
    place = __builtin_amdgcn_readfirstlane(place);
#endif
    bits64 position = (bits64)blockIdx.x * POSITIONS + place;
    bool here = position < (bits64)N * OD * OH * OW;
    int ow = (int)(position % OW), oh = (int)(position / OW % OH), od = (int)(position / (OW * OH) % OD);
    bits64 image = position / ((bits64)OW * OH * OD);
    float sum[EACH_C] = {};
#if STAGED == 1
    for (int i = thread; i < LAST_TAPS * TILE_C / 8; i += LAST_THREADS)
        staged[i] = *reinterpret_cast<const Vector*>(weights + (bits64)(i / (TILE_C / 8)) * C + base + i % (TILE_C / 8) * 8);
    __syncthreads();
#endif
#pragma unroll 1
    for (int kd = 0; kd < KD; ++kd) {
        int d = od - PD + kd;
#pragma unroll
        for (int kh = 0; kh < KH; ++kh) {
            int h = oh - PH + kh;
#pragma unroll
            for (int kw = 0; kw < KW; ++kw) {
                int w = ow - PW + kw, tap = (kd * KH + kh) * KW + kw;
#if STAGED == 2
                __syncthreads();
                for (int i = thread; i < TILE_C / 8; i += LAST_THREADS)
                    staged[i] = *reinterpret_cast<const Vector*>(weights + (bits64)tap * C + base + i * 8);
                __syncthreads();
#endif
                if (here && d >= 0 && d < D && h >= 0 && h < H && w >= 0 && w < W) {
                    const elem* from = x + (((image * D + d) * H + h) * W + w) * C + base + own;
#pragma unroll
                    for (int v = 0; v < VECTORS; ++v) {
#if STAGED == 1
                        Vector taps = staged[(tap * TILE_C + own) / 8 + v];
#elif STAGED == 2
                        Vector taps = staged[own / 8 + v];
#else
                        Vector taps = *reinterpret_cast<const Vector*>(weights + (bits64)tap * C + base + own + v * 8);
#endif
                        multiply_vector(sum + v * 8, reinterpret_cast<const Vector*>(from)[v], taps);
                    }
                }
            }
        }
    }
    if (!here) return;
    Vector* to = reinterpret_cast<Vector*>(y + position * C + base + own);
#pragma unroll
    for (int v = 0; v < VECTORS; ++v) {
        Vector out;
#pragma unroll
        for (int i = 0; i < 4; ++i) out.word[i] = pack2(sum[v * 8 + 2 * i], sum[v * 8 + 2 * i + 1]);
        to[v] = out;
    }
}
#endif
