// Stands in for ROCm's header where that is not installed.
#include "../groups.h"
