"""The witness: a process that no candidate touches; it computes references and compares results on the device."""
