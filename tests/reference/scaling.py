#!/usr/bin/env python3
"""Writes scaling.tsv: frequencies of RoPE for longer contexts and slopes of ALiBi at sizes that nobody has picked.

The formulas are written here once more, from the papers and the authors' code, in pure Python; the sizes come from a
seeded generator. Each line holds a rule, its parameters and the values, separated by tabs:

    pi, ntk, dynamic, yarn-turns, yarn-index, llama3    d_head base trained factor length: the factor of q and k, frequencies
    alibi                                               heads: slopes
"""
import math
import random
from pathlib import Path


def inverse(base, d):
    return [base ** (-2 * i / d) for i in range(d // 2)]


def pi(d, base, trained, factor, length):
    """Chen et al. 2023, arXiv 2306.15595: position m/s."""
    return 1, [w / factor for w in inverse(base, d)]


def ntk(d, base, trained, factor, length):
    """bloc97 2023: base * s^(d/(d-2))."""
    return 1, inverse(base * factor ** (d / (d - 2)), d)


def dynamic(d, base, trained, factor, length):
    """transformers, _compute_dynamic_ntk_parameters."""
    length = max(length, trained)
    return 1, inverse(base * ((factor * length / trained) - (factor - 1)) ** (d / (d - 2)), d)


def yarn_turns(d, base, trained, factor, length):
    """Peng et al. 2023, arXiv 2309.00071, section 3.2: the ramp gamma of r = L/lambda, alpha = 1, beta = 32."""
    after = []
    for w in inverse(base, d):
        r = trained / (2 * math.pi / w)
        gamma = 0 if r < 1 else 1 if r > 32 else (r - 1) / 31
        after.append((1 - gamma) * w / factor + gamma * w)
    return 0.1 * math.log(factor) + 1, after


def yarn_index(d, base, trained, factor, length):
    """The authors' code, find_correction_range and linear_ramp_mask: it bounds the range by d - 1."""

    def dim(rotations):
        return d * math.log(trained / (rotations * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(dim(32)), 0), min(math.ceil(dim(1)), d - 1)
    if low == high:
        high += 0.001
    after = []
    for i, w in enumerate(inverse(base, d)):
        divided = min(max((i - low) / (high - low), 0), 1)
        after.append(w / factor * divided + w * (1 - divided))
    return 0.1 * math.log(factor) + 1, after


def llama3(d, base, trained, factor, length):
    """meta-llama/llama-models, apply_scaling, low_freq_factor 1 and high_freq_factor 4."""
    after = []
    for w in inverse(base, d):
        wavelength = 2 * math.pi / w
        if wavelength < trained / 4:
            after.append(w)
        elif wavelength > trained:
            after.append(w / factor)
        else:
            smooth = (trained / wavelength - 1) / (4 - 1)
            after.append((1 - smooth) * w / factor + smooth * w)
    return 1, after


def slopes(heads):
    """ofirpress/attention_with_linear_biases, get_slopes."""

    def of_power(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(heads).is_integer():
        return of_power(heads)
    lower = 2 ** math.floor(math.log2(heads))
    return of_power(lower) + slopes(2 * lower)[0::2][: heads - lower]


RULES = {"pi": pi, "ntk": ntk, "dynamic": dynamic, "yarn-turns": yarn_turns, "yarn-index": yarn_index, "llama3": llama3}


def lines():
    some = random.Random(2309)
    for _ in range(30):
        d = 2 * some.choice([2, 3, 4, 5, 8, 12, 16, 20, 32])
        base = float(f"{math.exp(some.uniform(math.log(100), math.log(5e6))):.4g}")
        trained = some.choice([64, 300, 512, 1000, 2048, 4096, 8192, 20000, 131072])
        factor = some.choice([1.5, 2, 3, 4, 6.5, 8, 10, 16, 32, 40])
        length = int(trained * some.choice([0.3, 1, 1.7, 2, factor]))
        for name, rule in RULES.items():
            attention, after = rule(d, base, trained, factor, length)
            values = " ".join(f"{value:.14g}" for value in [attention, *after])
            yield f"{name}\t{d} {base} {trained} {factor} {length}\t{values}\n"
    for heads in sorted(some.sample(range(1, 130), 24)):
        yield f"alibi\t{heads}\t" + " ".join(f"{value:.14g}" for value in slopes(heads)) + "\n"


if __name__ == "__main__":
    (Path(__file__).parent / "scaling.tsv").write_text("".join(lines()))
