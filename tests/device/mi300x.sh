#!/bin/sh
# Compile, check, profile and compare every ladder of hotloop that an AMD Instinct card has, in one go.
#
#   sh tests/device/mi300x.sh [TARGET] [FOLDER]      TARGET: gfx942 (MI300X, the default) or gfx950 (MI350)
#   FAMILIES="gemm conv3d_depthwise" sh tests/device/mi300x.sh gfx950      only these
#
# Needs a ROCm machine with Python 3.11 or later, hotloop with the extras triton and amd, PyTorch's build for ROCm, and
# rocprofv3 in PATH for the profile. Writes everything below FOLDER (default: ladder-TARGET). Never run by the tests of this
# repository, because none of its machines has such a card; tests/unit checks that its commands exist.
#
# Exit code: 0 everything held; 1 a limit, a result or a prediction did not; 3 something is missing on this machine.
set -u
target=${1:-gfx942}
folder=${2:-ladder-$target}
python=${PYTHON:-python3}
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder" || exit 3
status=0

say() { printf '\n== %s\n' "$1"; }
worst() { [ "$1" -gt "$status" ] && status=$1; return 0; }

say "the machine"
hotloop doctor > "$folder/doctor.txt" 2>&1
cat "$folder/doctor.txt"
[ -e /dev/kfd ] || { echo "there is no /dev/kfd: this machine has no AMD GPU" >&2; exit 3; }
"$python" -c 'import torch, sys; sys.exit(not (torch.cuda.is_available() and torch.version.hip))' ||
    { echo "PyTorch sees no AMD GPU: install its build for ROCm" >&2; exit 3; }
families=${FAMILIES:-$("$python" -c '
import sys
from hotloop.app import ladder_data
print(*(f for f in ladder_data.families() if ladder_data.forecast(f, sys.argv[1])))' "$target")}
[ -n "$families" ] || { echo "no ladder has predictions for $target" >&2; exit 3; }

for family in $families; do
    out=$folder/$family
    mkdir -p "$out" || exit 3

    say "$family, compile: every rung, its limits, the page"
    hotloop ladder "$family" --target "$target" --markdown "$out/ladder.md" > "$out/ladder.txt"
    code=$?; worst "$code"; cat "$out/ladder.txt"

    say "$family, check and compare: results against float64, then interleaved rounds against the predictions"
    hotloop ladder "$family" --target "$target" --confirm --limit 300 --json > "$out/confirm.json"
    code=$?; worst "$code"
    hotloop ladder "$family" --target "$target" --confirm --limit 300 --markdown "$out/confirm.md"
    code=$?; worst "$code"

    say "$family, profile: counters of every rung, one pass per group of counters"
    if command -v rocprofv3 > /dev/null; then
        pass=0
        for counters in \
            "SQ_WAVES SQ_INSTS_VALU SQ_INSTS_LDS SQ_INSTS_VMEM_RD SQ_VALU_MFMA_BUSY_CYCLES SQ_BUSY_CU_CYCLES GRBM_GUI_ACTIVE" \
            "SQ_WAVES SQ_WAVE_CYCLES SQ_WAIT_ANY SQ_WAIT_INST_ANY SQ_ACTIVE_INST_ANY GRBM_GUI_ACTIVE" \
            "SQ_WAVES SQ_WAIT_INST_LDS SQ_LDS_BANK_CONFLICT SQ_LDS_IDX_ACTIVE GRBM_GUI_ACTIVE" \
            "SQ_WAVES TCC_HIT_sum TCC_MISS_sum GRBM_GUI_ACTIVE"
        do
            pass=$((pass + 1))
            # shellcheck disable=SC2086 - the counters are words
            rocprofv3 --pmc $counters --output-format csv --output-directory "$out/pass$pass" -- \
                "$python" "$here/tests/device/ladder_once.py" "$family" "$target" || worst 1
        done
        find "$out" -name '*counter_collection.csv' | while read -r file; do
            hotloop explain "$file" > "${file%.csv}.txt" 2>&1 || true
        done
    else
        echo "rocprofv3 is not in PATH: no counters" >&2
        worst 3
    fi
done

say "done: $folder (status $status)"
exit "$status"
