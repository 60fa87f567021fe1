// The examples, built according to their READMEs and used like readers, students and speakers use them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import "./remains.mjs";
import { desktop, flush, frames, launch } from "./browser.mjs";
import { dist, serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS, until } from "./wait.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tools = process.env.POSENC_TOOLS || join(homedir(), ".cache/posenc");

let browser, folder;
before(async () => {
  browser = await launch();
  folder = await realpath(await mkdtemp(join(tmpdir(), "posenc-")));
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Copies an example to a folder in which it is built. */
async function copy(name) {
  const place = join(folder, name);
  await cp(join(root, "examples", name), place, {
    recursive: true,
    filter: (path) => !/\/(node_modules|posenc|_?build|book|dist)$/.test(path),
  });
  return place;
}

/** Installs the npm packages of an example once, in a folder that is kept, together with `more`. */
async function install(place, name, ...more) {
  const kept = join(tools, "examples", name);
  const wanted = await readFile(join(place, "package.json"), "utf8");
  if ((await readFile(join(kept, ".installed"), "utf8").catch(() => "")) !== wanted) {
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true });
    const locked = await cp(join(place, "package-lock.json"), join(kept, "package-lock.json")).then(
      () => true,
      () => false,
    );
    await writeFile(join(kept, "package.json"), wanted);
    await run("npm", [locked ? "ci" : "install", "--no-audit", "--no-fund"], { cwd: kept });
    await writeFile(join(kept, ".installed"), wanted);
  }
  await cp(join(kept, "node_modules"), join(place, "node_modules"), { recursive: true, verbatimSymlinks: true });
  if (more.length)
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-save", ...more], { cwd: place });
}

/**
 * Serves a folder and runs `work` on one of its pages, which must end without a problem; `theirs` matches messages of the
 * tool itself.
 */
async function visit(place, { path = "", theirs, ...options }, work) {
  const server = await serve(0, place);
  const context = await browser.newContext({ viewport: desktop, locale: "en-GB", colorScheme: "light", ...options });
  try {
    const page = await context.newPage();
    const problems = [];
    page.on(
      "console",
      (m) =>
        ["error", "warning"].includes(m.type()) &&
        !m.location().url.endsWith("/favicon.ico") &&
        problems.push(`${m.type()}: ${m.text()}`),
    );
    page.on("pageerror", (error) => problems.push(error.message));
    page.on(
      "response",
      (r) => r.status() >= 400 && !r.url().endsWith("/favicon.ico") && problems.push(`${r.status()} ${r.url()}`),
    );
    page.on(
      "request",
      (r) => /^https?:/.test(r.url()) && !r.url().startsWith(server.url) && problems.push(`asked for ${r.url()}`),
    );
    await page.addInitScript(() => {
      window.readyFigures = [];
      addEventListener("pe-ready", (event) => window.readyFigures.push(event.detail.state.view));
    });
    await page.goto(server.url + path);
    await work(page);
    await flush(page);
    assert.deepEqual(
      problems.filter((problem) => !theirs?.test(problem)),
      [],
    );
  } finally {
    await context.close();
    await server.close();
  }
}

const ready = (page, view) => page.waitForFunction((view) => window.readyFigures.includes(view), view);

/** Waits until the canvas that `selector` matches, on the page or in a frame, shows a picture. */
async function shows(place, selector) {
  const canvas = place.locator(selector).first();
  await canvas.scrollIntoViewIfNeeded();
  const colours = () =>
    canvas.evaluate((canvas) => {
      if (!canvas.width || !canvas.height) return 0;
      const reader = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      reader.drawImage(canvas, 0, 0);
      return new Set(new Uint32Array(reader.getImageData(0, 0, canvas.width, canvas.height).data.buffer)).size;
    });
  await until(async () => (await colours()) > 5, `a picture in ${selector}`);
}

/** Waits until the element has the same position for some frames: slides are animated. */
const still = (page, selector) =>
  page.locator(selector).evaluate((element) => {
    let [quiet, was] = [0, ""];
    return work.until(() => {
      const now = JSON.stringify(element.getBoundingClientRect());
      quiet = now === was ? quiet + 1 : 0;
      was = now;
      return quiet > 20;
    }, "an element that rests");
  });

const state = (page, selector = "pe-figure") => page.locator(selector).evaluate((figure) => figure.state);

