"""Functions written for NumPy, asked with arrays that lie in another process."""

import ml_dtypes
import numpy as np
import pytest

from hotloop.engine.witness.far import Far, OnHostError

RNG = np.random.default_rng(3)
X = RNG.standard_normal((6, 8)).astype(np.float32)
HALF = RNG.standard_normal((6, 8)).astype(ml_dtypes.bfloat16)
WHOLE = RNG.integers(-9, 9, (6, 8)).astype(np.int32)


@pytest.fixture(scope="module")
def witness(elsewhere):
    made = elsewhere()
    yield made
    made.close()


def in_place(x):
    y = x.astype("f8")
    y *= 2
    y[x < 0] = -1
    y[:, 3] = x[:, 4]
    y[1:3] += 0.5
    return y


def softmax(x):
    wide = x.astype("f8")
    terms = np.exp(wide - wide.max(1, keepdims=True))
    return terms / terms.sum(1, keepdims=True)


@pytest.mark.parametrize("given", [X, HALF], ids=["float32", "bfloat16"])
@pytest.mark.parametrize(
    "function",
    [
        softmax,
        in_place,
        lambda x: x.astype("f8") @ x.astype("f8").T,
        lambda x: np.einsum("ij,kj->ik", x.astype("f8"), x.astype("f8")),
        lambda x: np.where(x > 0, x.astype("f8"), 0.01 * x.astype("f8")),
        lambda x: np.clip(x.astype("f8"), 0, 6)[::-1, ::3],
        lambda x: np.pad(x.astype("f8"), ((1, 1), (2, 0)))[2:-1, 1],
        lambda x: np.stack([x.astype("f8"), x.astype("f8") ** 2], axis=-1).reshape(-1, 16),
        lambda x: np.concatenate([piece**3 for piece in np.array_split(x.astype("f8").ravel(), 5)]),
        lambda x: (x.astype("f8") - x.astype("f8").mean(axis=0)) / np.sqrt(x.astype("f8").var(axis=0) + 1e-5),
        lambda x: x.astype("f8")[np.array([4, 0, 2]), None],
        lambda x: np.linalg.norm(x.astype("f8"), axis=1) + np.float64(2) * np.cumsum(x.astype("f8"), axis=1)[:, -1],
        lambda x: np.moveaxis(x.astype("f8")[None], 0, 2).swapaxes(0, 1),
        lambda x: np.zeros_like(x, np.float64, shape=(2, 3)) + np.full_like(x, 3, dtype="f8", shape=(3,)),
        lambda x: np.add.reduce(np.maximum(0.5, x.astype("f8")), axis=1),
        lambda x: (x > 0).sum(axis=0) + 1,
        lambda x: float(x.astype("f8").max()) * x.astype("f8"),
    ],
)
def test_what_numpy_computes_is_computed_there(witness, function, given):
    here, there = function(given), function(witness.lend(given))

    assert isinstance(there, Far)
    found = witness.fetch(there)
    assert found.dtype == here.dtype
    assert found.shape == here.shape
    np.testing.assert_allclose(found.astype("f8"), here.astype("f8"), rtol=1e-12, atol=1e-12)


def test_integers_follow_numpys_types(witness):
    far = witness.lend(WHOLE)
    for function in (
        lambda x: x + 1,
        lambda x: x / 2,
        lambda x: x // 3,
        lambda x: x.sum(),
        lambda x: x * 0.5,
        lambda x: x.mean(0),
    ):
        here, there = function(WHOLE), function(far)
        assert there.dtype == here.dtype
        np.testing.assert_allclose(witness.fetch(there), here)


@pytest.mark.parametrize(
    "function",
    [
        np.asarray,
        np.fft.fft,
        lambda x: np.zeros(x.shape) + x + np.modf(x)[0],
        lambda x: np.sort(x, kind="stable", axis=1, order=None),
        lambda x: np.add(np.ones(x.shape), x, out=np.empty(x.shape)),
        lambda x: np.quantile(x, 0.5),
        lambda x: "text" + x,
        lambda x: x.ravel("F"),
        lambda x: np.repeat(x, [1, 2], axis=0),
    ],
)
def test_what_is_not_known_there_is_for_the_host(witness, function):
    with pytest.raises(TypeError):  # OnHostError is one
        function(witness.lend(X))


def test_an_array_that_nobody_holds_is_freed(witness):
    number = witness.lend(X).number
    witness.lend(X)
    with pytest.raises(OnHostError):
        witness.item(Far(witness, number, X.dtype, X.shape))


def test_empty_arrays_go_and_come(witness):
    assert witness.fetch(witness.lend(np.zeros((0, 3)))).shape == (0, 3)


def test_operations_whose_results_have_a_known_form_wait_for_one_another(elsewhere):
    made = elsewhere()
    try:
        x = np.linspace(0.5, 2.0, 12).reshape(3, 4)
        far, asked = made.lend(x), []
        ask = made._child.ask
        made._child.ask = lambda message, limit_s: asked.append(message) or ask(message, limit_s)
        total, due = far, x
        for _ in range(50):
            total, due = np.sqrt(total) * far + 1.0, np.sqrt(due) * x + 1.0
        assert asked == []
        np.testing.assert_array_equal(made.fetch(total), due)
        assert len(asked) == 1
        with pytest.raises(ValueError, match="broadcast"):
            far + far[:, :3]
    finally:
        made.close()


def test_what_cannot_be_done_there_is_told_with_the_next_answer(elsewhere):
    made = elsewhere()
    try:
        far = made.lend(np.ones((3, 4)))
        missing = far + 1.0
        made.release(far.number)
        later = (far + 2.0) * missing  # the array is gone before its turn comes
        with pytest.raises(OnHostError, match="KeyError"):
            made.fetch(later)
        assert made.works
    finally:
        made.close()
