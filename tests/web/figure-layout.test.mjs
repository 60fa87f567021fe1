// The parts around a figure's picture: few, in a fixed order, and no figure higher than a window.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { openAll } from "./reserved-heights.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

/** The largest height of a figure, as a fraction of the window's height. */
const MAX_HEIGHT = 0.86;
/** The largest distance from a figure's top to its picture, in CSS pixels. */
const MAX_ABOVE = 64;
/** The smallest median of the fraction of a figure that its picture covers. */
const MIN_SHARE = 0.75;
const MAX_CONTROLS = 2;

/** The layout of every figure of the lesson. */
const measure = () =>
  [...document.querySelectorAll(".lesson pe-figure")].map((figure) => {
    const { top, width, height } = figure.getBoundingClientRect();
    const inside = figure.shadowRoot;
    const picture = inside.querySelector("canvas").getBoundingClientRect();
    const controls = [...inside.querySelectorAll(".controls [data-control]")].filter(
      (control) => !control.closest("details:not([open])"),
    );
    return {
      id: figure.id,
      height,
      above: picture.height && picture.top - top,
      share: (picture.width * picture.height) / (width * height),
      beside: inside.querySelector("[data-split]") !== null || figure.matches(".beside"),
      controls: controls.length,
    };
  });

for (const lang of ["en", "zh"])
  test(`the picture leads, ${lang}`, { timeout: TEST_TIMEOUT_MS }, async (t) => {
    const page = await openAll(tools.browser, tools.site.url, lang);
    await b.settle(page, 600);
    const figures = await page.evaluate(measure);
    assert.ok(figures.length > 35);
    const most = MAX_HEIGHT * b.desktop.height;
    for (const { id, height, above, controls } of figures) {
      assert.ok(height <= most, `${id} is ${height} px high`);
      assert.ok(above <= MAX_ABOVE, `the picture of ${id} begins ${above} px down`);
      assert.ok(controls <= MAX_CONTROLS, `${id} has ${controls} controls`);
    }
    const shares = figures.map(({ share }) => share).filter((share) => share > 0);
    const median = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)];
    t.diagnostic(`median share of the picture: ${median.toFixed(3)}`);
    assert.ok(median >= MIN_SHARE, `${median}`);
    await b.noProblems(page);
    await page.context().close();
  });

const open = (figure) => figure.locator(".menu").evaluate((menu) => menu.open);
/** The element that has the focus inside the figure. */
const focused = (figure) =>
  figure.evaluate((figure) => {
    const { activeElement } = figure.shadowRoot;
    return activeElement && (activeElement.dataset.act ?? activeElement.dataset.kit ?? activeElement.localName);
  });

check("the menu opens and closes by keys and by pointer", { hash: "#view=order&lang=en" }, async (page) => {
  const figure = page.locator(".alone > pe-figure[data-mounted]");
  const summary = figure.locator(".menu > summary");
  await summary.focus();
  await page.keyboard.press("Enter");
  assert.equal(await open(figure), true);
  const entries = [];
  for (let entry = 0; entry < 4; entry++) {
    await page.keyboard.press("Tab");
    entries.push(await focused(figure));
  }
  assert.deepEqual(entries, ["bench", "link", "share", "save"]);
  const box = await figure.locator(".menu > div").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= b.desktop.width);
  await page.keyboard.press("Escape");
  assert.equal(await open(figure), false);
  assert.equal(await focused(figure), "summary");
  await summary.click();
  await figure.locator(".caption").click();
  assert.equal(await open(figure), false, "a press elsewhere closes it");
  await summary.click();
  await page.keyboard.press("Shift+Tab");
  assert.equal(await open(figure), false, "so does leaving it");
  await b.openMenu(figure);
  await figure.locator("[data-kit=share]").click();
  await page.locator("dialog.share").waitFor();
  assert.equal(await open(figure), false);
  await page.keyboard.press("Escape");
  await page.locator("dialog.share").waitFor({ state: "detached" });
  assert.equal(await focused(figure), "summary", "the focus comes back to where the menu was opened");
});

check("Reset is there when something has changed", { hash: "#view=ruler&lang=en" }, async (page) => {
  const figure = page.locator(".alone > pe-figure[data-mounted]");
  const reset = figure.locator("[data-act=reset]");
  assert.equal(await reset.isVisible(), false);
  await figure.evaluate((figure) => figure.setState({ max_len: 512 }));
  await reset.waitFor();
  await reset.focus();
  await page.keyboard.press("Enter");
  await reset.waitFor({ state: "hidden" });
  assert.equal(await figure.evaluate((figure) => figure.state.max_len), 50);
  assert.equal(await focused(figure), "summary", "it does not take the focus with it");
});

