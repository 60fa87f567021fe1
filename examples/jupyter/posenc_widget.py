"""Figures of the Positional Encoding Explorer in notebooks.

    figure = Figure(view="rotation", state={"d_model": 64, "k": 7})
    figure                          # shows it
    figure.state                    # what it shows now, changes by hand included
    figure.state = {"k": -3}        # changes what is named
"""

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
