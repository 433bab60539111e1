#!/usr/bin/env bash
# Builds heed and runs all checks: what CI runs. Under 15 minutes on 2 cores, packages included.
#
#   scripts/test.sh                    release build, check.sh, all tests, every verb once, the
#                                      commands of the documents
#   scripts/test.sh --preset asan      the same in another build: debug, double, asan (address and
#                                      undefined behaviour) or tsan
#   scripts/test.sh --jobs 4           processes for building and testing (default: all processors)
#   scripts/test.sh --browser          also installs a browser, so that the tests of the HTML pages run
set -euo pipefail

say() { printf 'test.sh: %s\n' "$*" >&2; }

preset=release
jobs=$(nproc)
packages=(--tests)
while [[ $# -gt 0 ]]; do
  case "$1" in
    --preset | --jobs)
      if [[ $# -lt 2 ]]; then
        say "$1 needs a value"
        exit 2
      fi
      if [[ "$1" == --preset ]]; then preset=$2; else jobs=$2; fi
      shift 2
      ;;
    --browser)
      packages+=(--browser)
      shift
      ;;
    *)
      say "unknown option $1; there are --preset NAME, --jobs N and --browser"
      exit 2
      ;;
  esac
done
case "$preset" in
  release | debug | double | asan | tsan) ;;
  *)
    say "unknown preset $preset; there are release, debug, double, asan and tsan"
    exit 2
    ;;
esac
if ! [[ "$jobs" =~ ^[1-9][0-9]*$ ]]; then
  say "--jobs must be an integer above 0, not $jobs"
  exit 2
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
heed="build/$preset/heed"

export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
# Fontconfig, Pango and GLib are not built for the race detector, which therefore reports races in them.
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:ignore_noninstrumented_modules=1}
# Font configuration and Pango keep caches until the process ends.
export LSAN_OPTIONS=${LSAN_OPTIONS:-suppressions=$PWD/tests/support/leaks.supp:print_suppressions=0}

step() { say "$* ($((SECONDS / 60)) min $((SECONDS % 60)) s)"; }

scripts/dependencies.sh "${packages[@]}"
step "building $preset"
cmake --preset "$preset" >&2
cmake --build --preset "$preset" --parallel "$jobs" >&2
step "checking the source"
scripts/check.sh --heed "$heed"
step "running the tests"
ctest --preset "$preset" --parallel "$jobs" --no-tests=error
if [[ "$preset" == release ]]; then
  # Real = double, because in float rounding errors could hide a wrong derivative.
  step "checking every gradient in double"
  cmake --preset double >&2
  cmake --build --preset double --parallel "$jobs" --target test_autograd test_nn >&2
  build/double/tests/test_autograd --gtest_brief=1
  build/double/tests/test_nn --gtest_brief=1
fi
step "running every verb once"
scripts/smoke.sh --heed "$heed"
if [[ "$preset" == release ]]; then
  step "running what the documents say"
  scripts/check_docs --heed "$heed"
fi
step "all checks passed"
