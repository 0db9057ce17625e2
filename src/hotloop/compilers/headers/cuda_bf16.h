// Stands in for the CUDA toolkit's header where nvcc is not installed.
#include "bf16.h"
