"""Sources compiled for AMD GPUs and executed: built-in functions of OpenCL C, and groups that are followed where they go."""

from pathlib import Path

import numpy as np
import pytest

from hotloop.app.code.offline import compile_offline
from hotloop.app.predict.answer import Request, predict
from hotloop.cli.main import main
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.memory import Blank
from hotloop.emulate.program import load
from hotloop.predict.sample import sample

pytest.importorskip("ziglang")

SHUFFLES = """__kernel void k(__global const float *a, __global float *b, __global const uint *m) {
    const int i = get_global_id(0);
    const float4 x = vload4(i, a);
    const uint4 s = vload4(i, m);
    const float8 y = shuffle2(x, x * 2.0f, (uint8)(s, s + 3u));
    vstore4(shuffle(x, s) + y.lo + y.hi, i, b);
    vstore3(vload3(i, a) * 2.0f, i, b + 4 * get_global_size(0));
}
"""
CONVERSIONS = """__kernel void k(__global const float *a, __global const int *w, __global int *b, __global uchar *c) {
    const int i = get_global_id(0);
    vstore4((int4)(convert_int_rtz(a[i]), convert_int_rte(a[i]), convert_int_rtp(a[i]), convert_int_rtn(a[i])), i, b);
    vstore4(convert_uchar4_sat_rte((float4)(a[i], -a[i], a[i] * 100.0f, NAN)), 2 * i, c);
    vstore4((uchar4)(convert_uchar_sat(w[i]), (uchar)convert_char_sat(w[i]), convert_uchar_sat(a[i]), convert_uchar_sat_rtn(a[i])), 2 * i + 1, c);
}
"""
WIDE = """__kernel void k(__global const long *a, __global int *b) {
    const int i = get_global_id(0);
    vstore4((int4)(convert_short_sat(a[i]), convert_uint_sat(a[i]), convert_uchar_sat((ulong)a[i]), convert_int2_sat((long2)(a[i])).y), i, b);
}
"""
FUNCTIONS = """__kernel void k(__global const float *a, __global const uint *w, __global float *f, __global uint *u, __global ushort *h,
                    __local float *tile) {
    const int i = get_global_id(0);
    const event_t copied = async_work_group_copy(tile, a, get_local_size(0), 0);
    wait_group_events(1, &copied);
    const float3 p = (float3)(a[i], 1.0f, -2.0f);
    float part, whole, cosine;
    int power;
    part = modf(a[i], &whole);
    const float sine = sincos(a[i], &cosine), mantissa = frexp(a[i], &power);
    vstore4((float4)(length(p), cross(p, p.zxy).x, part + whole, sine * sine + cosine * cosine), 3 * i, f);
    vstore4((float4)(ldexp(mantissa, power), sign(a[i]), smoothstep(-1.0f, 1.0f, a[i]), pown(a[i], 3)), 3 * i + 1, f);
    vstore4((float4)(tile[i ^ 1], step(0.5f, a[i]), degrees(a[i]), fract(a[i], &part)), 3 * i + 2, f);
    vstore4((uint4)(rotate(w[i], 5u), clz(w[i]), mul_hi(w[i], w[i]), add_sat(w[i], 0xf0000000u)), 2 * i, u);
    vstore4((uint4)(abs_diff(w[i], 7u), any(isless((float2)(a[i]), (float2)(0.0f))), upsample((ushort)w[i], (ushort)1), hadd(w[i], 1u)), 2 * i + 1, u);
    vstore2(add_sat((ushort2)(w[i]), (ushort2)(60000, 3)), i, h);
    atom_xor(u + 8 * i, 1u);
}
__kernel void picture(read_only image2d_t source, sampler_t how, __global float4 *to) {
    to[get_global_id(0)] = read_imagef(source, how, (int2)(get_global_id(0), 0));
}
"""
SWIZZLED = """__kernel void k(__global const float *a, __global float *b) {
    const int id = get_group_id(0), band = id / (8 * WIDE), rest = id % (8 * WIDE);
    const int row = band * 8 + rest % 8, column = rest / 8;
    float sum = 0.0f;
    for (int k = 0; k < 16; k++) sum += a[row * 8192 + k * 128 + get_local_id(0)] + a[(1 << 22) + column * 8192 + k * 128 + get_local_id(0)];
    b[id * 64 + get_local_id(0)] = sum;
}
"""


@pytest.fixture
def written(tmp_path):
    def make(text, target, **macros):
        path = tmp_path / "k.cl"
        path.write_text(text)
        return compile_offline(f"{path}:k", target, parameters=macros).listing

    return make


