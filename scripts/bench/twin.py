#!/usr/bin/env python3
"""The model of heed in PyTorch, written to be as fast as PyTorch allows: what heed's speed is compared with.

Needs torch, sentencepiece and (fit) sacrebleu from PyPI; scripts/bench.sh makes an environment with them. Reads heed's checkpoints
(safetensors) by itself, so weights, sizes and structure are those of the file: GRU or LSTM, Bahdanau or Luong style,
additive, general or dot attention, input feeding or not, one layer a side.

  twin.py score     --model M --source F --target F            sum of log p of the target and its tokens
  twin.py train     --model M --source F --target F [--compile] [--bf16] [--seconds N]
  twin.py fit       --model M --source F --target F --valid-source F --valid-target F --output LOG [--minutes N]
                    --test-source F --translation F
  twin.py translate --model M --source F --output F [--beam K] [--batch N] [--compile]
Each prints one JSON object. Letters: B batch, S source, T target, H hidden, K beam.
"""

import argparse
import base64
import contextlib
import itertools
import json
import math
import random
import resource
import struct
import time

import sentencepiece
import torch
from torch.nn import functional as F

START, END = 1, 2


def read_checkpoint(path):
    """Tensors by name, and the SentencePiece model both sides share."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
        data = bytearray(file.read())
    meta = header.pop("__metadata__")
    tensors = {}
    for name, about in header.items():
        begin, end = about["data_offsets"]
        part = torch.frombuffer(data, dtype=torch.float32, count=(end - begin) // 4, offset=begin)
        tensors[name] = part.reshape(about["shape"]).clone()
    kind, _, text = meta["source_vocabulary"].partition("\n")
    if kind != "sentencepiece":
        raise SystemExit(f"{path}: a {kind} vocabulary; the comparison is written for sentencepiece")
    return tensors, sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(text))


class Twin(torch.nn.Module):
    def __init__(self, tensors, dropout=(0.0, 0.0, 0.0)):
        super().__init__()
        t = {k: v for k, v in tensors.items() if not k.startswith(("optimizer.", "average."))}
        if any(k.startswith(("encoder.1", "decoder.1")) for k in t):
            raise SystemExit("more than one layer: the comparison is written for one")
        self.p = torch.nn.ParameterDict({k.replace(".", "/"): torch.nn.Parameter(v) for k, v in t.items()})
        self.hidden = t["decoder.0.recurrent"].shape[0]
        self.gru = t["decoder.0.recurrent"].shape[1] == 3 * self.hidden
        self.bahdanau = "decoder.0.context" in t
        self.feeding = "decoder.0.feed" in t
        self.additive = "attention.v" in t
        self.drop_embedding, self.drop_states, self.drop_output = dropout
        self.encoder = self.make_encoder(t)
        for name in list(self.p):
            if name.startswith("encoder/"):
                del self.p[name]

    def __getitem__(self, name):
        return self.p[name.replace(".", "/")]

    def has(self, name):
        return name.replace(".", "/") in self.p

    def make_encoder(self, t):
        """torch.nn.GRU or LSTM with our weights; its gates come in the same order, its matrices transposed."""
        inputs, hidden = t["encoder.0.forward.input"].shape[0], t["encoder.0.forward.recurrent"].shape[0]
        both = "encoder.0.backward.input" in t
        rnn = (torch.nn.GRU if self.gru else torch.nn.LSTM)(inputs, hidden, bidirectional=both)
        with torch.no_grad():
            for side, suffix in [("forward", ""), ("backward", "_reverse")][: 1 + both]:
                name = f"encoder.0.{side}"
                getattr(rnn, "weight_ih_l0" + suffix).copy_(t[name + ".input"].t())
                getattr(rnn, "weight_hh_l0" + suffix).copy_(t[name + ".recurrent"].t())
                getattr(rnn, "bias_ih_l0" + suffix).copy_(t[name + ".input_bias"])
                zero = torch.zeros_like(t[name + ".input_bias"])
                getattr(rnn, "bias_hh_l0" + suffix).copy_(t.get(name + ".recurrent_bias", zero))
        return rnn

    def target_table(self):
        return self["target.embedding"]

    def embed(self, ids, table):
        x = F.embedding(ids, table) * math.sqrt(table.shape[1])
        return F.dropout(x, self.drop_embedding, self.training)

    def encode(self, source, lengths):
        """source [S, B] -> states, keys, mask, all batch first, and the decoder's first state."""
        table = self["source.embedding"] if self.has("source.embedding") else self.target_table()
        packed = torch.nn.utils.rnn.pack_padded_sequence(self.embed(source, table), lengths, enforce_sorted=False)
        states, last = self.encoder(packed)
        states, _ = torch.nn.utils.rnn.pad_packed_sequence(states)
        last = last if self.gru else last[0]
        summary = torch.cat([last[0], last[1]], 1) if last.shape[0] == 2 else last[0]
        s = torch.tanh(summary @ self["decoder.initial.0.weight"] + self["decoder.initial.0.bias"])
        states = F.dropout(states, self.drop_states, self.training).transpose(0, 1).contiguous()
        keys = states
        if self.has("attention.key"):
            keys = states @ self["attention.key"]
        if self.has("attention.bias"):
            keys = keys + self["attention.bias"]
        mask = torch.arange(states.shape[1])[None, :] >= lengths[:, None]
        feed = torch.zeros(s.shape[0], self["readout.bias"].shape[0])
        return (states, keys, mask), (s, torch.zeros_like(s), feed)

    def attend(self, memory, s):
        states, keys, mask = memory
        if self.additive:
            scores = torch.tanh(keys + (s @ self["attention.query"])[:, None]) @ self["attention.v"]
        else:
            scores = torch.bmm(keys, s[:, :, None])[:, :, 0]
        weights = torch.softmax(scores.masked_fill(mask, -1e9), 1)
        return torch.bmm(weights[:, None], states)[:, 0]

    def cell(self, x, state):
        """x: the products of all inputs with their weights, with the bias."""
        s, c, _ = state
        h = s @ self["decoder.0.recurrent"]
        if not self.gru:
            i, f, g, o = (x + h).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            return torch.sigmoid(o) * torch.tanh(c), c
        xr, xz, xn = x.chunk(3, 1)
        hr, hz, hn = (h + self["decoder.0.recurrent_bias"]).chunk(3, 1)
        z = torch.sigmoid(xz + hz)
        n = torch.tanh(xn + torch.sigmoid(xr + hr) * hn)
        return (1 - z) * n + z * s, c

    def step(self, x, read, memory, state):
        """x [B, gates H] and read [B, R]: what the target word gives to cell and readout."""
        s, c, feed = state
        if self.feeding:
            x = x + feed @ self["decoder.0.feed"]
        if self.bahdanau:
            context = self.attend(memory, s)
            s, c = self.cell(x + context @ self["decoder.0.context"], state)
        else:
            s, c = self.cell(x, state)
            context = self.attend(memory, s)
        if not self.feeding:
            return s, context, (s, c, feed)
        feed = torch.tanh(read + s @ self["readout.state"] + context @ self["readout.context"])
        return s, context, (s, c, feed)

    def of_words(self, ids):
        """What does not depend on the steps before, for all steps at once."""
        e = self.embed(ids, self.target_table())
        x = e @ self["decoder.0.input"] + self["decoder.0.input_bias"]
        read = self["readout.bias"].expand(*ids.shape, -1)
        if self.has("readout.embedding"):
            read = read + e @ self["readout.embedding"]
        return x, read

    def output(self):
        return self["output.weight"] if self.has("output.weight") else self.target_table()

    def readouts(self, read, states, contexts):
        return torch.tanh(read + states @ self["readout.state"] + contexts @ self["readout.context"])

    def hidden_rows(self, source, lengths, target_in):
        memory, state = self.encode(source, lengths)
        x, read = self.of_words(target_in)
        states, contexts, feeds = [], [], []
        for t in range(target_in.shape[0]):
            s, context, state = self.step(x[t], read[t], memory, state)
            states.append(s)
            contexts.append(context)
            feeds.append(state[2])
        if self.feeding:
            return torch.stack(feeds)
        return self.readouts(read, torch.stack(states), torch.stack(contexts))

    def logits(self, batch):
        source, lengths, target, real = batch
        first = torch.full((1, target.shape[1]), START)
        rows = self.hidden_rows(source, lengths, torch.cat([first, target[:-1]]))[real]
        rows = F.dropout(rows, self.drop_output, self.training)
        return rows @ self.output().t() + self["output.bias"]


