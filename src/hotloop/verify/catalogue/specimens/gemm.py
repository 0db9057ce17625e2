"""Mutants of hotloop's own OpenCL GEMM: exact edits of the text that the loop compiles."""

from __future__ import annotations

from dataclasses import replace

from hotloop.model.program import Argument, Program, Value
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.verify.catalogue.build import fewer_groups, never, reversed_order, same_array, twice, without_first
from hotloop.verify.catalogue.mutant import Edit, Mutant, Specimen

NAIVE = Config(
    MDIM=16, NDIM=16, MWI=1, NWI=1, VW=1, KWG=16, KUNROLL=1, SA=1, SB=1, PAD=0, SWZ=1, PACK=0, KC=0, MPI=1, NPI=1,
    RASTER=1, PREFETCH=0,
)  # fmt: skip
"""The textbook tile: both operands staged in local memory between barriers."""
FRAGMENTS = NAIVE.replace(MDIM=4, NDIM=4, MWI=2, NWI=8, VW=4, PAD=4, SWZ=4, KUNROLL=2)
DIRECT = NAIVE.replace(MDIM=1, NDIM=1, SA=0, SB=0, MWI=6, NWI=16, VW=8, KUNROLL=4)
BLOCKED = DIRECT.replace(KC=128)
STAGED = DIRECT.replace(SB=2, KC=128, MPI=4, NPI=2)
GROUP = NAIVE.replace(MDIM=2, NDIM=4, MWI=2, NWI=8, VW=4, SA=2, SB=2, KC=128, MPI=2, NPI=2)
PACKED = DIRECT.replace(PACK=2, KC=128, MPI=2, NPI=4, RASTER=2)

_MASK = "as_float8(as_int8({}) & (int8)({}))"
_SUM = "acc[i][j] = fma(a, b[j], acc[i][j]);"
_LOAD = "b[j] = GET_B(j, kk);"


def _bug(
    name: str,
    kind: str,
    bug: str,
    old: str,
    new: str,
    config: Config = DIRECT,
    *,
    count: int = 1,
    runtime: str = "",
    **sizes: float | str,
) -> Mutant:
    edits = (Edit(old, new, count),) if old else ()
    return Mutant(name=name, kind=kind, bug=bug, edits=edits, config=config, sizes=Record(sizes), runtime=runtime)


def _half_sums(program: Program) -> Program:
    """Build float16 sums where float32 is asked; alpha and beta, passed by value, follow."""

    def one(argument: Argument) -> Argument:
        floats = isinstance(argument, Value) and argument.dtype == "float32"
        return Value(argument.value, "float16") if floats and isinstance(argument, Value) else argument

    launches = tuple(replace(la, arguments=tuple(one(a) for a in la.arguments)) for la in program.launches)
    options = tuple("-DACC32=0" if o == "-DACC32=1" else o for o in program.options)
    return replace(program, options=options, launches=launches)


_BOUNDS = (
    _bug("pack-row", "bounds", "the last row of a partial panel is packed as zeros",
         "i < valid ? (ACC)src", "i < valid - 1 ? (ACC)src", PACKED),
    _bug("pack-k", "lost-tail", "packing stops one step of k early",
         "k1 = min(k0 + PACK_K, K);", "k1 = min(k0 + PACK_K, K - 1);", PACKED),
    _bug("row-guard", "overrun", "row M is stored too: one row past the end of C",
         "if (ROW(i) >= M ||", "if (ROW(i) > M ||"),
    _bug("row-guard-gone", "overrun", "rows past M are stored", "if (ROW(i) >= M || COL(j) >= N)", "if (COL(j) >= N)"),
    _bug("edge-width", "overrun", "the edge vector is stored whole, over its neighbours",
         "for (int l = 0; l < n; ++l) c[l] = (REAL)lane[l];", "for (int l = 0; l < VW; ++l) c[l] = (REAL)lane[l];"),
    _bug("edge-shift", "bounds", "lanes of a vector that column N cuts off are not shifted back",
         "foreign = SHIFTED ? VW - n : 0;", "foreign = 0;"),
    _bug("edge-column", "bounds", "the cut-off vector starts at the last column instead of N - VW",
         "min(COL(j), N - VW)", "min(COL(j), N - 1)"),
    _bug("tiles-m", "bounds", "the partial tile along m is never computed", "tiles_m = (M + MWG - 1) / MWG", "tiles_m = M / MWG"),
    _bug("tiles-n", "bounds", "the partial tile along n is never computed", "tiles_n = (N + NWG - 1) / NWG", "tiles_n = N / NWG", NAIVE),
    _bug("odd-columns", "odd-sizes", "the last column is forgotten when N is odd",
         "COL(j) >= N) continue", "COL(j) >= (N & ~1)) continue", NAIVE),
    _bug("last-column-17", "odd-sizes", "the last column is forgotten when N mod 16 is 1",
         "COL(j) >= N) continue", "COL(j) >= N - (N % 16 == 1)) continue", NAIVE),
    _bug("band-rows", "bounds", "the last band of groups is taken for a whole one",
         "rows = min(band_rows, blocks_m - band * band_rows);", "rows = band_rows;", PACKED),
    _bug("group-lost", "stale-output", "one work-group too few is launched", "", ""),
)  # fmt: skip

