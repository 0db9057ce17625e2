"""The calls of hip.hip that hotloop uses, on the virtual GPU."""

import ctypes
import enum
import json
from types import SimpleNamespace

import virtual_gpu

GPU = virtual_gpu.Gpu()


class hipError_t(enum.IntEnum):
    hipSuccess = 0
    hipErrorInvalidValue = 1
    hipErrorOutOfMemory = 2
    hipErrorNotFound = 500
    hipErrorIllegalAddress = 700


class hipMemcpyKind(enum.IntEnum):
    hipMemcpyHostToDevice = 1
    hipMemcpyDeviceToHost = 2


class hipFunction_attribute(enum.IntEnum):
    HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0
    HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1
    HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3


class hipStreamCaptureMode(enum.IntEnum):
    hipStreamCaptureModeRelaxed = 2


OK, BAD, ILLEGAL = hipError_t.hipSuccess, hipError_t.hipErrorInvalidValue, hipError_t.hipErrorIllegalAddress


class _Event:
    at_ns = None


class _DeviceArray:
    """What hipMalloc returns: an address behind ``int()``."""

    def __init__(self, address):
        self._address = address

    def __int__(self):
        return self._address


def hipGetDeviceCount():
    return OK, 1


def hipRuntimeGetVersion():
    return OK, 70051831


def hipDriverGetVersion():
    return OK, 70051831


def hipGetDeviceProperties(device):
    return OK, SimpleNamespace(
        name=b"Virtual Instinct", gcnArchName=b"gfx942:sramecc+:xnack-", multiProcessorCount=4, warpSize=64,
        sharedMemPerBlock=65536, totalGlobalMem=GPU.memory_bytes, maxThreadsPerBlock=1024, l2CacheSize=1 << 20,
    )  # fmt: skip


def hipSetDevice(device):
    return (OK,)


def hipStreamCreate():
    return OK, object()


def hipDeviceSynchronize():
    return (ILLEGAL if GPU.faulted else OK,)


hipStreamSynchronize = lambda stream: hipDeviceSynchronize()  # noqa: E731


def hipModuleLoadData(image):
    return OK, json.loads(image)


def hipModuleGetFunction(module, symbol):
    name = module["symbols"].get(symbol.decode())
    if name is None:
        return hipError_t.hipErrorNotFound, None
    return OK, virtual_gpu.Kernel(GPU, name, module["text"], module["macros"])


def hipFuncGetAttribute(attribute, function):
    return OK, 1024 if attribute == hipFunction_attribute.HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK else 0


def hipMalloc(size):
    address = GPU.allocate(size)
    return (OK, _DeviceArray(address)) if address else (hipError_t.hipErrorOutOfMemory, None)


def hipFree(address):
    return (OK if GPU.free(address) else BAD,)


def hipMemcpyAsync(target, source, size, kind, stream):
    to_device = kind == hipMemcpyKind.hipMemcpyHostToDevice
    view = GPU.view(target if to_device else source, size)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: ctypes.memmove(*((view.ctypes.data, source) if to_device else (target, view.ctypes.data)), size))
    return (OK,)


def hipHostRegister(address, size, flags):
    return (OK if GPU.pin(address, size) else BAD,)


def hipHostUnregister(address):
    return (OK if GPU.unpin(address) else BAD,)


def hipMemsetAsync(address, value, size, stream):
    view = GPU.view(address, size)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: (view.fill(value), GPU.spend(20_000.0)))
    return (OK,)


def hipMemsetD32Async(address, word, count, stream):
    assert -(1 << 31) <= word < 1 << 31
    view = GPU.view(address, 4 * count)
    if view is None:
        return (BAD,)
    GPU.submit(lambda: view.reshape(-1, 4).__setitem__(..., list(word.to_bytes(4, "little", signed=True))))
    return (OK,)


def hipModuleLaunchKernel(function, gx, gy, gz, bx, by, bz, *, sharedMemBytes, stream, kernelParams, extra):
    if GPU.faulted:
        return (ILLEGAL,)
    if bx * by * bz > 1024 or sharedMemBytes > 65536:
        return (BAD,)
    assert kernelParams is None
    assert [ctypes.sizeof(value) for value in extra] == function.sizes
    function.run((gx, gy, gz), (bx, by, bz), function.read([ctypes.addressof(value) for value in extra]))
    return (OK,)


def hipEventCreate():
    return OK, _Event()


def hipEventRecord(event, stream):
    GPU.submit(lambda: setattr(event, "at_ns", GPU.now_ns))
    return (OK,)


def hipEventElapsedTime(first, last):
    return OK, (last.at_ns - first.at_ns) / 1e6


def hipStreamBeginCapture(stream, mode):
    GPU.captured = []
    return (OK,)


def hipStreamEndCapture(stream):
    captured, GPU.captured = GPU.captured, None
    return OK, captured


def hipGraphInstantiateWithFlags(graph, flags):
    return OK, tuple(graph)


def hipGraphDestroy(graph):
    return (OK,)


def hipGraphExecDestroy(graph):
    return (OK,)


def hipGraphLaunch(graph, stream):
    for act in graph:
        GPU.submit(act)
    return (OK,)
