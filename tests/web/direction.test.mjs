// Pages in right-to-left direction: a figure on them has the same layout and picture.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import "./remains.mjs";
import { launch, noProblems, open, settle } from "./browser.mjs";
import { hosting } from "./host.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

let browser, pages, site;
before(async () => {
  [browser, pages, site] = await Promise.all([launch(), hosting(), serve()]);
});
after(async () => {
  await browser.close();
  await Promise.all([pages.close(), site.close()]);
});

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

/**
 * Returns the positions of the first and last letter of every text inside `root`, the positions of all controls, and the
 * canvases' contents.
 */
const layout = (root) => {
  const inside = root.shadowRoot?.querySelector(".figure") ?? root;
  const { x: left, y: top } = inside.getBoundingClientRect();
  // Rounded to half a pixel, since positions are fractions.
  const place = ({ x, y, width }) => [x - left, y - top, width].map((value) => Math.round(2 * value) / 2);
  const places = [];
  const texts = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const { length } = text.data;
    if (!text.data.trim() || !text.parentElement.checkVisibility()) continue;
    const letter = (at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return place(range.getBoundingClientRect());
    };
    places.push([text.data, letter(0), letter(length - 1)].join());
  }
  for (const control of inside.querySelectorAll("input, select, button, canvas"))
    places.push([control.name ?? control.className, place(control.getBoundingClientRect())].join());
  for (const canvas of inside.querySelectorAll("canvas")) places.push(canvas.toDataURL());
  return places;
};

/** Everything that is visible or can be saved of a figure on a page with this direction. */
async function seen(view, lang, dir, settings = "") {
  const head = `<script>document.documentElement.dir = "${dir}"</script>`;
  const page = await pages.open(browser, `<pe-figure id="f" view="${view}" lang="${lang}" ${settings}></pe-figure>`, {
    head,
  });
  try {
    await page.waitForFunction(() => events.some(([name]) => name === "pe-ready"));
    const figure = page.locator("#f");
    const picture = await figure.evaluate(async (figure) =>
      [...new Uint8Array(await (await figure.toBlob()).arrayBuffer())].join(),
    );
    // The picture as a part of the page, with the start and width of its texts.
    const words = await figure.evaluate((figure) => {
      const made = new DOMParser().parseFromString(figure.toSVG(), "image/svg+xml");
      const svg = document.body.appendChild(document.importNode(made.documentElement, true));
      const round = ({ x, width }) => [x, width].map(Math.round);
      const places = [...svg.querySelectorAll("text")].map((text) => [text.textContent, ...round(text.getBBox())]);
      svg.remove();
      return places;
    });
    await noProblems(page);
    return { screen: await figure.evaluate(layout), picture: hash(picture), words };
  } finally {
    await page.context().close();
  }
}

describe("on a page from right to left", () => {
  for (const [view, lang, settings] of [
    ["rotation", "en"],
    ["shift-matrix", "en"],
    // The picture comes with the values of the first pair.
    ["by-hand", "zh", `step="8"`],
    ["order", "en"],
  ]) {
    test(`${view} looks as on any other, in ${lang}`, { timeout: TEST_TIMEOUT_MS }, async () => {
      const [ltr, rtl] = [await seen(view, lang, "ltr", settings), await seen(view, lang, "rtl", settings)];
      assert.deepEqual(rtl.words, ltr.words, "the SVG in a page");
      assert.equal(rtl.picture, ltr.picture, "the PNG");
      assert.ok(ltr.screen.length > 5);
      assert.deepEqual(rtl.screen, ltr.screen, "the screen");
    });
  }

  test("the sentence in a figure's place keeps the direction of its page", async () => {
    const page = await pages.open(browser, `<pe-figure id="f" view="waves" loading="lazy">جملة.</pe-figure>`, {
      head: `<script>document.documentElement.dir = "rtl"</script>`,
    });
    assert.equal(await page.locator("#f").evaluate((figure) => getComputedStyle(figure).direction), "rtl");
    await page.context().close();
  });

  test("the bench is as on any other", { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await open(browser, site.url, { hash: "#k=-7&lang=en" });
    await settle(page);
    const bench = page.locator("#posenc");
    const ltr = await bench.evaluate(layout);
    assert.ok(ltr.length > 50);
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    await settle(page);
    assert.deepEqual(await bench.evaluate(layout), ltr);
    await page.context().close();
  });
});
