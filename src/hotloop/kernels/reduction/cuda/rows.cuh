// One row: how a thread loads, keeps and writes its part, and the kernel. Follows lanes.cuh.
#define VECTORS (COLUMNS / VEC)
#define EACH ((VECTORS + LANES - 1) / LANES)
#define FULL (VECTORS % LANES == 0)

#define WIDE (ELEM ? VEC == 8 : VEC == 4)  // 16 bytes

struct alignas(VEC * sizeof(elem)) Vector {
#if WIDE
    bits32 word[4];
#if ELEM
    DEVICE float at(int e) const { return half_of(word[e / 2], e % 2); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int i = 0; i < 4; ++i) word[i] = pack(x[2 * i], x[2 * i + 1]);
    }
#else
    DEVICE float at(int e) const { return as_float(word[e]); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int e = 0; e < VEC; ++e) word[e] = as_bits(x[e]);
    }
#endif
#else
    elem value[VEC];
    DEVICE float at(int e) const { return to_float(value[e]); }
    DEVICE void set(const float (&x)[VEC]) {
#pragma unroll
        for (int e = 0; e < VEC; ++e) value[e] = from_float(x[e]);
    }
#endif
};

// What is known of the lines of an access.
enum Use { ONCE, AGAIN };
#if STREAM && defined(ON_NVIDIA)
#define LOADED(v) "=r"(v.word[0]), "=r"(v.word[1]), "=r"(v.word[2]), "=r"(v.word[3])
#endif

template <Use USE>
DEVICE Vector take(const Vector* from) {
#if STREAM && WIDE && defined(ON_NVIDIA)
    Vector v;
    if (USE == ONCE) {
        asm("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];" : LOADED(v) : "l"(from));
        return v;
    }
    if (USE == AGAIN) {
        bits64 policy;
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
        asm("ld.global.L1::evict_last.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
            : LOADED(v)
            : "l"(from), "l"(policy));
        return v;
    }
#endif
    return *from;
}
DEVICE void put(Vector* to, const Vector& made) {
#if STREAM && WIDE && defined(ON_NVIDIA)
    asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(made.word[0]), "r"(made.word[1]),
                 "r"(made.word[2]), "r"(made.word[3])
                 : "memory");
#else
    *to = made;
#endif
}

// The terms of a thread's part of a row: scale or shift.
struct Terms {
    const Vector* from;
#if HELD && EARLY
    Vector kept[EACH];
#endif

    DEVICE void open(const elem* terms, int lane) {
        from = reinterpret_cast<const Vector*>(terms);
#if HELD && EARLY
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (FULL || lane + i * LANES < VECTORS) {
#if WIDE && defined(ON_NVIDIA)  // volatile: the compiler would move the load to its use
                asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(kept[i].word[0]), "=r"(kept[i].word[1]), "=r"(kept[i].word[2]), "=r"(kept[i].word[3])
                             : "l"(from + lane + i * LANES));
#else
                kept[i] = from[lane + i * LANES];
#endif
            }
#endif
    }
#if HELD && EARLY
    DEVICE Vector at(int i, int) const { return kept[i]; }
#else
    DEVICE Vector at(int, int v) const { return from[v]; }
#endif
};

#define WEIGHED (OP == 3 && HELD == 1 && EARLY)
struct Row {
    const Vector* from;
    int lane;
#if HELD == 1
    float kept[EACH][VEC];
#elif HELD
    Vector kept[EACH];
#endif

    DEVICE bool has(int i) const { return FULL || lane + i * LANES < VECTORS; }

    DEVICE void open(const elem* row, int my_lane) {
        from = reinterpret_cast<const Vector*>(row);
        lane = my_lane;
#if HELD == 2
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) kept[i] = take<ONCE>(from + lane + i * LANES);
#elif HELD
        Vector raw[EACH];  // all loads before the first use
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) raw[i] = take<ONCE>(from + lane + i * LANES);
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int e = 0; e < VEC; ++e) kept[i][e] = has(i) ? raw[i].at(e) : 0.0f;
#endif
    }

#if HELD == 1
    DEVICE float value(int i, int e) const { return kept[i][e]; }
#elif HELD
    DEVICE float value(int i, int e) const { return kept[i].at(e); }
#endif

    // Between two passes: the compiler must not remember what it made of the row, which would need more registers than the
    // row itself.
    DEVICE void forget() {
#if HELD == 2 && !defined(HOTLOOP_EMULATED)
#if defined(ON_NVIDIA)
#define REGISTER "+r"
#else
#define REGISTER "+v"
#endif
#pragma unroll
        for (int i = 0; i < EACH; ++i)
#pragma unroll
            for (int w = 0; w < 4; ++w) asm volatile("" : REGISTER(kept[i].word[w]));
#endif
    }

    // Calls f(x, index of the element) for each element of this thread.
    template <class F>
    DEVICE void each(F f) const {
#if HELD
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i))
#pragma unroll
                for (int e = 0; e < VEC; ++e) f(value(i, e), (lane + i * LANES) * VEC + e);
#else
#pragma unroll 4
        for (int v = lane; v < VECTORS; v += LANES) {
            Vector raw = take<AGAIN>(from + v);
#pragma unroll
            for (int e = 0; e < VEC; ++e) f(raw.at(e), v * VEC + e);
        }
