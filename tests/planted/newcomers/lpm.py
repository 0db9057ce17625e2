"""The longest matching prefix of addresses: a table of prefixes with lengths, searched one by one, and in local memory."""

import numpy as np

import hotloop as hl

PLAIN = """
__kernel void k(__global const uint *a, __global const uint *net, __global const uchar *plen, __global int *hop, const int n, const int m) {
    const int i = get_global_id(0);
    if (i >= n) return;
    int best = -1, who = -1;
    for (int j = 0; j < m; ++j) {
        const int l = plen[j];
        const uint mask = l ? 0xFFFFFFFFu << (32 - l) : 0u;
        if (((a[i] ^ net[j]) & mask) == 0 && l > best) { best = l; who = j; }
    }
    hop[i] = who;
}
"""
TILED = """
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void k(__global const uint *a, __global const uint *net, __global const uchar *plen, __global int *hop, const int n, const int m) {
    __local uint nets[64], masks[64];
    __local int lens[64];
    const int i = get_global_id(0), t = get_local_id(0);
    const uint x = i < n ? a[i] : 0u;
    int best = -1, who = -1;
    for (int first = 0; first < m; first += 64) {
        if (first + t < m) {
            nets[t] = net[first + t];
            lens[t] = plen[first + t];
            masks[t] = lens[t] ? ~0u << (32 - lens[t]) : 0u;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < min(64, m - first); ++j)
            if ((x & masks[j]) == (nets[j] & masks[j]) && lens[j] > best) { best = lens[j]; who = first + j; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n) hop[i] = who;
}
"""


@hl.kernel(
    problem=dict(n=3000, m=130),
    work=lambda p: hl.Work(flops=0, bytes=8 * p.n),
    awkward=lambda p: [dict(n=1, m=1), dict(n=65, m=64), dict(n=200, m=65)],
    domain=dict(plen="range"),
)
class lpm:
    def inputs(p, rng):
        net = rng.integers(0, 2**32, p.m, dtype="u4")
        near = net[rng.integers(0, p.m, p.n)] ^ (
            rng.integers(0, 2**32, p.n, dtype="u4") >> rng.integers(0, 32, p.n, dtype="u4")
        )
        return dict(
            a=near,
            net=net,
            plen=rng.integers(0, 33, p.m, dtype="u1"),
            hop=hl.empty(p.n, "i4"),
            n=np.int32(p.n),
            m=np.int32(p.m),
        )

    def reference(p, a, net, plen, hop, n, m):
        l = plen.astype("u8")
        mask = (np.uint64(0xFFFFFFFF) << (np.uint64(32) - l)) & np.uint64(0xFFFFFFFF)
        same = ((a[:, None].astype("u8") ^ net[None].astype("u8")) & mask[None]) == 0
        score = np.where(same, l[None].astype("i8"), -1)
        who = np.argmax(score, 1)
        return dict(hop=np.where(score.max(1) < 0, -1, who))

    plain = hl.OpenCL(PLAIN, "k", global_size=lambda p, c: (p.n,))
    tiled = hl.OpenCL(TILED, "k", global_size=lambda p, c: (-(-p.n // 64) * 64,), local_size=lambda p, c: (64,))


MUTANTS = [
    (
        "plain",
        "shift",
        "the prefix of no bits shifts by 32",
        "l ? 0xFFFFFFFFu << (32 - l) : 0u",
        "0xFFFFFFFFu << (32 - l)",
    ),
    ("plain", "ties", "the last of equally long ones", "l > best)", "l >= best)"),
    ("plain", "limit", "full addresses never match", "l > best)", "l > best && l < 32)"),
    (
        "tiled",
        "barrier",
        "no barrier before the next tile",
        "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n",
        "    }\n",
    ),
    ("tiled", "tail", "the rest of the last tile takes part", "j < min(64, m - first)", "j < 64"),
    ("tiled", "index", "the place within the tile", "who = first + j", "who = j"),
]
