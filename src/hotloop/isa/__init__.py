"""Static analysis of machine code: listing in, instructions, loops and instruction mix out."""
