"""A CUDA C++ winner as the text of one module: its source, compiled by NVRTC at the first call, a launcher, an operator for PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.app.export.cltext import quoted
from hotloop.app.export.jittext import checked_text, operator_text
from hotloop.drivers.api import defined
from hotloop.drivers.gpu import geometry
from hotloop.errors import UsageError
from hotloop.model.program import Array, Local, Null, Tiled, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hotloop.app.export.found import Found
    from hotloop.model.program import Argument, Launch

_MOST_THREADS = 1024
"""Threads of a block that every device takes: CUDA C++ Programming Guide, compute capabilities."""
_CODE = '''
class _Config(ctypes.Structure):  # CUlaunchConfig
    _fields_ = [
        *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.c_void_p),
        ("count", ctypes.c_uint),
    ]


class _Attribute(ctypes.Structure):  # CUlaunchAttribute
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_int), ("rest", ctypes.c_char * 60)]


_EARLY = _Attribute(6, 0, 1)  # programmatic stream serialization: the kernel waits for the one before by itself


def _ok(answer):
    status, *values = answer
    if int(status):
        raise RuntimeError(f"CUDA answers {status.name}")
    return values[0] if values else None


def _headers():
    """Return the folders of CUDA's headers: of NVIDIA's wheels, else of an installed toolkit."""
    site = Path(sysconfig.get_path("purelib")) / "nvidia"
    folders = (*sorted(site.glob("cu[0-9]*/include"), reverse=True), site / "cuda_runtime" / "include", Path("/usr/local/cuda/include"))
    return [str(folder) for folder in folders if (folder / "cuda_fp16.h").is_file()][:1]


@functools.cache
def compiled(major, minor):
    """Return the machine code for a compute capability, and the symbol of each kernel in it."""
    program = _ok(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"kernel.cu", 0, None, None))
    for entry in SHARED_BYTES:
        _ok(nvrtc.nvrtcAddNameExpression(program, entry.encode()))
    target = f"--gpu-architecture=sm_{major}{minor}" + ("a" if major >= 9 else "")
    flags = [target, *(f"--include-path={folder}" for folder in _headers()), *OPTIONS]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(flags), [flag.encode() for flag in flags])
    if int(status):
        log = bytes(_ok(nvrtc.nvrtcGetProgramLogSize(program)))
        _ok(nvrtc.nvrtcGetProgramLog(program, log))
        raise RuntimeError(log.decode(errors="replace"))
    binary = bytes(_ok(nvrtc.nvrtcGetCUBINSize(program)))
    _ok(nvrtc.nvrtcGetCUBIN(program, binary))
    return binary, {entry: _ok(nvrtc.nvrtcGetLoweredName(program, entry.encode())) for entry in SHARED_BYTES}


@functools.cache
def _kernels(index):
    """Return the kernels, loaded on a device."""
    binary, symbols = compiled(*torch.cuda.get_device_capability(index))
    module, made = _ok(cu.cuModuleLoadData(binary)), {}
    for entry, shared_bytes in SHARED_BYTES.items():
        made[entry] = _ok(cu.cuModuleGetFunction(module, symbols[entry]))
        if shared_bytes > 48 * 1024:
            most = cu.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            _ok(cu.cuFuncSetAttribute(made[entry], most, shared_bytes))
    return made


@functools.cache
def _driver():
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


def _submit(function, grid, block, shared_bytes, arguments, early):
    table = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
    config = _Config(*grid, *block, shared_bytes, torch.cuda.current_stream().cuda_stream)
    if early:
        config.attributes, config.count = ctypes.addressof(_EARLY), 1
    status = _driver().cuLaunchKernelEx(ctypes.byref(config), ctypes.c_void_p(int(function)), table, None)
    if status:
        raise RuntimeError(f"the kernel was not launched: CUDA answers {cu.CUresult(status).name}")
'''
_MAP = '''

def _map(tensor, kind, extents, pitch, box):
    """Return how the copy engine sees a matrix of 16-bit elements (CUtensorMap): zeros outside, rows of a box in 128 swizzled bytes."""
    memory = ctypes.create_string_buffer(192)
    start = -(-ctypes.addressof(memory) // 64) * 64
    status = _driver().cuTensorMapEncodeTiled(
        ctypes.c_void_p(start), kind, 2, ctypes.c_void_p(tensor.data_ptr()), (ctypes.c_uint64 * 2)(*extents[::-1]),
        (ctypes.c_uint64 * 1)(2 * pitch), (ctypes.c_uint32 * 2)(*box[::-1]), (ctypes.c_uint32 * 2)(1, 1), 0, 3, 2, 0,
    )
    if status:
        raise RuntimeError(f"a matrix cannot be described to the copy engine: CUDA answers {cu.CUresult(status).name}")
    return (ctypes.c_char * 128).from_buffer_copy(ctypes.string_at(start, 128))
'''
_KINDS = {"float16": 6, "bfloat16": 9}
"""CUtensorMapDataType: CUDA Driver API reference manual."""


def text(winner: Found, heading: str, *, operator: str = "") -> str:
    """Return the module's text; `operator` is an expression for the operator's full name, default: one of this module's own.

    Raises:
        UsageError: the program has what cannot be written down.
    """
    inside, results = ([slot for slot in winner.slots if slot.written is written] for written in (False, True))
    if not results:
        raise UsageError(f"{winner.problem.key} changes an array in place; such kernels are not exported yet.")
    program = winner.program
    source, options = defined(program.source, program.source_name or "kernel.cu", program.options)
    launches = [launch for launch in program.launches if launch.work_items]
    shared = {
        launch.entry: max(one.local_bytes for one in launches if one.entry == launch.entry) for launch in launches
    }
    mapped = any(isinstance(argument, Tiled) for launch in launches for argument in launch.arguments)
    return "\n".join(
        [
            heading,
            "from __future__ import annotations\n",
            "import ctypes\nimport functools\nimport sys\nimport sysconfig\nfrom pathlib import Path\n",
            "import torch",
            "from cuda.bindings import driver as cu\nfrom cuda.bindings import nvrtc\n",
            f'SOURCE = r"""{quoted(source)}"""',
            f"OPTIONS = {options!r}",
            f"SHARED_BYTES = {shared!r}",
            '"""Dynamic shared memory of each kernel."""\n',
            _CODE + (_MAP if mapped else ""),
            f"\n{checked_text(winner.slots)}\n",
            f"\ndef launch({', '.join(slot.name for slot in winner.slots)}):",
            '    """Launch on the current stream; every array is a tensor of the tuned type and number of elements."""',
            *_launches(winner, launches),
            f"\n\n{operator_text(winner, inside, results, operator)}",
        ]
    )


def _launches(winner: Found, launches: list[Launch]) -> Iterator[str]:
    first = winner.slots[0].name
    yield f"    with torch.cuda.device({first}.device):"
    for area in winner.program.scratch:
        made = "zeros" if area.zeroed else "empty"
        yield f"        {area.name} = torch.{made}({area.scratch_bytes}, dtype=torch.uint8, device={first}.device)"
    yield f"        kernels = _kernels({first}.device.index)"
    for launch in launches:
        grid, block = geometry(launch, _MOST_THREADS)
        given = ", ".join(_argument(argument) for argument in launch.arguments if not isinstance(argument, Local))
        yield f"        _submit(kernels[{launch.entry!r}], {grid!r}, {block!r}, {launch.local_bytes}, ({given},), {launch.early})"


def _argument(given: Argument) -> str:
    match given:
        case Tiled(name=name, dtype=dtype, extents=extents, pitch=pitch, box=box):
            return f"_map({name}, {_KINDS[dtype]}, {extents!r}, {pitch}, {box!r})"
        case Array(name=name):
            return f"ctypes.c_void_p({name}.data_ptr())"
        case Null():
            return "ctypes.c_void_p(0)"
        case Value(value=value, dtype=dtype) if dtype in _CTYPES:
            return f"ctypes.{_CTYPES[dtype]}({value!r})"
        case _:
            raise UsageError(f"a kernel that takes {type(given).__name__.casefold()} is not exported.")


_CTYPES = {
    **{f"{sign}int{bits}": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float32": "c_float",
    "float64": "c_double",
}
