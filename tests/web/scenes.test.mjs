// Figures that follow the steps of the text beside them, until the reader changes them.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

/** Scrolls to a step of the scene of a figure, counted from 0. */
async function read(page, id, index) {
  await page.evaluate(
    ([id, index]) => {
      const lang = document.documentElement.lang;
      const scene = document.getElementById(id).closest(".scene");
      const step = scene.querySelectorAll(`div[lang=${lang}] [data-step]`)[index];
      const { top, height } = step.getBoundingClientRect();
      // If the figure is above the text, the current step is lower in the window.
      const line = matchMedia("(min-width: 80rem)").matches ? 0.4 : 0.78;
      scrollTo(0, scrollY + top + height / 2 - line * innerHeight);
    },
    [id, index],
  );
  await page.locator(`#${id}[data-mounted]`).waitFor();
  await b.settle(page);
}

const figure = (page) => page.locator("#fig-matrix-clocks");
const state = async (page) => {
  const { pos, k } = await figure(page).evaluate((figure) => figure.state);
  return [pos, k];
};
const follow = (page) => page.locator(".scene:has(#fig-matrix-clocks) .follow");

describe("a figure beside the text", () => {
  for (const lang of ["en", "zh"])
    check(`shows what the step that is read speaks of, ${lang}`, { hash: `#lang=${lang}` }, async (page) => {
      for (const [step, wanted] of [
        [0, [10, 3]],
        [1, [37, 3]],
        [2, [37, 7]],
        [1, [37, 3]],
      ]) {
        await read(page, "fig-matrix-clocks", step);
        assert.deepEqual(await state(page), wanted);
        const { y, height } = await figure(page).boundingBox();
        const seen = Math.min(y + height, b.desktop.height) - Math.max(y, 0);
        assert.ok(seen >= 0.9 * height, `${seen} of its ${height} px are in the window`);
        assert.equal(await page.locator(".scene:has(#fig-matrix-clocks) [aria-current=step]").count(), 1);
      }
      await read(page, "fig-helix", 3);
      assert.equal(await page.locator("#fig-helix").evaluate((figure) => figure.state.from), "above");
      assert.ok(!(await follow(page).isVisible()));
    });

  check("is the reader's once they work it, until they give it back", { hash: "#lang=en" }, async (page) => {
    await read(page, "fig-matrix-clocks", 1);
    // Its menu and keys that leave the canvas do not count as a change.
    await b.openMenu(figure(page));
    await page.keyboard.press("Escape");
    await figure(page).locator("canvas").focus();
    await page.keyboard.press("Tab");
    assert.ok(!(await follow(page).isVisible()));
    // A button of the figure does.
    await figure(page).locator("[data-do=apply]").click();
    assert.ok(await follow(page).isVisible());
    await b.settle(page);
    const applied = await state(page);
    assert.deepEqual(applied, [40, 3]);
    await read(page, "fig-matrix-clocks", 0);
    assert.deepEqual(await state(page), applied);
    await follow(page).press("Enter");
    await b.settle(page);
    await figure(page).locator("canvas").focus();
    await page.keyboard.press("ArrowRight");
    await b.settle(page);
    const own = await state(page);
    assert.notDeepEqual(own, [37, 3]);
    await read(page, "fig-matrix-clocks", 0);
    assert.deepEqual(await state(page), own, "the text does not take it away");
    await page.waitForFunction(() => history.state?.figures?.["fig-matrix-clocks"]);
    await b.reload(page);
    await b.settle(page);
    await page.locator("#fig-matrix-clocks[data-mounted]").waitFor();
    await b.settle(page);
    assert.deepEqual(await state(page), own, "nor after a reload");
    await follow(page).press("Enter");
    await b.settle(page);
    assert.deepEqual(await state(page), [10, 3]);
    assert.ok(!(await follow(page).isVisible()));
    assert.equal(await page.evaluate(() => document.activeElement.id), "fig-matrix-clocks");
  });

  for (const [width, height] of [
    [1024, 768],
    [390, 844],
    [390, 664],
  ])
    check(`stays above the text in one column, ${width}×${height}`, { viewport: { width, height } }, async (page) => {
      for (const [step, wanted] of [
        [1, [37, 3]],
        [2, [37, 7]],
      ]) {
        await read(page, "fig-matrix-clocks", step);
        assert.deepEqual(await state(page), wanted);
        const box = await page.locator(".stays:has(#fig-matrix-clocks)").boundingBox();
        const controls = await figure(page).locator(".controls").boundingBox();
        assert.ok(controls.y + controls.height <= box.y + box.height + 1, "its controls are not cut off");
        assert.ok(box.y > -1, `it begins at ${box.y}`);
        assert.ok(box.height <= (width < 400 && height > 800 ? 0.45 : 0.6) * height + 1, `it takes ${box.height} px`);
        const reading = await page.locator(".scene:has(#fig-matrix-clocks) [aria-current=step]").boundingBox();
        assert.ok(reading.y + reading.height / 2 > box.y + box.height, "the step that is read is below it");
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
    });

  for (const lang of ["en", "zh"])
    check(
      `leaves more than half of a phone to the text, ${lang}`,
      {
        hash: `#lang=${lang}`,
        viewport: b.phone,
        // Controls are higher where they are touched.
        hasTouch: true,
        isMobile: true,
      },
      async (page) => {
        const ids = await page.locator("pe-figure.compact").evaluateAll((figures) => figures.map(({ id }) => id));
        assert.ok(ids.includes("fig-rotation") && ids.length > 6, `${ids}`);
        for (const id of ids) {
          const compact = page.locator(`#${id}`);
          await compact.scrollIntoViewIfNeeded();
          await page.locator(`#${id}[data-mounted]`).waitFor();
          await b.settle(page);
          const { height } = await compact.boundingBox();
          assert.ok(height <= 0.45 * b.phone.height, `${id} takes ${height} px`);
          const { bottom, end } = await compact.evaluate((figure) => ({
            bottom: figure.shadowRoot.querySelector(".controls").getBoundingClientRect().bottom,
            end: figure.getBoundingClientRect().bottom,
          }));
          assert.ok(bottom <= end, `${id}: its controls end ${bottom - end} px below it`);
        }
      },
    );
});
