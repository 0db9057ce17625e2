"""PyTorch's own attention where one of its kernels refuses what another one takes."""

import pytest

torch = pytest.importorskip("torch")

from hotloop.kernels.attention import pytorch  # noqa: E402


def draw(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(3))


def test_what_a_kernel_refuses_the_plainest_one_computes_from_copies():
    q, k, v = (draw(1, 2, 5, 8).transpose(1, 2).contiguous().transpose(1, 2) for _ in range(3))
    met = []

    def ask(*given):
        met.append([x.is_contiguous() for x in given])
        if len(met) == 1:
            raise RuntimeError("cutlassF: no kernel found to launch!")
        return torch.nn.functional.scaled_dot_product_attention(*given)

    found = pytorch.answered(ask, q, k, v)
    torch.testing.assert_close(found, torch.nn.functional.scaled_dot_product_attention(q, k, v))
    assert met == [[False] * 3, [True] * 3]


@pytest.mark.parametrize("error", pytorch._FATAL)
def test_a_fault_or_a_full_memory_is_nobodys_choice_of_kernel(error):
    def ask(*_):
        raise error("gone")

    with pytest.raises(error, match="gone"):
        pytorch.answered(ask, *(draw(1, 1, 2, 8) for _ in range(3)))
