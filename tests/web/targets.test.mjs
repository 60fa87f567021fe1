// All targets are at least 24 px wide and high (WCAG 2.5.8), their texts are not clipped, and nothing scrolls horizontally.
import assert from "node:assert/strict";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

/** Returns all smaller targets; links in running text are as high as their line and are exempt. */
const small = (page) =>
  page.evaluate(() => {
    const found = [];
    const walk = (root) => {
      for (let element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (
          !element.matches(
            "a[href], button, input, select, textarea, summary, [role=button], [data-do], .line[tabindex]",
          )
        )
          continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        // The target is its label.
        if (element.matches("input.unseen") && element.labels.length) element = element.labels[0];
        if (element.matches(".prose :is(p, li, td, figcaption, summary) *, .failure *")) continue;
        const { width, height } = element.getBoundingClientRect();
        // Half a device pixel is rounding.
        if (width < 23.9 || height < 23.9)
          found.push(`${width.toFixed(1)} × ${height.toFixed(1)} ${element.outerHTML.slice(0, 110)}`);
      }
    };
    walk(document);
    return found;
  });

/** Returns selects whose selected option does not fit. */
const clipped = (page) =>
  page.evaluate(() => {
    // The theme is shown as a symbol; its list has the names.
    const lists = [...document.querySelectorAll("#posenc select:not([name=theme])")].filter((list) =>
      list.checkVisibility(),
    );
    return lists
      .filter((list) => {
        const free = list.cloneNode(true);
        free.style.cssText = "position: absolute; visibility: hidden; width: auto !important; max-width: none";
        free.replaceChildren(list.selectedOptions[0].cloneNode(true));
        list.after(free);
        const needed = free.offsetWidth;
        free.remove();
        return needed > list.offsetWidth + 1;
      })
      .map((list) => `${list.name}: ${list.selectedOptions[0].textContent}`);
  });

const screens = [
  [{ viewport: b.desktop }, "1280"],
  [{ viewport: b.phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, "390"],
];

for (const [screen, name] of screens) {
  for (const lang of ["en", "zh"])
    check(`on the bench and in the lesson, ${name} px, ${lang}`, { ...screen, hash: `#lang=${lang}` }, async (page) => {
      assert.deepEqual(await clipped(page), []);
      await b.buildAll(page);
      await page.evaluate(() => {
        for (const figure of document.querySelectorAll("pe-figure"))
          figure.shadowRoot.querySelector(".menu").open = true;
      });
      assert.deepEqual(await small(page), []);
    });

  check(`in the dialogs, ${name} px`, { ...screen, hash: "#lang=en" }, async (page) => {
    for (const part of ["share", "save"]) {
      await b.press(page.locator(`#posenc [data-kit=${part}]`));
      await page.locator("dialog[open]").waitFor();
      await b.settle(page);
      assert.deepEqual(await small(page), [], part);
      await page.keyboard.press("Escape");
    }
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    assert.deepEqual(await small(page), [], "keys");
  });
}

for (const width of [320, 360])
  check(
    `nothing is clipped or scrolls sideways at ${width} px`,
    { viewport: { width, height: 700 }, hasTouch: true, isMobile: true },
    async (page) => {
      assert.deepEqual(await clipped(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
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
