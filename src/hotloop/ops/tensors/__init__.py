"""The same operations on PyTorch's CUDA tensors: custom operators with fake tensors, for eager code and ``torch.compile``.

`entry` has what users call; `library` registers the operators ``hotloop::gemm``, ``attention``, ``depthwise_conv3d`` and
``softmax``. Which kernel runs is decided without PyTorch in `products`, `attending`, `convolution` and `rows`; the modules
named after them with ``_launch`` run it. What hotloop's kernels do not take runs in PyTorch itself, with a reason.
"""
