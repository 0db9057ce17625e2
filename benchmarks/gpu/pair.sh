#!/usr/bin/env bash
# Captured kernels on two cards side by side, and dispatch on shapes drawn at random before them: one call, results in $OUT.
#   bash benchmarks/gpu/pair.sh SECONDS SEED PROGRAMS [BUDGET]   # seconds a kernel, 44 if not given; SEED none: captured kernels only; wheels of the packages in .carry, hotloop's own in .carry/deps
set -u
limit_s=$1 seed=$2 programs=$3 budget_s=${4:-44}
python3 -m pip install -q --no-deps --no-index --target /tmp/site .carry/*.whl
python3 -m pip install -q --no-deps --no-index --target /tmp/deps .carry/deps/*.whl
export PYTHONPATH=src:/tmp/deps
began=$SECONDS
part() { CUDA_VISIBLE_DEVICES=$1 taskset -c $2 python3 benchmarks/gpu/captured.py run --site /tmp/site --only "$programs" --part "$3/2" --budget "$budget_s" --limit-s $((limit_s - SECONDS + began)); }
mkdir -p "$OUT/one" "$OUT/two"
half=$(($(nproc) / 2))
(OUT="$OUT/two" part 1 "$half-$(($(nproc) - 1))" 2) > "$OUT/two/log.txt" 2>&1 &
[ "$seed" = none ] || CUDA_VISIBLE_DEVICES=0 FRESH_SEED=$seed taskset -c "0-$((half - 1))" python3 benchmarks/gpu/layers.py "$OUT/fresh.jsonl" --parts fresh --limit-s 100 > "$OUT/fresh.txt" 2>&1
(OUT="$OUT/one" part 0 "0-$((half - 1))" 1) > "$OUT/one/log.txt" 2>&1
wait
[ "$seed" = none ] || tail -c 400 "$OUT/fresh.txt"
tail -n 14 "$OUT/one/log.txt" "$OUT/two/log.txt"
