// In the projector theme a figure fits its window: in the lesson, alone and presented, with type for reading from a
// distance.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { tools } from "./check.mjs";
import { root } from "./figures.mjs";
import { openAll } from "./reserved-heights.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const windows = [
  [1280, 720],
  [1920, 1080],
];
/** The smallest font size of tick labels, in CSS pixels in a window of 1280 × 720. */
const READABLE = 22;

/** The names of all figures, without the bench and its four views. */
const source = await readFile(join(root, "src/field/view_name.rs"), "utf8");
const names = [...source.matchAll(/^ {4}\w+ "([\w-]+)" "/gm)].map(([, name]) => name).slice(5);

/** Returns the figures that are higher than the window, with their height in windows. */
const higher = (heights, height) =>
  heights.filter(([, high]) => high > height).map(([name, high]) => `${name} ${(high / height).toFixed(3)}`);

for (const [width, height] of windows)
  for (const lang of ["en", "zh"]) {
    const where = `${width}×${height}, ${lang}`;
    const options = { viewport: { width, height } };
    /** The font size of tick labels: 12 px at scale 1 (src/draw/theme.rs), relative to a window of 720 px height. */
    const tick = (scale) => (12 * scale * 720) / height;

    test(`no figure of the lesson is higher than its window: ${where}`, { timeout: TEST_TIMEOUT_MS }, async (t) => {
      const page = await openAll(tools.browser, tools.site.url, lang, "&theme=projector", options);
      await b.settle(page, 600);
      const heights = await page.evaluate(() =>
        [...document.querySelectorAll(".lesson pe-figure")].map((figure) => [
          figure.id,
          figure.getBoundingClientRect().height,
        ]),
      );
      assert.ok(heights.length > 40);
      t.diagnostic(`${Math.max(...heights.map(([, high]) => high / height)).toFixed(3)} of the window at most`);
      assert.deepEqual(higher(heights, height), []);
      await b.noProblems(page);
      await page.context().close();
    });

    test(`no page of a figure alone is higher than its window, and none presented: ${where}`, {
      timeout: TEST_TIMEOUT_MS,
    }, async (t) => {
      const hash = `#view=quiz&theme=projector&lang=${lang}`;
      const page = await b.open(tools.browser, tools.site.url, { hash, ...options });
      assert.ok(names.length > 45 && names[0] === "clocks");
      const [heights, covered, small] = [[], [], []];
      for (const name of names) {
        await page.evaluate((hash) => (location.hash = hash), hash.replace("quiz", name));
        await page.waitForFunction((name) => {
          const figure = document.querySelector(`.alone > pe-figure[view=${name}]`);
          return figure?.hasAttribute("data-mounted") && !figure.hasAttribute("data-unfinished");
        }, name);
        await b.settle(page, 600);
        const { high, isCovered, scale } = await page.evaluate(() => {
          const shadow = document.querySelector(".alone > pe-figure").shadowRoot;
          const title = new Range();
          title.selectNodeContents(shadow.querySelector("h3"));
          const [start, end] = [title, shadow.querySelector(".links")].map((it) => it.getBoundingClientRect());
          const tools = document.querySelector(".masthead .tools").getBoundingClientRect();
          return {
            high: document.documentElement.scrollHeight,
            isCovered: start.right > tools.left || tools.right > end.left,
            scale: getComputedStyle(shadow.querySelector(".figure")).getPropertyValue("--scale"),
          };
        });
        assert.ok(scale > 0, scale);
        heights.push([name, high]);
        if (tick(scale) < READABLE) small.push(`${name} alone ${tick(scale).toFixed(1)}`);
        if (isCovered) covered.push(name);
        if (lang === "zh") continue;
        await page.keyboard.press("p");
        await page.waitForFunction(() => document.querySelector("#kit-figure[data-fits]"));
        await b.settle(page);
        // Some figures grow while they compute.
        await page.waitForFunction(() => {
          const [stage, figure] = [".kit-stage", "#kit-figure"].map((selector) => document.querySelector(selector));
          return figure.hasAttribute("data-fits") && figure.offsetHeight <= stage.clientHeight + 1;
        });
        const presented = await page
          .locator("#kit-figure")
          .evaluate((figure) =>
            getComputedStyle(figure.shadowRoot.querySelector(".figure")).getPropertyValue("--scale"),
          );
        if (tick(presented) < READABLE) small.push(`${name} ${tick(presented).toFixed(1)}`);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => !document.querySelector(".kit-show"));
        await b.settle(page);
      }
      t.diagnostic(`${Math.max(...heights.map(([, high]) => high / height)).toFixed(3)} of the window at most`);
      assert.deepEqual(higher(heights, height), []);
      assert.deepEqual(covered, []);
      assert.deepEqual(small, []);
      await b.noProblems(page);
      await page.context().close();
    });
  }

for (const [width, height] of windows)
  for (const [where, present] of [
    ["on the page", false],
    ["presented", true],
  ])
    test(`the rotation alone has its product in numbers, ${where}: ${width}×${height}`, {
      timeout: TEST_TIMEOUT_MS,
    }, async () => {
      const hash = `#view=rotation${present ? "" : "&theme=projector"}`;
      const page = await b.open(tools.browser, tools.site.url, { hash, viewport: { width, height } });
      if (present) {
        await page.keyboard.press("p");
        await page.waitForFunction(() => document.querySelector(".kit-bar"));
      }
      await b.settle(page, 600);
      const numbers = page.locator(".product .equation.numbers");
      assert.ok(await numbers.isVisible());
      const size = await numbers.evaluate((equation) => Number.parseFloat(getComputedStyle(equation).fontSize));
      assert.ok(size >= READABLE, `${size} px`);
      const {
        right,
        bottom,
        stage,
        page: whole,
      } = await page.locator(".product").evaluate((product) => {
        const inner = [...product.children].filter((child) => child.checkVisibility());
        return {
          right: Math.max(...inner.map((child) => child.getBoundingClientRect().right)),
          bottom: product.getBoundingClientRect().bottom,
          stage: document.querySelector("[data-stage=rotation]").clientHeight,
          page: document.documentElement.scrollHeight,
        };
      });
      assert.ok(right <= width && bottom <= height, `the product ends at ${right}, ${bottom}`);
      assert.ok(whole <= height, `the page is ${whole} px high`);
      assert.ok(stage >= 400, `the dial has ${stage} px`);
      await b.noProblems(page);
      await page.context().close();
    });
