#!/usr/bin/env python3
"""Runs heed and its PyTorch twin alternately, several times, and prints ratios with their spread as Markdown.

Called by scripts/bench.sh; needs the standard library only. Each figure is the median over rounds, with minimum and
maximum; ratios are computed within a round, so that a drifting machine speed does not distort them. HEED_BENCH_DIR gets
the figures of all parts in figures.json and the tables of docs/results.md in table.md.

On two cores training takes some 9 minutes per round and translation some 7, so three rounds of both take some 50
minutes; quality, which has no rounds, takes some 50 minutes as well.
"""

import argparse
import functools
import json
import math
import pathlib
import shutil
import statistics
import sys
import time

from measuring import at_least, positive, run
from tables import readme_tables

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "data/multi30k"
CONFIG = ROOT / "configs/multi30k_ende.yaml"
DEFAULT_MODEL = ROOT / "runs/multi30k_ende/best.heed"
MODES = ["eager", "compiled", "eager bf16", "compiled bf16"]  # of PyTorch
# The models whose training is measured: name, and what differs from configs/multi30k_ende.yaml.
REFERENCE = ["--model.tied_embeddings", "none", "--model.decoder.readout", "512", "--model.decoder.style", "bahdanau",
             "--model.decoder.input_feeding", "false", "--data.vocab_size", "8000"]
SIZES = {
    "reference": REFERENCE,
    "large": REFERENCE + ["--model.decoder.readout", "1024", "--model.embedding", "512", "--model.encoder.hidden", "512",
                          "--model.decoder.hidden", "1024", "--model.attention.size", "1024", "--data.vocab_size", "16000"],
    "luong-lstm": REFERENCE + ["--model.decoder.style", "luong", "--model.encoder.cell", "lstm",
                               "--model.decoder.cell", "lstm", "--model.attention.score", "general",
                               "--model.decoder.input_feeding", "true"],
}
# The settings of configs/multi30k_ende.yaml as options of the twin.
QUALITY = ["--dropout", "0.1", "0.2", "0.3", "--learning-rate", "0.002", "--warmup", "300", "--average", "0.999",
           "--epochs", "11"]
# What makes heed's update the twin's: no dropout, no average of the weights, smoothed labels; both have Adam and clip.
PLAIN = ["--train.label_smoothing", "0.1", "--train.dropout.embedding", "0", "--train.dropout.states", "0",
         "--train.dropout.output", "0", "--train.weight_average", "0"]


FEW = 10  # updates; their lengths and the longest batch among them vary by chance
ENVIRONMENT = """environment:
  HEED               the program (default: build/release/heed)
  HEED_BENCH_DIR     folder for what is made on the way, figures.json and table.md among it (default: build/bench)
  HEED_TORCH_PYTHON  a Python that has torch, sentencepiece and sacrebleu; empty: measure heed alone. Where it is not
                     set, an environment with PyTorch from PyPI, some 5 GB, is made in HEED_BENCH_DIR
"""


def speed(figures):
    return figures["target_tokens_per_second"] if figures else 0


def say(text):
    print(text, file=sys.stderr, flush=True)


def say_if_short(name, figures):
    if figures["updates"] < FEW:
        count = figures["updates"]
        say(f"  {name}: only {count} update{'s' * (count != 1)} measured: speed and memory mean little; raise --seconds")


