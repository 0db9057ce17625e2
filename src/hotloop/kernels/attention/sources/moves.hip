// Moving data: exchanges between lanes, where an element lies in a tile, and tiles from global memory to LDS. Follows tile.hip.
// --- across lanes ----------------------------------------------------------------------------------------------------
INLINE float highest(float a, float b) { return __builtin_fmaxf(a, b); }
INLINE float total(float a, float b) { return a + b; }
INLINE float number(int x) { return __builtin_bit_cast(float, x); }
INLINE int bits(float x) { return __builtin_bit_cast(int, x); }

template <int MASK> INLINE float partner(Lane at, float x)
{
    if constexpr (MASK == 32)
        return number(__builtin_amdgcn_ds_bpermute((at.thread % LANES ^ 32) * 4, bits(x)));
    else
        return number(__builtin_amdgcn_ds_swizzle(bits(x), 0x1f | MASK << 10));
}

// Lanes MASK apart joined. In the vector unit rows of 16 lanes rotate, which joins the same lanes in another order.
template <int MASK, typename Op> INLINE float join(Lane at, float x, Op op)
{
#if CROSS
    if constexpr (MASK < 16)
        return op(x, number(__builtin_amdgcn_update_dpp(0, bits(x), 0x120 + MASK, 0xf, 0xf, false)));
#if defined(__gfx950__)
    if constexpr (MASK == 16) {
        auto both = __builtin_amdgcn_permlane16_swap(bits(x), bits(x), false, false);
        return op(number(both[0]), number(both[1]));
    }
    if constexpr (MASK == 32) {
        auto both = __builtin_amdgcn_permlane32_swap(bits(x), bits(x), false, false);
        return op(number(both[0]), number(both[1]));
    }
#endif
#endif
    return op(x, partner<MASK>(at, x));
}

template <typename Op> INLINE float across(Lane at, float x, Op op)
{
#if PREG
    if constexpr (SIDE == 16) x = join<16>(at, x, op);
    return join<32>(at, x, op);
#else
    if constexpr (SIDE == 32) x = join<16>(at, x, op);
    x = join<8>(at, x, op);
    x = join<4>(at, x, op);
    x = join<2>(at, x, op);
    return join<1>(at, x, op);
#endif
}

// --- places in a tile --------------------------------------------------------------------------------------------------
// Swizzled, units of one operand change places: those of 16 rows of K that a read takes together, or those of V that columns
// 8 apart store together, get different banks. The exclusive or keeps a row's units a permutation.
INLINE int k_place(int r, int d) { return r * QS + (SWIZZLE ? (d / WIDTH ^ r % 16) * WIDTH + d % WIDTH : d); }
INLINE int v_place(int d, int key)
{
    // A transposing read takes 4 rows (8 with 16x16 instructions) of the same columns: they get different banks.
    if (!VT) return key * VS + (SWIZZLE ? (d / 8 ^ (key % 4 * 4 + key / 4 % 2 * 2)) * 8 + d % 8 : d);
    return d * VS + (SWIZZLE ? key ^ (d / 8 ^ d / 2) % 8 * 4 : key);
}

// --- moving tiles ----------------------------------------------------------------------------------------------------
template <int TOGETHER> INLINE int chunk_row(int thread, int move)
{
    return (thread + move / TOGETHER * THREADS) / (D / CHUNK) * TOGETHER + move % TOGETHER;
}

INLINE int chunk_column(int thread) { return thread % (D / CHUNK) * CHUNK; }  // THREADS is a multiple of 16

template <int TOGETHER, int COUNT> INLINE void fetch(Lane at, const f16 *from, int first, int rows, f16x8 (&into)[COUNT])
{
#pragma unroll
    for (int move = 0; move < COUNT; ++move) {
        const int r = first + chunk_row<TOGETHER>(at.thread, move);
        into[move] = r < rows ? *(const f16x8 *)(from + (long)r * D + chunk_column(at.thread)) : f16x8{};
    }
}

template <int COUNT> INLINE void put(Lane at, f16 *to, const f16x8 (&moved)[COUNT])
{
#pragma unroll
    for (int move = 0; move < COUNT; ++move) {
        const int r = chunk_row<1>(at.thread, move), d = chunk_column(at.thread);
#if SWIZZLE && !WIDE
        *(f16x4 *)(to + k_place(r, d)) = __builtin_shufflevector(moved[move], moved[move], 0, 1, 2, 3);
        *(f16x4 *)(to + k_place(r, d + 4)) = __builtin_shufflevector(moved[move], moved[move], 4, 5, 6, 7);
#else
        *(Row *)(to + k_place(r, d)) = moved[move];
#endif
    }
}

INLINE void put_v(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
#if VT
#pragma unroll
    for (int move = 0; move < MOVES; move += VROWS)
#pragma unroll
        for (int j = 0; j < CHUNK; ++j) {
            f16 *place = to + v_place(chunk_column(at.thread) + j, chunk_row<VROWS>(at.thread, move));
#if VROWS == 2
            *(f16x2 *)place = f16x2{moved[move][j], moved[move + 1][j]};
#else
            *place = moved[move][j];
#endif
        }
#elif TR
#pragma unroll
    for (int move = 0; move < MOVES; ++move)
        *(Row *)(to + v_place(chunk_column(at.thread), chunk_row<1>(at.thread, move))) = moved[move];
#else
    put(at, to, moved);
#endif
}

// Copies past the registers: lane by lane the bytes of a wave follow each other in LDS, so the order of a tile is made by what
// each lane asks for (the places' exclusive or is its own inverse). Rows behind the end repeat the last one: they are masked.
#if DIRECT
constexpr int UNIT = WIDE ? 8 : 2, COPIES = BN * D / (UNIT * THREADS);  // halves of a lane: 16 bytes on gfx950, 4 elsewhere

template <int WHAT> INLINE void copy(Lane at, const f16 *from, int first, int rows, f16 *to)
{
#pragma unroll
    for (int i = 0; i < COPIES; ++i) {
        const int base = (i * WAVES + at.wave) * LANES * UNIT, place = base + at.thread % LANES * UNIT;
        const int r = place / D, d = (WHAT ? v_place(place % D, r) : k_place(r, place % D)) - r * D;
        const f16 *source = from + (long)less(first + r, rows - 1) * D + d;
        __builtin_amdgcn_global_load_lds((GLOBAL void *)source, (LOCAL void *)(to + base), 2 * UNIT, 0, 0);
    }
}
#endif

// A tile on its way: `take` starts it, into registers or into its place, and `leave` ends it.
INLINE void take_k(Lane at, const f16 *k, int first, int keys, f16 *to, f16x8 (&moved)[MOVES])
{
#if DIRECT
    copy<0>(at, k, first, keys, to);
#else
    fetch<1>(at, k, first, keys, moved);
#endif
}

INLINE void take_v(Lane at, const f16 *v, int first, int keys, f16 *to, f16x8 (&moved)[MOVES])
{
#if DIRECT == 2
    copy<1>(at, v, first, keys, to);
#else
    fetch<VROWS>(at, v, first, keys, moved);
#endif
}

INLINE void leave_k(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
    if (!DIRECT) put(at, to, moved);
}

INLINE void leave_v(Lane at, f16 *to, const f16x8 (&moved)[MOVES])
{
    if (DIRECT < 2) put_v(at, to, moved);
}

