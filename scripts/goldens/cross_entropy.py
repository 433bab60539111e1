"""cross_entropy.json: smoothed cross-entropy of rows of logits, PyTorch's own against q = (1-s) onehot + s/V."""

import torch
from common import Numbers, gradients, write

M, V, SEED = 6, 7, 31
TARGETS = [3, 0, -1, 6, 2, 2]  # -1: padding

n = Numbers(SEED, scale=2.0)
logits = n(M, V).detach()
logits[4] = torch.tensor([50.0, -80.0, 49.5, 0.0, 48.0, -1.0, 50.0])  # far apart, so that the maximum must be subtracted
logits[5] += 300.0
logits.requires_grad_()
targets = torch.tensor(TARGETS)

content = {"logits": logits, "targets": TARGETS, "log_softmax": torch.log_softmax(logits, 1), "smoothing": {}}
for smoothing in [0.0, 0.1]:
    loss = torch.nn.functional.cross_entropy(
        logits, targets, ignore_index=-1, label_smoothing=smoothing, reduction="none"
    )
    content["smoothing"][str(smoothing)] = {
        "loss": loss,
        "nll": torch.nn.functional.cross_entropy(logits, targets, ignore_index=-1, reduction="none"),
        "gradient": gradients(loss.sum(), {"logits": logits})["logits"],
    }
write(
    "cross_entropy",
    SEED,
    "logits [M,V]; target -1 is padding (loss and gradient 0); loss and nll [M]; gradient of the sum of loss",
    content,
)
