"""Figures of the Positional Encoding Explorer in notebooks.

    figure = Figure(view="rotation", state={"d_model": 64, "k": 7})
    figure                          # shows it
    figure.state                    # what it shows now, changes by hand included
    figure.state = {"k": -3}        # changes what is named
    inspect(tensor)                 # says which encoding a table is, and what is wrong with it
"""

import difflib
import io
import pathlib

import anywidget
import traitlets

_here = pathlib.Path(__file__).resolve().parent
# Beside this file, or where scripts/serve builds it.
_modules = [_here / "posenc-inline.js", *(folder / "dist" / "posenc-inline.js" for folder in _here.parents)]

# The figures and their settings, former names included: written by tests/native/generated.rs
_SETTINGS = {
    "tokens": "max_len k pos text",
    "heatmap": "encoding d_model max_len k pos pair member base layout colour",
    "waves": "encoding d_model max_len k pos pair",
    "rotation": "encoding d_model max_len k pos pair",
    "clocks": "encoding d_model max_len pos k pair",
    "ruler": "d_model max_len pair",
    "attention": "step query swapped",
    "order": "words split order token pe causal weights",
    "by-hand": "step x00 x01 x02 x03 x10 x11 x12 x13 x20 x21 x22 x23",
    "codes": "max_len pos sines",
    "counter": "base max_len pos",
    "corridor": "forks max_len decimals pos sound volume",
    "guess": "order tolerance max_len round revealed pos answered",
    "layouts": "d_model max_len pair",
    "inspect": "example k colour panels report",
    "derivation": "d_model pos k pair step",
    "shift-matrix": "d_model k pos layout row column",
    "matrix-clocks": "d_model max_len pos k pair",
    "helix": "from k max_len pos d_model pair yaw pitch",
    "compose": "d_model pos j k pair",
    "break-it": "table d_model k max_len pos pair guesses",
    "similarity": "d_model max_len centred pos k",
    "attend": "weights d_model summed max_len pos k seed",
    "nearest": "d_model max_len pos",
    "quiz": "question seed answer choice mark checked done answered right",
    "worksheet": "seed topic count show number answer mark answers done right initials code",
    "pair-turn": "show pos pair",
    "beyond": "length max_len way learned",
    "perplexity": "beyond point",
    "code": "code d_model pos dimension term",
    "rope": "show vectors base locked gap m n",
    "context": "rule ramp trained s length base pair",
    "alibi": "heads head windows",
    "four-terms": "memory far seed query key",
    "relative-shift": "memory step query offset",
    "buckets": "model head max_len pos k weights map b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22 b23 b24 b25 b26 b27 b28 b29 b30 b31",
    "side-by-side": "first second third fourth max_len length maps pos k",
    "learned": "max_len k errors pos",
    "trained": "running round",
    "whisper": "table k components",
    "lab": "pe k d_model seed steps",
    "lab-length": "k random ghost seeds steps",
    "lab-induction": "repeats pe period maps seed steps",
    "patches": "side row column class",
    "anchors": "collisions together node edges anchors",
    "strip": "clock video pos",
    "all-positions": "d_model k pos layout row column",
    "bias": "model head max_len pos k weights map b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20 b21 b22 b23 b24 b25 b26 b27 b28 b29 b30 b31",
    "near-collisions": "d_model max_len pos",
    "precision": "code d_model pos dimension term",
    "projections": "weights d_model summed max_len pos k seed",
    "properties": "first second third fourth max_len length maps pos k",
    "readback": "show pos pair",
    "scaling": "show pos pair",
}


class UnknownName(traitlets.TraitError, ValueError):
    """No figure, or no setting of a figure, has this name."""


def _check(name, valid, what):
    if name not in valid:
        near = difflib.get_close_matches(str(name), valid, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"the names are {', '.join(valid)}"
        raise UnknownName(f"{name!r} is {what}; {hint}")


class Figure(anywidget.AnyWidget):
    """One figure. Its settings are those of <pe-figure>. A view or setting that does not exist is a ValueError."""

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

    def __init__(self, view="rotation", **traits):
        for name in traits:
            if not self.has_trait(name):
                raise TypeError(f"Figure has no trait {name!r}; settings of the figure are in state={{...}}")
        super().__init__(view=view, **traits)

    _from_page = False

    def set_state(self, sync_data):
        # What the page reports may be the settings of the figure that it showed a moment ago.
        self._from_page = True
        try:
            super().set_state(sync_data)
        finally:
            self._from_page = False

    @traitlets.validate("view")
    def _check_view(self, proposal):
        if not self._from_page:
            _check(proposal.value, list(_SETTINGS), "no figure")
        return proposal.value

    @traitlets.validate("state")
    def _check_state(self, proposal):
        if not self._from_page and self.view in _SETTINGS:
            for name in proposal.value:
                _check(name, _SETTINGS[self.view].split(), f"no setting of the figure {self.view!r}")
        return proposal.value


def inspect(table, name="table", **traits):
    """Says of a NumPy array or a torch tensor which positional encoding it is, and what is wrong with it.

    The numbers go to the figure as bytes in the notebook and nowhere else. `traits` are those of Figure, such as lang="zh".
    """
    return Figure(view="inspect", file=npy(table), filename=f"{name}.npy", **traits)


def npy(table):
    """The table as the bytes of a .npy: floating-point and complex numbers as they are, all others as 32-bit ones."""
    import numpy as np

    if hasattr(table, "detach"):
        # NumPy has no bfloat16; what was rounded to it can be told from the numbers.
        table = table.detach().cpu()
        table = (table.float() if "bfloat16" in str(table.dtype) else table).numpy()
    table = np.asarray(table)
    if table.dtype not in (np.float16, np.float32, np.float64, np.complex64, np.complex128):
        table = table.astype(np.float32)
    file = io.BytesIO()
    np.save(file, table)
    return file.getvalue()
