#!/usr/bin/env bash
# Runs every verb of a built heed once on toy data, in a folder of its own, and checks that the
# results are consistent. It tests the program as a whole; other tests measure how well a model
# translates.
#
#   scripts/smoke.sh --heed BINARY
set -euo pipefail

say() { printf 'smoke.sh: %s\n' "$*" >&2; }

if [[ $# -ne 2 || "$1" != --heed ]]; then
  say "usage: scripts/smoke.sh --heed BINARY"
  exit 2
fi
heed=$(realpath -- "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

passed=0
failed=0
# check TEXT COMMAND...: counts the command as passed if it exits with 0; shows its output if not.
check() {
  local text=$1
  shift
  if "$@" >"$scratch/said" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "failed: $text: $*"
    tail -n 20 "$scratch/said" >&2
  fi
}
# fails_with CODE COMMAND...: that exit code, nothing on standard output, one line on standard error.
fails_with() {
  local code=$1 found=0
  shift
  "$@" >"$scratch/out" 2>"$scratch/err" || found=$?
  [[ "$found" -eq "$code" && ! -s "$scratch/out" && $(wc -l <"$scratch/err") -eq 1 ]] || {
    printf 'exit code %s, standard error:\n' "$found"
    cat "$scratch/err"
    return 1
  }
}
same_lines() { [[ $(wc -l <"$1") -eq $(wc -l <"$2") ]]; }
# into FILE COMMAND...: standard output into a file.
into() { "${@:2}" >"$1"; }

head -n 20 data/bank/test.en >"$scratch/source"
head -n 20 data/bank/test.fr >"$scratch/reference"
head -n 20 data/bank/test.align >"$scratch/gold"
model=$scratch/run/last.heed

check "version" "$heed" --version
for verb in train translate serve align explain score evaluate plot vocab shortlist quantize inspect config gradcheck bench; do
  check "help of $verb" "$heed" "$verb" --help
done

train=("$heed" train configs/toy_bank_bahdanau.yaml --run.dir "$scratch/run" --model.embedding 16
  --model.encoder.hidden 16 --model.decoder.hidden 16 --model.attention.size 16
  --train.valid_every 10 --train.report_every 5)
check "training" "${train[@]}" --train.updates 10
check "going on" "${train[@]}" --train.updates 20
check "log of the run" grep -q '"update":' "$scratch/run/log.jsonl"

check "translation" "$heed" translate --model "$model" --input "$scratch/source" --beam 3 \
  --output "$scratch/hypothesis" --attention "$scratch/attention.jsonl" --links "$scratch/links"
check "a translation for each line" same_lines "$scratch/hypothesis" "$scratch/source"
check "alignment" "$heed" align --model "$model" --source "$scratch/source" \
  --target "$scratch/reference" --links "$scratch/forced" --attention "$scratch/forced.jsonl"
check "links for each line" same_lines "$scratch/forced" "$scratch/source"
check "explanations" into "$scratch/agreement" "$heed" explain --model "$model" \
  --source "$scratch/source" --target "$scratch/reference" --steps 3 --json \
  --output "$scratch/explained.jsonl"
check "an explanation for each line" same_lines "$scratch/explained.jsonl" "$scratch/source"
check "scores" into "$scratch/scores" "$heed" score --model "$model" \
  --source "$scratch/source" --target "$scratch/reference"
check "a score for each line" same_lines "$scratch/scores" "$scratch/source"
check "scores of an ensemble" into "$scratch/together" "$heed" score --model "$model" "$model" \
  --source "$scratch/source" --target "$scratch/reference"
check "one model twice is that model" cmp "$scratch/together" "$scratch/scores"
check "BLEU" "$heed" evaluate --hypothesis "$scratch/hypothesis" --reference "$scratch/reference"
check "alignment error rate" "$heed" evaluate --links "$scratch/forced" --gold "$scratch/gold"
check "reports" into "$scratch/report.json" "$heed" evaluate --hypothesis "$scratch/hypothesis" \
  --reference "$scratch/reference" --source "$scratch/source" --by-length --by-position \
  --by-frequency --training data/bank/train.fr --diagnose --json
check "reports as a picture" "$heed" plot "$scratch/report.json" --output "$scratch/report.svg"
check "heatmap of gradients" "$heed" plot "$scratch/explained.jsonl" --lines 1 --matrix gradient \
  --output "$scratch/gradient.svg"
for format in png svg pdf; do
  mkdir "$scratch/$format"
  check "heatmap as $format" "$heed" plot "$scratch/forced.jsonl" --lines 1,3-4 \
    --format "$format" --output "$scratch/$format/heatmap.$format"
  check "a $format file" compgen -G "$scratch/$format/*.$format"
done
check "page of the attention" "$heed" plot "$scratch/forced.jsonl" --output "$scratch/view.html"
check "page of the run" "$heed" plot "$scratch/run" --output "$scratch/report.html"
for page in view report; do
  check "a $page page" grep -q '^</html>' "$scratch/$page.html"
done
check "checkpoint's content" "$heed" inspect "$model"
check "quantized model" "$heed" quantize --model "$model" --output "$scratch/small.heed"
check "a smaller file" test "$(stat -c %s "$scratch/small.heed")" -lt "$(stat -c %s "$model")"
check "its translation" "$heed" translate --model "$scratch/small.heed" --input "$scratch/source" \
  --output "$scratch/small"
check "lexicon" "$heed" shortlist --model "$model" --source data/bank/train.en \
  --target data/bank/train.fr --output "$scratch/lexicon"
check "translation with a shortlist" "$heed" translate --model "$model" --input "$scratch/source" \
  --shortlist "$scratch/lexicon" --output "$scratch/listed"
check "a translation for each line" same_lines "$scratch/listed" "$scratch/source"
# answers TEXT ROUTE [BODY]: whether the server at $address gives TEXT there.
answers() {
  python3 - "$@" "$address" <<'END'
import sys, urllib.request
text, route, body, address = sys.argv[1], sys.argv[2], sys.argv[3:-1], sys.argv[-1]
answer = urllib.request.urlopen(address + route, body[0].encode() if body else None, timeout=60).read().decode()
sys.exit(0 if text in answer else "no " + text + " in " + answer)
END
}
"$heed" serve --model "$model" --port 0 >"$scratch/address" 2>"$scratch/server" &
server=$!
for _ in {1..600}; do
  [[ ! -s "$scratch/address" ]] || break
  sleep 0.1
done
address=$(sed 's/^listening on //' "$scratch/address")
check "translation over HTTP" answers '"translations"' /translate '{"text": "the bank"}'
check "health of the server" answers '"status":"ok"' /health
check "page of the server" answers '<textarea' /
kill -TERM "$server"
check "end of the server" wait "$server"
check "subword model" "$heed" vocab --input data/bank/train.en --size 200 --output "$scratch/v.model"
check "config" "$heed" config configs/toy_bank_bahdanau.yaml
check "gradients" "$heed" gradcheck
check "speed" into "$scratch/speed" "$heed" bench configs/toy_bank_luong.yaml --model.embedding 16 \
  --model.encoder.hidden 16 --model.decoder.hidden 32 --seconds 0.1 --profile --json
for key in target_tokens_per_second flops_per_target_token gemm_peak_gflops share_of_peak \
  peak_memory_bytes threads precision profile; do
  check "speed tells $key" grep -q "\"$key\":" "$scratch/speed"
done
check "translation in bf16 or what this machine has" "$heed" translate --model "$model" \
  --input "$scratch/source" --precision bf16 --output "$scratch/narrow"

check "wrong usage is told in one line" fails_with 2 "$heed" translate --modle "$model"
check "a missing file is told in one line" fails_with 1 "$heed" translate --model "$scratch/nothing"
check "a missing text is told in one line" \
  fails_with 1 "$heed" translate --model "$model" --input "$scratch/nothing"

words_are() { [[ "$(printf '%s\n' "$1" | scripts/plain_words.py "${@:3}")" == "$2" ]]; }
check "plain words" words_are "It&apos;s Mr. O'Neill's 1,000 dogs, isn 't it?" \
  "it 's mr . o'neill 's 1,000 dogs , isn ' t it ?"
check "plain French words" words_are "L'homme va au parc d' ici, aujourd'hui." \
  "le homme va à le parc de ici , aujourd'hui ." --french

printf '%d passed, %d failed\n' "$passed" "$failed"
[[ "$failed" -eq 0 ]]