_STRIDE = (
    _bug("lda-staged", "stride", "A is staged with stride K instead of lda",
         "#define A_AT(m, k) ((size_t)(m) * lda + (k))", "#define A_AT(m, k) ((size_t)(m) * K + (k))", NAIVE),
    _bug("ldb-staged", "stride", "B is staged with stride N instead of ldb",
         "#define B_AT(k, n) ((size_t)(k) * ldb + (n))", "#define B_AT(k, n) ((size_t)(k) * N + (n))", NAIVE),
    _bug("lda-direct", "stride", "rows of A are K apart instead of lda", "(size_t)min(ROW(i), M - 1) * lda + k0", "(size_t)min(ROW(i), M - 1) * K + k0"),
    _bug("lda-transposed", "stride", "transposed A is read with stride M instead of lda",
         "(ACC)pa[(size_t)(kk) * lda + row[i]]", "(ACC)pa[(size_t)(kk) * M + row[i]]", op="tn", lda=100),
    _bug("ldb-advance", "stride", "B advances by N instead of ldb", "#define ADVANCE_B(n) pb += (size_t)(n) * ldb", "#define ADVANCE_B(n) pb += (size_t)(n) * N"),
    _bug("ldc", "stride", "C is stored with stride N instead of ldc",
         "__global REAL *c = C + (size_t)ROW(i) * ldc + COL(j);", "__global REAL *c = C + (size_t)ROW(i) * N + COL(j);"),
    _bug("gather", "stride", "a transposed B is gathered along the wrong direction", "(ACC)p[(size_t)l * stride]", "(ACC)p[l]"),
    _bug("pack-step", "stride", "strides of packing are exchanged when k is not contiguous",
         "step_k = K_IS_CONTIGUOUS ? 1 : ld, step_i = K_IS_CONTIGUOUS ? ld : 1;", "step_k = 1, step_i = ld;", PACKED),
    _bug("pack-panel", "stride", "every 64 steps of k are packed over the first ones", " + (size_t)k0 * (WIDTH); ", "; ", PACKED),
    _bug("pack-source", "stride", "every 64 steps of k are packed from the first ones", "first * step_i + k0 * step_k;", "first * step_i;", PACKED),
    _bug("offset-a", "stride", "the offset of A is ignored", "A += offset_a; ", ""),
    _bug("offset-c", "stride", "the offset of C is ignored", " C += offset_c;", ""),
    _bug("offset-exchange", "aliasing", "the offsets of A and B are exchanged", "A += offset_a; B += offset_b;", "A += offset_b; B += offset_a;"),
)  # fmt: skip

