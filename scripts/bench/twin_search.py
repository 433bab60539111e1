"""Beam search as in heed. Letters: B sentences in the batch, K beam, V vocabulary."""

import math

import torch

from twin_data import pad
from twin_model import END, START

SHRINK = 0.75  # the batch shrinks when at most this share of it is still being searched


def penalty(length, alpha=0.6):
    return ((5 + length) / 6) ** alpha


class Search:
    """Live and finished hypotheses share the slots of the beam; finished sentences leave the batch."""

    def __init__(self, model, sources, beam):
        self.model, self.K = model, beam
        memory, state = model.encode(pad(sources), torch.tensor([len(s) for s in sources]))
        self.memory = tuple(m.repeat_interleave(beam, 0) for m in memory)
        self.state = tuple(s.repeat_interleave(beam, 0) for s in state)
        self.live = list(range(len(sources)))  # which sentence each row of the batch is
        self.limits = [3 * (len(s) - 1) + 10 for s in sources]
        self.scores = torch.full((len(sources), beam), -math.inf)
        self.scores[:, 0] = 0
        self.places = torch.full((len(sources), 1), beam)
        self.tokens = torch.full((len(sources) * beam,), START)
        self.best = [(-math.inf, None, None)] * len(sources)  # score, last step, place
        self.steps = []  # row of each sentence, tokens [B, K], parents [B, K]
        self.done = set()

    def run(self):
        rows = {b: b for b in self.live}
        while len(self.done) < len(self.best):
            if len(self.live) - sum(b in self.done for b in self.live) <= SHRINK * len(self.live):
                self.shrink()
                rows = {b: row for row, b in enumerate(self.live)}
            self.extend(rows)
        return [self.trace(b) for b in range(len(self.best))]

    def log_probabilities(self):
        model = self.model
        x, read = model.of_words(self.tokens)
        s, context, self.state = model.step(x, read, self.memory, self.state)
        rows = self.state[2] if model.feeding else model.readouts(read, s, context)
        logits = rows @ model.output().t() + model["output.bias"]
        logits[:, :END] = -math.inf
        return torch.log_softmax(logits, 1) if self.K > 1 else logits

    def extend(self, rows):
        log_p = self.log_probabilities()
        B, K, V = len(self.live), self.K, log_p.shape[1]
        values, index = (self.scores.reshape(-1, 1) + log_p).reshape(B, K * V).topk(K)
        parent, token = index // V, index % V
        values = values.masked_fill(torch.arange(K)[None] >= self.places, -math.inf)
        ended = (token == END) & (values > -math.inf)
        self.steps.append((rows, token, parent))
        self.finish(values, ended)
        self.places = self.places - ended.sum(1, keepdim=True)
        self.scores = values.masked_fill(ended, -math.inf)
        self.tokens = token.reshape(-1)
        if K > 1:
            self.state = tuple(s[(parent + torch.arange(B)[:, None] * K).reshape(-1)] for s in self.state)
        self.note_done()

    def finish(self, values, ended):
        length = len(self.steps)
        for row, place in ended.nonzero().tolist():
            value = values[row, place].item() / penalty(length)
            b = self.live[row]
            if b not in self.done and value > self.best[b][0]:
                self.best[b] = (value, length - 1, place)

    def note_done(self):
        length = len(self.steps)
        for b, top in zip(self.live, self.scores.max(1).values.tolist()):
            over = top == -math.inf or top / penalty(self.limits[b] + 1) <= self.best[b][0]
            if over or length > self.limits[b]:
                if self.best[b][1] is None:
                    self.best[b] = (top, length - 1, 0)
                self.done.add(b)

    def shrink(self):
        keep = torch.tensor([row for row, b in enumerate(self.live) if b not in self.done])
        all_places = (keep[:, None] * self.K + torch.arange(self.K)).reshape(-1)
        self.live = [self.live[row] for row in keep.tolist()]
        self.memory = tuple(m[all_places] for m in self.memory)
        self.state = tuple(s[all_places] for s in self.state)
        self.tokens = self.tokens[all_places]
        self.scores, self.places = self.scores[keep], self.places[keep]

    def trace(self, b):
        ids = []
        _, step, place = self.best[b]
        while step >= 0:
            rows, token, parent = self.steps[step]
            ids.append(int(token[rows[b], place]))
            place = int(parent[rows[b], place])
            step -= 1
        return [i for i in reversed(ids) if i != END]


@torch.no_grad()
def search(model, sources, beam):
    return Search(model, sources, beam).run()


def translate_all(model, pieces, sources, beam, batch):
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    output = [None] * len(sources)
    for i in range(0, len(order), batch):
        part = order[i : i + batch]
        for at, ids in zip(part, search(model, [sources[j] for j in part], beam)):
            output[at] = pieces.decode(ids)
    return output
