"""The machine code that this machine's OpenCL runtime makes of a variant."""

from __future__ import annotations

from hotloop.app import hint, session
from hotloop.app import spec as targets
from hotloop.errors import UsageError
from hotloop.isa import code
from hotloop.isa.dialect import load
from hotloop.isa.instruction import Function
from hotloop.model.outcome import Artifact, describe


def compiled(text: str) -> tuple[Function, str, str]:
    """Return the function that the main launch of a variant runs, its dialect, and which runtime made it.

    Raises:
        UsageError: the variant is not understood, ruled out, does not compile, or its binary cannot be read.
        NoDeviceError: no runtime works here.
        MissingExtraError: the decoder is not installed.
    """
    target = targets.parse(text)
    options = session.Options()
    with session.open_engine(options) as engine:
        device = session.select_device(engine, options.running(target.chosen))
        variant = target.variant(target.kernel.problem, device, None)
        try:
            program = variant.program(target.kernel.problem, device)
        except ValueError as error:
            raise UsageError(f"{text} is ruled out on {device.name}: {error}.") from None
        built = engine.build(program)
        if not isinstance(built, Artifact):
            raise UsageError(
                f"{text} cannot be built on {device.name}: it {describe(built)}; see {hint.command('check', text)}."
            )
        binary, launch = engine.binary(program), program.main
    if launch is None:
        raise UsageError(f"{text} launches nothing for its default problem; give a kernel with work.")
    try:
        chosen = code.select(binary, launch.entry, launch.local_size)
        function = load(chosen.dialect).decode(chosen.code, chosen.address, chosen.name)
    except ValueError as error:
        raise UsageError(f"{text} on {device.name}: {str(error).rstrip('.')}.") from None
    note = f"compiled by {device.runtime} for {device.name}" + (f", {chosen.note}" if chosen.note else "")
    return function, chosen.dialect, note
