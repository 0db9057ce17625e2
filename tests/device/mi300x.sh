#!/bin/sh
# Compile, check, compare and profile every ladder of hotloop that an AMD Instinct card has, in one go.
#
#   sh tests/device/mi300x.sh [TARGET] [FOLDER]      TARGET: gfx942 (MI300X, the default) or gfx950 (MI350)
#   FAMILIES="gemm conv3d_depthwise" sh tests/device/mi300x.sh gfx950      only these; default: all with predictions
#   PROFILE="v4.0 rows-256" FAMILIES=attention sh tests/device/mi300x.sh   counters of these rungs; default: first and winner
#   DRY=1 sh tests/device/mi300x.sh                  without a card: compiles, and shows what the other steps would do
#
# Needs a ROCm machine with Python 3.11 or later, PyTorch's build for ROCm (it brings its own Triton), hotloop with its compiler
# (pip install --no-deps hotloop, then ziglang and what `hotloop doctor` names; the extra amd would replace that Triton),
# hip-python of the machine's ROCm version for the ladders in HIP, and rocprofv3 in PATH for the counters. PYTHON names the interpreter (default: python3).
#
# Writes below FOLDER (default: ladder-TARGET): doctor.txt, summary.txt, and per family ladder.md (what was compiled), confirm.json
# and confirm.md (results against float64, then interleaved rounds against the predictions), profile/RUNG/ (counters, explain.txt).
#
# Exit code: 1 a limit, a result or a prediction did not hold; else 3 something is missing on this machine; else 0. No machine
# that this was written on has such a card: tests/unit runs it with stand-ins and with DRY=1.
set -u
target=${1:-gfx942}
folder=${2:-ladder-$target}
python=${PYTHON:-python3}
dry=${DRY:-}
kfd=${KFD:-/dev/kfd}
here=$(cd "$(dirname "$0")/../.." && pwd)
bad=0
missing=0

say() { printf '\n== %s\n' "$1"; }
stop() { echo "$1" >&2; exit 3; }
hotloop() { "$python" -m hotloop "$@"; }

# note STEP CODE: remember how a step ended; 0 held, 1 did not, anything else could not be done.
note() {
    case $2 in
        0) words="held" ;;
        1) words="DID NOT HOLD"; bad=1 ;;
        *) words="could not be done (exit code $2)"; missing=1 ;;
    esac
    echo "$1: $words" >> "$folder/summary.txt"
}

case $target in
    gfx942 | gfx950) ;;
    *) echo "TARGET is gfx942 (MI300X) or gfx950 (MI350), not $target" >&2; exit 2 ;;
esac
mkdir -p "$folder" || stop "cannot write to $folder: give another FOLDER as second argument"
: > "$folder/summary.txt"
"$python" -c 'import hotloop' 2> /dev/null ||
    stop "$python has no hotloop: activate the environment that has it, or name its interpreter with PYTHON=..."

say "the machine"
hotloop doctor > "$folder/doctor.txt" 2>&1
cat "$folder/doctor.txt"
if [ -z "$dry" ]; then
    [ -e "$kfd" ] || stop "there is no $kfd: this machine has no AMD GPU or its driver is not loaded; DRY=1 goes on without"
    [ -r "$kfd" ] && [ -w "$kfd" ] ||
        stop "$kfd may not be opened by $(id -un): add that user to the groups render and video, then log in again"
    "$python" -c 'import torch' 2> /dev/null || stop "$python has no PyTorch: install its build for ROCm, see pytorch.org"
    "$python" -c 'import torch, sys; sys.exit(not torch.version.hip)' ||
        stop "this PyTorch is not built for ROCm: install that build, see pytorch.org"
    "$python" -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' ||
        stop "PyTorch sees no AMD GPU: compare its ROCm version with the driver's (rocm-smi --showdriverversion)"
    found=$("$python" -c 'import torch; print(torch.cuda.get_device_properties(0).gcnArchName.partition(":")[0])')
    "$python" -c 'from hip import hip' 2> /dev/null ||
        echo "$python has no hip-python: ladders in HIP are only compiled; pip install hip-python of this ROCm version" >&2
    [ "$found" = "$target" ] || stop "the first GPU is a $found, not $target: give it as first argument, or set HIP_VISIBLE_DEVICES"
