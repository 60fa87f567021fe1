"""Does what `posenc inspect` advises: runs the lines that it prints for files that it refuses and for tables that are wrong.

    python tests/reference/advice.py POSENC FOLDER

The files of a refusal are made in FOLDER, with what their formats begin with; packages that read such files are replaced by
ones that return the table. What cannot be run on this machine is named on the standard error.
"""

import gzip
import importlib.util
import json
import lzma
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types
import zipfile

import numpy as np

POSENC, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
N, D = 64, 32
EXPONENT = np.arange(0, D, 2) / D


def interleaved(angle):
    pe = np.empty((len(angle), D))
    pe[:, 0::2], pe[:, 1::2] = np.sin(angle), np.cos(angle)
    return pe


def paper(positions):
    return interleaved(np.asarray(positions, float).reshape(-1, 1) / 10000**EXPONENT)


PAPER = paper(np.arange(N))


def inspect(name, *arguments):
    done = subprocess.run([POSENC, "inspect", name, *arguments], capture_output=True, text=True, cwd=FOLDER)
    return done.returncode, done.stdout, done.stderr


def codes(name):
    return [finding["code"] for finding in json.loads(inspect(name, "--json")[1])["findings"]]


# Refused files: what is in them, and what the variables of the printed line are.


def calls(text):
    """The calls of np.save in a text, each with an import before it."""
    for match in re.finditer(r"(from \w+ import \w+; )?np\.save\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield text[match.start() : end]


class Tensor:
    """A tensor of PyTorch or GGUF."""

    name, data = "pos", PAPER

    def detach(self):
        return self

    float = cpu = detach

    def numpy(self):
        return PAPER


def module(name, **contents):
    made = types.SimpleNamespace(**contents)
    sys.modules[name] = made
    return made


def packages():
    """Packages that read other formats, as far as the lines use them."""
    layer = types.SimpleNamespace(get_weights=lambda: [PAPER])
    model = types.SimpleNamespace(get_layer=lambda _: layer)
    graph = types.SimpleNamespace(initializer=[Tensor()])
    frame = types.SimpleNamespace(to_numpy=lambda: PAPER)
    module("gguf", GGUFReader=lambda _: types.SimpleNamespace(tensors=[Tensor()]))
    return {
        "h5py": module("h5py", File=lambda _: {"path/of/pe": PAPER}),
        "keras": module("keras", models=types.SimpleNamespace(load_model=lambda _: model)),
        "onnx": module(
            "onnx",
            load=lambda _: types.SimpleNamespace(graph=graph),
            numpy_helper=types.SimpleNamespace(to_array=lambda tensor: tensor.data),
        ),
        "pd": module("pandas", read_excel=lambda _, header: frame),
        "scipy": module("scipy", io=types.SimpleNamespace(loadmat=lambda _: {"pe": PAPER})),
    }


def archive(name, member):
    with zipfile.ZipFile(FOLDER / name, "w") as file:
        file.writestr(member, b"")


def refused():
    """Of each refused file: its name, the number of the line in the text, the variables of that line, and whether the table
    that it saves is the paper's: matrices have the cosine first, and whole numbers are coarse."""
    sin, cos = PAPER[:, 0::2], PAPER[:, 1::2]
    matrices = np.stack([cos, -sin, sin, cos], -1).reshape(1, N, D // 2, 2, 2)
    # Two axes too many, and more cells than are read.
    for name, pe, line, variables, is_right in [
        ("matrices", matrices, 1, {}, False),
        ("layers", np.stack([[PAPER, PAPER]] * 3), 0, {}, True),
        ("whole", np.round(PAPER * 32767).astype(np.int16), 0, {"scale": 1 / 32767}, False),
    ]:
        np.save(FOLDER / f"{name}.npy", pe)
        yield f"{name}.npy", line, {"pe": pe, **variables}, is_right
    for name, start in [
        ("m.gguf", b"GGUF\x03\0\0\0"),
        ("m.h5", b"\x89HDF\r\n\x1a\n\0\0"),
        ("m.onnx", b"\x08\x08\x12\x07pytorch"),
        ("m.mat", b"MATLAB 5.0 MAT-file"),
        ("m.pt", b"\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20"),
    ]:
        (FOLDER / name).write_bytes(start)
        yield name, 0, {"pe": Tensor()}, True
    for name, member in [
        ("m.keras", "model.weights.h5"),
        ("m.xlsx", "xl/workbook.xml"),
        ("m.pth", "archive/data.pkl"),
    ]:
        archive(name, member)
        yield name, 0, {"pe": Tensor()}, True
    PAPER.astype("<f4").tofile(FOLDER / "pe.bin")
    yield "pe.bin", 1, {"d": D}, True


def run_refusals():
    os.chdir(FOLDER)
    for name, line, variables, is_right in refused():
        status, _, said = inspect(name)
        lines = list(calls(said))
        assert status == 2 and len(lines) > line, (name, said)
        exec(lines[line], {"np": np, **packages(), **variables})
        status, report, _ = inspect("pe.npy", "--json")
        is_read = json.loads(report)["kind"] == "sinusoidal" and (status == 0) == is_right
        assert is_read, (name, lines[line], report)
    np.savez(FOLDER / "two.npz", pe=PAPER, other=np.arange(3.0))
    status, _, said = inspect("two.npz")
    assert status == 2 and "--tensor NAME" in said and " pe\n" in said, said
    assert inspect("two.npz", "--tensor", "pe")[0] == 0
    np.save("long.npy", np.broadcast_to(np.float32(0.5), (10_000_001, 1)))
    status, _, said = inspect("long.npy")
    cut = re.search(r"pe\[:\d+\]", said)
    assert status == 2 and cut, said
    np.save("pe.npy", eval(cut[0], {"pe": paper(np.arange(5000))}))
    assert inspect("pe.npy")[0] == 0
    for program, compress in [("gzip", gzip.compress), ("xz", lzma.compress)]:
        ending = {"gzip": "gz", "xz": "xz"}[program]
        packed = f"pe.npy.{ending}"
        np.save("pe.npy", PAPER)
        pathlib.Path(packed).write_bytes(compress(pathlib.Path("pe.npy").read_bytes()))
        pathlib.Path("pe.npy").unlink()
        status, _, said = inspect(packed)
        command = re.search(rf"{program} -d FILE", said)
        assert status == 2 and command, said
        if shutil.which(program) is None:
            print(f"SKIPPED: no {program}", file=sys.stderr)
            continue
        subprocess.run(command[0].replace("FILE", packed).split(), check=True)
        assert inspect("pe.npy")[0] == 0, program


# Wrong tables, each with the code of its finding.


def bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def wrong():
    pos, column = np.arange(N)[:, None], np.arange(D)
    by_column = pos / 10000 ** (column / D)
    swapped = np.stack([PAPER[:, 1::2], PAPER[:, 0::2]], -1).reshape(N, D)
    far = np.arange(4000)[:, None]
    yield "exponent-column", np.where(column % 2, np.cos(by_column), np.sin(by_column))
    yield "exponent-doubled", interleaved(pos / 10000 ** (2 * EXPONENT))
    yield "exponent-half-minus-one", interleaved(pos / 10000 ** (np.arange(D // 2) / (D // 2 - 1)))
    yield "no-division", interleaved(pos * np.ones(D // 2))
    yield "base", interleaved(pos / 1000**EXPONENT)
    yield "swapped", swapped
    yield "start-offset", paper(np.arange(1, N + 1))
    yield "sign", paper(np.arange(0, -N, -1))
    yield "degrees", interleaved(np.radians(pos / 10000**EXPONENT))
    yield "half-precision-angle", interleaved(bf16(bf16(far) * bf16(10000.0**-EXPONENT)).astype(float)).astype(np.float32)
    yield "repeated-row", np.tile(PAPER[7], (N, 1))
    yield "zero-row", np.concatenate([np.zeros((1, D)), PAPER[1:]])
    yield "transposed", PAPER.T
    yield "reshaped", PAPER.T.reshape(N, D)
    yield "scaled", PAPER * np.sqrt(D)


class Framework:
    """A package with which lines are run: the prefix of its functions, and its array of a NumPy array."""

    def __init__(self, label, prefix, array, modules):
        self.label, self.prefix, self.array = label, prefix, array
        self.modules = {"math": math, **modules}


def frameworks():
    """NumPy, and of the others those that are installed."""
    yield Framework("NumPy", "np", np.array, {"np": np})
    for label, name in [("PyTorch", "torch"), ("JAX", "jax")]:
        if importlib.util.find_spec(name) is None:
            print(f"SKIPPED: no {label}", file=sys.stderr)
        elif name == "torch":
            torch = importlib.import_module(name)
            yield Framework(label, name, torch.tensor, {"torch": torch})
        else:
            jax, jnp = importlib.import_module(name), importlib.import_module("jax.numpy")
            yield Framework(label, "jnp", jnp.array, {"jax": jax, "jnp": jnp})


def corrected(line, pe, framework):
    """The table of code with this line in place of the one that it corrects."""
    # The rest of the code, in the order in which it would run.
    rest = [
        ("pos", "pos = np.arange(n)[:, None]"),
        ("div", "div = 10000 ** (np.arange(0, d, 2) / d)"),
        ("freq", "freq = 1 / div"),
        ("angle", "angle = pos * freq"),
    ]
    name, array = re.match(r"\w+", line)[0], framework.array
    scope = {**framework.modules, "n": N, "d": D, "table": lambda rows: array(paper(np.asarray(rows)))}
    if name == "x":
        scope |= {"x": array(np.zeros((1, N, D))), "pe": array(PAPER)}
        exec(line, scope)
        return np.asarray(scope["x"])[0]
    for variable, usual in rest:
        exec(line if variable == name else usual.replace("np.", f"{framework.prefix}."), scope)
    if name == "pe":
        scope["pe"] = array(pe)
        exec(line, scope)
        # A line about the sines alone has its like for the cosines.
        if "1::2" not in line and "0::2" in line:
            exec(line.replace("0::2", "1::2").replace("sin", "cos"), scope)
        return np.asarray(scope["pe"])
    angle = np.asarray(scope["angle"])
    if angle.shape[1] == D:
        return np.where(np.arange(D) % 2, np.cos(angle), np.sin(angle)).astype(angle.dtype)
    return interleaved(angle).astype(angle.dtype)


def run_corrections():
    known = set()
    run_with = list(frameworks())
    for code, pe in wrong():
        np.save(FOLDER / "wrong.npy", pe)
        status, said, _ = inspect("wrong.npy")
        for framework in run_with:
            found = re.search(rf"^{code}: .*?^  {framework.label} +(.*?)$", said, re.M | re.S)
            assert status == 1 and found, (code, said)
            np.save(FOLDER / "right.npy", corrected(found[1], pe, framework))
            assert inspect("right.npy")[0] == 0, (code, found[1], codes("right.npy"))
        known.add(code)
    return known


run_refusals()
print(" ".join(sorted(run_corrections())))
