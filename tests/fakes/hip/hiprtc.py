"""The calls of hip.hiprtc that hotloop uses: each returns a tuple that begins with the status."""

import enum
import json

import virtual_gpu


class hiprtcResult(enum.IntEnum):
    HIPRTC_SUCCESS = 0
    HIPRTC_ERROR_COMPILATION = 6


OK = hiprtcResult.HIPRTC_SUCCESS


class _Program:
    def __init__(self, text):
        self.text, self.names, self.log, self.code, self.options = text, [], "", b"", []

    def createRef(self):
        return self


def hiprtcCreateProgram(source, name, number, headers, names):
    assert (number, headers, names) == (0, [], [])
    assert isinstance(source, bytes)
    assert isinstance(name, bytes)
    return OK, _Program(source.decode())


def hiprtcAddNameExpression(program, name):
    program.names.append(name.decode())
    return (OK,)


def hiprtcCompileProgram(program, number, options):
    assert number == len(options)
    assert b"--offload-arch=gfx942:sramecc+:xnack-" in options
    program.options = [option.decode() for option in options]
    macros, program.log = virtual_gpu.compiled(program.text, program.options, program.names, "undeclared")
    if macros is None:
        return (hiprtcResult.HIPRTC_ERROR_COMPILATION,)
    content = {
        "text": program.text + virtual_gpu.KNOWN,
        "macros": macros,
        "symbols": {f"_Z{n}": n for n in program.names},
    }
    program.code = json.dumps(content).encode()
    return (OK,)


def hiprtcGetProgramLogSize(program):
    return OK, len(program.log) + 1 if program.log else 0


def hiprtcGetProgramLog(program, buffer):
    buffer[:] = program.log.encode() + b"\0"
    return (OK,)


def hiprtcGetLoweredName(program, name):
    return OK, b"_Z" + name


def hiprtcGetCodeSize(program):
    return OK, len(program.code)


def hiprtcGetCode(program, buffer):
    buffer[:] = program.code
    return (OK,)


def hiprtcDestroyProgram(reference):
    return (OK,)
