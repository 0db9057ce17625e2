"""Static analysis of machine code: bytes or listing -> instructions -> blocks -> loops -> the mix of the hot loop.

One schema serves every instruction set. A new one is one file in `dialects/`, a new runtime's binary format is one file
in `containers/`.
"""
