"""What a reader should know about one kernel's machine code: one form that all instruction sets fill.

`model` is the form, `build` fills it from a function, `amd` and `nvidia` know the waits of their processors, `facts` turns it
into evidence for rules. Nothing here reads files or asks a machine.
"""
