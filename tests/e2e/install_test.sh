#!/usr/bin/env bash
# cmake --install into a folder of its own: what it installs runs from elsewhere.
#
#   tests/e2e/install_test.sh SOURCE_FOLDER BUILD_FOLDER
set -euo pipefail

source=$1
build=$2
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

fail() {
  printf 'install_test.sh: %s\n' "$*" >&2
  exit 1
}

cmake --install "$build" --prefix "$scratch/before" >/dev/null
# A prefix that was moved since shows what still points to the old one.
mv "$scratch/before" "$scratch/prefix"
mkdir "$scratch/elsewhere"
cd "$scratch/elsewhere"

version=$(env -i "$scratch/prefix/bin/heed" --version)
[[ "$version" == heed\ * ]] || fail "heed --version prints '$version'"
env -i "$scratch/prefix/bin/heed" config --reference |
  cmp - "$scratch/prefix/share/doc/heed/configs/README.md" || fail "the installed key reference differs"
for file in LICENSE README.md CHANGELOG.md configs/reference.yaml; do
  cmp "$source/$file" "$scratch/prefix/share/doc/heed/$file" || fail "$file is not installed"
done
if [[ -d "$source/docs" ]]; then
  diff -r "$source/docs" "$scratch/prefix/share/doc/heed/docs" || fail "docs is not installed"
fi
