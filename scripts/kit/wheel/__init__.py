"""Sinusoidal positional encodings, and the figures of the Positional Encoding Explorer in notebooks.

    import posenc
    posenc.figure("rotation", d_model=64, k=7)      # a figure, in Jupyter, VS Code, Colab or marimo
    posenc.inspect(tensor)                          # which encoding a table of your own is, and what is wrong with it
    posenc.encode(512, 50)                          # the sinusoidal table, row by row
"""

import math

from ._version import __version__
from ._widget import Figure, inspect

__all__ = ["Figure", "encode", "figure", "inspect", "__version__"]

_LAYOUTS = ("interleaved", "concatenated", "tensor2tensor")


def figure(view="rotation", *, controls=None, lock=None, lang=None, theme=None, **settings):
    """A figure by its name in links; settings are those of its link, as `d_model=64, k=7`."""
    return Figure(view=view, state=settings, controls=controls, lock=lock, lang=lang, theme=theme)


def encode(d_model, max_len, *, base=10000.0, layout="interleaved", start=0):
    """The sinusoidal encoding of `max_len` positions from `start` on, in `d_model` dimensions.

    A NumPy array of 64-bit floats where NumPy is installed, else a list of rows. Angles are computed in 64-bit floats: at position p
    a value is off by at most about p · 4e-16.
    """
    for name, value in (("d_model", d_model), ("max_len", max_len)):
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ValueError(f"{name} must be a whole number from 1 on, not {value!r}")
    if not isinstance(start, int) or isinstance(start, bool):
        raise ValueError(f"start must be a whole number, not {start!r}")
    if not (isinstance(base, (int, float)) and math.isfinite(base) and base > 1):
        raise ValueError(f"base must be a number above 1, not {base!r}")
    if layout not in _LAYOUTS:
        raise ValueError(f"layout must be one of {', '.join(_LAYOUTS)}, not {layout!r}")
    if layout == "tensor2tensor":
        # The last exponent is 1; an odd width is filled up with a zero.
        pairs = d_model // 2
        frequencies = [base ** -(i / max(pairs - 1, 1)) for i in range(pairs)]
    else:
        frequencies = [base ** -(2 * i / d_model) for i in range((d_model + 1) // 2)]
    rows = []
    for position in range(start, start + max_len):
        angles = [position * frequency for frequency in frequencies]
        sines, cosines = [math.sin(a) for a in angles], [math.cos(a) for a in angles]
        if layout == "interleaved":
            row = [value for pair in zip(sines, cosines) for value in pair]
        else:
            row = sines + cosines + [0.0]
        rows.append(row[:d_model])
    try:
        import numpy
    except ImportError:
        return rows
    return numpy.array(rows)
