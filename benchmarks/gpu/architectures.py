"""Published architectures with random weights before and after `ops.use`: outputs beside float32's, graphs, PyTorch's compiler.

    PYTHONPATH=src python benchmarks/gpu/architectures.py OUT.jsonl [--limit-s 240] [--only llama,whisper] [--compile llama,vit]

The widths are those that the models were published with, as transformers, timm and torchvision name them; the language models have two
layers. None of them was written with hotloop in mind, and no line of them is changed. Errors are of whole outputs, relative to the norm of the
result that PyTorch has in float32 (TF32 off): hotloop's shall not be larger than PyTorch's own.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import torch
from graphs import geometric, graphed, interleaved

from hotloop import ops

HALF = torch.bfloat16
LAYERS = 2


@dataclass(frozen=True)
class Architecture:
    """A model and what it is called with."""

    name: str
    model: Callable[[], torch.nn.Module]
    inputs: Callable[[], dict[str, torch.Tensor]]


def tokens(rows: int, length: int, **more: Callable[[], torch.Tensor]) -> Callable[[], dict[str, torch.Tensor]]:
    """Return what makes token numbers, (rows, length), and other inputs."""
    return lambda: (
        {"input_ids": torch.randint(100, 1000, (rows, length))} | {name: make() for name, make in more.items()}
    )


def pixels(*shape: int, name: str = "pixel_values") -> Callable[[], dict[str, torch.Tensor]]:
    """Return what makes images or videos."""
    return lambda: {name: torch.randn(shape)}


def transformer(kind: str, **options: Any) -> Callable[[], torch.nn.Module]:
    """Return what makes a model of transformers from the default configuration of a kind and these options."""

    def made() -> torch.nn.Module:
        import transformers

        config = transformers.AutoConfig.for_model(kind, **options)
        return transformers.AutoModel.from_config(config)

    return made


def timm(name: str) -> Callable[[], torch.nn.Module]:
    """Return what makes one of timm's models."""

    def made() -> torch.nn.Module:
        import timm

        return timm.create_model(name, pretrained=False)

    return made


def video(name: str) -> Callable[[], torch.nn.Module]:
    """Return what makes one of torchvision's models for videos."""

    def made() -> torch.nn.Module:
        from torchvision.models import video as models

        return getattr(models, name)(weights=None)

    return made


