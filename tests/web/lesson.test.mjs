// The lesson below the bench: its chapters and their length, and its way by the keyboard alone. walk.test.mjs looks at every
// figure.
import assert from "node:assert/strict";
import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { dist, serve } from "./serve.mjs";
import { faults, next } from "./stops.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const html = readFileSync(join(dist, "index.html"), "utf8");
const figures = [...html.matchAll(/<pe-figure[^>]*\bid="([^"]+)"[^>]*\bview="([^"]+)"/g)].map(([, id, view]) => ({
  id,
  view,
}));
const chapters = [...html.matchAll(/<section class="chapter" id="([^"]+)"/g)].map(([, id]) => id);

/** The parts of the lesson, the glossary and the sources, which are listed without a number. */
const others = [...html.matchAll(/<(?:header class="part"|section class="glossary[^"]*") id="([^"]+)"/g)].map(
  ([, id]) => id,
);

test("the page has every chapter and its figures", () => {
  // Two of the files are the glossary and the sources.
  assert.equal(chapters.length, readdirSync(new URL("../../static/lesson", import.meta.url)).length - 2);
  assert.equal(new Set(figures.map(({ id }) => id)).size, figures.length, "ids are unique");
  for (const id of chapters) {
    const chapter = html.slice(html.indexOf(`<section class="chapter" id="${id}"`)).split("</section>")[0];
    // The claims of the last chapter are shown by the figures of the others.
    if (id === "mistakes") assert.match(chapter, /<a href="#fig-/, id);
    else assert.match(chapter, /<pe-figure/, id);
    for (const lang of ["en", "zh"]) assert.match(chapter, new RegExp(`<div lang="${lang}">`), `${id} in ${lang}`);
  }
});

/** A minute of reading, about one and a half windows of text. */
const MAX_WORDS = 240;

test(`no more than ${MAX_WORDS} words stand between figures`, () => {
  for (const id of chapters) {
    const chapter = html.slice(html.indexOf(`<section class="chapter" id="${id}"`)).split("</section>")[0];
    // Cards, lists and tables are for reference, and a recap ends a chapter.
    const prose = chapter
      .replace(/<h2>.*?<\/h2>/s, "")
      .replace(/<article class="card">.*?<\/article>/gs, "")
      .replace(/<ul>.*?<\/ul>/gs, "")
      .replace(/<table.*?<\/table>/gs, "")
      .replace(/<aside class="recap">.*?<\/aside>/gs, "")
      // Collapsed text is read on demand.
      .replace(/<details.*?<\/details>/gs, "")
      .replace(/<math.*?<\/math>/gs, "");
    for (const part of prose.split(/<pe-figure.*?<\/pe-figure>/s)) {
      const english = [...part.matchAll(/<(div|p|li|ul|ol|h3|section) lang="en">(.*?)<\/\1>/gs)]
        .map((m) => m[2])
        .join(" ");
      const words = english.replace(/<[^>]+>/g, " ").match(/[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu) ?? [];
      assert.ok(words.length <= MAX_WORDS, `${id}: ${words.length} words: ${words.slice(0, 8).join(" ")} …`);
    }
  }
});

check("a figure is set by its sentences with Enter and Space", { hash: "#lang=en&reading" }, async (page) => {
  const sentence = page.locator("#reading [lang=en] [data-figure=fig-by-hand][data-set='step=16']");
  for (const key of ["Enter", "Space"]) {
    await page.evaluate(() => document.querySelector("#fig-by-hand").setState({ step: 5 }));
    await sentence.press(key);
    await page.waitForFunction(() => document.querySelector("#fig-by-hand").state.step === 16);
    assert.equal(await sentence.getAttribute("aria-pressed"), "true");
  }
});

/** Keys that are tried in the first control of a kind in each figure. */
const KEYS = {
  range: ["ArrowRight"],
  number: ["ArrowUp"],
  checkbox: ["Space"],
  select: ["ArrowDown"],
  canvas: ["ArrowRight", "ArrowDown", "Shift+ArrowLeft"],
  text: ["End"],
};

check("every figure is reached and worked by the keyboard alone", { hash: "#reading" }, async (page) => {
  await page.evaluate(() => {
    document.querySelector(".contents a").focus();
  });
  const reached = new Map();
  const stops = [];
  for (let at = await next(page); at && stops.length < 1500; at = await next(page)) {
    stops.push(at);
    if (!at.figure) continue;
    const kinds = reached.get(at.figure) ?? new Set();
    reached.set(at.figure, kinds);
    if (kinds.has(at.kind)) continue;
    kinds.add(at.kind);
    const keys = KEYS[at.kind] ?? [];
    for (const key of keys) await page.keyboard.press(key);
    // The result of these keys is drawn before the next key.
    if (keys.length) await b.settle(page, 60);
  }
  assert.deepEqual(faults(stops), []);
  assert.deepEqual(
    figures.filter(({ id }) => !reached.has(id)),
    [],
  );
  record("lesson", { ...where(), chapters: chapters.length, stops: stops.length });
});

describe("the lesson", () => {
  check("lists its chapters and marks the one in view", {}, async (page) => {
    const links = page.locator(".contents a");
    assert.equal(await links.count(), chapters.length + others.length);
    for (const id of [chapters[3], chapters[9]]) {
      await page.locator(`.contents a[href='#${id}']`).click();
      await page.waitForFunction((id) => document.querySelector(".contents a[aria-current]")?.hash === `#${id}`, id);
      assert.match(await page.evaluate(() => location.hash), new RegExp(`(^#|&)${id}$`));
    }
  });

  check(
    "opens at the chapter that the address names, with the bench as it says",
    { hash: "#k=7&distance" },
    async (page) => {
      assert.equal(await b.value(page, "k"), 7);
      const top = await page.locator("#distance").evaluate((e) => e.getBoundingClientRect().top);
      assert.ok(Math.abs(top) < 200, `${top}`);
    },
  );

  test("can be read without JavaScript", { timeout: TEST_TIMEOUT_MS }, async () => {
    const context = await tools.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(tools.site.url);
    for (const id of chapters)
      assert.ok(await page.locator(`#${id} p[lang=en], #${id} [lang=en] p`).first().isVisible(), id);
    for (const { id } of figures) assert.ok(await page.locator(`#${id} p[lang=en]`).isVisible(), id);
    // Space is reserved only for figures that will be built.
    const reserved = await page
      .locator("pe-figure")
      .evaluateAll((all) => all.map((figure) => getComputedStyle(figure).minHeight));
    assert.deepEqual([...new Set(reserved)], ["0px"]);
    await context.close();
  });

  test("is not waited for: the bench draws while the lesson is still on its way", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const cut = html.indexOf('<div class="lesson">');
    let finish;
    const rest = new Promise((resolve) => (finish = resolve));
    const site = await serve();
    const slow = createServer(async (request, response) => {
      if (request.url !== "/")
        return createReadStream(join(dist, request.url))
          .on("error", () => response.writeHead(404).end())
          .on("open", () =>
            response.writeHead(200, {
              "content-type": request.url.endsWith(".wasm")
                ? "application/wasm"
                : request.url.endsWith("js")
                  ? "text/javascript"
                  : request.url.endsWith(".css")
                    ? "text/css"
                    : "image/svg+xml",
            }),
          )
          .pipe(response);
      response.writeHead(200, { "content-type": "text/html" });
      response.write(html.slice(0, cut));
      await rest;
      response.end(html.slice(cut));
    });
    await new Promise((resolve) => slow.listen(0, "127.0.0.1", resolve));
    const page = await tools.browser.newPage();
    try {
      await page.goto(`http://127.0.0.1:${slow.address().port}/`, { waitUntil: "commit" });
      await page.waitForFunction(() => document.documentElement.dataset.posenc === "ready");
      assert.equal(await page.locator(".chapter").count(), 0, "nothing of the lesson is there yet");
      finish();
      await page
        .locator(".contents li")
        .nth(chapters.length - 1)
        .waitFor();
    } finally {
      finish();
      await page.close();
      slow.closeAllConnections();
      slow.close();
      await site.close();
    }
  });
});
