// Stands in for ROCm's header where that is not installed.
#include "../bf16.h"