#endif
    }

    // Returns the sum of f(x) over the elements of this thread, in two sums that do not wait for each other.
    template <class F>
    DEVICE float total(F f) const {
        float even = 0.0f, odd = 0.0f;
        each([&](float v, int at) {
            if (VEC > 1 && at % 2)
                odd += f(v);
            else
                even += f(v);
        });
        return even + odd;
    }

    // Multiplies by the scale early, while the threads of the row still wait for each other.
    DEVICE void weigh(const Terms& scale) {
#if WEIGHED
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (has(i)) {
                Vector by = scale.at(i, 0);
#pragma unroll
                for (int e = 0; e < VEC; ++e) kept[i][e] *= by.at(e);
            }
#endif
    }

    // Writes f(x) to the row `to`, times `scale` and plus `shift` where the operation has them.
    template <class F>
    DEVICE void map(elem* to, const Terms& scale, const Terms& shift, F f) const {
        Vector* out = reinterpret_cast<Vector*>(to);
#if HELD
#pragma unroll
        for (int i = 0; i < EACH; ++i) {
            if (!has(i)) continue;
            int v = lane + i * LANES;
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = value(i, e);
#else
        const int i = 0;
#pragma unroll 2
        for (int v = lane; v < VECTORS; v += LANES) {
            Vector raw = take<ONCE>(from + v);
            float x[VEC];
#pragma unroll
            for (int e = 0; e < VEC; ++e) x[e] = raw.at(e);
#endif
            Vector by, plus, made;
            if (OP >= 3 && !WEIGHED) by = scale.at(i, v);
            if (OP >= 4) plus = shift.at(i, v);
#pragma unroll
            for (int e = 0; e < VEC; ++e) {
                x[e] = f(x[e]);
                if (OP >= 3 && !WEIGHED) x[e] *= by.at(e);
                if (OP >= 4) x[e] += plus.at(e);
            }
            made.set(x);
            put(out + v, made);
        }
    }
};

// Reduces a row that was opened, and writes it.
DEVICE void finish(Row& mine, elem* y, int row, bool real, const Terms& scale, const Terms& shift,
                   float (*first)[WAVES], float (*second)[WAVES]) {
#if OP == 0 || OP == 1
    float result = OP == 0 ? 0.0f : MINUS_INFINITY;
    if (OP == 0)
        result = mine.total([](float v) { return v; });
    else
        mine.each([&](float v, int) { result = Larger()(result, v); });
#if OP == 0
    result = across(result, Add(), first);
#else
    result = across(result, Larger(), first);
#endif
    if (real && mine.lane == 0) y[row] = from_float(result);
#else
    elem* to = y + (long long)row * COLUMNS;
#if OP == 2
    float top = MINUS_INFINITY;
    mine.each([&](float v, int) { top = v > top ? v : top; });
    top = across(top, Highest(), first) * LOG2_E;
    mine.forget();
    float sum = mine.total([&](float v) { return exp2_fast(v * LOG2_E - top); });
    mine.forget();
#if HELD == 2  // the exponential is taken anew: to keep it would cost the registers that were saved
    float less = log2_fast(across(sum, Add(), second));  // apart from top, which may be so large that a sum would lose it
    if (real) mine.map(to, scale, shift, [&](float v) { return exp2_fast((v * LOG2_E - top) - less); });
#else
    float inverse = 1.0f / across(sum, Add(), second);
    if (real) mine.map(to, scale, shift, [&](float v) { return exp2_fast(v * LOG2_E - top) * inverse; });
#endif
#elif OP == 3
    float squares = mine.total([](float v) { return v * v; });
    mine.weigh(scale);
    mine.forget();
    float factor = inverse_root(across(squares, Add(), first) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, shift, [&](float v) { return v * factor; });
#else
    float sum = mine.total([](float v) { return v; });
    mine.forget();
    float mean = across(sum, Add(), first) * (1.0f / COLUMNS);
    float squares = mine.total([&](float v) { return (v - mean) * (v - mean); });
    mine.forget();
    float factor = inverse_root(across(squares, Add(), second) * (1.0f / COLUMNS) + EPSILON);
    if (real) mine.map(to, scale, shift, [&](float v) { return (v - mean) * factor; });
#endif
#endif
}

// Grid: ceil(rows / ROWS) blocks. Sum and max write one element per row. Scale and shift have COLUMNS elements.
#define RESIDENT (EACH <= 8 ? 1024 : 512)  // threads of a multiprocessor: 64 or 128 registers for each
#if CROWD && defined(ON_NVIDIA)  // of which 32 blocks are the most
#define BOUNDS __launch_bounds__(LANES* ROWS, LANES* ROWS < 64 ? 32 : 2048 / (LANES * ROWS))
#elif HELD == 2 && defined(ON_NVIDIA) && LANES * ROWS <= 512
#define BOUNDS __launch_bounds__(LANES* ROWS, RESIDENT / (LANES * ROWS))
#else
#define BOUNDS __launch_bounds__(LANES* ROWS)
#endif
extern "C" __global__ void BOUNDS
rows_reduce(const elem* __restrict__ x, const elem* __restrict__ scale, elem* __restrict__ y,
            const elem* __restrict__ shift, int rows) {
    __shared__ float partial[2][ROWS][WAVES];
    int team = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    Row mine;
    Terms by, plus;
    int row = blockIdx.x * ROWS + team;
    bool real = ROWS == 1 || row < rows;  // threads of a row that is not there go along, for the barriers, on the last row
    if (!real) row = rows - 1;
    mine.open(x + (long long)row * COLUMNS, lane);
    if (OP >= 3) by.open(scale, lane);
    if (OP >= 4) plus.open(shift, lane);
    finish(mine, y, row, real, by, plus, partial[0], partial[1]);
}