def pad(rows):
    size = max(map(len, rows))
    return torch.tensor([r + [END] * (size - len(r)) for r in rows]).t().contiguous()


def make_batch(pairs):
    source, target = [s for s, _ in pairs], [t for _, t in pairs]
    lengths = torch.tensor([len(t) for t in target])
    real = torch.arange(int(lengths.max()))[:, None] < lengths[None, :]
    return pad(source), torch.tensor([len(s) for s in source]), pad(target), real


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def read_pairs(pieces, args):
    ids = lambda path: [s + [END] for s in pieces.encode(read_lines(path))]
    return list(zip(ids(args.source), ids(args.target)))


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


def epoch_batches(pairs, seed):
    """As heed's: batches of 80 sentences out of sorted pools."""
    pairs = random.Random(seed).sample(pairs, len(pairs))
    pools = [sorted(pairs[i : i + 4000], key=lambda p: (len(p[0]), len(p[1]))) for i in range(0, len(pairs), 4000)]
    batches = [pool[i : i + 80] for pool in pools for i in range(0, len(pool), 80)]
    random.Random(seed + 1).shuffle(batches)
    return batches


class Updates:
    """Updates as heed makes them: loss, clipping, Adam."""

    def __init__(self, model, args):
        self.model, self.bf16 = model.train(), args.bf16
        self.count, self.rate, self.warmup = 0, args.learning_rate, args.warmup
        self.optimizer = torch.optim.Adam(model.parameters(), lr=args.learning_rate, fused=True)
        if args.compile:
            model.step = torch.compile(model.step, dynamic=True)

    def make(self, pairs):
        batch = make_batch(pairs)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
            logits = self.model.logits(batch)
        loss = F.cross_entropy(logits.float(), batch[2][batch[3]], label_smoothing=0.1)
        self.count += 1
        if self.warmup > 0:  # heed's inverse_sqrt
            self.optimizer.param_groups[0]["lr"] = self.rate * min(self.count / self.warmup,
                                                                   math.sqrt(self.warmup / self.count))
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return int(batch[3].sum())


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


