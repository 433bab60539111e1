"""heed's training update, and a complete training with its curve of validation BLEU."""

import contextlib
import json
import time

import torch
from torch.nn import functional as F

from twin_data import epoch_batches, make_batch, read_lines, read_pairs, write_lines
from twin_model import END, Twin, read_checkpoint
from twin_search import translate_all


class Updates:
    """heed's training update: loss, clipping, Adam."""

    def __init__(self, model, args, planned=0):
        """planned: number of updates after which the rate, after the warm-up, has fallen linearly to zero; 0: it is constant."""
        self.model, self.bf16, self.planned = model.train(), args.bf16, planned
        self.count, self.rate, self.warmup = 0, args.learning_rate, args.warmup
        self.optimizer = torch.optim.Adam(model.parameters(), lr=args.learning_rate, fused=True)
        if args.compile:
            model.step = torch.compile(model.step, dynamic=True)

    def learning_rate(self):
        if self.count < self.warmup:
            return self.rate * self.count / self.warmup
        return self.rate * max(0, 1 - (self.count - 1) / self.planned) if self.planned else self.rate

    def make(self, pairs):
        batch = make_batch(pairs)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            logits = self.model.logits(batch)
        loss = F.cross_entropy(logits.float(), batch[2][batch[3]], label_smoothing=0.1)
        self.count += 1
        self.optimizer.param_groups[0]["lr"] = self.learning_rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return int(batch[3].sum())


class Average:
    """The moving average of the weights, as train.weight_average in heed."""

    def __init__(self, model, decay):
        self.model, self.decay, self.count = model, decay, 0
        self.values = {name: value.detach().clone() for name, value in model.state_dict().items()}

    @torch.no_grad()
    def follow(self):
        self.count += 1
        decay = min(self.decay, self.count / (self.count + 9))
        for name, value in self.model.state_dict().items():
            self.values[name].lerp_(value, 1 - decay)

    @contextlib.contextmanager
    def in_place(self):
        kept = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(self.values)
        self.model.eval()
        yield
        self.model.load_state_dict(kept)
        self.model.train()


def fit(args):
    """Trains as configs/multi30k_ende.yaml does and writes the BLEU of greedy output against minutes, as heed's log."""
    import sacrebleu

    start = time.perf_counter()
    tensors, pieces = read_checkpoint(args.model)
    model = Twin(tensors, args.dropout)
    pairs = read_pairs(pieces, args)
    planned = args.epochs * len(epoch_batches(pairs, 0))
    updates, average = Updates(model, args, planned), Average(model, args.average)
    sources = [s + [END] for s in pieces.encode(read_lines(args.valid_source))]
    references = read_lines(args.valid_target)
    minutes = lambda: (time.perf_counter() - start) / 60
    batches = (part for epoch in range(args.epochs) for part in epoch_batches(pairs, 2 * epoch))
    with open(args.output, "w", encoding="utf-8") as log:
        for part in batches:
            updates.make(part)
            average.follow()
            over = minutes() >= args.minutes or updates.count == planned
            if updates.count % 360 == 0 or over:
                with average.in_place():
                    found = translate_all(model, pieces, sources, 1, 80)
                bleu = sacrebleu.corpus_bleu(found, [references]).score
                report = {"type": "valid", "update": updates.count, "minutes": minutes(), "bleu": bleu}
                print(json.dumps(report), file=log, flush=True)
            if over:
                break
    with average.in_place():
        found = translate_all(model, pieces, [s + [END] for s in pieces.encode(read_lines(args.test_source))], 1, 80)
    write_lines(args.translation, found)
    return report
