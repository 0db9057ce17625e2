"""What a thread trace tells: classes of instructions, the hot loop, what stalls and what it waits for."""
