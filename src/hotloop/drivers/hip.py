"""The HIP runtime and hiprtc through hip-python, in the form that `hotloop.drivers.gpu` asks for.

Calls as the HIP Python API reference documents them: each returns a tuple whose first member is the status.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hip import hip, hiprtc

from hotloop.drivers.api import Compiled, DriverError, defined, given
from hotloop.drivers.driver import EVICT, LEAD, PROBE, Driver, Spelling
from hotloop.errors import NoDeviceError
from hotloop.model.device import Device
from hotloop.model.program import CODE_OBJECT
from hotloop.ports import BuildError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

INSTALL = "install AMD's driver and ROCm, and: pip install 'hotloop[hip]'"
_LINE_BYTES = 128
"""Cache line of L2: AMD, HIP documentation, performance guidelines."""
_OWN_TARGET = ("--offload-arch", "--gpu-architecture", "-mcpu")


def _said(status: Any) -> str:  # noqa: ANN401
    return str(getattr(status, "name", status))


_SPELLING = Spelling(
    module=hip,
    prefix="hip",
    success=hip.hipError_t.hipSuccess,
    said=_said,
    allocate="Malloc",
    free="Free",
    fill="MemsetAsync",
    pin="HostRegister",
    unpin="HostUnregister",
    synchronize="DeviceSynchronize",
    instantiate="GraphInstantiateWithFlags",
    event_flags=(),
    relaxed=hip.hipStreamCaptureMode.hipStreamCaptureModeRelaxed,
    function_attribute=hip.hipFunction_attribute,
)
_ok = _SPELLING.ok


class HipDriver(Driver):
    """The `Driver` of AMD's GPUs."""

    language = "hip"
    probe = "".join(f'extern "C" {kernel}' for kernel in (PROBE, LEAD, EVICT))

    def __init__(self) -> None:
        super().__init__(_SPELLING)
        self._processor = ""

    def devices(self) -> Sequence[Device]:
        """List the GPUs that the runtime sees. Raises NoDeviceError."""
        try:
            status, number = hip.hipGetDeviceCount()
        except (RuntimeError, OSError, ImportError):  # the library cannot be loaded
            raise NoDeviceError(f"there is no HIP runtime on this machine; {INSTALL}.") from None
        if status != hip.hipError_t.hipSuccess:
            raise NoDeviceError(f"the HIP runtime finds no device: {_said(status)}; {INSTALL}.")
        try:
            runtime, driver = _version(_ok(hip.hipRuntimeGetVersion())), _version(_ok(hip.hipDriverGetVersion()))
            return [_facts(_properties(ordinal), f"HIP {runtime}", driver) for ordinal in range(number)]
        except DriverError as error:
            raise NoDeviceError(f"the HIP runtime does not describe its devices: {error}; {INSTALL}.") from None

    def open(self, ordinal: int) -> None:
        """Make the device current."""
        _ok(hip.hipSetDevice(ordinal))
        properties = _properties(ordinal)
        self._processor = _text(properties.gcnArchName)
        self._stream = _ok(hip.hipStreamCreate())

    def compile(self, text: str, name: str, options: Sequence[str], entries: Sequence[str]) -> Compiled:
        """Compile with hiprtc for the open device; what was compiled beforehand is taken as it is."""
        if name.endswith(CODE_OBJECT):
            return Compiled(b64decode(text), {entry: entry for entry in entries}, "")
        text, options = defined(text, name, options)
        program = _made(hiprtc.hiprtcCreateProgram(text.encode(), name.encode(), 0, [], []))
        for entry in entries:
            _made(hiprtc.hiprtcAddNameExpression(program, entry.encode()))
        target = () if any(o.startswith(_OWN_TARGET) for o in options) else (f"--offload-arch={self._processor}",)
        flags = [flag.encode() for flag in (*target, *options)]
        status, *_ = hiprtc.hiprtcCompileProgram(program, len(flags), flags)
        log = _log(program)
        if status != hiprtc.hiprtcResult.HIPRTC_SUCCESS:
            raise BuildError(log or str(status))
        symbols = {entry: _text(_made(hiprtc.hiprtcGetLoweredName(program, entry.encode()))) for entry in entries}
        code = bytearray(_made(hiprtc.hiprtcGetCodeSize(program)))
        _made(hiprtc.hiprtcGetCode(program, code))
        hiprtc.hiprtcDestroyProgram(program.createRef())
        return Compiled(bytes(code), symbols, log)

    def parameters(self, function: Any) -> Sequence[int] | None:  # noqa: ANN401, ARG002
        """Return None: HIP has no such question."""
        return None

    def reserve(self, function: Any, shared_bytes: int) -> None:  # noqa: ANN401
        """Do nothing: AMD's GPUs grant all of a unit's local memory without asking."""

    def write(self, address: int, array: NDArray[np.uint8]) -> None:
        """Copy to the device and wait."""
        kind = hip.hipMemcpyKind.hipMemcpyHostToDevice
        _ok(hip.hipMemcpyAsync(address, array.ctypes.data, array.nbytes, kind, self._stream))
        self.wait()

    def repeat(self, address: int, word: int, count: int) -> None:
        """Submit a fill: HIP takes the word's bits as a signed number."""
        super().repeat(address, word - (1 << 32) if word >= 1 << 31 else word, count)

    def read(self, array: NDArray[np.uint8], address: int) -> None:
        """Copy from the device and wait."""
        kind = hip.hipMemcpyKind.hipMemcpyDeviceToHost
        _ok(hip.hipMemcpyAsync(array.ctypes.data, address, array.nbytes, kind, self._stream))
        self.wait()

    def pack(self, values: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return the values: hip-python lays them out with their natural alignment."""
        return tuple(values)

    def launch(
        self,
        function: Any,  # noqa: ANN401
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared_bytes: int,
        packed: Any,  # noqa: ANN401
        *,
        early: bool = False,
    ) -> None:
        """Submit a launch, behind the one before."""
        del early
        _ok(
            hip.hipModuleLaunchKernel(
                function,
                *grid,
                *block,
                sharedMemBytes=shared_bytes,
                stream=self._stream,
                kernelParams=None,
                extra=packed,
            )
        )


def _properties(ordinal: int) -> Any:  # noqa: ANN401
    """Return a device's properties; hip-python before version 7 wants a structure to fill."""
    try:
        return _ok(hip.hipGetDeviceProperties(ordinal))
    except TypeError:
        properties = hip.hipDeviceProp_t()
        _ok(hip.hipGetDeviceProperties(properties, ordinal))
        return properties


def _facts(properties: Any, runtime: str, driver: str) -> Device:  # noqa: ANN401
    return Device(
        name=_text(properties.name),
        kind="gpu",
        backend="hip",
        runtime=runtime,
        runtime_key="hip",
        driver=driver,
        target=_text(properties.gcnArchName).partition(":")[0],
        compute_units=int(properties.multiProcessorCount),
        local_mem_bytes=int(properties.sharedMemPerBlock),
        local_mem_dedicated=True,
        global_mem_bytes=int(properties.totalGlobalMem),
        max_workgroup=int(properties.maxThreadsPerBlock),
        cache_line_bytes=_LINE_BYTES,
        llc_bytes=int(properties.l2CacheSize) or None,
        fp16=True,
        fp64=True,
        subgroups=True,
    )


def _version(number: int) -> str:
    """Return a version from HIP's number: 10 000 000 · major + 100 000 · minor + patch."""
    return f"{number // 10_000_000}.{number // 100_000 % 100}.{number % 100_000}"


def _log(program: Any) -> str:  # noqa: ANN401
    text = bytearray(_made(hiprtc.hiprtcGetProgramLogSize(program)))
    if not text:
        return ""
    _made(hiprtc.hiprtcGetProgramLog(program, text))
    return text.decode(errors="replace").strip("\0 \n")


def _text(value: Any) -> str:  # noqa: ANN401 - bytes, or one of hip-python's C strings
    return (value if isinstance(value, bytes) else bytes(value)).decode().rstrip("\0")


def _made(answer: tuple[Any, ...]) -> Any:  # noqa: ANN401
    """Return what a call of hiprtc gives besides its status. Raises BuildError."""
    return given(
        answer, hiprtc.hiprtcResult.HIPRTC_SUCCESS, lambda status: BuildError(f"error: hiprtc answers {_said(status)}")
    )
