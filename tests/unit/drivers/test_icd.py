"""Kernel objects of OpenCL: what is alike of them is made once."""

import pytest
from pyopencl import invoker

from hotloop.drivers import opencl
from hotloop.drivers.icd import OpenCL, share_invokers
from hotloop.errors import NoDeviceError

ALIKE = ("f", 3, 3, None, True, False, False)


def test_kernel_objects_that_are_alike_share_the_code_that_sets_their_arguments():
    OpenCL()
    shared = invoker._generate_enqueue_and_set_args_module
    written, _ = shared(*ALIKE)
    for _ in range(100):  # as many launches of one kernel
        assert shared(*ALIKE)[0] is written
    other, _ = shared("g", *ALIKE[1:])
    assert other is not written
    share_invokers()  # a second backend of the process
    assert invoker._generate_enqueue_and_set_args_module is shared


def test_no_runtime_is_told_by_what_hides_them(monkeypatch):
    def none():
        raise opencl.cl.LogicError("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")

    monkeypatch.setattr(opencl.cl, "get_platforms", none)
    monkeypatch.setenv("OCL_ICD_VENDORS", "/no/such/folder")
    with pytest.raises(NoDeviceError, match=r"OCL_ICD_VENDORS=/no/such/folder names no OpenCL runtime .*unset"):
        opencl.platforms()
    monkeypatch.delenv("OCL_ICD_VENDORS")
    with pytest.raises(NoDeviceError, match="no OpenCL runtime is installed"):
        opencl.platforms()
