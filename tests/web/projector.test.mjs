// In the projector's windows the rotation alone has its product in numbers, on the page and presented.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const windows = [
  [1280, 720],
  [1920, 1080],
];
/** The smallest font size, in CSS pixels. */
const READABLE = 22;

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
