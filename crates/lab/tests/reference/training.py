#!/usr/bin/env python3
"""Writes training.tsv: the losses of 20 training steps in PyTorch, in f64, for each encoding.

Weights and sequences are given by whole numbers, as in ../training/small_model.rs. The model is written here from the papers, with
autograd and torch.optim.Adam; gradients are clipped by hand, since clip_grad_norm_ adds 1e-6 to the norm. The file in the
repository was made under Python 3.11 with torch 2.15.0.

Each line holds the encoding and the losses before each step, separated by tabs.
"""
import math
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy

torch.set_default_dtype(torch.float64)
TOKENS, VOCABULARY, D_MODEL, LAYERS, LENGTH, SEQUENCES, POSITIONS, BASE, K = 5, 6, 8, 2, 20, 3, 24, 100.0, 2
SLOPE, BUCKETS, MAX_DISTANCE = 0.25, 32, 128
STEPS, WARM_UP, RATE, LAST_SHARE, MAX_NORM = 20, 5, 0.02, 0.05, 0.5


def hashed(i):
    return (i * 7919 + 13) * 10473 % 65536


def make_parameters(encoding):
    """The parameters by name, in the order in which they are numbered."""
    square = (D_MODEL, D_MODEL)
    shapes = {"embedding": (VOCABULARY, D_MODEL)}
    for layer in range(LAYERS):
        shapes |= {f"{name}{layer}": square for name in "qkvo"}
    shapes |= {"unembedding": (D_MODEL, VOCABULARY), "constant": (D_MODEL,)}
    if encoding == "learned":
        shapes["table"] = (POSITIONS, D_MODEL)
    if encoding == "t5":
        shapes["buckets"] = (BUCKETS,)
    parameters, count = {}, 0
    for name, shape in shapes.items():
        size = math.prod(shape)
        values = [0.75 * (hashed(i) / 32768 - 1) for i in range(count, count + size)]
        parameters[name] = torch.tensor(values).reshape(shape).requires_grad_()
        count += size
    return parameters


def make_batch(step):
    cells = [[hashed((step * SEQUENCES + s) * LENGTH + at) // 64 % TOKENS for at in range(LENGTH)]
             for s in range(SEQUENCES)]
    return torch.tensor(cells)


# Vaswani et al. 2017, section 3.5.
positions = torch.arange(POSITIONS)
angles = positions[:, None] * BASE ** (-torch.arange(0, D_MODEL, 2) / D_MODEL)
sinusoids = torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(POSITIONS, D_MODEL)
# Su et al. 2021, section 3.4: pairs as complex numbers, turned by multiplication.
turns = torch.polar(torch.ones_like(angles), angles)


def rotate(x, at):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], D_MODEL // 2, 2))
    return torch.view_as_real(pairs * turns[at]).reshape(x.shape)


def t5_bucket(distance):
    """_relative_position_bucket of mesh-tensorflow, for keys behind the query."""
    exact = BUCKETS // 2
    wide = exact + (torch.log(distance.clamp(min=1) / exact) / math.log(MAX_DISTANCE / exact) * (BUCKETS - exact)).long()
    return torch.where(distance < exact, distance, wide.clamp(max=BUCKETS - 1))


def loss_of(encoding, p, tokens):
    at = torch.arange(SEQUENCES)[:, None] + torch.arange(LENGTH)
    x = p["embedding"][tokens] + p["constant"]
    if encoding == "sinusoidal":
        x = x + sinusoids[at]
    if encoding == "learned":
        x = x + p["table"][at]
    distance = torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)
    for layer in range(LAYERS):
        q, k, v = (x @ p[f"{name}{layer}"] for name in "qkv")
        if encoding == "rope":
            q, k = rotate(q, at), rotate(k, at)
        logits = q @ k.transpose(1, 2) / math.sqrt(D_MODEL)
        if encoding == "alibi":
            logits = logits - SLOPE * distance
        if encoding == "t5":
            logits = logits + p["buckets"][t5_bucket(distance.clamp(min=0))]
        attention = logits.masked_fill(distance < 0, -math.inf).softmax(-1)
        x = x + attention @ v @ p[f"o{layer}"]
    logits = x @ p["unembedding"]
    return cross_entropy(logits[:, K:].reshape(-1, VOCABULARY), tokens[:, :-K].reshape(-1))


def rate(step):
    if step <= WARM_UP:
        return RATE * step / WARM_UP
    done = (step - WARM_UP) / (STEPS - WARM_UP)
    return RATE * (LAST_SHARE + (1 - LAST_SHARE) * (1 + math.cos(math.pi * done)) / 2)


def losses(encoding):
    parameters = make_parameters(encoding)
    adam = torch.optim.Adam(parameters.values(), betas=(0.9, 0.98), eps=1e-8)
    for step in range(1, STEPS + 1):
        adam.zero_grad()
        loss = loss_of(encoding, parameters, make_batch(step - 1))
        loss.backward()
        norm = math.sqrt(sum((p.grad ** 2).sum().item() for p in parameters.values()))
        for p in parameters.values():
            p.grad *= min(1, MAX_NORM / norm)
        adam.param_groups[0]["lr"] = rate(step)
        adam.step()
        yield loss.item()


with open(Path(__file__).parent / "training.tsv", "w") as file:
    for encoding in ["none", "sinusoidal", "learned", "rope", "alibi", "t5"]:
        file.write("\t".join([encoding, *map(repr, losses(encoding))]) + "\n")
