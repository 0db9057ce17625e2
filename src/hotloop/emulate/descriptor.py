"""What a kernel expects at its start: arguments, initial registers, memory of its own.

Sources: "User Guide for AMDGPU Backend" of LLVM, sections "Kernel Descriptor", "Initial Kernel Execution State" and "Code
Object V3 and later Metadata".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotloop.emulate.errors import EmulateError

_DIRECTIVE = re.compile(r"\.amdhsa_(\w+)[ \t]+(-?\w+)")
_ARGUMENT = re.compile(r"^ {6}(?:- | {2})(\.\w+):[ \t]*(\S+)?", re.MULTILINE)
_FIELD = re.compile(r"^(?:  - |    )(\.\w+):[ \t]*(\S*)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a kernel, as the metadata describe it."""

    offset: int
    size: int
    kind: str
    """Kind of the argument as the metadata name it: ``global_buffer``, ``by_value``, ``hidden_block_count_x`` ..."""
    name: str = ""
    writable: bool = True

    @property
    def hidden(self) -> bool:
        """True when the runtime gives it, not the caller."""
        return self.kind.startswith("hidden_")

    @property
    def pointer(self) -> bool:
        """True for the address of a buffer."""
        return self.kind in ("global_buffer", "dynamic_shared_pointer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptor:
    """Facts from a kernel's metadata that its launch needs."""

    name: str
    arguments: tuple[Argument, ...]
    kernarg_bytes: int
    lds_bytes: int
    scratch_bytes: int
    wave: int
    vgprs: int
    """Vector registers that it may use; accumulation registers come on top."""
    user: tuple[str, ...]
    """Scalar registers that are set at the start, in order: names of the descriptor's fields."""
    preload: tuple[int, int] = (0, 0)
    """Words of the kernel arguments that are loaded into scalar registers, and the first of them."""
    groups: tuple[bool, bool, bool] = (True, False, False)
    info: bool = False
    private: bool = False
    """True when a scalar register gets the wave's offset in private memory."""
    items: int = 0
    """How many dimensions beyond the first have work-item numbers in vector registers."""
    workgroup: tuple[int, int, int] | None = None
    """Required size of a work-group, where stated."""
    workgroup_max: int | None = None
    shared_cache: bool = True
    """The waves of a work-group share their first cache: gfx9, and gfx10 and later in CU mode."""
    user_count: int = 0
    """Scalar registers that the launch fills before the work-group's numbers, with unused ones between."""


_STACK_BYTES = 1024
"""HIP's ``hipLimitStackSize``, its default: what a kernel with recursive or indirect calls gets unless it states more (ROCclr)."""
_USER = (
    ("private_segment_buffer", 4), ("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg_segment_ptr", 2), ("dispatch_id", 2),
    ("flat_scratch_init", 2), ("private_segment_size", 1),
)  # fmt: skip
USER_REGISTERS = dict(_USER)
"""Scalar registers of each field."""


def of_listing(text: str, name: str, default_wave: int) -> Descriptor:
    """Return the descriptor of a kernel from its listing.

    Raises:
        EmulateError: the listing does not describe the kernel: it has no metadata or no ``.amdhsa_kernel`` block.
    """
    block = _block(text, name)
    fields = dict(_DIRECTIVE.findall(block))

    def number(key: str, default: int = 0) -> int:
        value = fields.get(key, "")
        return int(value, 0) if re.fullmatch(r"-?(0x[0-9a-fA-F]+|\d+)", value) else default

    arguments, stated = _metadata(text, name)
    wave = default_wave
    if "wavefront_size32" in fields:
        wave = 32 if number("wavefront_size32") else 64
    return Descriptor(
        name=name,
        arguments=arguments,
        kernarg_bytes=number("kernarg_size", int(stated.get(".kernarg_segment_size", "0"))),
        lds_bytes=number("group_segment_fixed_size"),
        scratch_bytes=private_bytes(number("private_segment_fixed_size"), dynamic=bool(number("uses_dynamic_stack"))),
        wave=int(stated.get(".wavefront_size", wave)),
        vgprs=number("next_free_vgpr", 256),
        user=tuple(key for key, _ in _USER if number(f"user_sgpr_{key}")),
        preload=(number("user_sgpr_kernarg_preload_length"), number("user_sgpr_kernarg_preload_offset")),
        groups=tuple(bool(number(f"system_sgpr_workgroup_id_{d}", d == "x")) for d in "xyz"),  # type: ignore[arg-type]
        info=bool(number("system_sgpr_workgroup_info")),
        private=bool(number("system_sgpr_private_segment_wavefront_offset") or number("enable_private_segment")),
        items=number("system_vgpr_workitem_id"),
        workgroup=_required(text, name),
        workgroup_max=int(stated[".max_flat_workgroup_size"]) if ".max_flat_workgroup_size" in stated else None,
        shared_cache=not number("workgroup_processor_mode", int("workgroup_processor_mode" in block))
        and not number("tg_split"),
        user_count=number("user_sgpr_count"),
    )


def private_bytes(stated: int, *, dynamic: bool) -> int:
    """Return the private memory of a work-item in bytes: where calls make its size unknown, at least what HIP's runtime gives.

    Args:
        stated: by the compiler, without what recursive and indirect calls need.
        dynamic: the kernel makes such calls.
    """
    return max(stated, _STACK_BYTES) if dynamic else stated


def _block(text: str, name: str) -> str:
    found = re.search(rf"\.amdhsa_kernel[ \t]+\"?{re.escape(name)}\"?[ \t]*\n(.*?)\.end_amdhsa_kernel", text, re.DOTALL)
    if found is None:
        raise EmulateError(
            f"the listing does not describe the launch of {name}: it has no .amdhsa_kernel block; give the compiler's own assembly text."
        )
    return found[1]


def _entry(text: str, name: str) -> str:
    begin, end = text.find("\t.amdgpu_metadata"), text.find(".end_amdgpu_metadata")
    body = text[begin:end].partition("amdhsa.kernels:")[2] if begin >= 0 else ""
    for item in re.split(r"^  - ", body, flags=re.MULTILINE)[1:]:
        if re.search(rf"^\s*\.symbol:\s+['\"]?{re.escape(name)}\.kd['\"]?\s*$", item, re.MULTILINE):
            return "  - " + re.split(r"\n(?=\S)", item, maxsplit=1)[0] + "\n"
    raise EmulateError(
        f"the listing has no metadata about the arguments of {name}; give the compiler's own assembly text."
    )


def _metadata(text: str, name: str) -> tuple[tuple[Argument, ...], dict[str, str]]:
    entry = _entry(text, name)
    fields = {key: value for key, value in _FIELD.findall(entry) if value}
    begin = entry.find(".args:")
    return (tuple(_arguments(entry[begin:])) if begin >= 0 else ()), fields


def _arguments(body: str) -> list[Argument]:
    found: list[dict[str, str]] = []
    for line in body.splitlines()[1:]:
        match = _ARGUMENT.match(line)
        if match is None:
            if re.match(r"^ {0,5}\S", line):
                break
            continue
        if line.startswith("      - "):
            found.append({})
        if found:
            found[-1][match[1]] = (match[2] or "").strip("'\"")
    return [_argument(fields) for fields in found]


def _argument(fields: dict[str, str]) -> Argument:
    access = fields.get(".actual_access", fields.get(".access", ""))
    constant = fields.get(".is_const") == "true" or fields.get(".address_space") == "constant" or access == "read_only"
    return Argument(
        offset=int(fields.get(".offset", "0")),
        size=int(fields.get(".size", "0")),
        kind=fields.get(".value_kind", "by_value"),
        name=fields.get(".name", ""),
        writable=not constant,
    )


def _required(text: str, name: str) -> tuple[int, int, int] | None:
    found = re.search(r"\.reqd_workgroup_size:\s*\n((?:\s+- \d+\n){3})", _entry(text, name))
    if found is None:
        return None
    x, y, z = (int(n) for n in re.findall(r"\d+", found[1]))
    return x, y, z


__all__ = ["USER_REGISTERS", "Argument", "Descriptor", "of_listing"]
