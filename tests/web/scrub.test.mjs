// Numbers in sentences of the lesson that can be dragged, and those that follow from them.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

/** Numbers can be dragged once one of them is near the window. */
async function near(page) {
  await number(page, "en", "k").scrollIntoViewIfNeeded();
  await number(page, "en", "k").and(page.getByRole("slider")).waitFor();
}

/** The numbers of the sentence about pos and k in a language, as they are written. */
const numbers = (page, lang) =>
  page.locator(`#shift div[lang=${lang}] [data-figure=fig-rotation][data-shows]`).allInnerTexts();
const number = (page, lang, name) => page.locator(`#shift div[lang=${lang}] [data-shows=${name}][data-limits]`);
const state = (page) => page.locator("#fig-rotation").evaluate(({ state: { pos, k }, drawn }) => ({ pos, k, drawn }));

describe("a number in a sentence", () => {
  for (const lang of ["en", "zh"])
    check(
      `is dragged, and the figure and the numbers that follow from it go along, ${lang}`,
      {
        hash: `#lang=${lang}`,
      },
      async (page) => {
        const pos = number(page, lang, "pos");
        await pos.scrollIntoViewIfNeeded();
        await page.locator("#fig-rotation[data-mounted]").waitFor();
        await pos.and(page.getByRole("slider")).waitFor();
        assert.deepEqual(await numbers(page, lang), ["10", "13", "3"]);
        const { x, y } = await pos.boundingBox();
        await page.mouse.move(x + 4, y + 8);
        await page.mouse.down();
        await page.mouse.move(x + 60, y + 20, { steps: 4 });
        assert.deepEqual(await numbers(page, lang), ["17", "20", "3"]);
        await page.mouse.move(x - 900, y + 8);
        assert.deepEqual(await numbers(page, lang), ["0", "3", "3"], "not below its limit");
        await page.mouse.up();
        await page.mouse.move(x + 90, y);
        await b.settle(page);
        assert.deepEqual(await state(page), { pos: 0, k: 3, drawn: true });
        assert.ok(!(await page.locator("#fig-rotation .notice").allInnerTexts()).some(Boolean));
      },
    );

  check("says what the text says until its figure has started", { hash: "#lang=en" }, async (page) => {
    await near(page);
    const k = page.locator("#distance div[lang=en] [data-limits]");
    assert.equal(await page.locator("#fig-lab[data-mounted]").count(), 0);
    assert.deepEqual([await k.innerText(), await k.getAttribute("aria-valuenow")], ["3", "3"]);
  });

  check("has its first value back by Escape", { hash: "#lang=en" }, async (page) => {
    await near(page);
    const k = number(page, "en", "k");
    await page.locator("#fig-rotation[data-mounted]").waitFor();
    const { x, y } = await k.boundingBox();
    await page.mouse.move(x + 4, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 8, { steps: 4 });
    assert.equal((await state(page)).k, 10);
    await page.keyboard.press("Escape");
    await page.mouse.move(x + 80, y + 8);
    assert.equal((await state(page)).k, 3);
    await page.mouse.up();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    assert.equal((await state(page)).k, 59);
    await page.keyboard.press("Escape");
    assert.equal((await state(page)).k, 3);
  });

  check("has keys, and follows a change of the figure", { hash: "#lang=en" }, async (page) => {
    await near(page);
    const k = number(page, "en", "k");
    await k.focus();
    await page.locator("#fig-rotation[data-mounted]").waitFor();
    for (const [key, value] of [
      ["ArrowRight", 4],
      ["ArrowDown", 3],
      ["PageUp", 13],
      ["End", 60],
      ["ArrowUp", 60],
      ["Home", 1],
    ]) {
      await page.keyboard.press(key);
      assert.equal((await state(page)).k, value, key);
      assert.equal(await k.getAttribute("aria-valuenow"), String(value), key);
    }
    await page.locator("#fig-rotation").evaluate((figure) => figure.setState({ k: -5 }));
    await page.keyboard.press("ArrowLeft");
    assert.equal((await state(page)).k, -5, "what another control has set beyond the limits does not jump back");
    assert.equal(await k.getAttribute("aria-valuemin"), "-5");
    await page.locator("#fig-rotation").evaluate((figure) => figure.setState({ pos: 30, k: 5 }));
    assert.deepEqual(await numbers(page, "en"), ["30", "35", "5"]);
    // The other language is loaded later, with the numbers of now.
    await b.choose(page, "lang", "zh");
    await page.locator("#shift div[lang=zh] [data-limits][tabindex]").first().waitFor();
    assert.deepEqual(await numbers(page, "zh"), ["30", "35", "5"]);
  });
});
