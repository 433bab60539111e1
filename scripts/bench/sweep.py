#!/usr/bin/env python3
"""How heed's speed changes with batch, sizes, vocabulary, threads and sentence length; prints Markdown tables.

  scripts/bench/sweep.py [--heed build/release/heed] [--seconds 5] [--parts NAME...] [--model M.heed]

Needs the standard library only. `lengths` translates sentences of one length each, so it needs a trained model.
How speed and memory change with the size of the text: corpus.py.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-1000:]}")
    return done.stdout


def table(title, head, rows):
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def training(args, title, key, values):
    def rows():
        for value in values:
            f = json.loads(run(args.heed, "bench", "--" + key, value, "--seconds", args.seconds, "--json"))
            yield (value, f"{f['target_tokens_per_second']:,.0f}", f"{f['flops_per_target_token'] / 1e6:.1f}",
                   f"{100 * f['share_of_peak']:.0f} %", f"{f['peak_memory_bytes'] / 1e6:,.0f}")

    table(title, [key, "target tokens/s", "MFLOP a token", "of the peak", "MB"], rows())


def lengths(args):
    """Seconds a sentence by its length: sentences of the test set put together until they are long enough."""
    lines = (ROOT / "data/multi30k/test_2016.en").read_text(encoding="utf-8").split("\n")[:-1]

    def rows():
        for length in (10, 20, 40, 80, 160):
            made, words = [], []
            for line in lines * 20:
                words += line.split()
                if len(words) >= length:
                    made.append(" ".join(words[:length]))
                    words = []
                if len(made) == 64:
                    break
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "in"
                path.write_text("\n".join(made) + "\n", encoding="utf-8")
                start = time.perf_counter()
                output = run(args.heed, "translate", "--model", args.model, "--input", path, "--beam", "5")
                seconds = time.perf_counter() - start
            produced = len(output.split())
            yield (length, f"{produced / 64:.1f}", f"{1e3 * seconds / 64:.1f}", f"{1e6 * seconds / produced:.0f}")

    table("Time by length of the sentence (beam 5)", ["source words", "target words", "ms a sentence",
                                                      "us a target word"], rows())


PARTS = {
    "batch": lambda a: training(a, "Sentences a batch", "train.batch_sentences", [1, 8, 20, 40, 80, 160]),
    "hidden": lambda a: training(a, "Decoder size (the encoder has half of it a direction)", "model.decoder.hidden",
                                 [128, 256, 512, 1024]),
    "vocabulary": lambda a: training(a, "Vocabulary", "data.vocab_size", [1000, 4000, 8000, 16000, 32000]),
    "threads": lambda a: training(a, "Threads", "run.threads", [1, 2]),
    "lengths": lengths,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heed", default=str(ROOT / "build/release/heed"))
    parser.add_argument("--model", default=str(ROOT / "runs/multi30k_ende/best.heed"))
    parser.add_argument("--seconds", default="5")
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS))
    args = parser.parse_args()
    for name in args.parts:
        if name == "lengths" and not pathlib.Path(args.model).exists():
            print(f"\nno {args.model}: time by length is not measured", file=sys.stderr)
            continue
        PARTS[name](args)


if __name__ == "__main__":
    main()
