"""Clean kernels and their mutants, one kernel a module; each exposes SPECIMEN."""
