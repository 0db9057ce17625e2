"""Operators on PyTorch's CUDA tensors whose families do not bring them yet; see `hotloop.dispatch.operator`."""
