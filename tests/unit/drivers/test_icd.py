"""Kernel objects of OpenCL: what is alike of them is made once."""

from pyopencl import invoker

from hotloop.drivers.icd import OpenCL, share_invokers

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
