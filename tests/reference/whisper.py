"""Makes crates/encoding/src/whisper/components.bin from the position table of a Whisper decoder.

    python3 tests/reference/whisper.py decoder.npy crates/encoding/src/whisper/components.bin

The table is `decoder.positional_embedding` of Whisper tiny.en (448 x 384, openai/whisper, MIT licence) as .npy. What is kept of it are its mean
row and its first 16 principal components, as 8-bit numbers with a scale for each component: the coordinates of the rows, then the components,
each column by column, and the mean. All scales come first, as little-endian 32-bit floats. Printed is what src/figures/learning/whisper holds
to: the share of the variance that is kept, and what NumPy finds in the table that is rebuilt.
"""
import sys

import numpy as np

COMPONENTS = 16


def quantised(columns):
    scales = (np.abs(columns).max(0) / 127).astype("<f4")
    return scales, np.round(columns / scales).astype(np.int8)


def misses(rows, k):
    """The best matrix for offset k, fitted on the even rows: what it misses on the odd ones, of their length."""
    here, there = rows[:-k], rows[k:]
    matrix = np.linalg.lstsq(here[0::2], there[0::2], rcond=None)[0]
    missed = here[1::2] @ matrix - there[1::2]
    return np.linalg.norm(missed) / np.linalg.norm(there[1::2])


def unmoved(rows, k):
    """What the row itself, without a matrix, misses on the odd rows, of their length."""
    here, there = rows[:-k][1::2], rows[k:][1::2]
    return np.linalg.norm(here - there) / np.linalg.norm(there)


def with_random_phases(columns, random):
    """Random curves with the waves of these columns: the same amplitudes, random phases."""
    waves = np.fft.rfft(columns, axis=0)
    turned = np.abs(waves) * np.exp(2j * np.pi * random.random(waves.shape))
    turned[[0, -1]] = 0
    return np.fft.irfft(turned, n=len(columns), axis=0)


def main():
    source, target = sys.argv[1:]
    table = np.load(source).astype(np.float64)
    mean = table.mean(0)
    u, s, v = np.linalg.svd(table - mean, full_matrices=False)
    u, s, v = u[:, :COMPONENTS], s[:COMPONENTS], v[:COMPONENTS]
    parts = [quantised(u * np.sqrt(s)), quantised(v.T * np.sqrt(s)), quantised(mean[:, None])]
    with open(target, "wb") as file:
        for scales, _ in parts:
            file.write(scales.tobytes())
        for _, numbers in parts:
            file.write(numbers.T.tobytes())
    (sa, a), (sb, b), (sm, m) = parts
    rebuilt = (a * sa) @ (b * sb).T + (m * sm).T
    kept = 1 - ((table - rebuilt) ** 2).sum() / ((table - mean) ** 2).sum()
    print(f"kept {kept:.4f}, largest error {np.abs(table - rebuilt).max():.4f}")
    for name, rows in [("as published", table), ("rebuilt", rebuilt)]:
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        alike = unit @ unit.T
        np.fill_diagonal(alike, -2)
        nearest = np.abs(alike.argmax(1) - np.arange(len(rows))) == 1
        centred = rows - rows.mean(0)
        components = np.linalg.svd(centred, full_matrices=False)[2]
        found = [misses(centred @ components[:16].T, k) for k in (1, 3, 10)]
        still = [unmoved(centred @ components[:16].T, k) for k in (1, 3, 10)]
        print(name, f"neighbours {nearest.mean():.4f}, misses {found[0]:.4f} {found[1]:.4f} {found[2]:.4f}")
        print(f"  without a matrix {still[0]:.4f} {still[1]:.4f} {still[2]:.4f}")
        smooth = [with_random_phases(centred @ components[:16].T, np.random.default_rng(seed)) for seed in range(50)]
        for k in (1, 3, 10):
            matrix, none = ([of(curves, k) for curves in smooth] for of in (misses, unmoved))
            print(f"  as smooth, k = {k}: {min(matrix):.3f} to {max(matrix):.3f}, without a matrix {min(none):.3f} to {max(none):.3f}")
        print("  alike 1, 10, 100 apart:", [float(np.mean(np.diagonal(unit @ unit.T, k)).round(4)) for k in (1, 10, 100)])


main()
