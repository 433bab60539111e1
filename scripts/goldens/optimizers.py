"""optimizers.json: parameters after each of 5 updates with given gradients, as torch.optim computes them."""

import torch
from common import Numbers, write

N, UPDATES, SEED = 6, 5, 41
OPTIMIZERS = {
    "adam": (torch.optim.Adam, {"lr": 0.01, "betas": (0.9, 0.999), "eps": 1e-8}),
    "sgd": (torch.optim.SGD, {"lr": 0.1}),
    "sgd_momentum": (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9}),
    "adadelta": (torch.optim.Adadelta, {"lr": 1.0, "rho": 0.95, "eps": 1e-6}),
    "adadelta_half": (torch.optim.Adadelta, {"lr": 0.5, "rho": 0.9, "eps": 1e-4}),
}

n = Numbers(SEED)
start = n(N).detach()
given = n(UPDATES, N).detach()
given[:, 0] = 0.0  # a parameter without a gradient does not change
given[:, 1] *= 1e-3
content = {"start": start, "gradients": given}
for name, (kind, settings) in OPTIMIZERS.items():
    p = start.clone().requires_grad_()
    optimizer = kind([p], **settings)
    after = []
    for g in given:
        p.grad = g.clone()
        optimizer.step()
        after.append(p.detach().clone())
    content[name] = {"settings": settings, "parameters": torch.stack(after)}
write("optimizers", SEED, "start [N], gradients [updates,N]; parameters [updates,N] after each update", content)
