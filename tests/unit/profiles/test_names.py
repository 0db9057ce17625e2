"""Kernel names of different tools meet."""

import pytest

from hotloop.profiles.names import parsed, same

COPY = [
    "vecCopy(double*, double*, double*, int, int) [clone .kd]",
    "vecCopy(double*, double*, double*, int, int) (.kd)",
    "vecCopy(double*, double*, double*, int, int)",
    '"vecCopy(double*, double*, double*, int, int)"',
    "vecCopy",
    "vecCopy.kd",
    "_Z7vecCopyPdS_S_ii",
    "_Z7vecCopyPdS_S_ii.kd",
]


@pytest.mark.parametrize("one", COPY)
@pytest.mark.parametrize("other", COPY)
def test_all_spellings_of_one_kernel_are_the_same(one, other):
    assert same(one, other)


@pytest.mark.parametrize(("text", "base"), [
    ("void addition_kernel<float>(float*, float const*, int)", "addition_kernel"),
    ("void at::native::k<(int)4, at::f<float>, (lambda(float)#1)>(int, T1)", "at::native::k"),
    ("void (anonymous namespace)::softmax<c10::Half>(c10::Half*)", "(anonymous namespace)::softmax"),
    ("_ZN2at6native1kILi4EN3c104HalfEEEvPf", "at::native::k"),
    ("_ZN12_GLOBAL__N_17softmaxEPf", "(anonymous namespace)::softmax"),
    ("_Z14reference_gemmILi4EEvPKhS1_P14__hip_bfloat16PKfS5_iii", "reference_gemm"),
    ("__amd_rocclr_fillBufferAligned.kd", "__amd_rocclr_fillBufferAligned"),
    ("Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE_K1.kd", "Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SE_K1"),
])  # fmt: skip
def test_base_names(text, base):
    assert parsed(text).base == base


def test_instances_and_overloads_stay_apart():
    assert not same("void k<float>(float*)", "void k<double>(double*)")
    assert not same("_Z1kIfEvPT_", "_Z1kIdEvPT_")
    assert same("void k<float>(float*)", "k")