class Average:
    """The moving average of the weights, as heed's train.weight_average."""

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
    updates, average = Updates(model, args), Average(model, args.average)
    pairs = read_pairs(pieces, args)
    sources = [s + [END] for s in pieces.encode(read_lines(args.valid_source))]
    references = read_lines(args.valid_target)
    count = 0
    minutes = lambda: (time.perf_counter() - start) / 60
    with open(args.output, "w", encoding="utf-8") as log:
        for epoch in itertools.count():
            for part in epoch_batches(pairs, 2 * epoch):
                updates.make(part)
                average.follow()
                count += 1
                over = minutes() >= args.minutes
                if count % 360 == 0 or over:
                    with average.in_place():
                        found = translate_all(model, pieces, sources, 1, 80)
                    bleu = sacrebleu.corpus_bleu(found, [references]).score
                    report = {"type": "valid", "update": count, "minutes": minutes(), "bleu": bleu}
                    print(json.dumps(report), file=log, flush=True)
                if over:
                    break
            if over:
                break
    with average.in_place():
        found = translate_all(model, pieces, [s + [END] for s in pieces.encode(read_lines(args.test_source))], 1, 80)
    write_lines(args.translation, found)
    return report


def penalty(length, alpha=0.6):
    return ((5 + length) / 6) ** alpha


@torch.no_grad()
def search(model, sources, beam):
    """Beam search as heed's: live and finished hypotheses share the places of the beam."""
    lengths = torch.tensor([len(s) for s in sources])
    memory, state = model.encode(pad(sources), lengths)
    B, K = len(sources), beam
    limits = [3 * (len(s) - 1) + 10 for s in sources]
    memory = tuple(m.repeat_interleave(K, 0) for m in memory)
    state = tuple(s.repeat_interleave(K, 0) for s in state)
    scores = torch.full((B, K), -math.inf)
    scores[:, 0] = 0
    places = torch.full((B, 1), K)
    tokens = torch.full((B * K,), START)
    history, parents = [], []
    best = [(-math.inf, None)] * B  # score, (step, row)
    done = [False] * B
    for length in range(1, max(limits) + 2):
        x, read = model.of_words(tokens)
        s, context, state = model.step(x, read, memory, state)
        rows = state[2] if model.feeding else model.readouts(read, s, context)
        logits = rows @ model.output().t() + model["output.bias"]
        logits[:, :END] = -math.inf
        log_p = torch.log_softmax(logits, 1) if K > 1 else logits
        V = log_p.shape[1]
        values, index = (scores.reshape(-1, 1) + log_p).reshape(B, K * V).topk(K)
        parent, token = index // V, index % V
        values = values.masked_fill(torch.arange(K)[None] >= places, -math.inf)
        ended = (token == END) & (values > -math.inf)
        history.append(token)
        parents.append(parent)
        for b, j in ended.nonzero().tolist():
            value = values[b, j].item() / penalty(length)
            if value > best[b][0]:
                best[b] = (value, (length - 1, j))
        places = places - ended.sum(1, keepdim=True)
        scores = values.masked_fill(ended, -math.inf)
        top = scores.max(1).values.tolist()
        for b in range(B):
            over = top[b] == -math.inf or top[b] / penalty(limits[b] + 1) <= best[b][0]
            done[b] = done[b] or over or length > limits[b]
        if all(done):
            break
        if K > 1:
            rows = (parent + torch.arange(B)[:, None] * K).reshape(-1)
            state = tuple(s[rows] for s in state)
        tokens = token.reshape(-1)
    return [trace(history, parents, b, end) for b, (_, end) in enumerate(best)]


def trace(history, parents, b, end):
    ids = []
    step, row = end if end is not None else (len(history) - 1, 0)
    while step >= 0:
        ids.append(int(history[step][b, row]))
        row = int(parents[step][b, row])
        step -= 1
    return [i for i in reversed(ids) if i != END]


def translate_all(model, pieces, sources, beam, batch):
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    output = [None] * len(sources)
    for i in range(0, len(order), batch):
        part = order[i : i + batch]
        for at, ids in zip(part, search(model, [sources[j] for j in part], beam)):
            output[at] = pieces.decode(ids)
    return output


def translate(args):
    tensors, pieces = read_checkpoint(args.model)
    model = Twin(tensors).eval()
    if args.compile:
        model.step = torch.compile(model.step, dynamic=True)
    lines = read_lines(args.source)
    search(model, [s + [END] for s in pieces.encode(lines[:2])], args.beam)  # compiles, warms up
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
    parser.add_argument("--warmup", type=int, default=0, help="updates of warm-up, then inverse square root; 0: none")
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