class Bench:
    def __init__(self, args):
        self.args = args
        self.work = pathlib.Path(args.work)
        self.figures = {}  # name -> list over rounds

    def note(self, name, value):
        self.figures.setdefault(name, []).append(value)
        self.keep()
        say(f"  {name}: {value:,.2f}")

    def heed(self, *words):
        return run([self.args.heed, *words])

    def twin(self, task, *words):
        words = [self.args.python, ROOT / "scripts/bench/twin.py", task, "--threads", str(self.args.threads), *words]
        return json.loads(run(words))

    @functools.cache
    def has_bf16(self):
        """heed uses f32 if the processor has no bf16 instructions."""
        figures = json.loads(self.heed("bench", "--model.embedding", "8", "--model.encoder.hidden", "8", "--seconds", "0",
                                       "--run.precision", "bf16", "--json"))
        if figures["precision"] != "bf16":
            say("this processor has no instructions for bf16: not measured")
        return figures["precision"] == "bf16"

    def checkpoint(self, size):
        """One update of training gives the twin a file with the sizes and the vocabulary."""
        folder = self.work / size
        if not (folder / "last.heed").exists():
            self.heed("train", CONFIG, "--run.dir", folder, "--train.updates", "1", "--train.samples", "0",
                      "--data.valid.source", "", "--data.valid.target", "", "--train.schedule", "constant", *SIZES.get(size, []))
        return folder / "last.heed"

    def check_losses(self):
        """Checks that both give the same log-probabilities from the same weights."""
        for size in self.args.sizes:
            say(f"  {size} | cross-entropy in heed and PyTorch ...")
            model = self.checkpoint(size)
            pair = ["--source", DATA / "test_2016.en", "--target", DATA / "test_2016.de"]
            ours = json.loads(self.heed("score", "--model", model, *pair, "--summary", "--json"))["cross_entropy"]
            theirs = self.twin("score", "--model", model, *pair)["cross_entropy"]
            if abs(ours - theirs) > 1e-5 * abs(theirs):
                sys.exit(f"{size}: cross-entropy {ours} in heed, {theirs} in PyTorch: not the same model")
            say(f"  {size} | cross-entropy: {ours:.5f} and {theirs:.5f}")

    def heed_training(self, size, precision):
        words = [*SIZES[size], *PLAIN, "--run.threads", self.args.threads, "--run.precision", precision]
        figures = json.loads(self.heed("bench", CONFIG, *words, "--seconds", str(self.args.seconds), "--products",
                                       "--profile", "--json"))
        say_if_short(f"{size} | heed {precision}", figures)
        (self.work / f"heed-bench-{size}-{precision}.json").write_text(json.dumps(figures, indent=1))
        self.note(f"{size} | heed {precision} tokens/s", figures["target_tokens_per_second"])
        self.note(f"{size} | heed {precision} share of the GEMM peak, %", 100 * figures["share_of_peak"])
        self.note(f"{size} | GEMM peak {precision}, GFLOP/s", figures["gemm_peak_gflops"])
        ops = figures["profile"]["ops"]
        self.note(f"{size} | products' share of the time {precision}, %",
                  sum(100 * op["share"] for op in ops if op["limit"] == "matrix"))
        alone = [100 * product[kind] / figures["gemm_peak_gflops"] for product in figures["products"]
                 for kind in ("step", "sequence", "gradient")]
        self.note(f"{size} | a product by itself {precision}, % of the peak: slowest", min(alone))
        self.note(f"{size} | a product by itself {precision}, % of the peak: median", statistics.median(alone))
        return figures

    def train_round(self, size):
        ours = {"f32": self.heed_training(size, "f32")}
        self.note(f"{size} | heed peak memory, MB", ours["f32"]["peak_memory_bytes"] / 1e6)
        if "bf16" in self.args.precisions and self.has_bf16():
            ours["bf16"] = self.heed_training(size, "bf16")
            self.note(f"{size} | heed bf16 / heed f32", speed(ours["bf16"]) / speed(ours["f32"]))
        if not self.args.python:
            return
        best = {}
        for mode in self.args.modes:
            precision = "bf16" if "bf16" in mode else "f32"
            words = ["--compile"] * ("compiled" in mode) + ["--bf16"] * ("bf16" in mode)
            say(f"  {size} | torch {mode} ...")
            try:
                theirs = self.twin("train", "--model", self.checkpoint(size), "--source", DATA / "train.en", "--target",
                                   DATA / "train.de", "--seconds", str(self.args.seconds), *words)
            except SystemExit as problem:  # torch.compile fails for some models
                say(f"  {size} | torch {mode}: {problem}")
                continue
            say_if_short(f"{size} | torch {mode}", theirs)
            self.note(f"{size} | torch {mode} tokens/s", speed(theirs))
            self.note(f"{size} | torch {mode} peak memory, MB", theirs["peak_memory_bytes"] / 1e6)
            if speed(theirs) > speed(best.get(precision)):
                best[precision] = theirs
        for precision in ours.keys() & best.keys():
            self.note(f"{size} | heed / torch's best, {precision}", speed(ours[precision]) / speed(best[precision]))
        if "f32" in best:
            self.note(f"{size} | memory, torch / heed",
                      best["f32"]["peak_memory_bytes"] / ours["f32"]["peak_memory_bytes"])

    def heed_translation(self, source, beam, batch, *words):
        tokens = 1 if batch == 1 else batch * 16  # heed cuts batches by tokens; a sentence has about 15
        start = time.perf_counter()
        self.heed("translate", "--model", self.args.model, "--input", source, "--output", self.work / "heed.de", "--beam",
                  beam, "--batch-tokens", tokens, "--threads", self.args.threads, *words)
        return time.perf_counter() - start

    def translate_round(self, beam, batch):
        """The twin's clock starts when its model is loaded and warm; heed's start-up time is measured and subtracted."""
        source, words = DATA / "test_2016.en", f"beam {beam}, batch {batch}"
        two = self.work / "two.en"
        two.write_text("".join(source.read_text().splitlines(True)[:2]))
        start_up = self.heed_translation(two, beam, batch)
        int8 = self.heed_translation(source, beam, batch, "--precision", "int8")
        ours = self.heed_translation(source, beam, batch)
        self.note(f"{words} | heed s, whole process", ours)
        self.note(f"{words} | heed s, of it start-up", start_up)
        self.note(f"{words} | heed s without start-up", ours - start_up)
        self.note(f"{words} | f32 / int8", (ours - start_up) / (int8 - start_up))
        modes = [mode for mode in self.args.modes if "bf16" not in mode]
        if not self.args.python or not modes:
            return
        output, best = self.work / "torch.de", math.inf
        for mode in modes:
            say(f"  {words} | torch {mode} ...")
            theirs = self.twin("translate", "--model", self.args.model, "--source", source, "--output", output, "--beam",
                               beam, "--batch", batch, *["--compile"] * ("compiled" in mode))
            self.note(f"{words} | torch {mode} s", theirs["seconds"])
            best = min(best, theirs["seconds"])
        self.note(f"{words} | torch's best / heed", best / (ours - start_up))
        lines = [path.read_text().split("\n") for path in (self.work / "heed.de", output)]
        self.note(f"{words} | equal lines %", 100 * sum(a == b for a, b in zip(*lines)) / len(lines[0]))

    def quality(self):
        """Training from raw text to BLEU with the config's epochs; the curves as one picture."""
        runs = []
        for precision in self.args.precisions:
            run_dir = self.work / f"heed {precision}"
            shutil.rmtree(run_dir, ignore_errors=True)
            start = time.perf_counter()
            self.heed("train", CONFIG, "--run.dir", run_dir, "--run.threads", self.args.threads, "--run.precision",
                      precision)
            self.note(f"time to quality | {run_dir.name}: minutes", (time.perf_counter() - start) / 60)
            self.heed("translate", "--model", run_dir / "best.heed", "--input", DATA / "test_2016.en", "--output",
                      run_dir / "test.de", "--beam", "1")
            runs.append(run_dir)
        if self.args.python:
            run_dir = self.work / "PyTorch f32"
            run_dir.mkdir(exist_ok=True)
            say(f"  time to quality | {run_dir.name}, {self.args.minutes:g} minutes ...")
            self.twin("fit", "--model", self.checkpoint("quality"), "--source", DATA / "train.en", "--target",
                      DATA / "train.de", "--valid-source", DATA / "val.en", "--valid-target", DATA / "val.de",
                      "--output", run_dir / "log.jsonl", "--minutes", str(self.args.minutes), "--test-source", DATA / "test_2016.en",
                      "--translation", run_dir / "test.de", *QUALITY)
            runs.append(run_dir)
        for run_dir in runs:
            text = self.heed("evaluate", "--hypothesis", run_dir / "test.de", "--reference", DATA / "test_2016.de",
                             "--json")
            self.note(f"time to quality | {run_dir.name}: BLEU of greedy output", json.loads(text)["score"])
        self.plot_bleu(runs)

    def plot_bleu(self, runs):
        """The picture shows only the measure that all runs have."""
        folders = []
        for run_dir in runs:
            lines = map(json.loads, (run_dir / "log.jsonl").read_text().splitlines())
            kept = [{key: line[key] for key in ("type", "update", "minutes", "bleu")} for line in lines if "bleu" in line]
            folders.append(self.work / "curves" / run_dir.name)
            folders[-1].mkdir(parents=True, exist_ok=True)
            (folders[-1] / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in kept))
        self.heed("plot", *folders, "--against", "minutes", "--output", self.work / "quality.png")

    def keep(self):
        """Writes all figures so far, including those of other parts: a run that is stopped loses nothing."""
        path = self.work / "figures.json"
        kept = {**(json.loads(path.read_text()) if path.exists() else {}), **self.figures}
        path.write_text(json.dumps(kept, indent=1))
        (self.work / "table.md").write_text(readme_tables(kept))

    def print_table(self):
        lines = ["| what | figure | median | least | greatest |", "|---|---|---|---|---|"]
        for name, values in self.figures.items():
            what, _, figure = name.partition(" | ")
            number = lambda x: f"{x:,.0f}" if x >= 1000 else f"{x:.2f}"
            lines.append(f"| {what} | {figure} | {number(statistics.median(values))} | {number(min(values))} |"
                         f" {number(max(values))} |")
        print("\n".join(lines))
        print("\n" + readme_tables(self.figures))


