import math
from types import SimpleNamespace

import pytest

from hotloop.app.run.attempt import Attempts
from hotloop.app.run.timing import resolved
from hotloop.model.verdict import Comparison, Verdict


def comparison(verdict, low, high, noise):
    return Comparison(
        verdict=verdict,
        speedup=math.sqrt(low * high),
        low=low,
        high=high,
        confidence=0.99,
        margin=0.02,
        log_ratios=(0.1,) * 10,
        noise=noise,
    )


@pytest.mark.parametrize(
    "known",
    [
        None,
        comparison(Verdict.FASTER, 1.06, 1.10, 0.05),
        comparison(Verdict.SLOWER, 0.80, 0.90, 0.10),
        comparison(Verdict.FASTER, 1.03, 1.10, None),
        comparison(Verdict.SAME, 0.99, 1.01, 0.30),
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_differences_beyond_the_noise_floor_stand(known, last):
    assert resolved(known, last=last) is known


@pytest.mark.parametrize(
    ("known", "told"),
    [
        (comparison(Verdict.FASTER, 1.023, 1.143, 0.663), "a difference of 2.3 % may be noise"),
        (comparison(Verdict.FASTER, 1.033, 1.127, 0.034), "a difference of 3.3 % may be noise"),
        (comparison(Verdict.SLOWER, 0.866, 0.965, 0.288), "this machine tells 28.8 % apart"),
    ],
)
def test_identical_kernels_that_once_seemed_to_differ(known, told):
    """Recorded by `hotloop compare` of two files with one source, on two cores that other processes used too."""
    assert resolved(known, last=False) is None
    found = resolved(known, last=True)
    assert found.verdict is Verdict.UNCLEAR
    assert told in found.reason
    assert (found.low, found.high, found.noise) == (known.low, known.high, known.noise)


@pytest.mark.parametrize(("language", "kept"), [("triton", []), ("opencl", [10.0])])
def test_looks_by_short_samples_are_compared_with_each_other_only(language, kept):
    variant = SimpleNamespace()
    workload = SimpleNamespace(
        subject=lambda _: SimpleNamespace(key=lambda what: what),
        program=lambda _: SimpleNamespace(language=language),
    )
    attempts = Attempts(SimpleNamespace(journal=SimpleNamespace(recall=lambda _: "10.0")), workload, None, None)
    assert list(attempts._recent(variant)) == kept
