// All targets are at least 24 px wide and high (WCAG 2.5.8), their texts are not clipped, and nothing scrolls horizontally.
import assert from "node:assert/strict";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { clippedLists, sideways, small } from "./looks.mjs";

const screens = [
  [{ viewport: b.desktop }, "1280"],
  [{ viewport: b.phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, "390"],
];

for (const [screen, name] of screens) {
  check(`in the dialogs, ${name} px`, { ...screen, hash: "#lang=en" }, async (page) => {
    for (const part of ["share", "save"]) {
      await b.press(page.locator(`#posenc [data-kit=${part}]`));
      await page.locator("dialog[open]").waitFor();
      await b.settle(page);
      assert.deepEqual(await page.locator("html").evaluate(small), [], part);
      await page.keyboard.press("Escape");
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await page.locator("html").evaluate(small), [], "keys");
  });
}

for (const width of [320, 360])
  check(
    `nothing is clipped or scrolls sideways at ${width} px`,
    { viewport: { width, height: 700 }, hasTouch: true, isMobile: true },
    async (page) => {
      assert.deepEqual(await page.evaluate(clippedLists), []);
      assert.deepEqual(await page.evaluate(sideways), []);
    },
  );

for (const lang of ["en", "zh"])
  check(
    `the listing wraps at 320 px, ${lang}`,
    { viewport: { width: 320, height: 700 }, hash: `#view=code&lang=${lang}` },
    async (page) => {
      await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
      await b.settle(page);
      const wide = await page.evaluate(() => {
        const { shadowRoot } = document.querySelector(".alone pe-figure");
        const all = [document.documentElement, ...shadowRoot.querySelectorAll(".listing, .listing *, .outcome *")];
        return all
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth)
          .map((element) => element.className || element.localName);
      });
      assert.deepEqual(wide, []);
    },
  );