_FRAGMENT = (
    _bug("a-transposed", "fragment", "op(A) is taken untransposed where it is transposed",
         "#define A_AT(m, k) ((size_t)(k) * lda + (m))", "#define A_AT(m, k) ((size_t)(m) * lda + (k))", NAIVE),
    _bug("b-transposed", "fragment", "op(B) is taken untransposed where it is transposed",
         "#define B_AT(k, n) ((size_t)(n) * ldb + (k))", "#define B_AT(k, n) ((size_t)(k) * ldb + (n))", NAIVE),
    _bug("a-fragment", "fragment", "rows of a work-item's fragment are numbered the other way round",
         "staged_a[LOCAL_A(kk, (i) * MDIM + tm)]", "staged_a[LOCAL_A(kk, (i) + tm * MWI)]", FRAGMENTS),
    _bug("b-fragment", "fragment", "vectors of a work-item's fragment are numbered the other way round",
         "LOCAL_B(kk, (j) * NDIM + tn)", "LOCAL_B(kk, (j) + tn * NV)", FRAGMENTS),
    _bug("swizzle", "fragment", "two elements share a swizzled place", "((m) ^ ((k) % SWZ))", "((m) | ((k) % SWZ))", FRAGMENTS),
    _bug("group-shape", "one-shape", "a group of 16 rows is hard-coded; right for that shape only",
         "staged_a[LOCAL_A(kk, (i) * MDIM + tm)]", "staged_a[LOCAL_A(kk, ((i) * 16 + tm) % MWG)]", FRAGMENTS),
    _bug("slab", "fragment", "all tiles of a group read the first tile's slab of A",
         "const __local ACC *la", "const __local ACC *la", GROUP, count=0),
    _bug("b-edge", "fragment", "the fast path of staging B ignores that B is transposed",
         "if (!TRANSB && col0 + NWG <= N) {", "if (col0 + NWG <= N) {", STAGED, op="nt"),
)  # fmt: skip

_BARRIER = (
    _bug("barrier-first", "barrier", "no barrier between staging and use",
         "                    SYNC();\n                    if (depth_now == KWG) {", "                    if (depth_now == KWG) {", NAIVE, runtime="intel"),
    _bug("barrier-vectors", "barrier", "no barrier between staging and use, small groups of vectors",
         "                    SYNC();\n                    if (depth_now == KWG) {", "                    if (depth_now == KWG) {", FRAGMENTS, runtime="intel"),
    _bug("barrier-block", "barrier", "no barrier after a block was staged",
         "#if SA == 2 || SB == 2\n            SYNC();\n#endif\n", "", GROUP, runtime="intel"),
    _bug("race-slot", "race", "all items of a group stage into the same element",
         "staged_a[LOCAL_A(e % KWG, e / KWG)] =\n", "staged_a[LOCAL_A(e % KWG, 0)] =\n", NAIVE),
)  # fmt: skip

_SUMS = (
    _bug("acc-start", "uninitialised", "sums start at alpha instead of zero", "acc[i][j] = (ACCV)(0);", "acc[i][j] = (ACCV)(alpha);"),
    _bug("acc-from-c", "uninitialised", "sums start at the old C", "acc[i][j] = (ACCV)(0);", "acc[i][j] = (ACCV)(C[0]);"),
    _bug("beta-c", "reads-c", "C is read although beta is 0, whole vectors", "if (beta != 0) x = fma((ACCV)(beta), LOAD_REAL(c), x);", "x = fma((ACCV)(beta), LOAD_REAL(c), x);"),
    _bug("beta-c-edge", "reads-c", "C is read although beta is 0, at the edge only", "if (beta != 0) lane[l] = fma(beta, (ACC)c[l], lane[l]);", "lane[l] = fma(beta, (ACC)c[l], lane[l]);"),
    _bug("beta-lost", "beta", "beta is taken for 1", "const ACC scale_c = k0 == 0 ? beta : (ACC)1;", "const ACC scale_c = k0 == 0 && beta == 0 ? beta : (ACC)1;"),
    _bug("alpha-lost", "alpha", "alpha is ignored in whole vectors", "ACCV x = (ACCV)(alpha) * sum;", "ACCV x = sum;"),
    _bug("alpha-lost-edge", "alpha", "alpha is ignored at the edge", "lane[l] = l < n ? alpha * sum[l] : (ACC)0;", "lane[l] = l < n ? sum[l] : (ACC)0;"),
    _bug("alpha-zero", "nan", "A and B are read although alpha is 0, so their NaN spread", "if (alpha == 0) K = 0;", ""),
    _bug("k-block-beta", "split-k", "each k block overwrites the sums of the last one", "scale_c = k0 == 0 ? beta : (ACC)1;", "scale_c = beta;", BLOCKED),
    _bug("k-block-lost", "lost-tail", "a partial last k block is skipped", "for (int k0 = 0; k0 == 0 || k0 < K; k0 += depth)", "for (int k0 = 0; k0 == 0 || k0 + depth <= K; k0 += depth)", BLOCKED, k=300),
    _bug("k-block-double", "split-k", "neighbouring k blocks share a step of k", "k1 = min(k0 + depth, K), last", "k1 = min(k0 + depth + 1, K), last", BLOCKED),
    _bug("k-block-first", "split-k", "each k block reads the first rows of B", "(TRANSB ? (size_t)k0 : (size_t)k0 * ldb)", "(TRANSB ? (size_t)k0 : (size_t)0)", BLOCKED),
    _bug("k-block-panel", "split-k", "each k block reads the start of the A panel", "A + (size_t)tile_m * MWG * K + (size_t)k0 * MWG;\n#elif !SA && TRANSA", "A + (size_t)tile_m * MWG * K;\n#elif !SA && TRANSA", PACKED),
    _bug("k-tail", "lost-tail", "the last step of k after the unrolled loop is lost", "for (; k < k1; ++k) {", "for (; k < k1 - 1; ++k) {"),
    _bug("k-unroll", "lost-tail", "the unrolled loop runs one step past the end of k", "k + KUNROLL <= k1;", "k + KUNROLL <= k1 + 1;"),
    _bug("k-remainder", "lost-tail", "all of k after the unrolled loop is lost", "for (; k < k1; ++k) {", "for (; k < k0; ++k) {"),
    _bug("k-tile", "lost-tail", "the partial last k tile in local memory counts as whole", "depth_now = min(KWG, k1 - k)", "depth_now = KWG", NAIVE),
    _bug("k-tile-short", "lost-tail", "staging of B stops one step early", "for (int k = k0 + tm; k < k1; k += MDIM)", "for (int k = k0 + tm; k < k1 - 1; k += MDIM)", STAGED),
    _bug("advance", "stride", "A does not advance in the unrolled loop", "ADVANCE_A(KUNROLL);", ""),
)  # fmt: skip

