// The npm package, packed and installed in an empty project: in a page, through a bundler, in TypeScript and in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { esbuild } from "../../scripts/kit/bundle.mjs";
import "./remains.mjs";
import { flush, launch } from "./browser.mjs";
import { serve } from "./serve.mjs";
import { CONDITION_TIMEOUT_MS } from "./wait.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

let folder, project, browser, server;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "posenc-")));
  project = join(folder, "project");
  await run("node", [join(root, "scripts/kit/package.mjs"), join(folder, "posenc")]);
  const npm = (cwd, ...words) => run("npm", [...words, "--offline", "--no-audit", "--no-fund"], { cwd });
  await npm(folder, "pack", "./posenc");
  const { version } = JSON.parse(await readFile(join(folder, "posenc/package.json")));
  await run("mkdir", [project]);
  await writeFile(join(project, "package.json"), `{ "name": "notes", "private": true, "type": "module" }`);
  await npm(project, "install", `../posenc-${version}.tgz`);
  [browser, server] = await Promise.all([launch(), serve(0, project)]);
});
after(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page of the project with this script and waits for its figure. */
async function figure(name, script) {
  await writeFile(
    join(project, name),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Notes</title><link rel="icon" href="data:,">${script}
<script>addEventListener("pe-ready", () => (window.ready = true));</script><pe-figure view="waves" d-model="64"></pe-figure>`,
  );
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("response", (r) => r.status() >= 400 && problems.push(`${r.status()} ${r.url()}`));
  await page.goto(server.url + name);
  await page.waitForFunction(() => window.ready, undefined, { timeout: CONDITION_TIMEOUT_MS });
  assert.equal(await page.locator("pe-figure").evaluate((figure) => figure.state.d_model), 64);
  // The styles are applied, too.
  assert.equal(await page.locator("pe-figure .figure").evaluate((e) => getComputedStyle(e).color), "rgb(22, 25, 29)");
  await flush(page);
  assert.deepEqual(problems, []);
  const requests = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((e) => new URL(e.name).pathname),
  );
  await page.close();
  return requests;
}

test("it holds what it names, and its licences", async () => {
  const { exports, version } = JSON.parse(await readFile(join(project, "node_modules/posenc/package.json")));
  const names = [
    ...new Set(
      Object.values(exports).flatMap((target) => (typeof target === "string" ? target : Object.values(target))),
    ),
  ];
  for (const name of [...names, "README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"])
    await readFile(join(project, "node_modules/posenc", name));
  assert.ok((await readFile(join(root, "Cargo.toml"), "utf8")).includes(`version = "${version}"`));
});

test("a page takes it from where it lies", async () => {
  await figure("plain.html", `<script type="module" src="node_modules/posenc/posenc.js"></script>`);
});

test("a page takes the single file", async () => {
  const requests = await figure(
    "inline.html",
    `<script type="module" src="node_modules/posenc/posenc-inline.js"></script>`,
  );
  assert.deepEqual(requests, ["/node_modules/posenc/posenc-inline.js"]);
});

test("hosts of widgets take the single file, whether they call it or not", async () => {
  await writeFile(
    join(project, "widget.html"),
    `<!doctype html><title>Notes</title><link rel="icon" href="data:,"><p></p>`,
  );
  const page = await browser.newPage();
  await page.goto(`${server.url}widget.html`);
  const seen = await page.evaluate(async () => {
    const { default: widget } = await import("./node_modules/posenc/posenc-inline.js");
    const seen = [];
    for (const { render } of [widget, await widget()]) {
      const values = { view: "waves", state: { max_len: 20, pos: 99 } };
      const heard = new Map();
      const model = {
        get: (name) => values[name],
        set: (name, value) => (values[name] = value),
        save_changes: () => seen.push(structuredClone(values)),
        on: (name, act) => heard.set(name, act),
        off: (name) => heard.delete(name),
      };
      const root = document
        .querySelector("p")
        .appendChild(document.createElement("div"))
        .attachShadow({ mode: "open" });
      const el = root.appendChild(document.createElement("div"));
      const done = render({ model, el });
      await new Promise((resolve) => el.addEventListener("pe-change", resolve, { once: true }));
      // Further saves come with the next frames.
      await work.frames(5);
      done();
      seen.push([el.children.length, heard.size]);
    }
    return seen;
  });
  const told = { view: "waves", state: { encoding: "sinusoidal", d_model: 128, max_len: 20, k: 3, pos: 19, pair: 4 } };
  assert.deepEqual(seen, [told, [0, 0], told, [0, 0]]);
  await page.close();
});

for (const [from, files] of [
  ["posenc", ["figures.wasm", "posenc_bg.wasm"]],
  ["posenc/inline", []],
]) {
  test(`esbuild bundles ${from}`, async () => {
    const name = from.replace("/", "-");
    const contents = `import init, { encode } from "${from}"; await init(); globalThis.table = encode({ dModel: 4, maxLen: 2 });`;
    await esbuild.build({
      stdin: { contents, resolveDir: project },
      outfile: join(project, `bundle-${name}/page.js`),
      bundle: true,
      format: "esm",
      minify: true,
      logLevel: "error",
    });
    for (const file of files)
      await copyFile(join(project, "node_modules/posenc/core", file), join(project, `bundle-${name}`, file));
    const requests = await figure(
      `bundle-${name}.html`,
      `<script type="module" src="bundle-${name}/page.js"></script>`,
    );
    assert.deepEqual(
      requests.sort(),
      [...files, "page.js"].sort().map((file) => `/bundle-${name}/${file}`),
    );
  });
}

test("TypeScript takes right calls and refuses wrong ones", async () => {
  const check = (file, resolution) =>
    run(
      "node",
      [
        tsc,
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        resolution === "bundler" ? "esnext" : "nodenext",
        "--moduleResolution",
        resolution,
        file,
      ],
      { cwd: project },
    );
  const right = (from) => `
    import init, { encode, inspect, rotation, PeFigure, type InspectReport, type State } from "${from}";
    await init();
    const table: Float32Array = encode({ dModel: 8, maxLen: 4, layout: "concatenated" });
    const wide: Float64Array = encode({ dModel: 8, maxLen: 4, dtype: "float64" });
    const turn: Float64Array = rotation({ dModel: 8, k: -2 });
    const report: InspectReport = await inspect(table, { shape: [4, 8] });
    const figure: PeFigure = document.createElement("pe-figure");
    figure.setState({ k: 5 });
    figure.state = { k: 6 };
    figure.state = undefined;
    figure.addEventListener("pe-change", (event) => { const state: State = event.detail.state; });
    export { table, wide, turn, report };`;
  const widget = `import { type WidgetModel } from "posenc/inline"; declare const model: WidgetModel; init.render({ model, el: document.body })();`;
  for (const from of ["posenc", "posenc/inline"]) {
    await writeFile(join(project, "right.ts"), right(from) + (from === "posenc" ? "" : widget));
    for (const resolution of ["bundler", "nodenext"]) await check("right.ts", resolution);
  }
  const wrong = [
    "encode({ dModel: 8 })",
    `encode({ dModel: "8", maxLen: 4 })`,
    `rotation({ dModel: 8, k: 1, layout: "none" })`,
    "inspect(new Float32Array(4))",
    "inspect([1, 2], { shape: [1, 2] })",
    "new PeFigure().setState(3)",
    "new PeFigure().state = 3",
    "new PeFigure().playing = true",
    'const t: Float32Array = encode({ dModel: 8, maxLen: 4, dtype: "float64" })',
  ];
  await writeFile(
    join(project, "wrong.ts"),
    `import { encode, inspect, rotation, PeFigure } from "posenc";\n${wrong.join("\n")}\n`,
  );
  const { stdout } = await check("wrong.ts", "bundler").catch((error) => error);
  for (let line = 0; line < wrong.length; line++)
    assert.match(stdout, new RegExp(`wrong\\.ts\\(${line + 2},\\d+\\): error`), wrong[line]);
});

test("Node imports it and computes", async () => {
  const contents = `
    import assert from "node:assert/strict";
    import { readFile } from "node:fs/promises";
    import { fileURLToPath } from "node:url";
    import init, { encode, rotation, PeFigure } from "posenc";
    import start, { encode as encodeInline } from "posenc/inline";
    assert.equal(typeof PeFigure, "function");
    await assert.rejects(init(), /"posenc.inline", or give/);
    await init(await readFile(fileURLToPath(import.meta.resolve("posenc/posenc_bg.wasm"))));
    await start();
    for (const table of [encode, encodeInline].map((encode) => encode({ dModel: 4, maxLen: 3 }))) {
      assert.equal(table.length, 12);
      assert.deepEqual([...table.slice(0, 6)], [0, 1, 0, 1, Math.fround(Math.sin(1)), Math.fround(Math.cos(1))]);
    }
    assert.equal(rotation({ dModel: 2, k: 0 })[0], 1);
    assert.throws(() => encode({ dModel: 0, maxLen: 1 }), /dModel/);`;
  await writeFile(join(project, "compute.mjs"), contents);
  const { stderr } = await run("node", ["compute.mjs"], { cwd: project });
  assert.equal(stderr, "");
});
