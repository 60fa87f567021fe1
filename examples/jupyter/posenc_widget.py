"""Figures of the Positional Encoding Explorer in notebooks.

    figure = Figure(view="rotation", state={"d_model": 64, "k": 7})
    figure                          # shows it
    figure.state                    # what it shows now, changes by hand included
    figure.state = {"k": -3}        # changes what is named
    inspect(tensor)                 # says which encoding a table is, and what is wrong with it
"""

import io
import pathlib

import anywidget
import traitlets

_here = pathlib.Path(__file__).resolve().parent
# Beside this file, or where scripts/serve builds it.
_modules = [_here / "posenc-inline.js", *(folder / "dist" / "posenc-inline.js" for folder in _here.parents)]


class Figure(anywidget.AnyWidget):
    """One figure. Its settings are those of <pe-figure>."""

    _esm = next((path for path in _modules if path.exists()), _modules[0])

    view = traitlets.Unicode("rotation").tag(sync=True)
    state = traitlets.Dict().tag(sync=True)
    controls = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    lock = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    lang = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    theme = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    # A file that the figure shows, as bytes, and its name.
    file = traitlets.Bytes(b"").tag(sync=True)
    filename = traitlets.Unicode("").tag(sync=True)


def inspect(table, name="table", **traits):
    """Says of a NumPy array or a torch tensor which positional encoding it is, and what is wrong with it.

    The numbers go to the figure as bytes in the notebook and nowhere else. `traits` are those of Figure, such as lang="zh".
    """
    return Figure(view="inspect", file=npy(table), filename=f"{name}.npy", **traits)


def npy(table):
    """The table as the bytes of a .npy: floating-point numbers as they are, all others as 32-bit ones."""
    import numpy as np

    if hasattr(table, "detach"):
        # NumPy has no bfloat16; what was rounded to it can be told from the numbers.
        table = table.detach().cpu()
        table = (table.float() if "bfloat16" in str(table.dtype) else table).numpy()
    table = np.asarray(table)
    if table.dtype not in (np.float16, np.float32, np.float64):
        table = table.astype(np.float32)
    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()