check("what is under More works and is printed", { hash: "#view=rope&lang=en" }, async (page) => {
  const figure = page.locator(".alone > pe-figure[data-mounted]");
  const base = figure.locator("[data-control=base]");
  assert.equal(await base.isVisible(), false);
  await figure.locator(".more > summary").focus();
  await page.keyboard.press("Enter");
  await base.locator("input[type=number]").fill("500000");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".alone > pe-figure").state.base === 500000);
  assert.equal(await base.isVisible(), true, "it stays open");
  await figure.locator(".more > summary").click();
  assert.equal(await base.isVisible(), false);
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await base.isVisible(), true);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: "screen" });
  await b.settle(page);
  assert.equal(await base.isVisible(), false);
});

check("a page that names controls sees all of them", { hash: "#view=rope&lang=en" }, async (page) => {
  await page.locator(".alone > pe-figure[data-mounted]").waitFor();
  const seen = () =>
    page
      .locator(".alone > pe-figure")
      .evaluate((figure) =>
        [...figure.shadowRoot.querySelectorAll("[data-control]")]
          .filter((control) => control.matches(".field") && control.checkVisibility())
          .map((control) => control.dataset.control),
      );
  assert.deepEqual(await seen(), ["m", "n"]);
  await page.locator(".alone > pe-figure").evaluate((figure) => figure.setAttribute("controls", "base m n"));
  await b.settle(page);
  assert.deepEqual(await seen(), ["base", "m", "n"]);
});

check("the text is narrow enough to be read, and the contents are a rail that shows its names", {}, async (page) => {
  const rail = page.locator(".contents");
  await page.locator("#shift").scrollIntoViewIfNeeded();
  const widths = await page.evaluate(() =>
    [...document.querySelectorAll(".chapter div[lang=en]")]
      .map((text) => text.getBoundingClientRect().width)
      .filter((width) => width > 0),
  );
  assert.ok(widths.length > 20);
  // 38 rem at 16 px.
  for (const width of widths) assert.ok(width <= 608.5, `${width} px`);
  const width = async () => (await rail.boundingBox()).width;
  assert.equal(await width(), 56);
  const links = await rail
    .locator("a")
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  assert.ok(Math.min(...links) >= 24);
  await page.locator(".contents a").first().focus();
  assert.ok((await width()) > 250, "names on focus");
  await page.evaluate(() => document.activeElement.blur());
  await rail.hover();
  assert.ok((await width()) > 250, "names under the pointer");
});

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
])
  test(`on a projector pictures have type of 22 px, ${width}×${height}`, { timeout: TEST_TIMEOUT_MS }, async (t) => {
    const page = await b.open(tools.browser, tools.site.url, { hash: "#theme=projector", viewport: { width, height } });
    await page.evaluate(() => {
      const { fillText } = CanvasRenderingContext2D.prototype;
      window.written = [];
      CanvasRenderingContext2D.prototype.fillText = function (words, ...rest) {
        const { id } = this.canvas.getRootNode().host ?? {};
        const { a, b } = this.getTransform();
        // Texts may be rotated by 90°.
        const size = (Number.parseFloat(this.font.match(/([\d.]+)px/)[1]) * Math.hypot(a, b)) / devicePixelRatio;
        if (id) window.written.push([id, words, size]);
        fillText.call(this, words, ...rest);
      };
    });
    for (const figure of await page.locator(".lesson pe-figure").all()) {
      await figure.evaluate((figure) => figure.scrollIntoView());
      await page.waitForFunction(
        (figure) => figure.hasAttribute("data-mounted") && !figure.hasAttribute("data-unfinished"),
        await figure.elementHandle(),
      );
    }
    const written = await page.evaluate(() => window.written);
    const small = written.filter(([, , size]) => size < 22);
    t.diagnostic(`${small.length} of ${written.length} words are smaller`);
    assert.ok(new Set(written.map(([id]) => id)).size > 40);
    // Texts that are longer than their space are set in smaller type; there are few.
    const most = 0.01 * written.length;
    assert.ok(small.length <= most, JSON.stringify(small.slice(0, 20)));
    await page.context().close();
  });
