"""Products that begin while the kernel before them ends: they must read what that kernel has just written."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability()[0] != 9:
    pytest.skip("no Hopper GPU", allow_module_level=True)
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]

from hotloop.model.space import Config  # noqa: E402
from hotloop.ops.tensors import products_launch  # noqa: E402
from hotloop.ops.tensors.products import NAMES  # noqa: E402

LENGTH = 12
KINDS = [
    (16, "split", (16, 32, 256, 1, 4, 4, 1)),
    (1, "split", (16, 64, 128, 1, 4, 5, 2)),
    (64, "persistent", (64, 32, 256, 8, 4, 4, False, True, 1)),
    (16, "skinny", (16, 64, 256, 5)),
    (256, "hopper", (64, 128, 128, 4, 1, False, 1, 8)),
    (256, "meet", (128, 128, 64, 8, 8, 6, 2)),
    (128, "meet", (64, 128, 64, 8, 4, 8, 2)),
]


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("chain", [1, 2, 3])
@pytest.mark.parametrize(("m", "kind", "constants"), KINDS, ids=str)
def test_each_reads_the_result_of_the_one_before(m, kind, constants, chain, captured):
    generator = torch.Generator("cuda").manual_seed(8)
    weights = [(torch.randn(4096, 4096, device="cuda", generator=generator) / 64).bfloat16() for _ in range(2)]
    config = Config(dict(zip(NAMES[kind], constants, strict=True)))

    def follow(first, config, *, wait):
        found = [first]
        for i in range(LENGTH):
            found.append(products_launch.run(kind, config, 132, found[-1], weights[i % 2], None, "none"))
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
    ("m", "constants"), [(64, (64, 128, 64, 4)), (16, (16, 64, 64, 5)), (8, (8, 64, 128, 3))], ids=str
)
def test_weights_that_the_kernel_before_writes_are_read_after_it(m, constants, chain):
    """What a launch brings into the cache before it waits must not be what it multiplies."""
    generator, kind = torch.Generator("cuda").manual_seed(9), "skinny"
    config = Config(dict(zip(NAMES[kind], constants, strict=True)))
    factors = [(torch.randn(m, m, device="cuda", generator=generator) / m**0.5).bfloat16() for _ in range(3)]
    given = torch.randn(m, 8192, device="cuda", generator=generator).bfloat16()

    def follow(config, *, wait):
        found = [given]
        for i in range(LENGTH):
            found.append(products_launch.run(kind, config, 132, factors[i % 3], found[-1], None, "none"))
            if wait:
                torch.cuda.synchronize()
        return found

    wanted = follow(config, wait=True)
    for _ in range(4):
        found = follow(config.replace(CHAIN=chain), wait=False)
        assert all(torch.equal(one, other) for one, other in zip(found, wanted, strict=True))
