import numpy as np
import pytest

from hotloop.app.emulate.arguments import parse
from hotloop.errors import UsageError


@pytest.mark.parametrize("fill", ["", ":zeros", ":ones", ":count"])
@pytest.mark.parametrize("shape", ["9999999999999999", "9999999999x9999999999x9999999999"])
def test_an_array_beyond_memory_is_refused(shape, fill):
    with pytest.raises(UsageError, match=f"argument 'a=f32:{shape}{fill}' does not fit in memory; give fewer elements"):
        parse([f"a=f32:{shape}{fill}"], np.random.default_rng(1))


def test_fills():
    given = parse(["a=f16:2x2:ones", "b=i32:3:count", "c=u8:4:fresh"], np.random.default_rng(1))
    assert given.arrays["a"].tolist() == [[1, 1], [1, 1]]
    assert given.arrays["b"].tolist() == [0, 1, 2]
    assert given.arrays["c"].dtype == np.uint8
    assert given.fresh == {"c"}
