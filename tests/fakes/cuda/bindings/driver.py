"""The calls of cuda.bindings.driver that hotloop uses, on the virtual GPU: statuses and asynchrony as the manual says."""

import ctypes
import enum

import virtual_gpu
from cuda.bindings import _shared

GPU = _shared.GPU


class CUresult(enum.IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_INVALID_VALUE = 1
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_INVALID_IMAGE = 200
    CUDA_ERROR_NOT_FOUND = 500
    CUDA_ERROR_ILLEGAL_ADDRESS = 700
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900


class CUdevice_attribute(enum.IntEnum):
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97


class CUfunction_attribute(enum.IntEnum):
    CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0
    CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1
    CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3
    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8


class CUstream_flags(enum.IntEnum):
    CU_STREAM_NON_BLOCKING = 1


class CUevent_flags(enum.IntEnum):
    CU_EVENT_DEFAULT = 0


class CUstreamCaptureMode(enum.IntEnum):
    CU_STREAM_CAPTURE_MODE_RELAXED = 2


OK, BAD = CUresult.CUDA_SUCCESS, CUresult.CUDA_ERROR_INVALID_VALUE
ILLEGAL = CUresult.CUDA_ERROR_ILLEGAL_ADDRESS
_EXTENTS = {2: 1024, 3: 1024, 4: 64, 5: 2**31 - 1, 6: 65535, 7: 65535}
_FACTS = {1: 1024, 16: 4, 38: 1 << 20, 75: 9, 76: 0, 97: 227 * 1024, **_EXTENTS}
_STREAM = object()


class _Event:
    at_ns = None


def cuInit(flags):
    return (OK,)


def cuDriverGetVersion():
    return OK, 13000


def cuDeviceGetCount():
    return OK, 1


def cuDeviceGet(ordinal):
    return OK, ordinal


def cuDeviceGetName(length, device):
    return OK, b"Virtual GPU".ljust(length, b"\0")


def cuDeviceTotalMem(device):
    return OK, GPU.memory_bytes


def cuDeviceGetAttribute(attribute, device):
    return OK, _FACTS[attribute]


def cuDevicePrimaryCtxRetain(device):
    return OK, object()


def cuCtxSetCurrent(context):
    return (OK,)


def cuCtxSynchronize():
    return (ILLEGAL if GPU.faulted else OK,)


def cuStreamCreate(flags):
    return OK, _STREAM


def cuStreamSynchronize(stream):
    if GPU.captured is not None:
        return (CUresult.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,)
    return (ILLEGAL if GPU.faulted else OK,)


def cuGetErrorString(status):
    return OK, {ILLEGAL: b"an illegal memory access was encountered"}.get(status, status.name.lower().encode())


def cuModuleLoadData(image):
    content = _shared.unpack(image)
    return (OK, content) if content else (CUresult.CUDA_ERROR_INVALID_IMAGE, None)


def cuModuleGetFunction(module, symbol):
    name = module["symbols"].get(symbol.decode())
    if name is None:
        return CUresult.CUDA_ERROR_NOT_FOUND, None
    return OK, virtual_gpu.Kernel(GPU, name, module["text"], module["macros"])


def cuFuncGetAttribute(attribute, function):
    assert isinstance(attribute, CUfunction_attribute)
    return OK, 1024 if attribute == CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK else 0


def cuFuncSetAttribute(function, attribute, value):
    if value > _FACTS[97]:
        return (BAD,)
    function.granted_bytes = value
    return (OK,)


def cuFuncGetParamInfo(function, index):
    if index >= len(function.sizes):
        return BAD, None, None
    return OK, 0, function.sizes[index]


def cuMemAlloc(size):
    if GPU.faulted:
        return ILLEGAL, None
    address = GPU.allocate(size)
    return (OK, address) if address else (CUresult.CUDA_ERROR_OUT_OF_MEMORY, None)


def cuMemFree(address):
    return (OK if GPU.free(address) else BAD,)


def cuMemcpyHtoDAsync(target, source, size, stream):
    view = GPU.view(target, size)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: ctypes.memmove(view.ctypes.data, source, size))
    return (OK,)


def cuMemcpyDtoHAsync(target, source, size, stream):
    view = GPU.view(source, size)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: ctypes.memmove(target, view.ctypes.data, size))
    return (OK,)


def cuMemHostRegister(address, size, flags):
    return (OK if GPU.pin(address, size) else BAD,)


def cuMemHostUnregister(address):
    return (OK if GPU.unpin(address) else BAD,)


def cuMemsetD8Async(address, value, size, stream):
    view = GPU.view(address, size)
    if view is None:
        return (BAD,)

    def act():
        view[:] = value
        GPU.spend(20_000.0)

    GPU.submit(act)
    return (OK,)


def cuMemsetD32Async(address, word, count, stream):
    view = GPU.view(address, 4 * count)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: view.reshape(-1, 4).__setitem__(..., list(word.to_bytes(4, "little"))))
    return (OK,)


def cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra):
    assert stream is _STREAM
    if GPU.faulted:
        return (ILLEGAL,)
    if min(gx, gy, gz) < 1 or bx * by * bz > 1024 or shared > function.granted_bytes or max(gy, gz) > 65535:
        return (BAD,)
    table = (ctypes.c_void_p * len(function.sizes)).from_address(parameters) if function.sizes else ()
    function.run((gx, gy, gz), (bx, by, bz), function.read(list(table)))
    return (OK,)


def cuEventCreate(flags):
    return OK, _Event()


def cuEventRecord(event, stream):
    GPU.submit(lambda: setattr(event, "at_ns", GPU.now_ns))
    return (OK,)


def cuEventElapsedTime(first, last):
    if first.at_ns is None or last.at_ns is None:
        return BAD, None
    return OK, (last.at_ns - first.at_ns) / 1e6


def cuStreamBeginCapture(stream, mode):
    if GPU.captured is not None:
        return (BAD,)
    GPU.captured = []
    return (OK,)


def cuStreamEndCapture(stream):
    captured, GPU.captured = GPU.captured, None
    return OK, captured


def cuGraphInstantiate(graph, flags):
    return OK, tuple(graph)


def cuGraphDestroy(graph):
    return (OK,)


def cuGraphExecDestroy(graph):
    return (OK,)


def cuGraphLaunch(graph, stream):
    for act in graph:
        GPU.submit(act)
    return (ILLEGAL if GPU.faulted else OK,)
