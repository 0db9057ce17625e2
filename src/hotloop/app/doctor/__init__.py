"""What works on this machine, what does not, and the one command that mends it."""
