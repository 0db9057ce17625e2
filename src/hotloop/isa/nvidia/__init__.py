"""NVIDIA machine code (Volta and later): listings, classes of instructions, scheduling control, registers, scoreboards.

The dialects `sass` and `ptx` and the container `cubin` are the doors; what they share lives here.
"""
