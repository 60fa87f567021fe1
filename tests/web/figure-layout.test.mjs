// The parts around a figure's picture: its menu, Reset, More and the named controls; and the text beside figures.
import assert from "node:assert/strict";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

const open = (figure) => figure.locator(".menu").evaluate((menu) => menu.open);
/** The element that has the focus inside the figure. */
const focused = (figure) =>
  figure.evaluate((figure) => {
    const { activeElement } = figure.shadowRoot;
    return activeElement && (activeElement.dataset.act ?? activeElement.dataset.kit ?? activeElement.localName);
  });

for (const lang of ["en", "zh"])
  check(`by-hand alone fits into the window, ${lang}`, { hash: `#view=by-hand&step=16&lang=${lang}` }, async (page) => {
    const { y, height } = await page.locator(".alone pe-figure").boundingBox();
    assert.ok(y + height <= b.desktop.height, `it ends at ${y + height}`);
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
    [...document.querySelectorAll(".chapter div[lang=en] > p")]
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
