#!/usr/bin/env python3
"""Writes the reference values of this folder.

Everything is computed with mpmath at 60 significant digits (its sin and cos reduce large angles exactly) and rounded once.
The files in the repository were made with mpmath 1.3.0 under Python 3; f32 rounding is done here, from the 60 digits,
by comparing with the midpoints of neighbouring f32 values.

    values.tsv       layout, d_model, base, position, dimension, value (20 digits)
    frequencies.tsv  layout, d_model, base, pair, frequency and wavelength (25 digits)
    hard_f32.tsv     pair, position, member, the correctly rounded f32 (its bits in hexadecimal): d_model 1024, base
                     10000, positions below 5000; the cells whose exact value lies nearest to a boundary between two
                     f32 values
"""
import math
import struct
from pathlib import Path

from mpmath import cos, floor, mp, mpf, nstr, pi, sin

mp.dps = 60
HERE = Path(__file__).parent
LAYOUTS = ["interleaved", "concatenated", "tensor2tensor"]
POSITIONS = [0, 1, 2, 3, 16, 17, 33, 44, 333, 355, 710, 4999, 32767, 65535, 103993, 208341, 312689, 524287,
             1000000, 1048575]


def pairs(layout, d_model):
    return d_model // 2 if layout == "tensor2tensor" else (d_model + 1) // 2


def frequency(layout, d_model, base, pair):
    if layout == "tensor2tensor":
        exponent = mpf(pair) / max(d_model // 2 - 1, 1)
    else:
        exponent = mpf(2 * pair) / d_model
    return mpf(base) ** -exponent


def value(layout, d_model, base, position, dimension):
    count = pairs(layout, d_model)
    if layout == "interleaved":
        pair, is_cosine = divmod(dimension, 2)
    else:
        is_cosine, pair = divmod(dimension, count) if count else (2, 0)
    if pair >= count or is_cosine > 1:
        return mpf(0)
    angle = position * frequency(layout, d_model, base, pair)
    return cos(angle) if is_cosine else sin(angle)


def write(name, rows):
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    (HERE / name).write_text(text)


def values():
    widths = [(1, 10000), (2, 10000), (3, 10000), (4, 10000), (5, 10000), (7, 1.5), (64, 2), (127, 10000), (128, 10000),
              (512, 10000), (512, 500000), (513, 10000), (1024, 1e9), (16383, 10000), (16384, 10000)]
    for layout in LAYOUTS:
        for d_model, base in widths:
            half = (d_model + 1) // 2
            spread = {0, 1, 2, 3, half - 1, half, half + 1, d_model // 3, d_model - 2, d_model - 1}
            for position in POSITIONS:
                for dimension in sorted(d for d in spread if 0 <= d < d_model):
                    exact = value(layout, d_model, base, position, dimension)
                    yield layout, d_model, float(base), position, dimension, nstr(exact, 20)


def frequencies():
    for layout in LAYOUTS:
        for d_model, base in [(2, 10000), (4, 10000), (5, 10000), (511, 10000), (512, 10000), (512, 1.5),
                              (512, 1.0000001), (1000, 500000), (16384, 10000), (16384, 1e9), (16384, 2)]:
            count = pairs(layout, d_model)
            for pair in sorted({0, 1, 2, 63, 64, 65, 127, 128, 192, 255, count // 2, count - 2, count - 1}):
                if 0 <= pair < count:
                    omega = frequency(layout, d_model, base, pair)
                    yield layout, d_model, float(base), pair, nstr(omega, 25), nstr(2 * pi / omega, 25)


def rounded_f32(exact):
    """The f32 nearest to a number in normal range and how far it is from a tie, in units of the last place."""
    exponent = math.frexp(float(exact))[1] - 24
    scaled = exact / mpf(2) ** exponent
    nearest = floor(scaled + mpf(1) / 2)
    distance = abs(abs(scaled - floor(scaled)) - mpf(1) / 2)
    return float(nearest * mpf(2) ** exponent), distance


def hard_f32(count=400, d_model=1024, length=5000):
    # Candidates from f64, whose error of some 1e-16 is far below the distances that matter here.
    import numpy
    found = []
    for pair in range(d_model // 2):
        omega = frequency("interleaved", d_model, 10000, pair)
        turns = omega / (2 * pi)
        # Reduced with mpmath's frequency split in two, so that the product loses nothing that matters.
        high = float(floor(turns * 2**40) / 2**40)
        low = float(turns - high)
        positions = numpy.arange(length, dtype=numpy.float64)
        reduced = positions * high
        reduced = (reduced - numpy.round(reduced)) + positions * low
        for member, exact in (("sine", numpy.sin(2 * numpy.pi * reduced)), ("cosine", numpy.cos(2 * numpy.pi * reduced))):
            with numpy.errstate(divide="ignore", invalid="ignore"):
                exponent = numpy.frexp(exact)[1] - 24
                scaled = numpy.ldexp(exact, -exponent)
            distance = numpy.abs(numpy.abs(scaled - numpy.floor(scaled)) - 0.5)
            distance[0] = 1
            for position in numpy.argsort(distance)[:8]:
                found.append((distance[position], pair, int(position), member))
    exact_found = []
    for _, pair, position, member in sorted(found)[: 3 * count]:
        angle = position * frequency("interleaved", d_model, 10000, pair)
        nearest, distance = rounded_f32(sin(angle) if member == "sine" else cos(angle))
        exact_found.append((distance, pair, position, member, nearest))
    for _, pair, position, member, nearest in sorted(exact_found)[:count]:
        yield pair, position, member, struct.pack(">f", nearest).hex()


if __name__ == "__main__":
    write("values.tsv", values())
    write("frequencies.tsv", frequencies())
    write("hard_f32.tsv", hard_f32())
