// All files of a release from scripts/release, installed and used as by a new user, without a network.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import "./remains.mjs";
import { launch } from "./browser.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const text = (path) => readFile(path, "utf8");
const options = { timeout: TEST_TIMEOUT_MS };

let folder, out, version, cli;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "posenc-release-")));
  out = join(folder, "out");
  await run(join(root, "scripts/release"), ["--here", out], { cwd: root, maxBuffer: 1 << 26 });
  version = /\[workspace\.package\]\nversion = "(.*)"/.exec(await text(join(root, "Cargo.toml")))[1];
  const archive = (await readdir(out)).find((name) => name.endsWith(".tar.gz"));
  await run("tar", ["-xzf", join(out, archive), "-C", folder]);
  cli = join(folder, archive.replace(".tar.gz", ""), "posenc");
}, options);
after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test("every file is there, with its sum and the notes of this version", options, async () => {
  const names = (await readdir(out)).sort();
  for (const name of [
    "NOTES.md",
    "SHA256SUMS",
    `posenc-${version}-py3-none-any.whl`,
    `posenc-${version}-site.zip`,
    `posenc-${version}.html`,
    `posenc-${version}.tgz`,
    `posenc-encoding-${version}.crate`,
  ])
    assert.ok(names.includes(name), name);
  const sums = (await text(join(out, "SHA256SUMS"))).trim().split("\n");
  assert.deepEqual(
    sums.map((line) => line.slice(66)).sort(),
    names.filter((name) => name !== "SHA256SUMS"),
  );
  for (const line of sums) {
    const bytes = await readFile(join(out, line.slice(66)));
    assert.equal(line.slice(0, 64), createHash("sha256").update(bytes).digest("hex"), line);
  }
  const notes = await text(join(out, "NOTES.md"));
  assert.ok(notes.startsWith(`# Positional Encoding Explorer ${version}\n`));
  for (const name of names.filter((name) => !["NOTES.md", "SHA256SUMS"].includes(name)))
    assert.equal(notes.split(name).length, 3, `${name} is explained in both languages`);
  const [, first] = /^- (.{20,60})/m.exec(notes);
  assert.ok((await text(join(root, "CHANGELOG.md"))).includes(first));
});

test("the site is unpacked and served, and names what it is made of", options, async () => {
  await run("python3", ["-m", "zipfile", "-e", join(out, `posenc-${version}-site.zip`), folder]);
  const site = join(folder, `posenc-${version}-site`);
  const licences = await text(join(site, "THIRD-PARTY.txt"));
  for (const name of ["fflate", "gifenc", "plotters", "resvg", "tiny-skia", "wasm-bindgen"])
    assert.match(licences, new RegExp(`^${name} \\d.*: \\S`, "m"));
  assert.match(licences, /Redistributions in binary form/);
  assert.ok(!/^(proptest|clap_derive|syn) /m.test(licences), "what only builds or tests is no part of it");
  const [browser, server] = await Promise.all([launch(), serve(0, site)]);
  try {
    for (const address of [server.url, String(pathToFileURL(join(out, `posenc-${version}.html`)))]) {
      const page = await browser.newPage();
      await page.goto(`${address}#k=7`);
      await page.waitForFunction(() => document.documentElement.dataset.posenc === "ready");
      assert.equal(await page.locator("input[type=number][name=k]").first().inputValue(), "7");
      await page.close();
    }
    const page = await browser.newPage();
    await page.goto(`${server.url}about.html`);
    assert.ok((await page.locator("main").innerText()).includes(`version ${version}`));
  } finally {
    await browser.close();
    await server.close();
  }
});