test("html: elements share their settings, frames show what their addresses say", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const place = await copy("html");
  await symlink(dist, join(place, "posenc"));
  await visit(place, {}, async (page) => {
    await ready(page, "rotation");
    await page.locator("#slow").click();
    await page.waitForFunction(() => document.querySelector("#waves").state.pair === 20);
    assert.equal(await page.locator("#said").textContent(), "pair 20, k = 3");
    await shows(page, "#rotation canvas");
    await shows(page, "#waves canvas");
    for (const [id, canvas] of [
      ["frame", "order"],
      ["file", "heatmap"],
    ]) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      const frame = page.frameLocator(`#${id}`);
      await frame.locator("html[data-posenc=ready]").waitFor();
      await shows(frame, `canvas[data-view=${canvas}]`);
    }
  });
});

test("reveal: a figure on a slide has its keys, the slides theirs", { timeout: TEST_TIMEOUT_MS }, async () => {
  const place = await copy("reveal");
  await install(place, "reveal");
  await symlink(dist, join(place, "posenc"));
  await visit(place, { viewport: { width: 1920, height: 1080 } }, async (page) => {
    await page.locator(".reveal.ready").waitFor();
    const slide = () => page.evaluate(() => Number(location.hash.replace("#/", "") || 0));
    const on = (index) =>
      page.waitForFunction(
        (index) => document.querySelectorAll(".slides > section")[index].classList.contains("present"),
        index,
      );
    await page.keyboard.press("ArrowRight");
    await on(1);
    await ready(page, "rotation");
    await shows(page, "#rotation canvas");
    await still(page, "#rotation");
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    const box = await page.locator("#rotation").boundingBox();
    assert.ok(box.y + box.height <= 1080 && box.width > 1200, `the figure fits on the slide: ${JSON.stringify(box)}`);

    await page.locator("#rotation input[type=range][name=k]").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#rotation").state.k === 4);
    assert.equal(await slide(), 1, "the arrow is the slider's");
    const number = page.locator("#rotation input[type=number][name=k]");
    await number.fill("");
    await number.pressSequentially("12");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#rotation").state.k === 13);
    assert.equal(await slide(), 1);
    await page.locator("#rotation canvas").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("#rotation").state.pos === 11);
    assert.equal(await slide(), 1);

    // A presentation remote changes slides whatever has the focus.
    await page.keyboard.press("PageDown");
    await on(2);
    const frame = page.frameLocator("iframe");
    await frame.locator("html[data-posenc=ready]").waitFor();
    await shows(frame, "canvas[data-view=order]");
    await page.keyboard.press("PageDown");
    await on(3);
    await page.keyboard.press("PageUp");
    await on(2);
    await page.keyboard.press("PageUp");
    await on(1);
    assert.deepEqual((({ k, pos }) => [k, pos])(await state(page, "#rotation")), [13, 11], "what was left is there");
    await page.locator("#rotation canvas").first().waitFor();
    await page.locator("section.present h2").click();
    await page.keyboard.press("ArrowLeft");
    await on(0);
  });
});

test("mdbook: figures in chapters, also in folders, and keys that turn no pages", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const place = await copy("mdbook");
  await cp(join(dist, "posenc-inline.js"), join(place, "src/posenc-inline.js"));
  await run("mdbook", ["build", place]);
  await visit(join(place, "book"), { path: "positions.html" }, async (page) => {
    await ready(page, "rotation");
    await shows(page, "pe-figure canvas");
    await page.locator("pe-figure input[type=range][name=k]").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("pe-figure").state.k === 4);
    await page.locator("pe-figure input[type=number][name=k]").focus();
    await page.keyboard.press("ArrowRight");
    // A navigation would have ended within these frames.
    await frames(page, 30);
    assert.match(page.url(), /positions\.html$/);
    await page.locator("main h1").first().click();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/more\/waves\.html$/);
    await ready(page, "waves");
    await shows(page, "pe-figure canvas");
  });
});

const jupyter = process.env.JUPYTER;
test("jupyter-book: figures in Markdown and in a directive, and a frame", {
  timeout: TEST_TIMEOUT_MS,
  skip: !jupyter && !process.env.CI && "JUPYTER names no Jupyter Book: scripts/test installs one",
}, async () => {
  const place = await copy("jupyter-book");
  await mkdir(join(place, "posenc"));
  for (const file of ["posenc-inline.js", "posenc.html"]) await cp(join(dist, file), join(place, "posenc", file));
  await run(join(jupyter, "jupyter-book"), ["build", place]);
  await visit(
    join(place, "_build/html"),
    { path: "positions.html", theirs: /THEBE_JS_URL|invalid theme mode/ },
    async (page) => {
      await ready(page, "rotation");
      await shows(page, "pe-figure canvas");
      await page.locator("pe-figure input[type=range][name=k]").focus();
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.querySelector("pe-figure").state.k === 4);
      await page.locator("iframe").scrollIntoViewIfNeeded();
      await shows(page.frameLocator("iframe"), "canvas[data-view=order]");
      if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT, fullPage: true });
      await page.locator("a.right-next").click();
      await page.waitForURL(/more\/waves\.html$/);
      await ready(page, "waves");
      await shows(page, "pe-figure canvas");
    },
  );
});

