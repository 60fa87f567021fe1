// The cursor over a picture indicates the possible action.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { canvas, settle } from "./browser.mjs";
import { check } from "./check.mjs";

/**
 * Returns the cursors at the points of a grid over a figure's picture, with one point for each. The pointer events are
 * synthetic: moving the mouse through the driver takes a round trip per point.
 */
async function cursors(page, view, rows = 24, columns = 32) {
  const picture = canvas(page, view);
  await picture.scrollIntoViewIfNeeded();
  const found = await picture.evaluate(
    async (canvas, [rows, columns]) => {
      const { x, y, width, height } = canvas.getBoundingClientRect();
      const found = new Map();
      for (let row = 0.5; row < rows; row++) {
        for (let column = 0.5; column < columns; column++) {
          const [clientX, clientY] = [x + (width * column) / columns, y + (height * row) / rows];
          const init = { clientX, clientY, pointerType: "mouse", isPrimary: true, bubbles: true, composed: true };
          canvas.dispatchEvent(new PointerEvent("pointermove", init));
          found.set(getComputedStyle(canvas).cursor, [clientX, clientY]);
        }
        // Hover feedback is drawn between the rows, as during a mouse movement.
        await work.frames(1);
      }
      return [...found];
    },
    [rows, columns],
  );
  return new Map(found);
}

describe("the cursor", () => {
  check("shows what can be grabbed, and that it is", { hash: "#view=pair-turn" }, async (page) => {
    const found = await cursors(page, "pair-turn");
    assert.deepEqual([...found.keys()].sort(), ["crosshair", "grab"]);
    const shown = () => canvas(page, "pair-turn").evaluate((canvas) => getComputedStyle(canvas).cursor);
    await page.mouse.move(...found.get("crosshair"));
    assert.equal(await shown(), "crosshair");
    await page.mouse.move(...found.get("grab"));
    assert.equal(await shown(), "grab");
    await page.mouse.down();
    assert.equal(await shown(), "grabbing");
    await page.mouse.up();
    await settle(page);
    assert.notEqual(await shown(), "grabbing");
  });

  check("shows where a press selects", { hash: "#view=similarity" }, async (page) => {
    const found = await cursors(page, "similarity");
    assert.deepEqual([...found.keys()].sort(), ["crosshair", "default"]);
  });

  for (const [view, expected] of [
    ["heatmap", ["crosshair", "default"]],
    ["waves", ["crosshair", "default", "grab"]],
    ["rotation", ["crosshair", "default", "grab"]],
  ])
    check(`says the same over the ${view} of the bench`, {}, async (page) => {
      const found = await cursors(page, view, 12, 16);
      assert.deepEqual([...found.keys()].sort(), expected);
    });

  check("offers to move what is zoomed", {}, async (page) => {
    await page.locator(".masthead .menu > summary").click();
    await page.locator("[data-action=zoom-tool]").click();
    const picture = canvas(page, "heatmap");
    const { x, y, width, height } = await picture.boundingBox();
    const shown = () => picture.evaluate((canvas) => getComputedStyle(canvas).cursor);
    await page.mouse.move(x + width / 2, y + height / 2);
    assert.equal(await shown(), "grab");
    await page.mouse.down();
    assert.equal(await shown(), "grabbing");
    await page.mouse.up();
    assert.equal(await shown(), "grab");
  });
});
