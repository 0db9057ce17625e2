"""Causal flash attention forward in FlyDSL: the rung `p-registers` of the ladder, with K and V in places of their own.

As in hotloop's ``attention.hip``: 4 waves of 16 queries, 32 keys per step, S computed transposed so that P is in place for
the second product, rows of K and of the transposed V padded by 4 halves. Differences: a step's K and V are fetched at its
beginning, queries and keys are multiples of 64 and 32, and sums join across lanes by ``gpu.shuffle``.

Compile it without a card: ``hotloop isa examples/attention_flydsl.py --target gfx942``.
"""

import flydsl.compiler as flyc
import flydsl.expr as fx

import hotloop as hl

D, ROWS, BN, SIDE, THREADS, PAD = 128, 64, 32, 16, 256, 4
K_STRIDE, V_STRIDE = D + PAD, BN + PAD
STEPS, COLUMNS, TILES, MOVES = D // 16, D // SIDE, BN // SIDE, BN * D // 8 // THREADS
FOUR, EIGHT, SUMS = fx.Vector[fx.Float16, 4], fx.Vector[fx.Float16, 8], fx.Vector[fx.Float32, 4]


def multiply(a, b, c):
    return fx.Vector(fx.rocdl.mfma_f32_16x16x16f16(SUMS.ir_type, [a, b, c, 0, 0, 0]), 4, fx.Float32)


def read(base, at, kind):
    return fx.ptr_load(fx.add_offset(base, at), kind)


def across(x, join):
    for apart in fx.range_constexpr(2):
        x = join(x, x.shuffle_xor(16 << apart, 64))
    return x


@flyc.kernel(known_block_size=(THREADS, 1, 1))
def attention(  # noqa: C901
    Q: fx.Tensor, K: fx.Tensor, V: fx.Tensor, Out: fx.Tensor, queries: fx.Int32, keys: fx.Int32, scale: fx.Float32
):
    thread = fx.Int32(fx.thread_idx.x)
    wave, lane = thread // 64, thread % 64
    n, g = lane % SIDE, lane // SIDE
    first, head = fx.Int32(fx.block_idx.x) * ROWS, fx.Int32(fx.block_idx.y)
    query = first + wave * SIDE + n
    mine = (head * queries + query) * D
    q, k, v, out = fx.get_iter(Q), fx.get_iter(K), fx.get_iter(V), fx.get_iter(Out)
    lds = fx.SharedAllocator()
    kt = lds.allocate(fx.Array[fx.Float16, BN * K_STRIDE, 16]).peek().ptr
    vt = lds.allocate(fx.Array[fx.Float16, D * V_STRIDE, 16]).peek().ptr

    held = [read(q, mine + step * 16 + g * 4, FOUR) for step in fx.range_constexpr(STEPS)]
    zero = fx.Vector.filled(4, 0.0, fx.Float32)
    start = [fx.Float32(float("-inf")), fx.Float32(0.0), *(zero for _ in fx.range_constexpr(COLUMNS))]
    for step_index, state in range(fx.Int32(0), (first + ROWS) // BN, fx.Int32(1), init=start):
        key0 = fx.Int32(step_index) * BN
        top, total = fx.Float32(state[0]), fx.Float32(state[1])
        o = [fx.Vector(state[2 + c], 4, fx.Float32) for c in fx.range_constexpr(COLUMNS)]
        for move in fx.range_constexpr(MOVES):
            chunk = thread + move * THREADS
            row, column = chunk // (D // 8), chunk % (D // 8) * 8
            there = (head * keys + key0 + row) * D + column
            part, other = read(k, there, EIGHT), read(v, there, EIGHT)
            for half in fx.range_constexpr(2):
                four = fx.Vector.from_elements([part[4 * half + j] for j in fx.range_constexpr(4)], fx.Float16)
                fx.ptr_store(four, fx.add_offset(kt, row * K_STRIDE + column + 4 * half))
            for j in fx.range_constexpr(8):
                fx.ptr_store(other[j], fx.add_offset(vt, (column + j) * V_STRIDE + row))
        fx.gpu.barrier()

        s = [zero for _ in fx.range_constexpr(TILES)]
        for step in fx.range_constexpr(STEPS):
            for t in fx.range_constexpr(TILES):
                s[t] = multiply(read(kt, (t * SIDE + n) * K_STRIDE + step * 16 + g * 4, FOUR), held[step], s[t])
        x = []
        for t in fx.range_constexpr(TILES):
            for i in fx.range_constexpr(4):
                seen = key0 + t * SIDE + g * 4 + i <= query
                x.append(seen.select(s[t][i] * scale, fx.Float32(float("-inf"))))
        now = top
        for i in fx.range_constexpr(4 * TILES):
            now = now.maximumf(x[i])
        now = across(now, lambda a, b: a.maximumf(b))
        shrink = (top - now).exp2()
        p, part_sum = [], fx.Float32(0.0)
        for i in fx.range_constexpr(4 * TILES):
            p.append((x[i] - now).exp2())
            part_sum = part_sum + p[i]
        total = total * shrink + part_sum
        packs = [
            fx.Vector.from_elements([p[4 * t + i].to(fx.Float16) for i in fx.range_constexpr(4)], fx.Float16)
            for t in fx.range_constexpr(TILES)
        ]
        for c in fx.range_constexpr(COLUMNS):
            o[c] = o[c] * shrink
            for t in fx.range_constexpr(TILES):
                o[c] = multiply(read(vt, (c * SIDE + n) * V_STRIDE + t * SIDE + g * 4, FOUR), packs[t], o[c])
        fx.gpu.barrier()
        results = yield [now, total, *o]

    weight = fx.Float32(1.0) / across(fx.Float32(results[1]), lambda a, b: a + b)
    for c in fx.range_constexpr(COLUMNS):
        final = (fx.Vector(results[2 + c], 4, fx.Float32) * weight).to(fx.Float16)
        fx.ptr_store(final, fx.add_offset(out, mine + c * SIDE + g * 4))


@flyc.jit
def launch(
    Q: fx.Tensor, K: fx.Tensor, V: fx.Tensor, Out: fx.Tensor, heads: fx.Int32, queries: fx.Int32, keys: fx.Int32,
    scale: fx.Float32, stream: fx.Stream = fx.Stream(None),  # noqa: B008
):  # fmt: skip
    """Attention of [heads, rows, 128] arrays, flat; `scale` includes the logarithm of e to the base 2."""
    attention(Q, K, V, Out, queries, keys, scale).launch(
        grid=(queries // ROWS, heads, 1), block=(THREADS, 1, 1), stream=stream
    )


hl.offline(launch, signature=dict.fromkeys(("Q", "K", "V", "Out"), "*fp16"))
