"""Atomic operations on device and local memory: lanes act one after the other, in the order of their numbers.

Source: AMD's ISA references, "Buffer and flat atomics", "DS instructions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.cohort import Effect
from hotloop.emulate.memory import BASE
from hotloop.emulate.sanitizer.access import Access, Kind
from hotloop.emulate.sanitizer.waits import issue, overwrite
from hotloop.emulate.semantics import formats
from hotloop.emulate.units import addresses, generic
from hotloop.emulate.units.values import source
from hotloop.isa.amdgcn.registers import returns

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.cohort import Cohort, Pending
    from hotloop.emulate.instruction import Context, Decoded

Step = Callable[["Cohort"], None]
Change = Callable[[Any, Any, Any], Any]
"""New value from the old one, the data and, for a compare-and-swap, what is compared."""


def _inc(old: Any, data: Any, _: Any) -> Any:  # noqa: ANN401 - arrays of any type
    return np.where(old >= data, old.dtype.type(0), old + old.dtype.type(1))


def _dec(old: Any, data: Any, _: Any) -> Any:  # noqa: ANN401
    return np.where((old == 0) | (old > data), data, old - old.dtype.type(1))


def _packed_half(old: Any, data: Any, _: Any) -> Any:  # noqa: ANN401
    total = np.ascontiguousarray(old).view(np.float16) + np.ascontiguousarray(data).view(np.float16)
    return total.view(np.uint32)


def _packed_brain(old: Any, data: Any, _: Any) -> Any:  # noqa: ANN401
    sums = [
        formats.to_bf16(
            formats.from_bf16(old >> np.uint32(s) & np.uint32(0xFFFF))
            + formats.from_bf16(data >> np.uint32(s) & np.uint32(0xFFFF))
        )
        for s in (0, 16)
    ]
    return sums[0].astype(np.uint32) | sums[1].astype(np.uint32) << np.uint32(16)


CHANGES: dict[str, tuple[str, Change]] = {
    "add": ("u", lambda o, d, _: o + d),
    "sub": ("u", lambda o, d, _: o - d),
    "rsub": ("u", lambda o, d, _: d - o),
    "smin": ("i", lambda o, d, _: np.minimum(o, d)),
    "smax": ("i", lambda o, d, _: np.maximum(o, d)),
    "umin": ("u", lambda o, d, _: np.minimum(o, d)),
    "umax": ("u", lambda o, d, _: np.maximum(o, d)),
    "and": ("u", lambda o, d, _: o & d),
    "or": ("u", lambda o, d, _: o | d),
    "xor": ("u", lambda o, d, _: o ^ d),
    "inc": ("u", _inc),
    "dec": ("u", _dec),
    "swap": ("u", lambda o, d, _: d + np.zeros_like(o)),
    "cmpswap": ("u", lambda o, d, compared: np.where(o == compared, d, o)),
    "fadd": ("f", lambda o, d, _: o + d),
    "fmin": ("f", lambda o, d, _: np.fmin(o, d)),
    "fmax": ("f", lambda o, d, _: np.fmax(o, d)),
    "pk_add_f16": ("u", _packed_half),
    "pk_add_bf16": ("u", _packed_brain),
}
_SWAP = CHANGES["swap"][1]
"""The exchange, whose stored result does not depend on the old value."""
_CHANGES_NOTHING = {CHANGES[word][1]: 0 for word in ("add", "sub", "or", "xor")} | {CHANGES["and"][1]: -1}
"""Operands that leave any old value as it is: by them programs read atomically."""
_MAY_LOOK = {CHANGES["cmpswap"][1], *_CHANGES_NOTHING}
"""Operations that may store nothing new whatever stands in memory, or by what they compare."""
GLOBAL = re.compile(r"(?:global|flat|buffer)_atomic_(\w+)$")
LOCAL = re.compile(r"ds_(\w+?)_(rtn_)?(u32|i32|b32|f32|u64|i64|b64|f64|f16|bf16)$")
_ALIASES = {
    "wrxchg": "swap", "storexchg": "swap", "cmpst": "cmpswap", "cmpstore": "cmpswap", "min_num": "min", "max_num": "max",
    "cond_sub": "sub", "add_clamp": "add", "sub_clamp": "sub",
}  # fmt: skip


def meaning_of(name: str) -> tuple[Change, Any] | None:
    """Return what an operation does and on which type, from the name behind ``atomic_``.

    >>> meaning_of("add_u64")[1].__name__, meaning_of("smax")[1].__name__, meaning_of("add_f32")[1].__name__
    ('uint64', 'int32', 'float32')
    """
    if name in ("pk_add_f16", "pk_add_bf16", "pk_add_rtn_f16"):
        return CHANGES[name.replace("_rtn", "")][1], np.uint32
    found = re.match(r"(\w+?)(?:_(x2)|_([uibf])(32|64))?$", name)
    assert found is not None
    word, letter = found[1], found[3] or ""
    wide = found[2] is not None or found[4] == "64"
    word = _ALIASES.get(word, word)
    if letter == "f" and word in ("add", "min", "max"):
        word = "f" + word
    if word in ("min", "max"):
        word = ("s" if letter == "i" else "u") + word
    if word in ("cond_sub", "add_clamp") or word not in CHANGES:
        return None
    kind, change = CHANGES[word]
    return change, {"u": (np.uint32, np.uint64), "i": (np.int32, np.int64), "f": (np.float32, np.float64)}[kind][wide]


def bind_global(ins: Decoded, context: Context) -> Step:
    """Return the step of an atomic on device memory. Raises UnmodelledError for one that is not known."""
    found = GLOBAL.match(ins.name)
    meaning = meaning_of(found[1]) if found else None
    if meaning is None:
        raise ins.unmodelled()
    change, dtype = meaning
    back = returns(ins.mnemonic, ins.text)
    buffered = ins.name.startswith("buffer")
    size, access = np.dtype(dtype).itemsize, Access(Kind.ATOMIC, np.dtype(dtype).itemsize)
    where = addresses.reader(ins, context, loads=back and not buffered)
    data = ins.operands[0 if buffered else 2 if back else 1].registers
    rows = tuple(context.layout.row(register) for register in data)
    out = tuple(context.layout.row(register) for register in ins.operands[0].registers[: size // 4]) if back else ()

    def step(c: Cohort) -> None:
        offsets, lanes = where(c, access)
        chosen = lanes & (offsets != 0)
        overwrite(c, offsets, chosen, size, local=False)
        old, changed = _apply(c.batch.memory.words, offsets, chosen, [c.v[row] for row in rows], change, dtype)
        c.batch.changes += changed
        _return(c, ins, out, old, lanes, c.batch.traffic.missing)

    if not ins.name.startswith("flat"):
        return step
    raw = addresses.flat(ins, context, ins.operands[1 if back else 0])
    return _mixed(ins, raw, step, rows, out, change, dtype)


def _mixed(
    ins: Decoded,
    raw: Callable[[Cohort], Array],
    plain: Step,
    rows: Sequence[int],
    out: tuple[int, ...],
    change: Change,
    dtype: Any,  # noqa: ANN401
) -> Step:
    """Return the step of an atomic on generic addresses: the plain one where none of the lanes means local memory."""
    size, access = np.dtype(dtype).itemsize, Access(Kind.ATOMIC, np.dtype(dtype).itemsize)

    def step(c: Cohort) -> None:
        address = np.broadcast_to(raw(c), c.exec.shape)
        device, local, _ = generic.parts(c, address)
        if not local.any():
            plain(c)
            return
        data = [c.v[row] for row in rows]
        places, never = _located(c, ins, address & generic.LOW, local, access, (data, change, dtype))
        overwrite(c, places, places >= 0, size, local=True)
        old, changed = _apply(c.batch.local.words, places, places >= 0, data, change, dtype)
        missing = np.zeros(c.exec.shape, bool) if never is None else never
        others = c.exec & ~local  # those that mean private memory are refused with the bounds of device memory
        if others.any():
            offsets, _ = c.batch.traffic.checked(c, ins, address - np.int64(BASE), others, access)
            chosen, there = device & (offsets != 0), c.batch.traffic.missing
            overwrite(c, offsets, chosen, size, local=False)
            found, more = _apply(c.batch.memory.words, offsets, chosen, data, change, dtype)
            old, changed = np.where(device[..., None], found, old), changed | more
            missing = missing | (device & there) if there is not None else missing
        c.batch.changes += changed
        _return(c, ins, out, old, c.exec.copy(), missing if missing.any() else None)

    return step


def _located(
    c: Cohort, ins: Decoded, places: Array, lanes: Array, access: Access, what: tuple[list[Array], Change, Any]
) -> tuple[Array, Array | None]:
    """Return where an atomic reaches local memory, and the lanes that find there what nobody has written."""
    data, change, dtype = what

    def stores(offsets: Array) -> Array | None:
        return storing(c.batch.local.words, offsets, data, change, dtype)

    offsets = c.batch.local.locate(c, ins, places, lanes, access, stores=stores if change in _MAY_LOOK else None)
    never = c.batch.local.missing
    if never is not None and c.batch.local.shadow is not None and change is not _SWAP:
        c.batch.local.shadow.forget(np.where(never, offsets, -1), access.bytes)
    return offsets, never


def bind_local(ins: Decoded, context: Context) -> Step | None:
    """Return the step of an atomic on local memory, or None."""
    found = LOCAL.match(ins.name)
    meaning = meaning_of(f"{found[1]}_{found[3]}") if found and found[3] not in ("f16", "bf16") else None
    if found and found[1] == "pk_add":
        meaning = CHANGES[f"pk_add_{found[3]}"][1], np.uint32
    if found is None or meaning is None:
        return None
    change, dtype = meaning
    size, back = np.dtype(dtype).itemsize, found[2] is not None
    address = source(ins.operands[1 if back else 0], "u32", ins, context)
    constant, access = np.int64(ins.modifiers.number("offset")), Access(Kind.ATOMIC, size)
    items = ins.operands[2 if back else 1 :]
    # ds_cmpst names what is compared before the new value, ds_cmpstore behind it.
    ordered = items[::-1] if "cmpst_" in ins.name else items
    rows = tuple(context.layout.row(register) for item in ordered for register in item.registers)
    out = tuple(context.layout.row(register) for register in ins.operands[0].registers) if back else ()

    def step(c: Cohort) -> None:
        places = np.broadcast_to(address(c).astype(np.int64) + constant, c.exec.shape)
        data = [c.v[row] for row in rows]
        offsets, never = _located(c, ins, places, c.exec, access, (data, change, dtype))
        overwrite(c, offsets, offsets >= 0, size, local=True)
        old, changed = _apply(c.batch.local.words, offsets, offsets >= 0, data, change, dtype)
        c.batch.changes += changed
        _return(c, ins, out, old, c.exec.copy(), never)

    return step


def _return(c: Cohort, ins: Decoded, rows: tuple[int, ...], old: Array, lanes: Array, never: Array | None) -> None:
    """Bring the old values; where nobody has written, `never`, they are undefined."""
    if not rows:
        issue(c, ins, 0, None)
        return

    def deliver(cohort: Cohort, operation: Pending) -> None:
        words, active = operation.arrays
        for n, row in enumerate(rows):
            np.copyto(cohort.v[row], words[..., n], where=active)

    issue(c, ins, ins.writes, deliver, (old, lanes), Effect(lanes, never))


def _apply(
    memory: Array,
    offsets: Array,
    chosen: Array,
    data: list[Array],
    change: Change,
    dtype: Any,  # noqa: ANN401
) -> tuple[Array, int]:
    """Change memory lane after lane; return the old values as words [waves, lanes, words], and 1 when any changed."""
    words = np.dtype(dtype).itemsize // 4
    old = np.zeros((*offsets.shape, words), np.uint32)
    if not chosen.any():
        return old, 0
    changed = 0
    place = offsets[chosen] >> 2
    stacked = np.stack([row[chosen] for row in data], axis=-1)
    value = _typed(stacked[:, :words], dtype)
    compared = _typed(stacked[:, words : 2 * words], dtype) if stacked.shape[1] >= 2 * words else value
    before = np.zeros((len(place), words), np.uint32)
    for part in rounds(place):
        held = np.stack([memory[place[part] + n] for n in range(words)], axis=-1)
        before[part] = held
        new = (
            np.ascontiguousarray(change(_typed(held, dtype), value[part], compared[part]))
            .view(np.uint32)
            .reshape(-1, words)
        )
        for n in range(words):
            memory[place[part] + n] = new[:, n]
        changed |= int((new != held).any())
    old[chosen] = before
    return old, changed


def storing(memory: Array, offsets: Array, data: list[Array], change: Change, dtype: Any) -> Array | None:  # noqa: ANN401
    """Return the lanes whose operation changes memory; None: all may. A compare-and-swap that fails changes nothing."""
    words = np.dtype(dtype).itemsize // 4
    if change in _CHANGES_NOTHING:
        nothing = np.uint32(_CHANGES_NOTHING[change] & 0xFFFFFFFF)
        idle = np.logical_and.reduce([row == nothing for row in data[:words]])
        return ~idle if idle.any() else None
    chosen = offsets >= 0
    place, back = np.unique(offsets[chosen] >> 2, return_inverse=True)
    copy = np.concatenate([memory[place + n] for n in range(words)]).reshape(words, -1).T.reshape(-1)
    compact = np.full(offsets.shape, -1, np.int64)
    compact[chosen] = back.reshape(-1) * words * 4
    old, _ = _apply(copy, compact, chosen, data, change, dtype)
    met = np.logical_and.reduce([old[..., n] == data[words + n] for n in range(words)])
    differs = np.logical_or.reduce([data[n] != data[words + n] for n in range(words)])
    return np.asarray(met & differs)


def _typed(words: Array, dtype: Any) -> Array:  # noqa: ANN401
    return np.ascontiguousarray(words).view(dtype)[:, 0]


def rounds(place: Array) -> Iterator[Array]:
    """Yield sets of indices whose places differ, such that equal places come in order."""
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(ordered)])
    rank = np.arange(len(ordered)) - np.repeat(starts, lengths)
    for number in range(int(lengths.max())):
        yield order[rank == number]
