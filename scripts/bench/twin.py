#!/usr/bin/env python3
"""heed's model in PyTorch, written to be as fast as PyTorch allows. heed's speed is compared with it.

Needs torch, sentencepiece and (fit) sacrebleu from PyPI; scripts/bench.sh makes an environment with them. Reads heed's checkpoints
(safetensors) directly, so weights, sizes and structure are those of the file: GRU or LSTM, Bahdanau or Luong style,
additive, general or dot attention, input feeding or not, one layer per side.

  twin.py score     --model M --source F --target F            sum of log p of the target and its tokens
  twin.py train     --model M --source F --target F [--compile] [--bf16] [--seconds N]
  twin.py fit       --model M --source F --target F --valid-source F --valid-target F --output LOG [--minutes N]
                    --test-source F --translation F
  twin.py translate --model M --source F --output F [--beam K] [--batch N] [--compile]
Each prints one JSON object. Letters: B batch, S source, T target, H hidden, K beam.
"""

import argparse
import json
import resource
import sys
import time

try:
    import torch
    from torch.nn import functional as F

    from twin_data import epoch_batches, make_batch, read_lines, read_pairs, write_lines
    from twin_fit import Updates, fit
    from twin_model import END, Twin, read_checkpoint
    from twin_search import search, translate_all
except ModuleNotFoundError as missing:
    sys.exit(f"twin.py: needs {missing.name} from PyPI; scripts/bench.sh makes an environment that has it")


@torch.no_grad()
def score(args):
    tensors, pieces = read_checkpoint(args.model)
    model = Twin(tensors).eval()
    pairs = read_pairs(pieces, args)
    total = tokens = 0
    for i in range(0, len(pairs), 80):
        batch = make_batch(pairs[i : i + 80])
        total -= F.cross_entropy(model.logits(batch), batch[2][batch[3]], reduction="sum").item()
        tokens += int(batch[3].sum())
    return {"log_probability": total, "tokens": tokens, "cross_entropy": -total / tokens}


def train(args):
    tensors, pieces = read_checkpoint(args.model)
    updates = Updates(Twin(tensors, args.dropout), args)
    batches = epoch_batches(read_pairs(pieces, args), 1)
    for pairs in batches[:20]:
        updates.make(pairs)
    tokens, count, start = 0, 0, time.perf_counter()
    while time.perf_counter() - start < args.seconds:
        tokens += updates.make(batches[(20 + count) % len(batches)])
        count += 1
    seconds = time.perf_counter() - start
    return {"target_tokens_per_second": tokens / seconds, "updates": count}


def translate(args):
    tensors, pieces = read_checkpoint(args.model)
    model = Twin(tensors).eval()
    if args.compile:
        model.step = torch.compile(model.step, dynamic=True)
    lines = read_lines(args.source)
    warm = pieces.encode(lines[: 2 * args.batch])  # batches of two sizes, so that it compiles for any size
    for part in (warm[: args.batch], warm[: args.batch // 2 + 1]):
        search(model, [s + [END] for s in part], args.beam)
    start = time.perf_counter()
    sources = [s + [END] for s in pieces.encode(lines)]
    output = translate_all(model, pieces, sources, args.beam, args.batch)
    seconds = time.perf_counter() - start
    write_lines(args.output, output)
    return {"seconds": seconds, "sentences": len(lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("task", choices=["score", "train", "fit", "translate"])
    for name in ["model", "source", "target", "output", "valid-source", "valid-target", "test-source", "translation"]:
        parser.add_argument("--" + name)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--bf16", action="store_true")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--beam", type=int, default=1)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--minutes", type=float, default=20, help="of fit")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--warmup", type=int, default=0, help="updates of linear warm-up")
    parser.add_argument("--epochs", type=int, default=11, help="of fit: after this many the rate is zero")
    parser.add_argument("--average", type=float, default=0.999)
    parser.add_argument("--dropout", type=float, nargs=3, default=(0.0, 0.0, 0.0))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    result = {"score": score, "train": train, "fit": fit, "translate": translate}[args.task](args)
    result["peak_memory_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    result["torch"] = torch.__version__
    print(json.dumps(result))


if __name__ == "__main__":
    main()
