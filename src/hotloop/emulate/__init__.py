"""Executing machine code of AMD GPUs on a CPU: a program, memory and a launch in; memory, events and findings out.

Pure: it reads no files and calls no vendor library, and executed code can reach nothing but its own arena.
"""
