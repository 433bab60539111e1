#!/usr/bin/env bash
# Checks what a compiler does not see. Prints file:line for each breach and exits with 1 if there are
# any.
#
#   scripts/check.sh [--heed BINARY]   with a binary, configs/README.md is also compared
#
#   format   clang-format would change nothing in src and tests
#   rooms    a file includes its own room or rooms above it, and big libraries stay in their room
#   parts    within nn, recurrent networks are seen by the table of kinds only
#   device   only src/tensor reads a tensor's memory; everybody else uploads and downloads
#   process  only src/cli exits the process or writes to standard output
#   structure  scripts/check_structure.py finds no circle of includes, no function that is too long
#            or has too many parameters, and few comment lines of one or two words
#   length   no source, test or script above 400 lines, no C++ comment above 100 columns
#   data     the toy data equals what its generator makes, and its alignments are right
#   configs  configs/README.md equals the output of `heed config --reference`
#   shell    shellcheck reports nothing (if it is installed)
set -euo pipefail

say() { printf 'check.sh: %s\n' "$*" >&2; }

heed=
while [[ $# -gt 0 ]]; do
  if [[ "$1" != --heed || $# -lt 2 ]]; then
    say "unknown option $1; there is --heed BINARY"
    exit 2
  fi
  heed=$(realpath -- "$2")
  shift 2
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t sources < <(find src tests \( -name '*.cc' -o -name '*.h' \) | LC_ALL=C sort)
# Everything that is written by hand in a language.
mapfile -t texts < <(
  find src tests scripts cmake -type f -regextype posix-extended \
    -regex '.*(\.(cc|h|cu|cuh|js|css|html|py|sh|cmake)|/CMakeLists\.txt)' | LC_ALL=C sort
)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
breaches=0
breach() {
  printf '%s\n' "$*" >&2
  breaches=$((breaches + 1))
}
# Reads breaches, one per line.
each_is_a_breach() {
  local line
  while IFS= read -r line; do breach "$line"; done
}

check_format() {
  if ! command -v clang-format >/dev/null; then
    breach "clang-format is missing; scripts/dependencies.sh --tests installs it"
    return
  fi
  each_is_a_breach < <(
    clang-format --dry-run -Werror "${sources[@]}" 2>&1 |
      awk -F: '/error:/ && !seen[$1]++ { print $1 ":" $2 ": format it with clang-format -i" }'
  )
}

# The rooms whose files each room may include.
may_include() {
  case "$1" in
    base) echo "base" ;;
    config) echo "base config" ;;
    text) echo "base config text" ;;
    tensor) echo "base config tensor" ;;
    autograd) echo "base config tensor autograd" ;;
    nn) echo "base config text tensor autograd nn" ;;
    train) echo "base config text tensor autograd nn train" ;;
    decode) echo "base config text tensor autograd nn decode" ;;
    eval) echo "base eval" ;;
    plot) echo "base plot" ;;
    serve) echo "base config text nn decode serve" ;;
    cli) echo "base config text tensor autograd nn train decode eval plot serve cli" ;;
  esac
}

check_rooms() {
  local file line room allowed
  for file in "${sources[@]}"; do
    [[ "$file" == src/* ]] || continue
    room=${file#src/}
    room=${room%%/*}
    allowed=$(may_include "$room")
    if [[ -z "$allowed" ]]; then
      breach "$file:1: $room is not a room; the rooms are listed in src/README.md"
      continue
    fi
    while IFS=: read -r line text; do
      text=${text#*\"}
      text=${text%%\"*}
      if [[ "$text" != */* ]]; then
        breach "$file:$line: include \"$text\" by its path below src"
      elif [[ " $allowed " != *" ${text%%/*} "* ]]; then
        breach "$file:$line: $room must not include $text (it may include: $allowed)"
      fi
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" || true)
  done
}

# Copies the sources without comments and string literals, line by line; includes keep their paths.
strip_sources() {
  local file
  for file in "${sources[@]}"; do
    mkdir -p "$scratch/stripped/${file%/*}"
    sed -E '/^[[:space:]]*#/!s/"([^"\\]|\\.)*"/""/g; s@//.*@@' "$file" >"$scratch/stripped/$file"
  done
}

# only_in FOLDERS PATTERN TEXT: reports the lines of src that match PATTERN outside FOLDERS (a
# regular expression).
only_in() {
  each_is_a_breach < <(
    cd "$scratch/stripped"
    grep -rnE "$2" src | grep -vE "^src/($1)" | LC_ALL=C sort |
      sed -E "s|^([^:]*:[0-9]+):.*|\1: $3|" || true
  )
}