def arguments():
    parser = argparse.ArgumentParser(prog="bench.sh", description=__doc__, epilog=ENVIRONMENT, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--heed", "--work", "--python"):  # from bench.sh
        parser.add_argument(name, default="", help=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--model", metavar="FILE", help="a trained model for the translation part (default: "
                        f"{DEFAULT_MODEL.relative_to(ROOT)}; translation is left out where there is none)")
    parser.add_argument("--rounds", type=at_least(1), default=3, metavar="N",
                        help="number of alternating rounds (default: 3)")
    parser.add_argument("--seconds", type=positive, default=15, help="of each training measurement (default: 15)")
    parser.add_argument("--threads", type=at_least(1), default=2, metavar="N", help="of both (default: 2)")
    parser.add_argument("--minutes", type=positive, default=20, help="of PyTorch's training to quality (default: 20)")
    parser.add_argument("--sizes", nargs="+", choices=list(SIZES), default=list(SIZES), help="of training (default: all)")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=MODES, metavar="MODE",
                        help=f"of PyTorch (default: all): {', '.join(map(repr, MODES))}")
    parser.add_argument("--precisions", nargs="+", choices=["f32", "bf16"], default=["f32", "bf16"],
                        help="of heed's training and of quality; training always has f32 (default: both)")
    parser.add_argument("--parts", nargs="+", choices=["train", "translate", "quality"], default=["train", "translate"],
                        help="quality: training from text to BLEU in each precision, and as long as --minutes in "
                        "PyTorch (default: train translate)")
    args = parser.parse_args()
    if args.model is None:
        args.model = str(DEFAULT_MODEL)
    elif not pathlib.Path(args.model).is_file():
        parser.error(f"--model {args.model}: there is no such file")
    return args


def main():
    args = arguments()
    if args.check:
        return
    bench = Bench(args)
    has_model = pathlib.Path(args.model).exists()
    if args.parts == ["translate"] and not has_model:
        sys.exit(f"bench.sh: there is no {args.model}: train one (scripts/bench/README.md), or name one with --model")
    if "translate" in args.parts and not has_model:
        say(f"no {args.model}: translation is not measured (train one, or name one with --model)")
    if args.python and "train" in args.parts:
        bench.check_losses()
    for number in range(args.rounds):
        say(f"round {number + 1} of {args.rounds}")
        for size in args.sizes if "train" in args.parts else []:
            bench.train_round(size)
        for beam, batch in [(1, 32), (5, 32), (1, 1), (5, 1)] if "translate" in args.parts and has_model else []:
            bench.translate_round(beam, batch)
    if "quality" in args.parts:
        bench.quality()
    bench.print_table()


if __name__ == "__main__":
    main()