def decoders() -> Iterator[Architecture]:
    """Yield language models, prompts of different lengths."""
    short = {"num_hidden_layers": LAYERS, "vocab_size": 2048}
    llama = {"hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 8}
    qwen = {"hidden_size": 1024, "intermediate_size": 3072, "num_attention_heads": 16, "num_key_value_heads": 8}
    gemma = {"hidden_size": 2304, "intermediate_size": 9216, "num_attention_heads": 8, "num_key_value_heads": 4}
    mistral = {"hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8}
    phi = {"hidden_size": 3072, "intermediate_size": 8192, "num_attention_heads": 32, "num_key_value_heads": 32}
    ends = {"pad_token_id": 0, "eos_token_id": 1}
    yield Architecture("llama", transformer("llama", **llama, **short), tokens(4, 1024))
    yield Architecture("qwen3", transformer("qwen3", **qwen, head_dim=128, **short), tokens(2, 777))
    yield Architecture("gemma2", transformer("gemma2", **gemma, head_dim=256, **short), tokens(1, 2048))
    yield Architecture("mistral", transformer("mistral", **mistral, sliding_window=512, **short), tokens(1, 1536))
    yield Architecture("phi3", transformer("phi3", **phi, **ends, **short), tokens(3, 300))
    yield Architecture("gpt2", transformer("gpt2", n_embd=1600, n_head=25, n_layer=LAYERS), tokens(8, 512))
    yield Architecture(
        "falcon", transformer("falcon", hidden_size=2048, num_attention_heads=32, **short), tokens(2, 640)
    )


def encoders() -> Iterator[Architecture]:
    """Yield models of texts, speech, images and videos."""
    bert = {"num_hidden_layers": LAYERS, "hidden_size": 1024, "num_attention_heads": 16, "intermediate_size": 4096}
    whisper = {"d_model": 1280, "encoder_attention_heads": 20, "decoder_attention_heads": 20, "encoder_ffn_dim": 5120}
    layers = {"decoder_ffn_dim": 5120, "encoder_layers": LAYERS, "decoder_layers": LAYERS}
    said = lambda: torch.randint(100, 1000, (2, 64))  # noqa: E731 - as the inputs beside it
    yield Architecture("bert", transformer("bert", **bert), tokens(16, 384))
    yield Architecture("modernbert", transformer("modernbert", num_hidden_layers=3), tokens(8, 512))
    yield Architecture("t5", transformer("t5", num_layers=LAYERS, d_model=1024, d_kv=64, num_heads=16, d_ff=4096),
                       tokens(2, 256, decoder_input_ids=said))  # fmt: skip
    yield Architecture("whisper", transformer("whisper", **whisper, **layers, num_mel_bins=128),
                       lambda: {"input_features": torch.randn(2, 128, 3000), "decoder_input_ids": said()})  # fmt: skip
    yield Architecture(
        "wav2vec2", transformer("wav2vec2", num_hidden_layers=LAYERS), pixels(4, 48000, name="input_values")
    )
    yield Architecture("clip", transformer("clip_vision_model", num_hidden_layers=4), pixels(32, 3, 224, 224))
    yield Architecture("dinov2", transformer("dinov2", num_hidden_layers=4, hidden_size=1024, num_attention_heads=16), pixels(8, 3, 518, 518))  # fmt: skip
    yield Architecture("videomae", transformer("videomae", num_hidden_layers=4), pixels(2, 16, 3, 224, 224))
    yield Architecture("segformer", transformer("segformer"), pixels(4, 3, 512, 512))
    yield Architecture("vit", timm("vit_small_patch16_224"), pixels(64, 3, 224, 224, name="x"))
    yield Architecture("swin", timm("swin_tiny_patch4_window7_224"), pixels(16, 3, 224, 224, name="x"))
    yield Architecture("convnext", timm("convnext_tiny"), pixels(16, 3, 224, 224, name="x"))
    yield Architecture("mixer", timm("mixer_b16_224"), pixels(32, 3, 224, 224, name="x"))
    yield Architecture("mvit", video("mvit_v2_s"), pixels(1, 3, 16, 224, 224, name="x"))
    yield Architecture("swin3d", video("swin3d_t"), pixels(1, 3, 16, 112, 112, name="x"))


def first(made: Any) -> torch.Tensor:
    """Return the main result of a model."""
    return made if isinstance(made, torch.Tensor) else made[0]


def looked(architecture: Architecture, *, compiled: bool) -> dict[str, object]:
    """Return errors and times of a model before and after."""
    torch.manual_seed(7)
    model = architecture.model().cuda().eval()
    given = {name: x.cuda() for name, x in architecture.inputs().items()}
    exact = first(copy.deepcopy(model)(**given)).double()
    model = model.to(HALF)
    given = {name: x.to(HALF) if x.is_floating_point() else x for name, x in given.items()}

    def error(result: torch.Tensor) -> float:
        return float((result.double() - exact).norm() / exact.norm())

    before = error(first(model(**given)))
    row: dict[str, object] = {"model": architecture.name, "compiled": ""}
    usage = ops.use(model)
    began = time.monotonic()
    after = error(first(model(**given)))
    row |= {"first_call_s": time.monotonic() - began, "error": [before, after]}
    again = error(first(model(**given)))
    usage.remove()
    row |= {"again": again} | timed(model, given)
    with ops.use(model) as usage:
        first(model(**given))
        row["said"] = {f"{function}: {why or 'hotloop'}": count for (function, why), count in usage.mode.said.items()}
        if compiled:
            torch._dynamo.reset()  # noqa: SLF001 - forget what was compiled before
            row["compiled"] = error(first(torch.compile(model, fullgraph=True, dynamic=False)(**given)))
    return row


def timed(model: torch.nn.Module, given: dict[str, torch.Tensor]) -> dict[str, object]:
    """Return ms of a call by graphs, before and after in turn; a reason where PyTorch cannot capture the model."""
    try:
        plain = graphed([lambda: model(**given)], 1)
    except Exception as why:  # noqa: BLE001 - a model that waits for the device has no graph
        torch.cuda.synchronize()
        return {"ungraphed": str(why).splitlines()[0][:120]}
    with ops.use(model):
        for _ in range(2):
            model(**given)
        taken = graphed([lambda: model(**given)], 1)
        times = interleaved({"torch": plain, "hotloop": taken}, {"torch": 3, "hotloop": 3}, 8)
    old, new = median(times["torch"]), median(times["hotloop"])
    return {"graph_ms": [old, new], "ratio": old / new, "samples_ms": times}


def main() -> None:
    """Look at all of them while there is time; a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=240.0, help="no model begins after so many seconds")
    parser.add_argument("--only", default="", help="these models")
    parser.add_argument("--compile", default="", help="models that torch.compile(fullgraph=True) shall compile, too")
    asked = parser.parse_args()
    until_s, ratios = time.monotonic() + asked.limit_s, []
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    with asked.out.open("w", encoding="utf-8") as sink, torch.no_grad():
        for architecture in (*decoders(), *encoders()):
            if asked.only and architecture.name not in asked.only.split(","):
                continue
            if time.monotonic() > until_s:
                print("not reached:", architecture.name)
                continue
            try:
                row = looked(architecture, compiled=architecture.name in asked.compile.split(","))
            except Exception as why:  # noqa: BLE001 - what a model does is what is looked at
                row = {"model": architecture.name, "failed": f"{type(why).__name__}: {why}"[:300]}
            sink.write(json.dumps(row) + "\n")
            sink.flush()
            ratios += [row["ratio"]] if "ratio" in row else []
            print(json.dumps({key: value for key, value in row.items() if key != "samples_ms"})[:900], flush=True)
            torch.cuda.empty_cache()
    if ratios:
        print(f"{len(ratios)} models: {geometric(ratios):.3f} in the mean, {min(ratios):.3f} at least")


if __name__ == "__main__":
    main()