const pandoc = await run("pandoc", ["--version"]).then(
  () => true,
  () => false,
);
test("quarto: figures in raw HTML, by pandoc as Quarto runs it", {
  timeout: TEST_TIMEOUT_MS,
  skip: !pandoc && !process.env.CI && "pandoc is missing",
}, async () => {
  const place = await copy("quarto");
  await cp(join(dist, "posenc-inline.js"), join(place, "posenc-inline.js"));
  await run(
    "pandoc",
    [
      "figures.qmd",
      "--from=markdown",
      "--to=html",
      "--standalone",
      "--include-in-header=header.html",
      "--output=figures.html",
    ],
    { cwd: place },
  );
  await visit(place, { path: "figures.html" }, async (page) => {
    await ready(page, "rotation");
    await shows(page, "#rotation canvas");
    await shows(page, "#waves canvas");
    assert.equal((await state(page, "#rotation")).d_model, 64);
    assert.equal((await state(page, "#waves")).max_len, 32);
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT, fullPage: true });
  });
});

// Neither system runs here: the pasted code shows its figure on a plain page, and Canvas's allowlist (canvas_sanitize.rb)
// removes nothing from it.
for (const [name, file] of [
  ["moodle", "text.html"],
  ["canvas", "page.html"],
]) {
  test(`${name}: a frame without scripts`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const place = await copy(name);
    await symlink(dist, join(place, "posenc"));
    const pasted = await readFile(join(place, file), "utf8");
    assert.match(pasted, /src="https:/);
    await writeFile(
      join(place, file),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title>${pasted.replaceAll("https://example.org/", "")}`,
    );
    await visit(place, { path: file }, async (page) => {
      const frame = page.frameLocator("iframe");
      await frame.locator("html[data-posenc=ready]").waitFor();
      await shows(frame, "canvas[data-view=rotation]");
      const attributes = await page.locator("iframe").evaluate((frame) => frame.getAttributeNames());
      assert.deepEqual(
        attributes.filter(
          (name) => !["src", "width", "height", "title", "style", "name", "sandbox", "allowfullscreen"].includes(name),
        ),
        [],
      );
      assert.equal(await page.locator("script, pe-figure").count(), 0);
    });
  });
}

test("myst: the directive's traits are a figure's", { timeout: TEST_TIMEOUT_MS }, async () => {
  const place = await copy("myst");
  await cp(join(dist, "posenc-inline.js"), join(place, "posenc-inline.js"));
  const [, module, traits] = /^```\{anywidget\} (\S+)\n([\s\S]*?)\n```$/m.exec(
    await readFile(join(place, "positions.md"), "utf8"),
  );
  const script = `import widget from "${module}"; const traits = ${traits};
    const model = { get: (name) => traits[name], set: (name, value) => (traits[name] = value), save_changes() {}, on() {}, off() {} };
    widget.render({ model, el: document.body });`;
  await writeFile(
    join(place, "index.html"),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Page</title><body><script type="module">${script}</script>`,
  );
  await visit(place, {}, async (page) => {
    await ready(page, "rotation");
    await shows(page, "pe-figure canvas");
    assert.deepEqual((({ d_model, k }) => [d_model, k])(await state(page)), [64, 3]);
    assert.deepEqual(
      await page.locator("pe-figure input[type=number]").evaluateAll((inputs) => inputs.map((input) => input.name)),
      ["k", "pair"],
    );
  });
});

/** Makes the npm package and returns its folder. */
async function madePackage() {
  const { stdout } = await run("node", [join(root, "scripts/kit/package.mjs"), join(folder, "posenc")]);
  return stdout.trim();
}

const FRAMEWORKS = ["react", "vue", "svelte", "preact"];
let frameworks;
/** Builds the example once, for the tests of all frameworks, and returns its folder. */
const builtFrameworks = () =>
  (frameworks ??= (async () => {
    const place = await copy("frameworks");
    await install(place, "frameworks");
    await cp(await madePackage(), join(place, "node_modules/posenc"), { recursive: true });
    await run("npm", ["run", "build"], { cwd: place });
    return place;
  })());

for (const name of FRAMEWORKS)
  test(`frameworks: ${name} passes settings, hears of changes, and removes the figure and puts it back`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    await visit(join(await builtFrameworks(), "dist"), { path: `${name}.html` }, async (page) => {
      const shown = () => state(page).then(({ d_model, k, pair }) => ({ d_model, k, pair }));
      const says = (k) =>
        page
          .locator("#app > label")
          .filter({ hasText: `k = ${k}` })
          .waitFor();
      const number = (setting) => page.locator(`pe-figure input[type=number][name=${setting}]`);
      await ready(page, "rotation");
      await shows(page, "pe-figure canvas");
      assert.deepEqual(await shown(), { d_model: 64, k: 3, pair: 4 });
      const names = await page
        .locator("pe-figure input[type=number]")
        .evaluateAll((inputs) => inputs.map((input) => input.name));
      assert.deepEqual(names, ["k", "pair"]);

      await page.locator("#app > label input").fill("7");
      await page.waitForFunction(() => document.querySelector("pe-figure").state.k === 7);
      await number("pair").fill("6");
      await number("pair").press("Enter");
      await number("k").fill("5");
      await number("k").press("Enter");
      await says(5);
      assert.deepEqual(await shown(), { d_model: 64, k: 5, pair: 6 });

      await page.locator("#app > button").click();
      await page.locator("pe-figure").waitFor({ state: "detached" });
      await page.locator("#app > label input").fill("9");
      await page.locator("#app > button").click();
      await page.waitForFunction(() => window.readyFigures.length === 2);
      await shows(page, "pe-figure canvas");
      assert.deepEqual(await shown(), { d_model: 64, k: 9, pair: 4 }, "a new figure with the page's settings");
    });
  });

