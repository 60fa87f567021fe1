// Visible content does not shift by itself when figures are built, without scroll anchoring. loading.test.mjs has the rest.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as b from "./browser.mjs";
import { tools } from "./check.mjs";
import { inEngine } from "./engines.mjs";
import { serve } from "./serve.mjs";
import { climb } from "./visits.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const sizes = { desktop: b.desktop, phone: b.phone };
const places = Object.keys(sizes).flatMap((size) => ["en", "zh"].map((lang) => ({ size, lang })));
/** Chapters with figures above and below them, the first and the last. */
const chapters = ["order", "shift", "distance", "mistakes", "rope", "side-by-side"];

// These run in the page, in any engine.

/**
 * Follows a link of the table of contents; returns the distance of the chapter from the top of the window once its figures
 * are built.
 */
const land = async (id) => {
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve);
      setTimeout(resolve, 250);
    });
  const near = () =>
    [...document.querySelectorAll(".lesson pe-figure")].filter((figure) => {
      const { top, bottom } = figure.getBoundingClientRect();
      return bottom > -0.7 * innerHeight && top < 1.7 * innerHeight;
    });
  document.querySelector(`.contents a[href='#${id}']`).click();
  for (let still = 0, tries = 0; still < 10 && tries < 3000; tries++) {
    await frame();
    still = near().every((figure) => figure.hasAttribute("data-mounted")) ? still + 1 : 0;
  }
  return document.getElementById(id).getBoundingClientRect().top;
};

async function withoutAnchoring({ size, lang, hash = "" }) {
  const page = await b.open(tools.browser, tools.site.url, {
    hash: `#lang=${lang}${hash}`,
    viewport: sizes[size],
    prepare: (page) =>
      page.addInitScript(() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync("* { overflow-anchor: none }");
        document.adoptedStyleSheets = [sheet];
      }),
  });
  await b.settle(page);
  return page;
}

describe("without scroll anchoring", () => {
  for (const place of places) {
    const name = `${place.size}, ${place.lang}`;
    test(`contents and links lead to the chapter's heading: ${name}`, { timeout: TEST_TIMEOUT_MS }, async () => {
      const page = await withoutAnchoring(place);
      for (const id of chapters) {
        const top = await page.evaluate(land, id);
        assert.ok(Math.abs(top) <= 4, `${id} is ${top} px from the top`);
      }
      const there = await withoutAnchoring({ ...place, hash: "&rope" });
      await there.waitForFunction(() => document.querySelector("#fig-rope[data-mounted]"));
      await b.settle(there, 500);
      const top = await there.locator("#rope").evaluate((chapter) => chapter.getBoundingClientRect().top);
      assert.ok(Math.abs(top) <= 4, `#rope is ${top} px from the top`);
      await page.context().close();
      await there.context().close();
    });
  }
});

let site;
before(async () => {
  site = await serve();
});
after(() => site.close());

inEngine("webkit", (driver) => {
  // The window of WebKit's browser cannot be as narrow as a phone.
  for (const { size, lang } of places.filter(({ size }) => size === "desktop")) {
    test(`chapters are where they are looked for, and stay: ${size}, ${lang}`, {
      timeout: TEST_TIMEOUT_MS,
    }, async () => {
      // A script may take longer than a driver waits for it.
      const run = async (work, value) => {
        await driver().run(
          `window.done = undefined; (${work})(arguments[0]).then((done) => { window.done = { done }; });`,
          value,
        );
        return (await driver().until(() => window.done)).done;
      };
      await driver().size(sizes[size]);
      await driver().open(`${site.url}#lang=${lang}`);
      for (const id of chapters) {
        const top = await run(land, id);
        assert.ok(Math.abs(top) <= 4, `${id} is ${top} px from the top`);
      }
      await driver().run(() => document.getElementById("rope").scrollIntoView());
      const { worst, stands } = await run(climb, "fig-similarity");
      assert.ok(stands > 2, `${stands} places were looked at`);
      assert.ok(worst <= 4, `the text jumps by ${worst} px`);
      await driver().open(`${site.url}#lang=${lang}&rope`);
      await driver().until(() => document.querySelector("#fig-rope[data-mounted]"));
      await driver().until(() => Math.abs(document.getElementById("rope").getBoundingClientRect().top) <= 4);
    });
  }
});
