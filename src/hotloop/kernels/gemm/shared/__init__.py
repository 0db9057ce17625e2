"""What several implementations of the family share: OpenCL texts, geometry, slices of k, Triton functions, rows of tables."""
