"""x86 assembly as compilers and GNU tools write it, brought to the one spelling that hotloop classifies."""