check_libraries() {
  local include='^[[:space:]]*#[[:space:]]*include[[:space:]]*<'
  only_in 'tensor/|autograd/' "${include}Eigen/" "only tensor and autograd may include Eigen"
  only_in 'tensor/kernels/' "${include}(oneapi/|dnnl|hwy/|cuda|cublas)" \
    "only tensor/kernels may include oneDNN, Highway or CUDA"
  only_in 'base/' "${include}omp\\.h>|#[[:space:]]*pragma[[:space:]]+omp" \
    "parallel_for in base is the only door to OpenMP"
  only_in 'plot/' "${include}(pango|cairo)" "only plot may include Pango or Cairo"
  only_in 'serve/' "${include}httplib" "only serve may include httplib"
  only_in 'cli/' "${include}iostream>" "only cli may include <iostream>"
}

check_parts() {
  only_in 'nn/(recurrent/|table\.cc)' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"nn/recurrent/' \
    "only nn/table.cc may include nn/recurrent"
}

check_device() {
  # A section of the config is called data, too.
  each_is_a_breach < <(
    cd "$scratch/stripped"
    grep -rnP '(?<!config)(?<!config_)(\.|->)data(?![A-Za-z0-9_(.])' src | grep -v '^src/tensor/' |
      LC_ALL=C sort | sed -E 's|^([^:]*:[0-9]+):.*|\1: only tensor reads the memory of a tensor; use tensor/transfer.h|' || true
  )
}

check_process() {
  local word='(^|[^A-Za-z0-9_])'
  only_in 'cli/' "${word}(exit|_exit|_Exit|quick_exit|abort)[[:space:]]*\\(" \
    "only cli ends the process; throw an error instead"
  only_in 'cli/' "${word}(cout|(v?printf|puts|putchar)[[:space:]]*\\()" \
    "only cli writes to standard output; spdlog goes to standard error"
  only_in 'cli/' "fmt::print(ln)?[[:space:]]*\\([[:space:]]*([^s[:space:]]|s[^t]|std[^e])" \
    "only cli writes to standard output; spdlog goes to standard error"
  only_in 'cli/|base/' "${word}(stdout|STDOUT_FILENO)([^A-Za-z0-9_]|\$)" \
    "only cli writes to standard output"
}

check_structure() {
  each_is_a_breach < <(scripts/check_structure.py || true)
}

check_length() {
  local file lines
  for file in "${texts[@]}"; do
    lines=$(wc -l <"$file")
    [[ "$lines" -le 400 ]] || breach "$file:$lines: more than 400 lines; split it by subject"
  done
  # clang-format does not wrap comments (ReflowComments is off).
  each_is_a_breach < <(
    grep -nE '^.{101}' "${sources[@]}" | grep -E '^[^:]*:[0-9]+: *//' |
      sed -E 's|^([^:]*:[0-9]+):.*|\1: a comment of more than 100 columns|' || true
  )
}

check_data() {
  scripts/make_toys.py --output "$scratch" >"$scratch/checksums"
  local task file
  for task in bank reverse; do
    for file in "$scratch/$task"/*; do
      cmp -s -- "$file" "data/$task/${file##*/}" ||
        breach "data/$task/${file##*/}:1: differs from the output of scripts/make_toys.py; run it"
    done
  done
  local checksum name
  while read -r checksum name; do
    grep -F -- "| $name | " data/README.md | grep -qF -- "\`$checksum\`" ||
      breach "data/README.md:1: the checksum of $name is $checksum; correct its row"
  done <"$scratch/checksums"
  each_is_a_breach < <(scripts/check_toys.py || true)
}

check_configs() {
  [[ -n "$heed" ]] || return 0
  if ! "$heed" config --reference >"$scratch/reference"; then
    breach "heed config --reference fails"
  elif ! cmp -s "$scratch/reference" configs/README.md; then
    breach "configs/README.md:1: out of date; run: heed config --reference > configs/README.md"
  fi
}

check_shell() {
  command -v shellcheck >/dev/null || return 0
  each_is_a_breach < <(shellcheck --format=gcc scripts/*.sh .ci/run || true)
}

check_format
check_rooms
strip_sources
check_libraries
check_parts
check_device
check_process
check_structure
check_length
check_data
check_configs
check_shell
if [[ "$breaches" -gt 0 ]]; then
  say "$breaches breaches"
  exit 1
fi
say "nothing found in ${#texts[@]} files"
