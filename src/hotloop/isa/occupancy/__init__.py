"""How many waves of a kernel a compute unit holds, what limits them, and where the cliffs are; exact, without a GPU."""
