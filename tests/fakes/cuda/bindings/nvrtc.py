"""The calls of cuda.bindings.nvrtc that hotloop uses: each returns a tuple that begins with the status."""

import enum

import virtual_gpu
from cuda.bindings import _shared


class nvrtcResult(enum.IntEnum):
    NVRTC_SUCCESS = 0
    NVRTC_ERROR_INVALID_OPTION = 5
    NVRTC_ERROR_COMPILATION = 6
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9


OK = nvrtcResult.NVRTC_SUCCESS


class _Program:
    def __init__(self, text):
        self.text, self.names, self.log, self.cubin, self.options = text, [], "", b"", []


def nvrtcVersion():
    return OK, 13, 0


def nvrtcCreateProgram(source, name, number, headers, names):
    assert isinstance(source, bytes)
    assert isinstance(name, bytes)
    return OK, _Program(source.decode())


def nvrtcAddNameExpression(program, name):
    program.names.append(name.decode())
    return (OK,)


def nvrtcCompileProgram(program, number, options):
    assert number == len(options)
    program.options = [option.decode() for option in options]
    unknown = [option for option in program.options if option.startswith("--not-an-option")]
    if unknown:
        program.log = f"nvrtc: error: unrecognized option {unknown[0]} found"
        return (nvrtcResult.NVRTC_ERROR_INVALID_OPTION,)
    macros, program.log = virtual_gpu.compiled(program.text, program.options, program.names, "undeclared")
    if macros is None:
        return (nvrtcResult.NVRTC_ERROR_COMPILATION,)
    symbols = {_lowered(name): name for name in program.names}
    program.cubin = _shared.pack(program.text + virtual_gpu.KNOWN, macros, symbols)
    return (OK,)


def nvrtcGetProgramLogSize(program):
    return OK, len(program.log) + 1


def nvrtcGetProgramLog(program, buffer):
    _store(buffer, program.log.encode() + b"\0")
    return (OK,)


def nvrtcGetLoweredName(program, name):
    if not program.cubin:
        return nvrtcResult.NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, None
    return OK, _lowered(name.decode()).encode()


def nvrtcGetCUBINSize(program):
    return OK, len(program.cubin)


def nvrtcGetCUBIN(program, buffer):
    _store(buffer, program.cubin)
    return (OK,)


def nvrtcDestroyProgram(program):
    return (OK,)


def _lowered(name):
    plain = name.partition("<")[0]
    return f"_Z{len(plain)}{plain}v"


def _store(buffer, content):
    """Write into a bytes object, as the real binding does."""
    import ctypes

    assert len(buffer) == len(content)
    offset = bytes.__basicsize__ - 1
    ctypes.memmove(id(buffer) + offset, content, len(content))
