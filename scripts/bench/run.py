#!/usr/bin/env python3
"""Runs heed and its PyTorch twin in turn, several times, and prints ratios with their spread as Markdown.

Called by scripts/bench.sh; needs the standard library only. Each figure is the median over rounds, with the least and
the greatest; a ratio is taken within a round, so that a machine whose speed drifts does not bend it.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data/multi30k"
CONFIG = ROOT / "configs/multi30k_ende.yaml"
# The models that are trained: name, and what differs from configs/multi30k_ende.yaml.
SIZES = {
    "reference": ["--model.tied_embeddings", "none", "--model.decoder.readout", "512"],
    "large": ["--model.tied_embeddings", "none", "--model.decoder.readout", "1024", "--model.embedding", "512",
              "--model.encoder.hidden", "512", "--model.decoder.hidden", "1024", "--model.attention.size", "1024",
              "--data.vocab_size", "16000"],
    "luong lstm, feeding": ["--model.tied_embeddings", "none", "--model.decoder.readout", "512",
                            "--model.decoder.style", "luong", "--model.encoder.cell", "lstm",
                            "--model.decoder.cell", "lstm", "--model.attention.score", "general",
                            "--model.decoder.input_feeding", "true"],
}
PLAIN = ["--train.label_smoothing", "0.1", "--train.dropout.embedding", "0", "--train.dropout.states", "0",
         "--train.dropout.output", "0"]


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


class Bench:
    def __init__(self, args):
        self.args = args
        self.work = pathlib.Path(args.work)
        self.figures = {}  # name -> list over rounds

    def note(self, name, value):
        self.figures.setdefault(name, []).append(value)
        print(f"  {name}: {value:,.2f}", file=sys.stderr, flush=True)

    def heed(self, *words):
        return run([self.args.heed, *words])

    def twin(self, task, *words):
        words = [self.args.python, ROOT / "scripts/bench/twin.py", task, "--threads", self.args.threads, *words]
        return json.loads(run(words))

    def checkpoint(self, size):
        """One update of training gives the twin a file with the sizes and the vocabulary."""
        folder = self.work / size.replace(" ", "_").replace(",", "")
        if not (folder / "last.heed").exists():
            self.heed("train", CONFIG, "--run.dir", folder, "--train.updates", "1", "--train.samples", "0",
                      "--data.valid.source", "", "--data.valid.target", "", "--train.schedule", "constant", *SIZES[size])
        return folder / "last.heed"

    def check_losses(self):
        """Both must give the same log-probabilities from the same weights."""
        for size in self.args.sizes:
            model = self.checkpoint(size)
            pair = ["--source", DATA / "test_2016.en", "--target", DATA / "test_2016.de"]
            ours = json.loads(self.heed("score", "--model", model, *pair, "--summary", "--json"))["cross_entropy"]
            theirs = self.twin("score", "--model", model, *pair)["cross_entropy"]
            if abs(ours - theirs) > 1e-4 * abs(theirs):
                sys.exit(f"{size}: cross-entropy {ours} in heed, {theirs} in PyTorch: not the same model")
            print(f"{size}: cross-entropy {ours:.5f} and {theirs:.5f}", file=sys.stderr)

    def train_round(self, size):
        seconds = str(self.args.seconds)
        text = self.heed("bench", CONFIG, *SIZES[size], *PLAIN, "--run.threads", self.args.threads,
                         "--seconds", seconds, "--json")
        ours = json.loads(text)
        self.note(f"{size} | heed tokens/s", ours["target_tokens_per_second"])
        self.note(f"{size} | heed share of peak", 100 * ours["share_of_peak"])
        self.note(f"{size} | heed peak memory", ours["peak_memory_bytes"] / 1e6)
        self.note(f"{size} | GEMM peak", ours["gemm_peak_gflops"])
        if not self.args.python:
            return
        for name, words in {"eager": [], "compiled": ["--compile"], "eager bf16": ["--bf16"],
                            "compiled bf16": ["--compile", "--bf16"]}.items():
            if name not in self.args.modes:
                continue
            theirs = self.twin("train", "--model", self.checkpoint(size), "--source", DATA / "train.en", "--target",
                               DATA / "train.de", "--seconds", seconds, *words)
            self.note(f"{size} | torch {name} tokens/s", theirs["target_tokens_per_second"])
            self.note(f"{size} | torch {name} peak memory", theirs["peak_memory_bytes"] / 1e6)
            self.note(f"{size} | heed / torch {name}",
                      ours["target_tokens_per_second"] / theirs["target_tokens_per_second"])
            self.note(f"{size} | memory, torch {name} / heed", theirs["peak_memory_bytes"] / ours["peak_memory_bytes"])

    def translate_round(self, beam, batch):
        source, words = DATA / "test_2016.en", f"beam {beam}, batch {batch}"
        tokens = 1 if batch == 1 else batch * 16  # heed cuts batches by tokens; a sentence has about 15
        output = self.work / "heed.de"
        start = time.perf_counter()
        self.heed("translate", "--model", self.args.model, "--input", source, "--output", output, "--beam", beam,
                  "--batch-tokens", tokens, "--threads", self.args.threads)
        ours = time.perf_counter() - start
        self.note(f"{words} | heed s", ours)
        if not self.args.python:
            return
        theirs = self.twin("translate", "--model", self.args.model, "--source", source, "--output",
                           self.work / "torch.de", "--beam", beam, "--batch", batch)
        self.note(f"{words} | torch s", theirs["seconds"])
        self.note(f"{words} | torch / heed", theirs["seconds"] / ours)
        same = [a == b for a, b in zip(output.read_text().split("\n"), (self.work / "torch.de").read_text().split("\n"))]
        self.note(f"{words} | equal lines %", 100 * sum(same) / len(same))

    def print_table(self):
        print("| what | figure | median | least | greatest |\n|---|---|---|---|---|")
        for name, values in self.figures.items():
            what, _, figure = name.partition(" | ")
            number = lambda x: f"{x:,.0f}" if x >= 1000 else f"{x:.2f}"
            print(f"| {what} | {figure} | {number(statistics.median(values))} | {number(min(values))} |"
                  f" {number(max(values))} |")
        (self.work / "figures.json").write_text(json.dumps(self.figures, indent=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heed", required=True)
    parser.add_argument("--python", default="", help="one that has torch; empty: heed alone")
    parser.add_argument("--work", required=True, help="folder for what is made on the way")
    parser.add_argument("--model", default=str(ROOT / "runs/multi30k_ende/best.heed"),
                        help="a trained model for the translation part; left out where there is none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15, help="of each training measurement")
    parser.add_argument("--threads", default="2")
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--modes", nargs="+", default=["eager", "compiled", "eager bf16"],
                        help="of PyTorch: eager, compiled, 'eager bf16', 'compiled bf16'")
    parser.add_argument("--parts", nargs="+", choices=["train", "translate"], default=["train", "translate"])
    args = parser.parse_args()
    bench = Bench(args)
    has_model = pathlib.Path(args.model).exists()
    if "translate" in args.parts and not has_model:
        print(f"no {args.model}: translation is not measured (train one, or name one with --model)", file=sys.stderr)
    if args.python and "train" in args.parts:
        bench.check_losses()
    for number in range(args.rounds):
        print(f"round {number + 1} of {args.rounds}", file=sys.stderr)
        for size in args.sizes if "train" in args.parts else []:
            bench.train_round(size)
        for beam, batch in [(1, 32), (5, 32), (1, 1), (5, 1)] if "translate" in args.parts and has_model else []:
            bench.translate_round(beam, batch)
    bench.print_table()


if __name__ == "__main__":
    main()
