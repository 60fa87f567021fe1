// What is on the page stays where it is while the rest loads, part by part, and while a reader scrolls down past figures that
// are only then built.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CORE_FILES, desktop, frames, phone } from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const sizes = { desktop, phone };
const places = Object.keys(sizes).flatMap((size) => ["en", "zh"].map((lang) => ({ size, lang })));
/** CSS pixels by which text may move without being noticed. */
const STILL = 4;

/** What arrives after the text, one after the other, and when it is there. */
const parts = {
  "the bench": [CORE_FILES, () => document.documentElement.dataset.posenc === "ready"],
  "the other modules": [
    /\/(kit\/[^/]+\.mjs|recovery\.mjs)$/,
    () => document.documentElement.dataset.parts === "started",
  ],
  "the translation": ["**/lesson.zh.html", () => document.documentElement.dataset.translation !== "loading"],
};

/** The places of what is in the window, by what it is. */
const look = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll("#posenc, .lesson, .contents, .chapter")].map((element) => {
      const { top, left, height, width } = element.getBoundingClientRect();
      return { what: element.id || element.className, top, left, height, width };
    });
    return all.filter(({ top, height }) => height && top < innerHeight && top + height > 0);
  });

for (const { size, lang } of places)
  test(`nothing moves while the page loads: ${size}, ${lang}`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const context = await tools.browser.newContext({ viewport: sizes[size], locale: "en-GB" });
    const page = await context.newPage();
    const arrive = new Map();
    for (const [part, [files]] of Object.entries(parts)) {
      const arrives = new Promise((resolve) => arrive.set(part, resolve));
      await page.route(files, (route) => arrives.then(() => route.continue()));
    }
    await page.goto(`${tools.site.url}#lang=${lang}`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.readyState !== "loading");
    await frames(page, 10);
    const before = await look(page);
    assert.ok(before.length > 0);
    for (const [part, [, isThere]] of Object.entries(parts)) {
      arrive.get(part)();
      await page.waitForFunction(isThere);
      await frames(page, 10);
      const now = await look(page);
      const moved = ["top", "left", "height", "width"].filter((side) =>
        now.some((place, index) => Math.abs(place[side] - before[index]?.[side]) > STILL),
      );
      const whole = JSON.stringify([before, now]);
      assert.deepEqual(
        now.map(({ what }) => what),
        before.map(({ what }) => what),
        `${part}: ${whole}`,
      );
      assert.deepEqual(moved, [], `${part}: ${whole}`);
    }
    await context.close();
  });

for (const { size, lang } of places)
  check(
    `nothing jumps as a reader scrolls down: ${size}, ${lang}`,
    { hash: `#lang=${lang}`, viewport: sizes[size] },
    async (page) => {
      const { worst, figures } = await page.evaluate(async () => {
        const texts = () =>
          [...document.querySelectorAll(".prose :is(p, h2)")].filter((element) => {
            const { top, bottom, height } = element.getBoundingClientRect();
            return height && top >= 0 && bottom < innerHeight && !element.closest("pe-figure, .stays");
          });
        const near = () =>
          [...document.querySelectorAll(".lesson pe-figure")].filter((figure) => {
            const { top, bottom } = figure.getBoundingClientRect();
            return bottom > -0.7 * innerHeight && top < 1.7 * innerHeight;
          });
        const areBuilt = () => near().every((figure) => figure.hasAttribute("data-mounted"));
        document.querySelector(".lesson").scrollIntoView({ behavior: "instant" });
        let [worst, figures] = [0, 0];
        for (let step = 0; step < 40; step++) {
          scrollBy({ top: innerHeight / 4, behavior: "instant" });
          const before = new Map(texts().map((element) => [element, element.getBoundingClientRect().top]));
          await work.until(areBuilt, "the figures near the window");
          await work.frames(3);
          for (const [element, top] of before)
            worst = Math.max(worst, Math.abs(element.getBoundingClientRect().top - top));
          figures = Math.max(figures, document.querySelectorAll(".lesson pe-figure[data-mounted]").length);
        }
        return { worst, figures };
      });
      assert.ok(figures > 1, `${figures} figures`);
      assert.ok(worst <= STILL, `the text jumps by ${worst} px`);
    },
  );

for (const name of ["recovery.mjs", "kit/scenes.mjs", "kit/print.mjs"])
  test(`a bench without ${name} is not said to have failed`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const context = await tools.browser.newContext({ viewport: desktop, locale: "en-GB" });
    const page = await context.newPage();
    await page.route(`**/${name}`, (route) => route.abort());
    await page.goto(`${tools.site.url}#lang=en`);
    await page.locator("html[data-failure=part]").waitFor({ state: "attached" });
    assert.equal(await page.locator(".failure").innerText(), "Not loaded: reload the page");
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.posenc), "failed");
    await page.locator("#posenc input[type=number][name=k]").first().fill("9");
    await page.waitForFunction(async () => (await import("./core/posenc.js")).benchState().k === 9);
    await context.close();
  });

check("style sheets are downloaded once", {}, async (page) => {
  for (const name of ["theme.css", "figure.css"]) {
    const loads = await page.evaluate(
      (name) =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry.name.endsWith(`/${name}`))
          .map(({ transferSize }) => transferSize > 0),
      name,
    );
    assert.deepEqual([loads.length, loads.filter(Boolean).length], [2, 1], name);
  }
});
