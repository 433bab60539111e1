#!/usr/bin/env python3
"""Measures what training costs as its text grows: prints a Markdown table, one row for each size of the corpus.

  scripts/bench/corpus.py [--heed build/release/heed] [--work FOLDER] [--pairs 1000 10000 ...] [--updates 1000]

Each corpus holds lines of the given text, picked at random, and is removed after its run; ten million pairs of Multi30k
take 1.4 GB, and as much again while training reads them. The model is small, so that the data has its full share of the
time. Needs the standard library only.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

from measuring import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = """
run: {{dir: run, threads: {threads}}}
data: {{train: {{source: source.txt, target: target.txt}}, vocab: ../vocabulary.model}}
model: {{encoder: {{hidden: 32}}, decoder: {{hidden: 32}}, attention: {{size: 32}}, embedding: 32}}
train: {{updates: {updates}, epochs: 0, batch_tokens: 2000, report_every: 1}}
"""


def lines_of(path):
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rb") as file:
        return [line.rstrip(b"\n") + b"\n" for line in file]


def write_corpus(folder, pairs, source, target):
    draw = random.Random(pairs)
    with open(folder / "source.txt", "wb") as source_file, open(folder / "target.txt", "wb") as target_file:
        for begin in range(0, pairs, 10000):
            picked = draw.choices(range(len(source)), k=min(10000, pairs - begin))
            source_file.write(b"".join(source[i] for i in picked))
            target_file.write(b"".join(target[i] for i in picked))


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def train(heed, folder):
    """Seconds until the first update, seconds from there to the last one, processor time of these, and the peak of
    resident memory in MB."""
    start = time.monotonic()
    process = subprocess.Popen([heed, "train", folder / "config.yaml"], stderr=subprocess.PIPE, text=True)
    first = last = None
    said = []
    for line in process.stderr:
        said.append(line)
        if "update " in line and "loss" in line:
            last = (time.monotonic(), processor_seconds(process))
            first = first or last
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or first is None:
        sys.exit(f"heed train ended with {process.returncode}: {''.join(said)[-2000:]}")
    return first[0] - start, last[0] - first[0], last[1] - first[1], usage.ru_maxrss / 1024


def measure(args, pairs, source, target):
    folder = args.work / f"pairs_{pairs}"
    folder.mkdir(parents=True)
    try:
        write_corpus(folder, pairs, source, target)
        (folder / "config.yaml").write_text(CONFIG.format(threads=args.threads, updates=args.updates))
        before, during, processor, peak = train(args.heed, folder)
        inspected = json.loads(run([args.heed, "inspect", "--json", folder / "run/last.heed"]))
        tokens = inspected["training_state"]["target_tokens"] * (args.updates - 1) / args.updates
        print(f"| {pairs:,} | {before:.1f} | {before / pairs * 1e6:.1f} | {tokens / during:,.0f} "
              f"| {processor / tokens * 1e6:.1f} | {peak:,.0f} |", flush=True)
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--heed", type=pathlib.Path, default=ROOT / "build/release/heed")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/corpora", help="folder for the corpora")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT / "data/multi30k/train.en")
    parser.add_argument("--target", type=pathlib.Path, default=ROOT / "data/multi30k/train.de")
    parser.add_argument("--pairs", type=int, nargs="+", default=[1000, 10000, 100000, 1000000, 10000000])
    parser.add_argument("--updates", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=0)
    args = parser.parse_args()
    args.heed = args.heed.resolve()
    if not os.access(args.heed, os.X_OK):
        sys.exit(f"corpus.py: no program at {args.heed}; build it (README.md) or give --heed")
    args.work.mkdir(parents=True, exist_ok=True)
    vocabulary = args.work / "vocabulary.model"
    if not vocabulary.exists():
        run([args.heed, "vocab", "--input", args.source, args.target, "--size", 8000, "--output", vocabulary])
    source, target = lines_of(args.source), lines_of(args.target)
    if len(source) != len(target):
        sys.exit(f"{args.source} has {len(source)} lines, {args.target} has {len(target)}; they must match")
    print("| pairs | seconds until the first update | the same for a million pairs | target tokens/s "
          "| processor seconds for a million tokens | peak MB |")
    print("|---|---|---|---|---|---|")
    for pairs in args.pairs:
        measure(args, pairs, source, target)


if __name__ == "__main__":
    main()
