"""What a Ray cluster has for the engine ``ray``, and this machine for ``gpus``."""

from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.doctor import languages
from hotloop.app.session import GPUS, Options, open_engine, select_device
from hotloop.errors import HotloopError

if TYPE_CHECKING:
    from hotloop.engine.ray.seat import Node


def version() -> str:
    """Return Ray's version, empty where it is not installed."""
    try:
        return importlib.metadata.version("ray")
    except importlib.metadata.PackageNotFoundError:
        return ""


def idle() -> str:
    """Say what would be used, without starting or joining anything."""
    from hotloop.engine.ray.cluster import running

    address = running()
    where = f"joins the cluster at {address}" if address else "starts a cluster on this machine"
    return f"ray {version()}: --engine ray {where}; doctor --engine ray tries it"


def joined(options: Options) -> str:
    """Join the cluster and say which machines and devices it has. Raises MachineError, NoDeviceError."""
    from hotloop.engine.ray.cluster import join
    from hotloop.engine.ray.here import Here

    own = options.engine == GPUS
    nodes = (Here() if own else join(options.engine)).nodes()
    device_text = ""
    names = (*languages.runtimes(), "opencl")  # GPUs first; the first language that has a device counts
    for language in names:
        try:
            with open_engine(asked := replace(options, language=language)) as engine:
                device = select_device(engine, asked)
                places = ", ".join(getattr(engine, "places", ()))
                device_text = f"{device.name}, {device.runtime} for {language} at {places}"
                device_text += "".join(f"; {remark}" for remark in getattr(engine, "remarks", ()))
                break
        except HotloopError:
            if language == names[-1]:
                raise
    by = "without Ray" if own else f"ray {version()}"
    return f"{by}, machines: {'; '.join(map(_described, nodes))}; {device_text}"


def _described(node: Node) -> str:
    return f"{node.name} ({node.cpus:g} cores, {node.gpus} GPUs)"