test("frameworks: the server for development finds the WebAssembly", { timeout: TEST_TIMEOUT_MS }, async () => {
  const place = await builtFrameworks();
  const { createServer } = await import(join(place, "node_modules/vite/dist/node/index.js"));
  const server = await createServer({ root: place, server: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
  await server.listen();
  const page = await browser.newPage();
  try {
    await page.addInitScript(() => addEventListener("pe-ready", () => (window.ready = true)));
    await page.goto(`${server.resolvedUrls.local[0]}react.html`);
    await page.waitForFunction(() => window.ready);
    await shows(page, "pe-figure canvas");
  } finally {
    await page.close();
    await server.close();
  }
});

test("frameworks: they are rendered on a server without a figure being started", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const place = await builtFrameworks();
  const settings = `{ view: "rotation", "d-model": 64, state: { k: 5 } }`;
  await writeFile(
    join(place, "server.mjs"),
    `import "posenc";
    import { createElement } from "react";
    import { renderToString as react } from "react-dom/server";
    import { createSSRApp, h } from "vue";
    import { renderToString as vue } from "vue/server-renderer";
    console.log(react(createElement("pe-figure", ${settings})));
    console.log(await vue(createSSRApp({ render: () => h("pe-figure", ${settings}) })));`,
  );
  const { stdout, stderr } = await run("node", ["server.mjs"], { cwd: place });
  assert.equal(stderr, "");
  for (const line of stdout.trim().split("\n")) assert.match(line, /^<pe-figure view="rotation" d-model="64".*>/);
});
// The example has 750 packages, and its build takes minutes.
const all = process.env.POSENC_EXAMPLES === "all";
test("docusaurus: figures on pages that are changed without loading", {
  timeout: TEST_TIMEOUT_MS,
  skip: !all && "takes minutes: POSENC_EXAMPLES=all includes it",
}, async () => {
  const place = await copy("docusaurus");
  await run("npm", ["pack", await madePackage()], { cwd: folder });
  const { version } = JSON.parse(await readFile(join(folder, "posenc/package.json"), "utf8"));
  await install(place, "docusaurus", join(folder, `posenc-${version}.tgz`));
  await run("npm", ["run", "build"], { cwd: place });
  await visit(join(place, "build"), {}, async (page) => {
    await ready(page, "rotation");
    await shows(page, "pe-figure canvas");
    assert.equal((await state(page)).d_model, 64);
    await page.locator("article").getByRole("link", { name: "Next" }).click();
    await ready(page, "waves");
    await shows(page, "pe-figure canvas");
    assert.equal((await state(page)).max_len, 32);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("pe-figure")?.state.view === "rotation");
    await page.waitForFunction(() => window.readyFigures.length === 3);
  });
});
