#!/usr/bin/env bash
# Measures heed's speed and, where Python can fetch PyTorch, that of the same model in PyTorch, in one run: training
# updates, translation, peak memory. Prints the table that the README shows. See scripts/bench/run.py --help.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${HEED_BENCH_DIR:-$root/build/bench}
heed=${HEED:-$root/build/release/heed}

if [[ ! -x $heed ]]; then
  echo "no heed at $heed: build it first (scripts/test.sh or cmake --preset release && cmake --build --preset release)" >&2
  exit 1
fi
if [[ ! -f $root/data/multi30k/train.en ]]; then
  echo "no data/multi30k: run scripts/get_data.sh multi30k --download (or --from DIR)" >&2
  exit 1
fi
mkdir -p "$work"

# PyTorch lives in an environment of its own: $HEED_TORCH_PYTHON, or one that is made here once.
python=${HEED_TORCH_PYTHON:-$work/venv/bin/python}
if [[ ! -x $python ]]; then
  echo "making $work/venv with torch, sentencepiece and sacrebleu" >&2
  if ! { python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet torch sentencepiece sacrebleu; } >&2; then
    rm -rf "$work/venv"
    echo "PyTorch can't be had here: measuring heed alone" >&2
    python=""
  fi
fi

exec python3 "$root/scripts/bench/run.py" --heed "$heed" --python "$python" --work "$work" "$@"
