#!/usr/bin/env bash
# Shows what attention is worth: trains the toy "reverse" with every score and with none (a fixed vector), at most five
# minutes each, and prints BLEU of the test set, in all and by source length. Runs lie under runs/reverse.
#
#   scripts/compare_scores.sh [--heed BINARY] [SCORE...]
set -euo pipefail

say() { printf 'compare_scores.sh: %s\n' "$*" >&2; }

cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ "${1:-}" == --help ]]; then
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
  exit 0
fi
heed=build/release/heed
if [[ "${1:-}" == --heed ]]; then
  if [[ $# -lt 2 ]]; then
    say "--heed needs a value"
    exit 2
  fi
  heed=$2
  shift 2
fi
if [[ ! -x "$heed" ]]; then
  say "no program at $heed; build it (README.md) or give --heed"
  exit 1
fi
scores=("$@")
[[ $# -gt 0 ]] || scores=(additive general dot scaled_dot concat none)

for score in "${scores[@]}"; do
  run=runs/reverse/$score
  rm -rf -- "$run"
  start=$SECONDS
  "$heed" train configs/toy_reverse.yaml --run.dir "$run" --model.attention.score "$score"
  "$heed" translate --model "$run/best.heed" --input data/reverse/test.source --output "$run/test.target"
  printf '\n%s, %d s of training and translation\n' "$score" "$((SECONDS - start))"
  "$heed" evaluate --hypothesis "$run/test.target" --reference data/reverse/test.target \
    --source data/reverse/test.source --tokenize none --by-length
done
