// The lesson below the bench: every chapter and figure, in both languages, by pointer and by keyboard.
import assert from "node:assert/strict";
import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { dist, serve } from "./serve.mjs";
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

let drawn = 0;

/** Scrolls to a figure and waits until it is drawn. */
async function bring(page, id) {
  await page.locator(`#${id}`).evaluate((figure) => figure.scrollIntoView({ block: "center" }));
  await page.waitForFunction(
    (id) => document.getElementById(id).shadowRoot?.querySelector(".caption")?.textContent,
    id,
  );
  await b.settle(page, 120);
}

/** Returns the faults of a figure: text outside its box, a notice, a malformed number in the caption. */
const faults = (page, id) =>
  page.locator(`#${id}`).evaluate((figure) => {
    const root = figure.shadowRoot;
    const wide = [...root.querySelectorAll(".figure, .caption, .above, .below, .controls, .equation")]
      .filter(
        (e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible",
      )
      .map((e) => `${e.className} is ${e.scrollWidth} px wide in ${e.clientWidth}`);
    const notice = root.querySelector(".notice").textContent;
    const caption = root.querySelector(".caption").textContent;
    const odd = /NaN|inf|undefined|\bnull\b/.test(caption) ? [`caption: ${caption}`] : [];
    return [...wide, ...(notice ? [`notice: ${notice}`] : []), ...odd];
  });

test("the page has every chapter and its figures", () => {
  // Two of the files are the glossary and the sources.
  assert.equal(chapters.length, readdirSync(new URL("../../static/lesson", import.meta.url)).length - 2);
  assert.equal(new Set(figures.map(({ id }) => id)).size, figures.length, "ids are unique");
  for (const id of chapters) {
    const chapter = html.slice(html.indexOf(`<section class="chapter" id="${id}"`)).split("</section>")[0];
    assert.match(chapter, /<pe-figure/, id);
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

/** Scrolls to every figure in turn and checks it for faults. */
async function walk(page) {
  for (const { id } of figures) {
    await bring(page, id);
    assert.deepEqual(await faults(page, id), [], id);
    drawn++;
  }
  record("lesson", { ...where(), chapters: chapters.length, drawn });
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(width[0] <= width[1], `the page is ${width[0]} px wide in ${width[1]}`);
}

describe("every figure", () => {
  for (const [viewport, theme, lang] of [
    [b.desktop, "light", "zh"],
    [b.desktop, "projector", "en"],
    [b.desktop, "projector", "zh"],
    [b.phone, "dark", "en"],
    [b.phone, "dark", "zh"],
  ])
    check(
      `is drawn at ${viewport.width}×${viewport.height}, ${theme}, ${lang}`,
      { viewport, hash: `#lang=${lang}&theme=${theme}` },
      walk,
    );

  check("is drawn at 1280×720, light, en, and gives its canvas and listeners back when it is far", {}, async (page) => {
    const built = () =>
      page.evaluate(
        () => [...document.querySelectorAll("pe-figure")].filter((f) => f.shadowRoot?.querySelector("canvas")).length,
      );
    await b.settle(page, 300);
    const first = await built();
    assert.ok(first < 6, `${first} at the top`);
    await walk(page);
    assert.ok((await built()) < 8, "at the end");
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.evaluate(() => scrollTo(0, 0));
    await b.settle(page, 300);
    assert.ok((await built()) < 6, "at the top again");
    const after = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(Math.abs(after - height) < 60, `the page keeps its length: ${height} and ${after}`);
  });

  check("is alone at the address of its link, and the address follows it", {}, async (page) => {
    for (const view of new Set(figures.map(({ view }) => view))) {
      if (b.views.includes(view)) continue;
      await page.evaluate((view) => (location.hash = `#view=${view}`), view);
      const figure = page.locator("#posenc pe-figure");
      await figure.locator(".caption").waitFor();
      await b.settle(page, 60);
      assert.equal(await page.locator("[data-notice]").count(), 0, view);
      assert.equal(await page.locator(".lesson").isVisible(), false, view);
      const range = figure.locator(".settings > .fields input[type=range]").first();
      if (!(await range.count())) continue;
      await range.focus();
      await page.keyboard.press((await range.evaluate((r) => r.value === r.max)) ? "ArrowLeft" : "ArrowRight");
      await b.settle(page, 60);
      const name = await range.getAttribute("name");
      const text = await figure.locator(`input[type=number][name=${name}]`).inputValue();
      const said = ([name, text]) => new URLSearchParams(location.hash.slice(1)).get(name) === text;
      await page
        .waitForFunction(said, [name, text])
        .catch(() => assert.fail(`${view}: the address does not say ${name}=${text}`));
      await b.choose(page, "lang", "zh");
      assert.equal(
        await figure.locator(`input[type=number][name=${name}]`).inputValue(),
        text,
        `${view} keeps ${name} in Chinese`,
      );
      await b.choose(page, "lang", "en");
    }
  });

  check("is moved by its sentences", {}, async (page) => {
    const count = await page.locator("[data-set]").count();
    assert.ok(count > 20, `${count} sentences`);
    let sentences = 0;
    for (let i = 0; i < count; i++) {
      const button = page.locator("[data-set]").nth(i);
      const [id, wanted] = await button.evaluate((e) => [e.dataset.figure, e.dataset.set]);
      if (!(await button.isVisible())) continue;
      await button.click();
      sentences++;
      await b.settle(page, 60);
      const what = `${id}: ${wanted}`;
      assert.equal(await page.locator("[data-notice]").count(), 0, what);
      if (id === "bench") {
        const now = await page.evaluate(() =>
          Object.fromEntries(
            [...document.querySelectorAll("#posenc [name]:not([type=range])")].map((e) => [e.name, e.value]),
          ),
        );
        for (const [name, value] of new URLSearchParams(wanted))
          if (name in now && name !== "k") assert.equal(now[name], value, what);
      } else {
        await bring(page, id);
        assert.deepEqual(await faults(page, id), [], what);
      }
    }
    record("lesson", { sentences });
  });

  check("can be worked by the keyboard alone", { hash: "#reading" }, async (page) => {
    await page.evaluate(() => {
      document.querySelector(".contents a").focus();
    });
    const reached = new Map();
    let stops = 0;
    for (let i = 0; i < 1500; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const host = document.activeElement;
        const inner = host?.shadowRoot?.activeElement;
        const element = inner ?? host;
        const box = element?.getBoundingClientRect();
        return {
          id: inner ? host.id : "",
          what:
            element?.tagName === "INPUT"
              ? element.type
              : element?.dataset?.view
                ? "canvas"
                : element?.tagName.toLowerCase(),
          named: Boolean(element?.getAttribute("aria-label") || element?.textContent.trim() || element?.labels?.length),
          seen: box && box.width > 0 && box.bottom > 0 && box.top < innerHeight,
          text: element?.outerHTML.slice(0, 120),
        };
      });
      if (at.what === "body") break;
      // A figure that was far from the viewport is built and moves the focus inside.
      if (at.what === "pe-figure") {
        await b.settle(page, 100);
        continue;
      }
      assert.ok(at.seen, `out of sight: ${at.text}`);
      assert.ok(at.named, `without a name: ${at.text}`);
      stops++;
      if (!at.id) continue;
      const kinds = reached.get(at.id) ?? new Set();
      reached.set(at.id, kinds);
      if (kinds.has(at.what)) continue;
      kinds.add(at.what);
      const keys =
        {
          range: ["ArrowRight"],
          number: ["ArrowUp"],
          checkbox: ["Space"],
          select: ["ArrowDown"],
          canvas: ["ArrowRight", "ArrowDown", "Shift+ArrowLeft"],
          text: ["End"],
        }[at.what] ?? [];
      for (const key of keys) await page.keyboard.press(key);
      // The result of these keys is drawn before the next key.
      if (keys.length) await b.settle(page, 60);
    }
    const missed = figures.filter(({ id }) => !reached.has(id)).map(({ id }) => id);
    assert.deepEqual(missed, []);
    record("lesson", { stops });
  });
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