test("the npm package is installed and used in Node", options, async () => {
  const project = join(folder, "node");
  await mkdir(project);
  await writeFile(join(project, "package.json"), `{ "name": "notes", "private": true, "type": "module" }`);
  await run("npm", ["install", join(out, `posenc-${version}.tgz`), "--offline", "--no-audit", "--no-fund"], {
    cwd: project,
  });
  await writeFile(
    join(project, "table.js"),
    `import init, { encode } from "posenc/inline"; await init(); console.log(encode({ dModel: 4, maxLen: 2 }).join());`,
  );
  const { stdout } = await run("node", ["table.js"], { cwd: project });
  assert.equal(stdout.trim().split(",").length, 8);
  assert.equal(JSON.parse(await text(join(project, "node_modules/posenc/package.json"))).version, version);
  assert.match(await text(join(project, "node_modules/posenc/THIRD-PARTY.txt")), /^plotters \d/m);
});

/** Creates a virtual environment of Python with the wheel and with the packages of `JUPYTER`. */
async function environment() {
  const python = join(process.env.JUPYTER, "python");
  const venv = join(folder, "venv");
  await run(python, ["-m", "venv", venv]);
  const own = join(venv, "bin/python");
  const paths = "import sysconfig; print(sysconfig.get_paths()['purelib'])";
  const [packages, others] = await Promise.all([own, python].map((it) => run(it, ["-c", paths])));
  // anywidget and its dependencies come from there: nothing is downloaded.
  await writeFile(join(packages.stdout.trim(), "others.pth"), others.stdout);
  const pip = ["-m", "pip", "install", "--no-index", "--disable-pip-version-check"];
  await run(own, [...pip, join(out, `posenc-${version}-py3-none-any.whl`)]);
  return own;
}

test("the wheel is installed in a fresh environment: figures, and a table that is the command line's", {
  ...options,
  skip: !process.env.JUPYTER && !process.env.CI && "JUPYTER names no Python with anywidget: scripts/test installs one",
}, async () => {
  const python = await environment();
  const say = async (script) => JSON.parse((await run(python, ["-c", script], { cwd: folder })).stdout);
  const [named, view, state, module, licences] = await say(`
import json, posenc
from importlib import metadata
licences = metadata.distribution("posenc").read_text("licenses/THIRD-PARTY.txt")
figure = posenc.figure("waves", d_model=32, k=2, controls="k")
print(json.dumps([posenc.__version__, figure.view, figure.state, len(str(figure._esm)) > 100000, licences]))`);
  assert.deepEqual([named, view, state, module], [version, "waves", { d_model: 32, k: 2 }, true]);
  assert.match(licences, /^plotters \d/m);

  const said = await say(`
import json, posenc
said = []
def tell(work):
    try:
        work()
        said.append(None)
    except ValueError as error:
        said.append(str(error))
figure = posenc.Figure("waves", state={"k": 2})
tell(lambda: posenc.Figure(view="rotatoin"))
tell(lambda: posenc.Figure(state={"kk": 3}))
tell(lambda: posenc.figure("compose", member="sine"))
tell(lambda: setattr(figure, "state", {"d-model": 3}))
tell(lambda: setattr(figure, "view", "rotation"))
tell(lambda: posenc.figure("precision"))
print(json.dumps([*said, figure.view, figure.state]))`);
  assert.match(said[0], /^'rotatoin' is no figure; .*'rotation'\?$/);
  assert.match(said[1], /^'kk' is no setting of the figure 'rotation'; .*'k'\?$/);
  assert.match(said[2], /^'member' is no setting of the figure 'compose'; the names are \w/);
  assert.match(said[3], /^'d-model' is no setting of the figure 'waves'; .*'d_model'\?$/);
  assert.deepEqual(said.slice(4), [null, null, "rotation", { k: 2 }]);

  const shapes = [1, 2, 3, 5, 8].flatMap((d) => ["interleaved", "concatenated", "tensor2tensor"].map((l) => [d, l]));
  const tables = await say(`
import json, posenc
rows = lambda d, layout: [list(map(float, row)) for row in posenc.encode(d, 4, base=500.0, layout=layout)]
print(json.dumps([rows(d, layout) for d, layout in json.loads('${JSON.stringify(shapes)}')]))`);
  for (const [i, [d, layout]] of shapes.entries()) {
    const line = ["table", "--d-model", `${d}`, "--max-len", "4", "--base", "500", "--layout", layout];
    const { stdout } = await run(cli, [...line, "--dtype", "float64", "--format", "csv", "-o", "-"]);
    const rows = stdout
      .trim()
      .split("\n")
      .filter((row) => /^\d/.test(row));
    const exact = rows.map((row) => row.split(",").slice(1).map(Number));
    assert.equal(tables[i].length, 4);
    for (const [r, row] of exact.entries())
      for (const [c, value] of row.entries())
        assert.ok(Math.abs(tables[i][r][c] - value) < 4e-15, `${d} ${layout} ${r} ${c}: ${tables[i][r][c]}, ${value}`);
    assert.ok(tables[i].every((row) => row.length === d));
  }
  for (const call of [
    "encode(0, 1)",
    "encode(2, 1.5)",
    "encode(2, 1, base=1)",
    "encode(2, 1, layout='x')",
    "encode(2, 1, start=None)",
  ])
    await assert.rejects(run(python, ["-c", `import posenc; posenc.${call}`]), /ValueError/, call);
});

