#!/usr/bin/env bash
# Puts real data below data/ and checks the number of lines and the SHA-256 of every file.
#
#   scripts/get_data.sh multi30k --download      from the public repository (needs curl)
#   scripts/get_data.sh multi30k --from DIR      from a folder that has the files, plain or .gz, as
#                                                test_2016.en or under the public test_2016_flickr.en
#
# English and German are required, French is optional. data/README.md says where
# the text comes from and on which terms.
set -euo pipefail

address=https://raw.githubusercontent.com/multi30k/dataset/master/data/task1/raw

# Name, lines, SHA-256 of the plain text. There is no French for test_2017 here.
files="
train.en     29000 460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6
train.de     29000 2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72
train.fr     29000 5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d
val.en        1014 1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227
val.de        1014 660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660
val.fr        1014 5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc
test_2016.en  1000 399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182
test_2016.de  1000 4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16
test_2016.fr  1000 cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6
test_2017.en  1000 ce1450ddc5ab0834502579d77a170849952e15a2938b34cc503bdc25ebb4fb98
test_2017.de  1000 c3078bc3b36808bf9d20eb2347ed6137016179ef59ec0d2b9b8ecc3fb2880081
"

fail() {
  printf 'get_data.sh: %s\n' "$*" >&2
  exit 1
}
usage() {
  printf 'get_data.sh: %s; usage: scripts/get_data.sh multi30k --from DIR | --download\n' "$*" >&2
  exit 2
}

if [[ "${1:-}" == --help ]]; then
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
  exit 0
fi
[[ $# -gt 0 ]] || usage "no data set named"
[[ "$1" == multi30k ]] || usage "unknown data set $1"
case "${2-}" in
  --download)
    [[ $# -eq 2 ]] || usage "too many arguments"
    command -v curl >/dev/null || fail "curl is missing; install it (apt-get install curl ca-certificates) or use --from DIR"
    from=
    ;;
  --from)
    [[ $# -eq 3 && -n "$3" ]] || usage "--from needs one folder"
    [[ -d "$3" ]] || fail "$3: no such folder"
    from=$(cd -- "$3" && pwd)
    ;;
  *) usage "say where the files come from" ;;
esac

root=$(cd -- "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$root/data/multi30k
mkdir -p "$folder" 2>/dev/null || fail "$folder: can't be made"
scratch=$(mktemp -d "$folder/.new.XXXXXX" 2>/dev/null) || fail "$folder: can't be written"
trap 'rm -rf -- "$scratch"' EXIT

# public_name train.en -> train.en, test_2016.en -> test_2016_flickr.en
public_name() {
  if [[ "$1" == test_* ]]; then printf '%s_flickr.%s\n' "${1%.*}" "${1##*.}"; else printf '%s\n' "$1"; fi
}

# Puts the plain text of a file into the scratch folder; fails if the given folder does not have it.
copy() {
  local candidate
  for candidate in "$from/$1" "$from/$1.gz" "$from/$(public_name "$1")" "$from/$(public_name "$1").gz"; do
    [[ -e "$candidate" ]] || continue
    if [[ "$candidate" == *.gz ]]; then
      gzip -dc <"$candidate" >"$scratch/$1" 2>/dev/null || fail "$candidate: cut or damaged gzip data, or not readable"
    else
      cat <"$candidate" >"$scratch/$1" 2>/dev/null || fail "$candidate: not readable"
    fi
    return 0
  done
  return 1
}

download() {
  local url
  url=$address/$(public_name "$1").gz
  printf 'get_data.sh: %s\n' "$url" >&2
  curl --fail --silent --location --retry 3 --output "$scratch/packed" "$url" ||
    fail "$url: download failed; get the files by other means and use --from DIR"
  gzip -dc <"$scratch/packed" >"$scratch/$1" 2>/dev/null || fail "$url: cut or damaged gzip data"
}

have=()
while read -r name lines checksum; do
  [[ -n "$name" ]] || continue
  if [[ -n "$from" ]]; then
    if ! copy "$name"; then
      [[ "$name" == *.fr ]] && continue
      fail "$from: has no $name, neither plain nor .gz nor under its public name $(public_name "$name")"
    fi
  else
    download "$name"
  fi
  found=$(wc -l <"$scratch/$name")
  [[ "$found" -eq "$lines" ]] || fail "$name: has $found lines, must have $lines"
  found=$(sha256sum <"$scratch/$name")
  [[ "${found%% *}" == "$checksum" ]] || fail "$name: SHA-256 is ${found%% *}, must be $checksum; another edition of the text?"
  have+=("$name")
done <<<"$files"

# The files get their final names only when all of them are right.
for name in "${have[@]}"; do
  chmod 644 "$scratch/$name"
  mv -f -- "$scratch/$name" "$folder/$name"
done
printf '%s\n' "${have[@]/#/$folder/}"
