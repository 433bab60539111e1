"""Helpers of the programs that make the goldens: seeded numbers, PyTorch's packed RNNs, the JSON format.

The goldens in tests/golden were made once with PyTorch (float64, CPU); neither users nor tests need it. To make one
again: pip install torch numpy, then python3 scripts/goldens/NAME.py. A tensor in a golden is {"shape": [...],
"data": [...]}, row-major; tests/support/golden.h reads it.
"""

import json
import pathlib
import sys

import torch

torch.set_default_dtype(torch.float64)
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden"


class Numbers:
    """Random leaf tensors, drawn in the order of the calls."""

    def __init__(self, seed, scale=0.7):
        self.generator = torch.Generator().manual_seed(seed)
        self.scale = scale

    def __call__(self, *shape, scale=None):
        x = torch.randn(*shape, generator=self.generator) * (scale or self.scale)
        return x.round(decimals=6).requires_grad_()


def bidirectional(cell, x, lengths, initial, weights):
    """PyTorch's own RNN over packed sequences; both directions at once.

    x [S,B,E]; initial: per direction a tuple of states [B,H] (one for GRU, two for LSTM); weights: per direction
    (W [E,nH], U [H,nH], input bias [nH], recurrent bias [nH]), that is transposed compared with PyTorch.
    Returns output [S,B,2H], zero beyond the lengths, and the final states, each [2,B,H].
    """
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor(lengths), enforce_sorted=False)
    order = packed.sorted_indices
    flat = [t for w, u, b, c in weights for t in (w.t(), u.t(), b, c)]
    states = [torch.stack(s)[:, order] for s in zip(*initial)]
    hx = states[0] if cell == "gru" else states
    out, *final = getattr(torch, cell)(packed.data, packed.batch_sizes, hx, flat, True, 1, 0.0, False, True)
    out = torch.nn.utils.rnn.PackedSequence(out, packed.batch_sizes, order, packed.unsorted_indices)
    out, _ = torch.nn.utils.rnn.pad_packed_sequence(out, total_length=x.shape[0])
    return out, [f[:, packed.unsorted_indices] for f in final]


def valid_mask(lengths, size):
    """[S,B], true at real positions."""
    return torch.arange(size)[:, None] < torch.tensor(lengths)[None, :]


def gradients(loss, leaves):
    """d loss / d leaf for a dictionary of leaves; zero if the loss does not depend on it."""
    found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True, retain_graph=True)
    return {n: torch.zeros_like(x) if g is None else g for (n, x), g in zip(leaves.items(), found)}


def plain(value):
    """Tensors to {"shape", "data"}, everything else unchanged."""
    if isinstance(value, torch.Tensor):
        return {"shape": list(value.shape), "data": value.detach().reshape(-1).tolist()}
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def write(name, seed, about, content):
    head = {
        "command": f"python3 scripts/goldens/{pathlib.Path(sys.argv[0]).name}",
        "torch": torch.__version__,
        "seed": seed,
        "about": about,
    }
    text = ",\n".join(f" {json.dumps(k)}: {json.dumps(plain(v))}" for k, v in {**head, **content}.items())
    (FOLDER / f"{name}.json").write_text("{\n" + text + "\n}\n", encoding="utf-8")
    print(f"{name}.json written")
