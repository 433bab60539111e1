#!/usr/bin/env bash
# Measures heed's speed and, if Python can fetch PyTorch, that of the same model in PyTorch, in one run: training
# updates, translation, peak memory. See scripts/bench/README.md, and for the options scripts/bench.sh --help.
#
#   HEED              the program (default: build/release/heed)
#   HEED_BENCH_DIR    folder for what is made on the way (default: build/bench)
#   HEED_TORCH_PYTHON a Python that has torch, sentencepiece and sacrebleu; empty: measure heed alone. Where it is not
#                     set, an environment is made below HEED_BENCH_DIR, which fetches PyTorch from PyPI: some 5 GB on
#                     disk, as PyPI's package carries the libraries for GPUs too
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${HEED_BENCH_DIR:-$root/build/bench}
heed=${HEED:-$root/build/release/heed}
bench=("$root/scripts/bench/run.py" --heed "$heed" --work "$work")

python3 "${bench[@]}" --check "$@"  # faulty options end here, and --help
for word in "$@"; do [[ $word == --help || $word == -h ]] && exit 0; done

fail() {
  printf 'bench.sh: %s\n' "$*" >&2
  exit 1
}
[[ -x $heed ]] || fail "no program at $heed; build it (README.md) or set HEED"
[[ -f $root/data/multi30k/train.en ]] || fail "no data/multi30k; run scripts/get_data.sh multi30k --download (or --from DIR)"
mkdir -p "$work" || exit 1

# The marker file is made last, so that an incomplete environment is made again.
make_environment() {
  printf 'bench.sh: making %s with PyTorch from PyPI, some 5 GB\n' "$work/venv" >&2
  rm -rf -- "$work/venv"
  { python3 -m venv "$work/venv" && "$work/venv/bin/pip" install --quiet torch sentencepiece sacrebleu; } >&2 &&
    touch "$work/venv/complete"
}
python=${HEED_TORCH_PYTHON-$work/venv/bin/python}
if [[ -z ${HEED_TORCH_PYTHON+set} ]]; then
  if [[ ! -f $work/venv/complete ]] && ! make_environment; then
    rm -rf -- "$work/venv"
    printf 'bench.sh: PyTorch cannot be installed here: measuring heed alone\n' >&2
    python=
  fi
elif [[ -n $python ]] && ! "$python" -c 'import torch, sentencepiece, sacrebleu' 2>/dev/null; then
  fail "HEED_TORCH_PYTHON: $python is no Python that has torch, sentencepiece and sacrebleu"
fi

exec python3 "${bench[@]}" --python "$python" "$@"
