#!/usr/bin/env bash
# Installs the Debian packages that heed needs and that are missing; without root it prints the one
# line to run. Does nothing, and touches no network, when all are there.
#
#   scripts/dependencies.sh            what building and the demo need
#   scripts/dependencies.sh --tests    and what the tests need
#   scripts/dependencies.sh --browser  and a browser, for the tests of the HTML pages (130 MB)
#   scripts/dependencies.sh --print    only lists the packages (with --tests, --browser: those as well)
set -euo pipefail

packages=(
  cmake ninja-build g++ pkg-config python3
  libeigen3-dev libdnnl-dev libhwy-dev
  libboost-program-options-dev zlib1g-dev
  libyaml-cpp-dev libsentencepiece-dev nlohmann-json3-dev libutfcpp-dev libicu-dev
  libpango1.0-dev libspdlog-dev libfmt-dev libcpp-httplib-dev
  fonts-dejavu-core
)
# fonts-noto-cjk: the heatmaps' fallback to another font is tested with it. curl, python3-numpy: the
# documents use them, and scripts/check_docs runs what these say.
test_packages=(libgtest-dev librapidcheck-dev clang-format fonts-noto-cjk curl python3-numpy)
browser_packages=(chromium chromium-driver python3-selenium)

say() { printf 'dependencies.sh: %s\n' "$*" >&2; }

print=false
for option in "$@"; do
  case "$option" in
    --tests) packages+=("${test_packages[@]}") ;;
    --browser) packages+=("${browser_packages[@]}") ;;
    --print) print=true ;;
    *)
      say "unknown option $option; there are --tests, --browser and --print"
      exit 2
      ;;
  esac
done

if "$print"; then
  printf '%s\n' "${packages[@]}"
  exit 0
fi

if ! command -v dpkg-query >/dev/null; then
  say "this is not Debian, so nothing was checked; CMake reports which library is missing"
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  # A library for two architectures is listed twice, so only the beginning of the text is compared.
  [[ "$status" == installed* ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    say "packages are missing; run: sudo apt-get install --yes ${missing[*]}"
    exit 1
  fi
fi

say "installing ${missing[*]}"
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" </dev/null >&2; }
apt update || say "apt-get update failed; using the existing package lists"
if ! apt install --yes --no-install-recommends "${missing[@]}"; then
  say "could not install the packages; see above, then run: apt-get install ${missing[*]}"
  exit 1
fi