@pytest.mark.parametrize("target", ["gfx942", "gfx1012"])
def test_elements_are_put_in_another_order(written, target):
    rng, n = np.random.default_rng(1), 64
    a, m = rng.standard_normal((n, 4)).astype("f4"), rng.integers(0, 1 << 20, (n, 4)).astype("u4")
    b = np.zeros(7 * n, "f4")
    program = load(written(SHUFFLES, target), "k", target)
    done = run(program, Launch(arguments=[a, b, m], grid=(1, 1, 1), workgroup=(n, 1, 1), fresh=frozenset({1})))
    both, masks = np.concatenate([a, 2 * a], 1), np.concatenate([m, m + np.uint32(3)], 1)
    two = np.take_along_axis(both, masks & 7, 1)
    assert done.findings == ()
    assert np.allclose(done.arrays[1][: 4 * n].reshape(n, 4), np.take_along_axis(a, m & 3, 1) + two[:, :4] + two[:, 4:])
    assert np.array_equal(done.arrays[1][4 * n :], 2 * a.reshape(-1)[: 3 * n])


@pytest.mark.parametrize("target", ["gfx950", "gfx1100"])
def test_conversions_round_as_they_say_and_keep_to_their_range(written, target):
    rng, n = np.random.default_rng(1), 64
    a, w = (rng.standard_normal(n) * 5).astype("f4"), rng.integers(-600, 600, n).astype("i4")
    a[:4] = 2.5, -3.5, 0.5, -0.5
    b, c = np.zeros((n, 4), "i4"), np.zeros((n, 8), "u1")
    program = load(written(CONVERSIONS, target), "k", target)
    done = run(program, Launch(arguments=[a, w, b, c], grid=(1, 1, 1), workgroup=(n, 1, 1), fresh=frozenset({2, 3})))
    kept = [np.clip(x, 0, 255) for x in (np.rint(a), np.rint(-a), np.rint(a * np.float32(100)), 0 * a, w)]
    kept += [np.clip(w, -128, 127).astype("i1").view("u1"), *(np.clip(f(a), 0, 255) for f in (np.trunc, np.floor))]
    assert done.findings == ()
    assert np.array_equal(done.arrays[2], np.stack([np.trunc(a), np.rint(a), np.ceil(a), np.floor(a)], 1).astype("i4"))
    assert np.array_equal(done.arrays[3], np.stack([x.astype("u1") for x in kept], 1))


def test_numbers_of_64_bits_keep_to_the_range_of_narrower_ones(written):
    a = np.array([-(1 << 40), -40000, -1, 0, 77, 255, 256, 40000, 1 << 31, 1 << 40], "i8")
    program = load(written(WIDE, "gfx942"), "k", "gfx942")
    done = run(program, Launch(arguments=[a, np.zeros((10, 4), "i4")], grid=(1, 1, 1), workgroup=(10, 1, 1)))
    ranges = [(-(1 << 15), (1 << 15) - 1), (0, (1 << 32) - 1), (0, 255), (-(1 << 31), (1 << 31) - 1)]
    kept = [np.clip(a, *ends) for ends in ranges]
    kept[2] = np.where(a < 0, 255, kept[2])
    assert done.findings == ()
    assert np.array_equal(done.arrays[1], np.stack([one.astype("u4").view("i4") for one in kept], 1))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_functions_that_few_kernels_ask_for_are_right(written, target):
    rng, n = np.random.default_rng(1), 64
    a, w = (rng.standard_normal(n) * 3).astype("f4"), rng.integers(0, 1 << 32, n, "u4")
    f, u, h = np.zeros((n, 12), "f4"), np.zeros((n, 8), "u4"), np.zeros((n, 2), "u2")
    program = load(written(FUNCTIONS, target), "k", target)
    arguments = [a, w, f, u, h, None]
    done = run(program, Launch(arguments=arguments, grid=(1, 1, 1), workgroup=(n, 1, 1), dynamic_lds_bytes=4 * n))
    x, z = a.astype("f8"), w.astype(object)
    t = np.clip((x + 1) / 2, 0, 1)
    reals = [np.sqrt(x * x + 5), 1 * 1 + 2 * x, x, 1 + 0 * x, x, np.sign(x), t * t * (3 - 2 * t), x**3]
    reals += [a[np.arange(n) ^ 1], x >= 0.5, np.degrees(x), x - np.floor(x)]
    wholes = [
        (z << 5 | z >> 27) & 0xFFFFFFFF ^ 1,
        [32 - int(v).bit_length() for v in w],
        z * z >> 32,
        np.minimum(z + 0xF0000000, 0xFFFFFFFF),
    ]
    wholes += [abs(z - 7), (x < 0).astype(int), (z & 0xFFFF) << 16 | 1, z + 1 >> 1]
    assert done.findings == ()
    assert np.allclose(done.arrays[2], np.stack(reals, 1), rtol=2e-6, atol=2e-6)
    assert np.array_equal(done.arrays[3], np.stack([np.array(one, "u8") for one in wholes], 1))
    low = w.astype("u2").astype("u4")[:, None]
    assert np.array_equal(done.arrays[4], np.minimum(low + np.array([60000, 3]), 65535))