fi
families=${FAMILIES:-$("$python" -c '
import sys
from hotloop.app.ladder import data as ladder_data
print(*(f for f in ladder_data.families() if ladder_data.forecast(f, sys.argv[1])))' "$target")}
[ -n "$families" ] || stop "no ladder has predictions for $target"

for family in $families; do
    out=$folder/$family
    mkdir -p "$out/profile" || stop "cannot write to $out"

    say "$family, compile: every rung, its limits, the page $out/ladder.md"
    hotloop ladder "$family" --target "$target" --markdown "$out/ladder.md" > "$out/ladder.txt"
    note "$family, compile" $?
    cat "$out/ladder.txt"

    say "$family, check and compare: results against float64, then interleaved rounds against the predictions"
    hotloop ladder "$family" --target "$target" --confirm --limit 300 --json --markdown "$out/confirm.md" > "$out/confirm.json"
    code=$?
    [ -f "$out/confirm.md" ] && cat "$out/confirm.md"
    note "$family, check and compare" $code

    say "$family, profile: one pass per group of counters"
    kernels=$("$python" "$here/tests/device/ladder_once.py" --kernels "$family" "$target" ${PROFILE:-})
    code=$?
    [ $code -eq 0 ] || note "$family, profile" $code
    echo "$kernels" | while read -r rung kernel; do
        [ -n "$rung" ] || continue
        at=$out/profile/$rung
        mkdir -p "$at"
        pass=0
        for counters in \
            "SQ_WAVES SQ_INSTS_VALU SQ_INSTS_LDS SQ_INSTS_VMEM_RD SQ_VALU_MFMA_BUSY_CYCLES SQ_BUSY_CU_CYCLES GRBM_GUI_ACTIVE" \
            "SQ_WAVES SQ_WAVE_CYCLES SQ_WAIT_ANY SQ_WAIT_INST_ANY SQ_ACTIVE_INST_ANY GRBM_GUI_ACTIVE" \
            "SQ_WAVES SQ_WAIT_INST_LDS SQ_LDS_BANK_CONFLICT SQ_LDS_IDX_ACTIVE GRBM_GUI_ACTIVE" \
            "SQ_WAVES TCC_HIT_sum TCC_MISS_sum GRBM_GUI_ACTIVE"
        do
            pass=$((pass + 1))
            # shellcheck disable=SC2086 - the counters are words
            set -- rocprofv3 --pmc $counters --output-format csv --output-directory "$at/pass$pass" -- \
                "$python" "$here/tests/device/ladder_once.py" "$family" "$target" "$rung"
            if [ -n "$dry" ]; then
                echo "would run: $*"
            elif ! command -v rocprofv3 > /dev/null; then
                echo 3 > "$out/profile/code"
            elif ! "$@" > "$at/pass$pass.txt" 2>&1 < /dev/null; then
                echo "pass $pass of $rung failed, see $at/pass$pass.txt" >&2
                echo 1 > "$out/profile/code"
            fi
        done
        files=$(find "$at" -name '*counter_collection.csv' | sort | tr '\n' ' ')
        [ -n "$files" ] || continue
        # shellcheck disable=SC2086 - the files are words
        hotloop explain $files --kernel "$kernel" --target "$target" > "$at/explain.txt" 2>&1 < /dev/null
        if [ $? -eq 0 ]; then
            cat "$at/explain.txt"
        else
            echo "explain did not understand the counters of $rung, see $at/explain.txt" >&2
            echo 1 > "$out/profile/code"
        fi
    done
    if [ -n "$dry" ] || [ $code -ne 0 ]; then
        :
    elif ! command -v rocprofv3 > /dev/null; then
        echo "rocprofv3 is not in PATH: no counters; it comes with ROCm (package rocprofiler-sdk), usually in /opt/rocm/bin" >&2
        note "$family, profile" 3
    else
        note "$family, profile" "$(cat "$out/profile/code" 2> /dev/null || echo 0)"
    fi
    rm -f "$out/profile/code"
done

say "done, everything is in $folder"
cat "$folder/summary.txt"
[ $bad -eq 0 ] || exit 1
[ $missing -eq 0 ] || exit 3
