"""Archives whose bytes depend on nothing but what is in them: no times, no owners, names in their order.

    archive.py zip FOLDER FILE.zip          the files of a folder, in a folder named as the archive
    archive.py flat FOLDER FILE.zip         the same without that folder
    archive.py tar FOLDER FILE.tar.gz       the same, executables as such
    archive.py wheel VERSION LICENCES FOLDER  the Python wheel, from dist/ and examples/jupyter, with the licences of what
                                            others wrote, into a folder; prints its name
"""

import base64
import gzip
import hashlib
import io
import pathlib
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The first moment that a zip archive can say.
BEGINNING = (1980, 1, 1, 0, 0, 0)


def write_zip(path, files):
    """`files`: names and bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, BEGINNING)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)


def files_of(folder):
    """The files below a folder, by their names; what begins with a dot is the builder's own."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [
        (path.relative_to(folder).as_posix(), path) for path in paths if not path.relative_to(folder).parts[-1].startswith(".")
    ]


def stem(path):
    return path.name.removesuffix(".zip").removesuffix(".tar.gz")


def make_zip(folder, path):
    write_zip(path, [(f"{stem(path)}/{name}", file.read_bytes()) for name, file in files_of(folder)])


def make_flat(folder, path):
    write_zip(path, [(name, file.read_bytes()) for name, file in files_of(folder)])


def make_tar(folder, path):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, file in files_of(folder):
            info = tarfile.TarInfo(f"{stem(path)}/{name}")
            info.size = file.stat().st_size
            info.mode = 0o755 if file.stat().st_mode & 0o100 else 0o644
            with file.open("rb") as data:
                archive.addfile(info, data)
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def make_wheel(version, third_party, folder):
    """https://packaging.python.org/specifications/binary-distribution-format/: pure Python, with the widget's module in it."""
    own = ROOT / "scripts/kit/wheel"
    info = f"posenc-{version}.dist-info"
    metadata = f"""Metadata-Version: 2.4
Name: posenc
Version: {version}
Summary: Positional encodings, and figures that explain them, in notebooks
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
License-File: THIRD-PARTY.txt
Requires-Python: >=3.10
Requires-Dist: anywidget>=0.9
Description-Content-Type: text/markdown

{(own / "README.md").read_text()}"""
    files = [
        ("posenc/__init__.py", (own / "__init__.py").read_bytes()),
        ("posenc/_version.py", f'__version__ = "{version}"\n'.encode()),
        ("posenc/_widget.py", (ROOT / "examples/jupyter/posenc_widget.py").read_bytes()),
        ("posenc/posenc-inline.js", (ROOT / "dist/posenc-inline.js").read_bytes()),
        (f"{info}/METADATA", metadata.encode()),
        (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: posenc\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
        *((f"{info}/licenses/{name}", (ROOT / name).read_bytes()) for name in ("LICENSE-APACHE", "LICENSE-MIT")),
        (f"{info}/licenses/THIRD-PARTY.txt", third_party.read_bytes()),
    ]

    def entry(name, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(data)}\n"

    record = "".join(entry(name, data) for name, data in files) + f"{info}/RECORD,,\n"
    path = folder / f"posenc-{version}-py3-none-any.whl"
    write_zip(path, [*files, (f"{info}/RECORD", record.encode())])
    print(path.name)


def main(kind, *arguments):
    if kind == "wheel":
        version, *paths = arguments
        make_wheel(version, *map(pathlib.Path, paths))
    else:
        folder, path = map(pathlib.Path, arguments)
        {"zip": make_zip, "flat": make_flat, "tar": make_tar}[kind](folder, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