MEDIA = """#pragma OPENCL EXTENSION cl_amd_media_ops : enable
__kernel void k(__global const uint *x, __global uint *y) {
    const uint i = get_global_id(0), a = x[i], b = a * 0x9E3779B9u, c = i;
    vstore8((uint8)(amd_bitalign(a, b, c), amd_bytealign(a, b, c), amd_sad(a, b, c), amd_lerp(a, b, c), amd_bfe(a, c & 15u, 7u),
                    amd_median3(a, b, c), amd_pack((float4)(amd_unpack1(a), 300.0f, -1.0f, 2.5f)), amd_bitalign((uint2)a, (uint2)b, (uint2)c).y), i, y);
}
"""


def test_amds_media_functions_of_opencl(written):
    """Their names are macros of clang's for AMD's GPUs, so that texts take them for given."""
    x = np.random.default_rng(5).integers(0, 1 << 32, 64, dtype=np.uint32)
    a, c = x.astype("u8"), np.arange(64, dtype="u8")
    b = a * 0x9E3779B9 & 0xFFFFFFFF
    one, two, low = ([v >> np.uint64(8 * n) & np.uint64(255) for n in range(4)] for v in (a, b, c))
    both, shift = a << np.uint64(32) | b, c & np.uint64(31)
    sad = sum(abs(p.astype(int) - q.astype(int)) for p, q in zip(one, two, strict=True))
    lerp = sum(
        (p + q + (r & np.uint64(1)) >> np.uint64(1)) << np.uint64(8 * n)
        for n, (p, q, r) in enumerate(zip(one, two, low, strict=True))
    )
    wanted = [
        both >> shift,
        both >> c % 4 * np.uint64(8),
        c + sad.astype("u8"),
        lerp,
        a >> (c & np.uint64(15)) & np.uint64(127),
    ]
    wanted += [np.median([a, b, c], axis=0), one[1] | np.uint64(255 << 8 | 2 << 24), both >> shift]
    launch = Launch(arguments=[x, np.zeros((64, 8), np.uint32)], grid=(1, 1, 1), workgroup=(64, 1, 1), names=["x", "y"])
    done = run(load(written(MEDIA, "gfx1100")), launch)
    assert done.findings == ()
    assert np.array_equal(done.arrays[1], np.stack([np.asarray(n, "u8") & np.uint64(0xFFFFFFFF) for n in wanted], 1))


def test_a_branch_on_contents_is_predicted_with_contents(tmp_path):
    path = tmp_path / "k.cl"
    path.write_text(
        "__kernel void k(__global const float *a, __global float *b) { const int i = get_global_id(0); float s = a[i];"
        " if (a[i >> 6] != 0.0f) for (int k = 0; k < 4000; k++) s = s * 0.5f + 1.0f; b[i] = s; }"
    )

    def call_ns(fill):
        given = (f"a=f32:65536:{fill}", "b=f32:65536:fresh")
        asked = Request(text=str(path), targets=("gfx942",), given=given, grid=(1024, 1, 1), workgroup=(64, 1, 1))
        return predict(asked)[0].time_ns

    assert call_ns("normal") > 2 * call_ns("zeros")


def test_groups_that_are_dealt_in_bands_are_followed(written):
    wide = 64
    launch = Launch(arguments=[Blank(4 << 25), Blank(4 << 20)], grid=(wide * wide, 1, 1), workgroup=(64, 1, 1))
    taken = sample(load(written(SWIZZLED, "gfx1012", WIDE=wide), "k", "gfx1012"), launch, 128)
    assert taken.regular
    numbers = np.arange(wide * wide // 2 - 64, wide * wide // 2 + 64)
    assert taken.paths.known(numbers).all()
    band, rest = numbers // (8 * wide), numbers % (8 * wide)
    row, column = band * 8 + rest % 8, rest // 8
    origin = int(np.flatnonzero(numbers == taken.origin[0])[0])
    offsets = taken.paths.offsets(numbers)
    still, stored = 0 * numbers, 256 * (numbers - taken.origin[0])  # the arguments; the results
    ways = [still, stored, *(4 * 8192 * (way - way[origin]) for way in (row, column))]
    assert {tuple(track) for track in offsets} == {tuple(way) for way in ways}


@pytest.mark.parametrize(
    ("race", "said"), [("1", "1 finding, the first: race in local memory"), ("0", "nothing found")]
)
def test_the_example_of_the_page_on_emulate(capsys, race, said):
    path = Path(__file__).parents[2] / "examples" / "blocksum.hip"
    arguments = ["--arg", "x=f32:1000", "--arg", "y=f32:4:fresh", "--arg", "n=i32:=1000", "-P", f"RACE={race}"]
    with pytest.raises(SystemExit) as left:
        main(["emulate", str(path), "--target", "gfx1100", "--grid", "4", *arguments])
    assert left.value.code == int(race)
    assert said in " ".join(capsys.readouterr().out.split())
