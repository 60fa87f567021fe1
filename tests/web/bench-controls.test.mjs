// The controls of the bench: which are in sight and can be pressed, in which order, and what stands beside them.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { decode } from "./png.mjs";

const screens = [
  [1024, 768],
  [1280, 720],
  [1920, 1080],
].map(([width, height]) => ({ width, height }));
const name = ({ width, height }) => `${width}×${height}`;

async function present(page) {
  await page.keyboard.press("p");
  await page.locator(".kit-bar").waitFor();
  await b.settle(page);
}

/** The controls of the bench, in the order of the focus, of which another element covers the centre or which are outside the window. */
const covered = (page) =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll("#posenc :is(input, select, button, summary, a)")];
    return controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.closest(".menu-items"))
      .filter((control) => {
        const { left, top, right, bottom } = control.getBoundingClientRect();
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const outside = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        return outside || !(control.contains(at) || at?.contains(control));
      })
      .map((control) => control.outerHTML.slice(0, 120));
  });

describe("the encoding can be chosen", () => {
  for (const viewport of screens)
    for (const lang of ["en", "zh"])
      for (const [where, hash, presented] of [
        ["on a projector", "#theme=projector", false],
        ["presented with its controls", "#k=5", true],
      ])
        check(
          `${where}, at ${name(viewport)}, in ${lang}`,
          { hash: `${hash}&lang=${lang}`, viewport },
          async (page) => {
            const list = page.locator("#posenc select[name=encoding]");
            if (presented) {
              await present(page);
              assert.equal(await list.isVisible(), false, "a presentation begins without");
              await page.keyboard.press("c");
            }
            await b.settle(page);
            const { width, height } = await list.boundingBox();
            assert.ok(width >= 80 && height >= 24, `${width} × ${height} px`);
            assert.deepEqual(await covered(page), []);
            await list.selectOption("alibi");
            await b.settle(page);
            const size = await page.locator("#posenc").evaluate((bench) => [bench.scrollWidth, bench.scrollHeight]);
            const room = await page.locator("#posenc").evaluate((bench) => [bench.clientWidth, bench.clientHeight]);
            assert.deepEqual(size, room, "nothing is clipped");
          },
        );
});

describe("in the row of controls", () => {
  for (const viewport of [...screens, { width: 1100, height: 720 }])
    check(`the focus goes from left to right, at ${name(viewport)}`, { viewport }, async (page) => {
      const lefts = await page
        .locator("#posenc > .controls :is(input, button)")
        .evaluateAll((controls) =>
          controls
            .filter((control) => control.checkVisibility())
            .map((control) => control.getBoundingClientRect().left),
        );
      assert.equal(lefts.length, 11);
      assert.deepEqual(
        lefts,
        [...lefts].sort((a, c) => a - c),
      );
    });

  for (const [where, presented, viewport] of [
    ["on the page", false, screens[1]],
    ["presented", true, screens[1]],
    ["presented in a large window", true, screens[2]],
  ])
    check(
      `a line divides controls that stand beside each other, and begins no row: ${where}`,
      { viewport },
      async (page) => {
        if (presented) {
          await present(page);
          await page.keyboard.press("c");
        }
        await page.mouse.move(1, 1);
        await b.settle(page);
        const [row, pair, size] = await Promise.all(
          ["", " > [data-control=pair]", " > [data-control=d_model]"].map((part) =>
            page.locator(`#posenc > .controls${part}`).boundingBox(),
          ),
        );
        const beside = pair.y < size.y + size.height && size.y < pair.y + pair.height;
        assert.equal(beside, !presented || viewport.width > 1280, "the case that is tested");
        const left = beside ? pair.x + pair.width + 1 : Math.max(0, row.x - 20);
        const y = size.y + size.height / 4;
        const clip = { x: left, y, width: size.x - 1 - left, height: size.height / 2 };
        const { rows, size: bytes } = decode(await page.screenshot({ clip }));
        for (const row of rows) {
          const colours = new Set(row.toString("hex").match(new RegExp(`.{${2 * bytes}}`, "g")));
          assert.equal(colours.size > 1, beside);
        }
      },
    );
});

describe("the ring of the focus", () => {
  for (const viewport of screens)
    for (const lang of ["en", "zh"])
      check(
        `covers no text above the heatmap, at ${name(viewport)}, in ${lang}`,
        { hash: `#pos=22&lang=${lang}`, viewport },
        async (page) => {
          await b.canvas(page, "heatmap").focus();
          await page.keyboard.press("ArrowDown");
          await b.settle(page);
          const { ring, text } = await page.evaluate(() => {
            const canvas = document.activeElement;
            const { outlineWidth, outlineOffset } = getComputedStyle(canvas);
            const beyond = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
            const bottoms = [...document.querySelectorAll(".heatmap > header > *")].map((part) => {
              const range = document.createRange();
              range.selectNodeContents(part);
              return Math.max(part.getBoundingClientRect().bottom, range.getBoundingClientRect().bottom);
            });
            return { ring: canvas.getBoundingClientRect().top - beyond, text: Math.max(...bottoms) };
          });
          assert.ok(ring >= text, `the ring begins at ${ring}, the text ends at ${text}`);
        },
      );
});

describe("the tabs of the formula", () => {
  for (const viewport of [
    ...screens,
    { width: 390, height: 844 },
    { width: 600, height: 800 },
    { width: 844, height: 390 },
  ])
    for (const encoding of ["sinusoidal", "alibi"])
      check(
        `stay within their panel, at ${name(viewport)}, with ${encoding}`,
        { hash: `#encoding=${encoding}`, viewport },
        async (page) => {
          const [panel, tabs] = await Promise.all(
            [".formula", ".formula-tabs"].map((part) => page.locator(part).boundingBox()),
          );
          assert.ok(tabs.x >= panel.x && tabs.x + tabs.width <= panel.x + panel.width, JSON.stringify([panel, tabs]));
        },
      );
});

describe("the button that applies M_k", () => {
  for (const [hash, reason] of [
    ["#k=3", ""],
    ["#k=500", "There is no position 510."],
    ["#pos=2&k=-5", "There is no position −3."],
    ["#k=500&lang=zh", "没有位置 510。"],
  ])
    check(`${reason ? "says why it is" : "is not"} disabled: ${hash}`, { hash }, async (page) => {
      const button = page.locator(".apply");
      assert.equal(await button.getAttribute("title"), reason);
      assert.equal(await button.isDisabled(), reason !== "");
    });
});

check("boxes and sliders without effect look disabled", { hash: "#encoding=alibi" }, async (page) => {
  const looks = (name) =>
    b.box(page, name).evaluate((box) => {
      const { borderStyle, color, backgroundColor } = getComputedStyle(box);
      return { borderStyle, color, backgroundColor };
    });
  const [enabled, disabled] = [await looks("pos"), await looks("pair")];
  assert.ok(await b.slider(page, "pair").isDisabled());
  for (const [name, value] of Object.entries(enabled)) assert.notEqual(disabled[name], value, name);
});