test("the crate is built by another one", options, async () => {
  await run("tar", ["-xzf", join(out, `posenc-encoding-${version}.crate`), "-C", folder]);
  const project = join(folder, "crate");
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(
    join(project, "Cargo.toml"),
    `[package]\nname = "notes"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\nposenc-encoding = { path = "../posenc-encoding-${version}" }\n`,
  );
  await writeFile(
    join(project, "src/main.rs"),
    `fn main() { let pe = posenc_encoding::Sinusoidal::new(4, 10000.0, posenc_encoding::Layout::Interleaved); print!("{}", pe.value(1, 0)); }`,
  );
  await copyFile(join(root, "rust-toolchain.toml"), join(project, "rust-toolchain.toml"));
  const env = { ...process.env, CARGO_TARGET_DIR: join(project, "target") };
  const { stdout } = await run("cargo", ["run", "--quiet", "--offline"], { cwd: project, env });
  assert.equal(Number(stdout), Math.sin(1));
});

test("the command line is unpacked and draws", options, async () => {
  assert.equal((await run(cli, ["--version"])).stdout.trim(), `posenc ${version}`);
  const svg = join(folder, "rotation.svg");
  await run(cli, ["figure", "rotation", "-o", svg]);
  assert.match(await text(svg), /^<svg /);
  assert.match(await text(join(cli, "../THIRD-PARTY.txt")), /tiny-skia/);

  await assert.rejects(run(cli, ["figure", "rotatoin", "-o", svg]), /similar value exists: 'rotation'/);
  await assert.rejects(
    run(cli, ["figure", "rotation", "--dmodel", "64", "-o", svg]),
    /similar argument exists: '--d-model'/,
  );

  const work = join(folder, "examples");
  await mkdir(work);
  const env = { ...process.env, PATH: `${join(cli, "..")}:${process.env.PATH}` };
  let examples = 0;
  for (const command of ["figure", "inspect", "table", "train"]) {
    const { stdout } = await run(cli, [command, "--help"]);
    const lines = stdout.split(/^Examples?:$/m)[1].match(/^ {2}posenc .*$/gm);
    for (const line of lines) await run("sh", ["-c", line], { cwd: work, env });
    examples += lines.length;
  }
  assert.ok(examples >= 9, `${examples} examples in the help`);
  for (const name of await readdir(work)) assert.ok((await readFile(join(work, name))).length > 100, name);
});

test("the same files make the same archives", options, async () => {
  const again = join(folder, "again");
  await mkdir(again);
  const licences = join(out, `posenc-${version}-THIRD-PARTY.txt`);
  await run("python3", [join(root, "scripts/kit/archive.py"), "wheel", version, licences, again]);
  const name = `posenc-${version}-py3-none-any.whl`;
  assert.deepEqual(await readFile(join(again, name)), await readFile(join(out, name)));
});
