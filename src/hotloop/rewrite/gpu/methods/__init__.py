"""Rewrites of CUDA C++ and HIP C++, one in each module."""