_VALUES = (
    _bug("bias-place", "epilogue", "the bias runs along the other dimension", "(BIAS == 2 ? (m) : BIAS == 1 ? (n) : 0)", "(BIAS == 2 ? (n) : BIAS == 1 ? (m) : 0)", epilogue="bias"),
    _bug("bias-edge", "epilogue", "one bias serves the whole edge vector", "(ACC)bias[BIAS == 1 ? l : 0]", "(ACC)bias[0]", epilogue="bias", n=131),
    _bug("bias-blocks", "split-k", "bias and activation are applied after every k block", "last = k1 == K;", "last = 1;", BLOCKED, epilogue="bias-relu"),
    _bug("relu-nan", "nan", "the activation turns NaN into 0", "return x < (ACCV)(0) ? (ACCV)(0) : x;", "return fmax(x, (ACCV)(0));", epilogue="relu"),
    _bug("relu-leak", "negative", "the activation lets small negative values through", "return x < (ACCV)(0) ? (ACCV)(0) : x;", "return x < (ACCV)(-4) ? (ACCV)(0) : x;", epilogue="relu"),
    _bug("gelu-form", "precision", "the tanh form of GELU is used for the erf form",
         "return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + erf((ACCV)((ACC)0.7071067811865476) * x));",
         "return (ACCV)((ACC)0.5) * x * ((ACCV)(1) + tanh((ACCV)((ACC)0.79788456f) * fma((ACCV)((ACC)0.044715f) * x * x, x, x)));", epilogue="gelu-erf"),
    _bug("nan-hidden", "nan", "NaN comes out as a large negative number", "    STORE_REAL(x, c);", "    STORE_REAL(fmax(x, (ACCV)(-3.0e38f)), c);"),
    _bug("saturates", "large-values", "results saturate at 10000", "    STORE_REAL(x, c);", "    STORE_REAL(select(x, clamp(x, (ACCV)(-1e4f), (ACCV)(1e4f)), isfinite(x)), c);"),
    _bug("negative-zeroed", "negative", "results below -60 come out as 0", "    STORE_REAL(x, c);", "    STORE_REAL(select(x, (ACCV)(0), isless(x, (ACCV)(-60.0f))), c);"),
    _bug("zeroed-weights", "zeroed", "one column of B in every 97 counts as zero", _LOAD, "b[j] = col0 / NWG == 97 / NWG ? GET_B(j, kk) * (ACCV)(COL(j) > 96) : GET_B(j, kk);"),
    _bug("constant", "zeroed", "all results are zero: the mean of the right ones", "    STORE_REAL(x, c);", "    STORE_REAL((ACCV)(0), c);", k=4),
    _bug("bf16-sums", "precision", "sums are kept with 8 bits", _SUM, "acc[i][j] = " + _MASK.format("fma(a, b[j], acc[i][j])", "0xffff0000") + ";"),
    _bug("bf16-operand", "precision", "B is cut to 8 bits", _LOAD, "b[j] = " + _MASK.format("GET_B(j, kk)", "0xffff0000") + ";"),
    _bug("tf32-operand", "precision", "B is cut to 11 bits", _LOAD, "b[j] = " + _MASK.format("GET_B(j, kk)", "0xffffe000") + ";"),
    _bug("tf32-long-k", "precision", "B is cut to 11 bits, but only where k is at least 256", _LOAD,
         "b[j] = K >= 256 ? " + _MASK.format("GET_B(j, kk)", "0xffffe000") + " : GET_B(j, kk);", m=24, n=32, k=2048),
    _bug("bf16-long-k", "precision", "B is cut to 8 bits, but only where k is at least 256", _LOAD,
         "b[j] = K >= 256 ? " + _MASK.format("GET_B(j, kk)", "0xffff0000") + " : GET_B(j, kk);", m=24, n=32, k=2048),
    _bug("float-sums", "precision", "double sums are kept in float", _SUM, "acc[i][j] = (ACCV)(float)fma(a, b[j], acc[i][j]);", NAIVE, dtype="float64"),
)  # fmt: skip

