#!/usr/bin/env bash
# From nothing to a translator with visible attention: installs what is missing, builds heed,
# trains a toy model in both decoder styles (about two minutes each on 2 cores), translates the toy test
# set and draws what the attention did. Every run starts afresh; all it makes is in build/demo and
# runs/demo.
set -euo pipefail

say() { printf 'demo.sh: %s\n' "$*" >&2; }

if [[ "${1:-}" == --help ]]; then
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
  exit 0
fi
if [[ $# -gt 0 ]]; then
  say "unknown option $1; there are none"
  exit 2
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
heed=$root/build/demo/heed
runs=runs/demo
lines=1,4,8

step() { say "$* ($((SECONDS / 60)) min $((SECONDS % 60)) s)"; }

scripts/dependencies.sh
step "building into build/demo"
cmake --preset release -B build/demo -DHEED_TESTS=OFF >&2
cmake --build build/demo --parallel "$(nproc)" >&2

step "making the toy data"
mkdir -p runs
rm -rf -- "$runs"
mkdir "$runs"
scripts/make_toys.py --output "$runs/data" >"$runs/checksums"
for task in bank reverse; do
  diff --recursive --brief "$runs/data/$task" "data/$task" >&2 || {
    say "data/$task is not what scripts/make_toys.py makes; run it to restore the files"
    exit 1
  }
done

# demo STYLE: trains, translates, aligns and draws with one decoder style.
demo() {
  local style=$1
  local run=$runs/$style
  step "training configs/toy_bank_$style.yaml"
  "$heed" train "configs/toy_bank_$style.yaml" --run.dir "$run"
  step "translating data/bank/test.en"
  "$heed" translate --model "$run/best.heed" --input data/bank/test.en --beam 5 \
    --output "$run/test.fr" --attention "$run/attention.jsonl" --links "$run/translation.links"
  "$heed" align --model "$run/best.heed" --source data/bank/test.en --target data/bank/test.fr \
    --links "$run/reference.links"
  "$heed" plot "$run/attention.jsonl" --lines "$lines" --format png --output "$run/heatmap.png"
  "$heed" plot "$run/attention.jsonl" --lines "$lines" --format svg --output "$run/heatmap.svg"
  "$heed" plot "$run" --format png --output "$run/curves.png"
}

# report STYLE: the figures of one decoder style, on standard output.
report() {
  local run=$runs/$1
  printf '\n%s\n' "$1"
  "$heed" evaluate --hypothesis "$run/test.fr" --reference data/bank/test.fr
  scripts/bank_report.py "$run/test.fr"
  "$heed" evaluate --links "$run/reference.links" --gold data/bank/test.align
}

demo bahdanau
demo luong
step "done"

report bahdanau
report luong
cat <<TXT

Where everything is, for bahdanau and luong alike:
  $root/$runs/bahdanau/best.heed            the trained model
  $root/$runs/bahdanau/test.fr              translation of data/bank/test.en
  $root/$runs/bahdanau/attention.jsonl      its attention, one JSON object a sentence
  $root/$runs/bahdanau/translation.links    its alignment; reference.links: that of the reference
  $root/$runs/bahdanau/heatmap*.png, *.svg  attention of sentences $lines
  $root/$runs/bahdanau/curves.png           loss and validation figures over the training run
Translate a sentence of your own with words of the toy:
  echo "the boy sees the bank when a girl paints the bridge ." | $heed translate --model $root/$runs/bahdanau/best.heed
TXT
