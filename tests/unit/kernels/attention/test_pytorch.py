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


class OnCard(torch.Tensor):
    """A tensor that says that it is on a GPU."""

    is_cuda = True


@pytest.mark.parametrize(("batch", "heads", "groups"), [(9, 2, 1), (2, 9, 9), (2, 10, 1), (7, 12, 2), (1, 12, 6)])
def test_what_exceeds_a_grid_is_attended_in_parts(monkeypatch, batch, heads, groups):
    q, k, v = draw(batch, heads, 3, 8), draw(batch, groups, 5, 8), draw(batch, groups, 5, 8).flip(0)
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
    asked, answered = [], pytorch.answered
    monkeypatch.setattr(pytorch, "MOST_BLOCKS", 4)
    monkeypatch.setattr(
        pytorch, "answered", lambda ask, *given: asked.append(given[0].shape[:2]) or answered(ask, *given)
    )
    found = pytorch.attend(*(x.as_subclass(OnCard) for x in (q, k, v)), causal=False, scale=None)
    torch.testing.assert_close(found.as_subclass(torch.Tensor), wanted)
    assert max(map(max, asked)) <= 4


def test_more_sequences_than_a_grid_holds_are_several_calls(monkeypatch):
    """Each call writes the rows of its own sequences only."""
    monkeypatch.setattr(pytorch, "MOST_BLOCKS", 2)
    asked = []

    def flash(q, k, v, starts_q, starts_k, longest_q, longest_k, *_, scale):
        asked.append((starts_q.shape[0] - 1, longest_q, longest_k, scale))
        made, sums = torch.full_like(q, 7.0), torch.full((q.shape[1], q.shape[0]), 7.0)
        first, last = int(starts_q[0]), int(starts_q[-1])
        made[first:last], sums[:, first:last] = q[first:last], q[first:last, :, 0].t()
        return made, sums

    monkeypatch.setattr(torch.ops.aten, "_flash_attention_forward", flash, raising=False)
    starts = torch.tensor([0, 2, 2, 5, 6, 9], dtype=torch.int32)
    q = draw(9, 2, 8)
    made, sums = pytorch.flash(pytorch.Sequences(q, q, q, starts, starts, False, 0.5), 3, 3)
    assert torch.equal(made, q)
    assert torch.equal(sums, q[:, :, 0].t())
    assert asked == [(2, 3, 3, 0.5), (2, 3, 3, 0.5), (1, 3, 3, 0.5)]