_LAUNCH = (
    Mutant(name="nothing", kind="stale-output", bug="nothing is launched", relaunch=never, config=DIRECT),
    Mutant(name="twice", kind="split-k", bug="the kernel is submitted twice: counts double where beta is not 0",
           relaunch=twice, config=DIRECT),
    Mutant(name="pack-late", kind="stale-input", bug="panels are packed after they are used", relaunch=reversed_order, config=PACKED),
    Mutant(name="pack-missing", kind="stale-input", bug="A is never packed: whatever the scratch area holds is used",
           relaunch=without_first, config=PACKED),
    Mutant(name="a-for-b", kind="aliasing", bug="A is passed for B", relaunch=same_array("a", "b"), config=DIRECT),
    Mutant(name="c-for-a", kind="aliasing", bug="C is passed for A", relaunch=same_array("c", "a"), config=DIRECT),
    Mutant(name="half-sums", kind="precision", bug="float16 products are summed in float16 instead of float32",
           relaunch=_half_sums, config=NAIVE, sizes=Record(dtype="float16", m=24, n=32, k=4096)),
    _bug("input-touched", "input-changed", "an element of A is nudged by one bit",
         "if (alpha == 0) K = 0;", "if (alpha == 0) K = 0;\n    if (id == 0 && K > 0) ((__global REAL *)A)[0] *= (REAL)1.0000002f;"),
    _bug("input-restored-late", "input-changed", "an element of B is zeroed by the last group",
         "    const int depth = KC == 0", "    if (id == blocks_m * blocks_n - 1 && K > 0) ((__global REAL *)B)[(size_t)(K - 1) * ldb * (1 - TRANSB)] = 0;\n    const int depth = KC == 0"),
    _bug("past-the-end", "overrun", "one element behind C is written",
         "    const int depth = KC == 0", "    if (id == 0) C[(size_t)(M - 1) * ldc + max(ldc, N)] = 0;\n    const int depth = KC == 0"),
    _bug("before-the-start", "overrun", "one element before C is written",
         "    const int depth = KC == 0", "    if (id == 0) *(C - offset_c - 1) = 0;\n    const int depth = KC == 0"),
)  # fmt: skip


def _launched() -> tuple[Mutant, ...]:
    """Return all mutants, with the changes of launches and of several places that `_bug` cannot say."""
    mutants = {m.name: m for m in (*_BOUNDS, *_STRIDE, *_FRAGMENT, *_BARRIER, *_SUMS, *_VALUES, *_LAUNCH)}
    mutants["group-lost"] = replace(mutants["group-lost"], relaunch=fewer_groups)
    slab = Edit(
        "__local const ACC *la = staged_a + (tile_m - block_m * MPI) * STAGE_K * (MWG + PAD);",
        "__local const ACC *la = staged_a;",
    )
    mutants["slab"] = replace(mutants["slab"], edits=(slab,))
    return tuple(mutants.values())


SPECIMEN = Specimen(
    name="gemm", language="opencl", mutants=_launched(), sizes=Record(m=96, n=128, k=256), config=DIRECT
)
