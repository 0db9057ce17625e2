"""State that the fake driver and the fake NVRTC share."""

import json

import virtual_gpu

GPU = virtual_gpu.Gpu()
MAGIC = b"FAKECUBIN"


def pack(text, macros, symbols):
    return MAGIC + json.dumps({"text": text, "macros": macros, "symbols": symbols}).encode()


def unpack(image):
    return json.loads(image.removeprefix(MAGIC)) if image.startswith(MAGIC) else None
