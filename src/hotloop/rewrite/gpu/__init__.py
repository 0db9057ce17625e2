"""CUDA C++ and HIP C++: their words for what OpenCL C has others for, and rewrites that only make sense on a GPU."""
