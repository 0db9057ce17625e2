"""Programs that are captured: run, told, and their kernels made into problems of the loop."""
