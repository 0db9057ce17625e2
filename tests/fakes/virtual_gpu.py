"""A GPU in host memory, for the fake vendor bindings beside this file.

A kernel's meaning stands in comments of its source, since nothing here compiles C++:

    /*fake NAME: y[:n] = a * x[:n]*/    what it does: Python with its parameters, macros and `np`; pointers are arrays
    /*fake NAME: fault()*/              an illegal address: every later call fails, as on a real device
    /*time NAME: 1000 + n / 4*/         how long it takes, in ns of the virtual clock

Arguments are read through the parameter list of the kernel's own signature, as a real launch does.
"""

import ctypes
import re

import numpy as np

TYPES = {
    "float": "f4", "double": "f8", "int": "i4", "unsigned": "u4", "long long": "i8", "unsigned long long": "u8", "short": "i2", "half": "f2",
    "float4": "f4", "unsigned short": "u2",
}  # fmt: skip
SIGNATURE = r"__global__\s+void\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?{}\s*\(([^)]*)\)"
LAUNCH_NS, NOISE = 500.0, 0.002


class FaultError(Exception):
    """The device met an illegal address."""


class Gpu:
    """Memory, a virtual clock, one stream and whether the device has faulted."""

    def __init__(self, memory_bytes=1 << 30):
        self.memory_bytes = memory_bytes
        self.held = {}
        self.pinned = {}
        self.now_ns = 0.0
        self.faulted = False
        self.captured = None
        self.launches = 0
        self.random = np.random.default_rng(5)

    def allocate(self, size):
        if sum(array.nbytes for array in self.held.values()) + size > self.memory_bytes:
            return None
        array = np.full(size, 0xCD, np.uint8)
        self.held[array.ctypes.data] = array
        return array.ctypes.data

    def free(self, address):
        return self.held.pop(address, None) is not None

    def pin(self, address, size):
        """Note host memory as pinned; memory that is pinned already is refused, as by a real driver."""
        if address in self.pinned:
            return False
        self.pinned[address] = size
        return True

    def unpin(self, address):
        return self.pinned.pop(address, None) is not None

    def view(self, address, size=None):
        """Return the bytes behind an address, or None where nothing is allocated."""
        for base, array in self.held.items():
            if base <= address < base + array.nbytes:
                part = array[address - base :]
                return part if size is None else part[:size] if size <= part.nbytes else None
        return None

    def submit(self, act):
        """Run something in stream order, or note it while the stream is captured."""
        if self.captured is not None:
            self.captured.append(act)
        elif not self.faulted:
            try:
                act()
            except FaultError:
                self.faulted = True

    def spend(self, ns):
        self.now_ns += ns * float(np.exp(NOISE * self.random.standard_normal()))


class Kernel:
    """One function of a compiled text."""

    def __init__(self, gpu, name, text, macros):
        found = re.search(SIGNATURE.format(re.escape(name.partition("<")[0])), text)
        self.gpu, self.name, self.macros = gpu, name, macros
        self.parameters = [_parameter(p, macros) for p in found[1].split(",") if p.strip()] if found else None
        self.action = _directive("fake", name, text)
        self.duration = _directive("time", name, text) or "1000"
        self.granted_bytes = 48 * 1024

    @property
    def sizes(self):
        return [8 if pointer else np.dtype(kind).itemsize for _, kind, pointer in self.parameters]

    def read(self, addresses):
        """Return the arguments that a table of pointers to them holds, by name; None for a wild pointer."""
        values = {}
        for (name, kind, pointer), size, address in zip(self.parameters, self.sizes, addresses, strict=True):
            raw = ctypes.string_at(address, size)
            values[name] = (int.from_bytes(raw, "little"), kind) if pointer else np.frombuffer(raw, kind)[0]
        return values

    def run(self, grid, block, values):
        """Do what the comments say, at the time of the launch in stream order."""

        def act():
            self.gpu.launches += 1
            scope = {"np": np, "fault": _fault, "memory": self.gpu.view, "grid": grid, "block": block, **self.macros}
            for name, value in values.items():
                scope[name] = self._array(*value) if isinstance(value, tuple) else value
            self.gpu.spend(LAUNCH_NS + float(eval(self.duration, scope)))
            exec(self.action or "pass", scope)

        self.gpu.submit(act)

    def _array(self, address, kind):
        raw = self.gpu.view(address)
        if raw is None:
            _fault()
        return raw[: raw.nbytes // np.dtype(kind).itemsize * np.dtype(kind).itemsize].view(kind)


def _fault():
    raise FaultError


def _directive(word, name, text):
    found = re.search(rf"/\*{word} {re.escape(name.partition('<')[0])}: (.*?)\*/", text, re.DOTALL)
    return found[1].strip() if found else ""


def _parameter(text, macros):
    words = text.replace("*", " * ").replace("const", " ").replace("__restrict__", " ").split()
    return (
        words[-1],
        TYPES[" ".join(word for word in words[:-1] if word != "*").replace(*_macro(words[0], macros))],
        "*" in words,
    )


def _macro(word, macros):
    return word, str(macros.get(word, word))


KNOWN = """
/*fake probe: y[:n] = 2 * x[:n] + np.arange(n, dtype='f4')*/
/*fake lead: None*/
/*time lead: cycles / 2*/
/*fake evict: np.testing.assert_array_equal(memory(address)[[0, 8 * lines, 16 * lines - 1]], 0)*/
/*time evict: 29_500*/
/*fake copy: y[4 * vectors - 1] == x[4 * vectors - 1] or np.copyto(y[: 4 * vectors], x[: 4 * vectors])*/
/*time copy: vectors * 0.02*/
/*fake fma_rate: out[: grid[0] * block[0]] = 24*/
/*time fma_rate: iterations * 100.0*/
"""
"""What hotloop's own programs mean: the backends' probe, and the ceilings."""


def compiled(text, options, entries, fails):
    """Return macros of a text that compiles, or a log; `fails` marks an error in it."""
    for number, line in enumerate(text.splitlines(), 1):
        if fails in line:
            return None, f'k({number}): error: identifier "{fails}" is undefined'
    for entry in entries:
        if not re.search(SIGNATURE.format(re.escape(entry.partition("<")[0])), text):
            return None, f'error: identifier "{entry}" is undefined'
    macros = dict(re.findall(r"^#define (\w+) (.*)$", text, re.MULTILINE))
    return {name: _number(value) for name, value in macros.items()}, ""


def _number(value):
    try:
        return int(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return value
