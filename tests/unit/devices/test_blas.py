import pytest

from hotloop.devices.blas import coretype

AVX512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}
AVX2 = {"avx", "avx2", "fma", "sse4_2"}


@pytest.mark.parametrize(
    ("flags", "machine", "expected"),
    [
        (AVX2 | AVX512, "x86_64", "SkylakeX"),
        (AVX2 | (AVX512 - {"avx512bw"}), "x86_64", "Haswell"),  # SkylakeX kernels would crash
        (AVX2, "x86_64", "Haswell"),
        ({"avx", "avx2", "sse4_2"}, "x86_64", "Sandybridge"),  # Haswell kernels need FMA
        ({"avx", "sse4_2"}, "x86_64", "Sandybridge"),
        ({"sse4_2"}, "x86_64", "Nehalem"),
        (set(), "x86_64", None),
        ({"asimd"}, "aarch64", None),
        (set(), "", None),
    ],
)
def test_core_type_is_one_that_the_processor_can_execute(flags, machine, expected):
    found = coretype(frozenset(flags), machine)
    assert found.name == expected
    assert found.reason
