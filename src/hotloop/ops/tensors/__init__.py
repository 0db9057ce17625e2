"""The same operations on PyTorch's CUDA tensors: custom operators with fake tensors, for eager code and ``torch.compile``.

`operator` has what all operators do with a call; `gemm`, `int4`, `attention`, `packed`, `depthwise` and `softmax` register
``torch.ops.hotloop.gemm`` and so on, and say what is their own. Which kernel runs is decided without PyTorch in `products`,
`attending`, `packing`, `convolution` and `rows`. What hotloop's kernels do not take runs in PyTorch itself, with a reason.
"""
