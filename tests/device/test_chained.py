"""Products that begin while the kernel before them ends: they must read what that kernel has just written."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]

from hotloop.dispatch import launch  # noqa: E402
from hotloop.kernels.gemm import KERNEL  # noqa: E402
from hotloop.kernels.gemm.problem import DEFAULT  # noqa: E402
from hotloop.ops import place  # noqa: E402

LENGTH = 12
KINDS = [
    (16, "split", dict(BM=16, BN=32, BK=256, num_stages=4)),
    (1, "split", dict(BM=16, BN=64, BK=128, num_stages=5, SPLITS=2)),
    (64, "persistent", dict(BM=64, BN=32, BK=256, GROUP=8, FLATTEN=1, num_stages=4)),
    (16, "hopper-skinny", dict(BM=16, BN=64, BK=256, STAGES=5)),
    (256, "hopper", dict(BM=64, BN=128, BK=128, STAGES=4, GROUP=8)),
    (256, "meet", dict(BM=128, BN=128, BK=64, GROUP=8, SPLITS=2, num_warps=8, num_stages=6)),
    (128, "meet", dict(BM=64, BN=128, BK=64, GROUP=8, SPLITS=2, num_stages=8)),
]


def run(implementation, config, a, b):
    """Return a product, prepared once for each shape and configuration as an operator does."""
    m, n, k = a.shape[0], b.shape[1], a.shape[1]
    c = torch.empty((m, n), dtype=a.dtype, device=a.device)
    arrays, key = {"a": a, "b": b, "c": c}, (implementation, config, m, n, k)
    if key not in PREPARED:
        device = place.facts(a, "triton").device
        problem = DEFAULT.replace(m=m, n=n, k=k, dtype="bfloat16")
        PREPARED[key] = launch.prepared(
            KERNEL.implementation(implementation).plan(problem, config, device), device, arrays
        )
    PREPARED[key](arrays)
    return c


PREPARED = {}


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("chain", [1, 2, 3])
@pytest.mark.parametrize(("m", "kind", "values"), KINDS, ids=str)
def test_each_reads_the_result_of_the_one_before(m, kind, values, chain, captured):
    generator = torch.Generator("cuda").manual_seed(8)
    weights = [(torch.randn(4096, 4096, device="cuda", generator=generator) / 64).bfloat16() for _ in range(2)]
    config = KERNEL.implementation(kind).start.replace(**values)
    if chain not in KERNEL.implementation(kind).space["CHAIN"].values:
        pytest.skip("the kernel knows no such launch")

    def follow(first, config, *, wait):
        found = [first]
        for i in range(LENGTH):
            found.append(run(kind, config, found[-1], weights[i % 2]))
            if wait:
                torch.cuda.synchronize()
        return found[-1]

    inputs = [torch.randn(m, 4096, device="cuda", generator=generator).bfloat16() for _ in range(6)]
    wanted = [follow(one, config, wait=True) for one in inputs]
    early = config.replace(CHAIN=chain)
    if not captured:
        found = [follow(one, early, wait=False) for one in inputs]
        assert all(torch.equal(one, other) for one, other in zip(found, wanted, strict=True))
        return
    given, graph = inputs[0].clone(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = follow(given, early, wait=False)
    for one, other in zip(inputs, wanted, strict=True):
        given.copy_(one)
        graph.replay()
        assert torch.equal(made, other)


@pytest.mark.parametrize("chain", [4, 5])
@pytest.mark.parametrize(
    ("m", "values"),
    [
        (64, dict(BM=64, BN=128, BK=64, STAGES=4)),
        (16, dict(BM=16, BN=64, BK=64, STAGES=5)),
        (8, dict(BM=8, BN=64, BK=128, STAGES=3)),
    ],
    ids=str,
)
def test_weights_that_the_kernel_before_writes_are_read_after_it(m, values, chain):
    """What a launch brings into the cache before it waits must not be what it multiplies."""
    generator, kind = torch.Generator("cuda").manual_seed(9), "hopper-skinny"
    config = KERNEL.implementation(kind).start.replace(**values)
    factors = [(torch.randn(m, m, device="cuda", generator=generator) / m**0.5).bfloat16() for _ in range(3)]
    given = torch.randn(m, 8192, device="cuda", generator=generator).bfloat16()

    def follow(config, *, wait):
        found = [given]
        for i in range(LENGTH):
            found.append(run(kind, config, factors[i % 3], found[-1]))
            if wait:
                torch.cuda.synchronize()
        return found

    wanted = follow(config, wait=True)
    for _ in range(4):
        found = follow(config.replace(CHAIN=chain), wait=False)
        assert all(torch.equal(one, other) for one, other in zip(found, wanted, strict=True))
