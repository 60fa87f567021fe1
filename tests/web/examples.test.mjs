// The examples, built as their READMEs say and used as readers, students and speakers do.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { desktop, launch } from "./browser.mjs";
import { dist, serve } from "./serve.mjs";

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

/** A copy of an example to build in. */
async function copy(name) {
  const place = join(folder, name);
  await cp(join(root, "examples", name), place, { recursive: true, filter: (path) => !/\/(node_modules|posenc|build|book)$/.test(path) });
  return place;
}

/** The npm packages that an example names, installed once for good, with `more` beside them. */
async function install(place, name, ...more) {
  const kept = join(tools, "examples", name);
  const wanted = await readFile(join(place, "package.json"), "utf8");
  if ((await readFile(join(kept, ".installed"), "utf8").catch(() => "")) !== wanted) {
    await rm(kept, { recursive: true, force: true });
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, "package.json"), wanted);
    await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: kept });
    await writeFile(join(kept, ".installed"), wanted);
  }
  await cp(join(kept, "node_modules"), join(place, "node_modules"), { recursive: true, verbatimSymlinks: true });
  if (more.length) await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--no-save", ...more], { cwd: place });
}

/** Serves a folder and runs `work` on a page of it that must end without a problem. */
async function visit(place, { path = "", ...options }, work) {
  const server = await serve(0, place);
  const context = await browser.newContext({ viewport: desktop, locale: "en-GB", colorScheme: "light", ...options });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const problems = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && !m.location().url.endsWith("/favicon.ico") && problems.push(`${m.type()}: ${m.text()}`));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("response", (r) => r.status() >= 400 && !r.url().endsWith("/favicon.ico") && problems.push(`${r.status()} ${r.url()}`));
    page.on("request", (r) => /^https?:/.test(r.url()) && !r.url().startsWith(server.url) && problems.push(`asked for ${r.url()}`));
    await page.addInitScript(() => {
      window.ready = [];
      addEventListener("pe-ready", (event) => window.ready.push(event.detail.state.view));
    });
    await page.goto(server.url + path);
    await work(page);
    assert.deepEqual(problems, []);
  } finally {
    await context.close();
    await server.close();
  }
}

const ready = (page, view) => page.waitForFunction((view) => window.ready.includes(view), view);
const state = (page, selector = "pe-figure") => page.locator(selector).evaluate((figure) => figure.state);

test("html: elements share their settings, frames show what their addresses say", { timeout: 120_000 }, async () => {
  const place = await copy("html");
  await symlink(dist, join(place, "posenc"));
  await visit(place, {}, async (page) => {
    await ready(page, "rotation");
    await page.locator("#slow").click();
    await page.waitForFunction(() => document.querySelector("#waves").state.pair === 20);
    assert.equal(await page.locator("#said").textContent(), "pair 20, k = 3");
    for (const [id, canvas] of [["frame", "order"], ["file", "heatmap"]]) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      const frame = page.frameLocator(`#${id}`);
      await frame.locator("html[data-posenc=ready]").waitFor();
      await frame.locator(`canvas[data-view=${canvas}]`).waitFor();
    }
  });
});

test("reveal: a figure on a slide has its keys, the slides theirs", { timeout: 300_000 }, async () => {
  const place = await copy("reveal");
  await install(place, "reveal");
  await symlink(dist, join(place, "posenc"));
  await visit(place, { viewport: { width: 1920, height: 1080 } }, async (page) => {
    await page.locator(".reveal.ready").waitFor();
    const slide = () => page.evaluate(() => Number(location.hash.replace("#/", "") || 0));
    const on = (index) => page.waitForFunction((index) => document.querySelectorAll(".slides > section")[index].classList.contains("present"), index);
    await page.keyboard.press("ArrowRight");
    await on(1);
    await ready(page, "rotation");
    await page.waitForTimeout(1000);
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

    // A remote control turns slides whatever has the focus.
    await page.keyboard.press("PageDown");
    await on(2);
    const frame = page.frameLocator("iframe");
    await frame.locator("html[data-posenc=ready]").waitFor();
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

test("mdbook: figures in chapters, also in folders, and keys that turn no pages", { timeout: 120_000 }, async () => {
  const place = await copy("mdbook");
  await cp(join(dist, "posenc-inline.js"), join(place, "src/posenc-inline.js"));
  await run("mdbook", ["build", place]);
  await visit(join(place, "book"), { path: "positions.html" }, async (page) => {
    await ready(page, "rotation");
    await page.locator("pe-figure input[type=range][name=k]").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("pe-figure").state.k === 4);
    await page.locator("pe-figure input[type=number][name=k]").focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(500);
    assert.match(page.url(), /positions\.html$/);
    await page.locator("main h1").first().click();
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/more\/waves\.html$/);
    await ready(page, "waves");
  });
});

// Its 750 packages and its build take minutes.
const all = process.env.POSENC_EXAMPLES === "all";
test("docusaurus: figures on pages that are changed without loading", { timeout: 1_800_000, skip: !all && "takes minutes: POSENC_EXAMPLES=all includes it" }, async () => {
  const place = await copy("docusaurus");
  const { stdout } = await run("node", [join(root, "scripts/kit/package.mjs"), join(folder, "posenc")]);
  await run("npm", ["pack", stdout.trim()], { cwd: folder });
  const { version } = JSON.parse(await readFile(join(folder, "posenc/package.json"), "utf8"));
  await install(place, "docusaurus", join(folder, `posenc-${version}.tgz`));
  await run("npm", ["run", "build"], { cwd: place });
  await visit(join(place, "build"), {}, async (page) => {
    await ready(page, "rotation");
    assert.equal((await state(page)).d_model, 64);
    await page.locator("article").getByRole("link", { name: "Next" }).click();
    await ready(page, "waves");
    assert.equal((await state(page)).max_len, 32);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("pe-figure")?.state.view === "rotation");
    await page.waitForFunction(() => window.ready.length === 3);
  });
});
