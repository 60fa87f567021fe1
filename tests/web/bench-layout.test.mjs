// The content and sizes of the bench's first screen, and the first steps with the dial.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { at, circles, clocks, OMEGA as omega, rim } from "./dial.mjs";
import { until } from "./wait.mjs";

const screens = [
  [1280, 720],
  [1920, 1080],
  [1024, 768],
  [390, 844],
  [360, 640],
];

/** What is drawn at 1280×720: the size of the wave's bounding box, and the area of all marks, in CSS pixels. */
async function drawn(page) {
  const all = await circles(page);
  const { r } = await rim(page);
  const wall = await clocks(page);
  const across = Math.max(...wall.map(({ x, r }) => x + r)) - Math.min(...wall.map(({ x, r }) => x - r));
  const down = Math.max(...wall.map(({ y, r }) => y + r)) - Math.min(...wall.map(({ y, r }) => y - r));
  assert.ok(all.length > wall.length && wall.length >= 16);
  const svgs = await page.evaluate(async () => {
    const { bench } = await import("./kit/target.mjs");
    return Promise.all(["heatmap", "waves"].map((view) => bench.toSVG({ view })));
  });
  // A separate page, whose policy allows its content to be set.
  const sheet = await page.context().newPage();
  const boxes = async (svg, selector) => {
    await sheet.setContent(svg);
    return sheet.locator(selector).evaluateAll((marks) =>
      marks.map((mark) => {
        const { width, height } = mark.getBoundingClientRect();
        return { width, height };
      }),
    );
  };
  // The colour bar is narrower than any row of cells.
  const images = (await boxes(svgs[0], "image")).filter(({ width }) => width > 200);
  const lines = (await boxes(svgs[1], "polyline")).filter(({ width, height }) => width > 500 && height > 60);
  await sheet.close();
  // The lines of the grid extend beyond the wave.
  const wave = lines.sort((a, b) => a.height - b.height)[0];
  const cells = images.reduce((sum, { width, height }) => sum + width * height, 0);
  return { wave, marks: Math.PI * r * r + across * down + cells + wave.width * wave.height };
}

const state = (page) => page.evaluate(async () => (await import("./kit/target.mjs")).bench.state);

describe("the first screen", () => {
  for (const [width, height] of screens)
    check(`of ${width}×${height} shows the way to the lesson`, { viewport: { width, height } }, async (page) => {
      for (const link of [".masthead .to-lesson", ".strip li a"]) {
        const box = await page.locator(link).first().boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width, link);
        assert.ok(box.height >= 24, `${link} is ${box.height} px high`);
      }
      assert.equal(await page.locator(".strip li").first().innerText(), "Can attention see order?");
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
    });

  for (const lang of ["en", "zh"])
    for (const view of ["bench", "clocks"])
      for (const [width, rows] of [
        [390, view === "bench" ? 2 : 1],
        [360, 2],
      ])
        check(
          `the header of ${view} takes ${rows} rows of a phone of ${width} px, in ${lang}`,
          { hash: `#view=${view}&lang=${lang}`, viewport: { width, height: 800 }, hasTouch: true, isMobile: true },
          async (page) => {
            const header = page.locator("#posenc > .masthead");
            const { height } = await header.boundingBox();
            assert.ok(height <= 44 * rows + 4, `${height} px`);
            // A visible menu has entries.
            const menu = header.locator(".menu > summary");
            if (await menu.isVisible()) {
              await menu.click();
              assert.ok((await header.locator(".menu-items :is(button, a, select):visible").count()) > 1);
            }
          },
        );

  for (const [hash, across, plotted] of [
    ["", 340, 0.4],
    ["#k=5", 340, 0.4],
  ])
    check(
      `of 1280×720 holds all of the bench, with a dial of ${across} px and pictures on half of it ${hash}`,
      { hash },
      async (page) => {
        const { r } = await rim(page);
        assert.ok(2 * r >= across, `the dial is ${2 * r} px across`);
        const { wave, marks } = await drawn(page);
        assert.ok(wave.height >= 108, `the waves have ${wave.height} px from crest to trough`);
        // Dial, clocks, cells and waves as drawn, without labels, axes and margins.
        const covered = marks / (1280 * 720);
        assert.ok(covered >= plotted, `what is plotted covers ${covered}`);
        const { bottom, share } = await page.evaluate(() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const stages = ["heatmap", "waves", "rotation"].map((view) => box(`[data-stage=${view}]`));
          const area = stages.reduce((sum, { width, height }) => sum + width * height, 0);
          return { bottom: box(".strip").bottom, share: area / (innerWidth * innerHeight) };
        });
        assert.ok(bottom <= 720, `the strip ends at ${bottom}`);
        assert.ok(share >= 0.5, `pictures cover ${share}`);
        for (const name of ["k", "d_model", "max_len", "pos", "pair"])
          assert.ok(await b.slider(page, name).isVisible(), name);
        for (const name of ["base", "layout"])
          assert.ok(!(await page.locator(`[name=${name}]`).first().isVisible()), name);
      },
    );

  check("the two sides of the formula stand on one line", {}, async (page) => {
    const feet = await page
      .locator(".formula .pieces:first-child")
      .first()
      .evaluate((pieces) =>
        [...pieces.querySelectorAll("math")].map((side) => {
          // The baseline of the first letters, which have no descenders and are not raised.
          const letters = [...side.querySelectorAll("mi, mo")].find((it) => /^(PE|=)$/.test(it.textContent));
          const range = document.createRange();
          range.selectNodeContents(letters);
          return range.getBoundingClientRect().bottom;
        }),
      );
    assert.equal(feet.length, 2);
    assert.ok(Math.abs(feet[0] - feet[1]) < 1, `${feet}`);
  });

  check("the menu opens and closes, by pointer and by key, and stays open in another language", {}, async (page) => {
    const menu = page.locator(".masthead .menu > summary");
    const base = b.box(page, "base");
    await menu.click();
    assert.ok(await base.isVisible());
    await base.focus();
    await page.keyboard.press("Escape");
    assert.ok(!(await base.isVisible()));
    assert.ok(await menu.evaluate((summary) => summary === document.activeElement));
    await page.keyboard.press("Enter");
    assert.ok(await base.isVisible());
    await page.locator("#posenc select[name=lang]").focus();
    await page.locator("#posenc select[name=lang]").selectOption("zh");
    await b.settle(page);
    assert.ok(await base.isVisible());
    assert.equal(await page.evaluate(() => document.activeElement.name), "lang");
    await page.locator("h1").click();
    assert.ok(!(await base.isVisible()));
  });

  check("fields have one width, whatever number they hold", {}, async (page) => {
    const widths = () =>
      page.locator(".controls input[type=number]").evaluateAll((inputs) => inputs.map((input) => input.clientWidth));
    const before = await widths();
    await b.type(page, "max_len", "1048576");
    await b.type(page, "pos", "1000000");
    assert.deepEqual(await widths(), before);
    const cut = await page
      .locator(".controls input[type=number]")
      .evaluateAll((inputs) => inputs.filter((input) => input.scrollWidth > input.clientWidth).map(({ name }) => name));
    assert.deepEqual(cut, []);
  });
});

/** The texts drawn on the pictures while `act` causes a redraw, with their font sizes in CSS pixels. */
async function written(page, act) {
  await page.evaluate(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    window.written = [];
    CanvasRenderingContext2D.prototype.fillText = function (words, ...rest) {
      const scale = this.canvas.width / this.canvas.getBoundingClientRect().width;
      const size = Number.parseFloat(this.font.match(/([\d.]+)px/)[1]) * this.getTransform().a;
      window.written.push([words, size / scale]);
      fillText.call(this, words, ...rest);
    };
  });
  await act();
  await b.settle(page);
  return page.evaluate(() => window.written.splice(0));
}

describe("a panel without a picture", () => {
  for (const [width, height] of [
    [390, 844],
    [360, 640],
    [844, 390],
  ])
    check(
      `takes no more room than its sentence, at ${width}×${height}`,
      { hash: "#encoding=learned&max_len=1048576", viewport: { width, height } },
      async (page) => {
        const panels = await page.locator(".panel[data-absent] .stage").evaluateAll((stages) =>
          stages.map((stage) => {
            const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
            return { view: stage.dataset.stage, rems: stage.getBoundingClientRect().height / rem };
          }),
        );
        assert.ok(
          panels.some(({ view }) => view === "rotation"),
          "there is no M_k",
        );
        for (const { view, rems } of panels) assert.ok(rems <= 8.01, `${view} takes ${rems} rem`);
      },
    );
});

describe("on a projector", () => {
  const turn = (page) => async () => {
    await b.type(page, "k", "5");
    await b.type(page, "pair", "6");
  };
  const shown = (page) =>
    page
      .locator(".bench > .panel")
      .evaluateAll((panels) => panels.filter((panel) => panel.checkVisibility()).map((panel) => panel.classList[1]));

  check(
    "a low window has two panels in large type, and tabs for the others",
    { hash: "#theme=projector" },
    async (page) => {
      assert.deepEqual(await shown(page), ["tokens", "rotation", "heatmap"]);
      const words = await written(page, turn(page));
      assert.ok(words.length > 20);
      for (const [text, size] of words) assert.ok(size >= 0.999 * 22, `“${text}” has ${size} px`);
      const sizeOf = (wanted) => Math.max(...words.filter(([text]) => wanted.test(text)).map(([, size]) => size));
      // 5 · 10000^(−12/128) radians.
      assert.ok(sizeOf(/^120\.8°$/) >= 40, `the angle has ${sizeOf(/^120\.8°$/)} px`);
      for (const name of [/^pos$/, /^sine$/]) assert.ok(sizeOf(name) >= 28, `${name} has ${sizeOf(name)} px`);
      const { r } = await rim(page);
      assert.ok(2 * r >= 320, `the dial is ${2 * r} px across`);
      const tab = (name) => page.locator(".tabs").getByRole("button", { name });
      await tab("Waves").press("Enter");
      await b.settle(page);
      assert.deepEqual(await shown(page), ["tokens", "heatmap", "waves"], "in place of the one that was chosen first");
      const { height } = await page.locator("[data-stage=waves]").boundingBox();
      assert.ok(height >= 160);
      await tab("Heatmap").click();
      await b.settle(page);
      assert.deepEqual(await shown(page), ["tokens", "waves"]);
      assert.equal(await tab("Heatmap").getAttribute("aria-pressed"), "false");
      await tab("Formula").click();
      assert.deepEqual(await shown(page), ["tokens", "formula", "waves"]);
      await b.choose(page, "lang", "zh");
      assert.deepEqual(await shown(page), ["tokens", "formula", "waves"], "in another language too");
      await page.setViewportSize({ width: 1280, height: 950 });
      await b.settle(page);
      assert.deepEqual(await shown(page), ["tokens", "rotation", "formula", "heatmap", "waves"]);
      assert.ok(!(await page.locator(".tabs").isVisible()));
      await b.choose(page, "theme", "light");
      for (const [text, size] of await written(page, turn(page))) assert.ok(size < 30, `“${text}” has ${size} px`);
    },
  );

  check(
    "a high one has all panels, with ticks of 22 px, and larger ones in a larger window",
    { hash: "#theme=projector", viewport: { width: 1920, height: 1080 } },
    async (page) => {
      const isLegible = async (least) => {
        assert.deepEqual(await shown(page), ["tokens", "rotation", "formula", "heatmap", "waves"]);
        for (const [text, size] of await written(page, turn(page)))
          assert.ok(size >= 0.999 * least, `“${text}” has ${size} px of ${least}`);
        const { equation, cut } = await page.locator(".product .numbers").evaluate((numbers) => ({
          equation: Number.parseFloat(getComputedStyle(numbers).fontSize),
          cut: numbers.scrollWidth - numbers.clientWidth,
        }));
        assert.ok(equation >= 0.85 * least, `the product has ${equation} px of ${least}`);
        assert.ok(cut <= 0, `${cut} px of the product are cut off`);
      };
      await isLegible(22);
      await page.setViewportSize({ width: 2560, height: 1440 });
      await b.settle(page);
      await isLegible((22 * 4) / 3);
    },
  );
});

describe("a pair", () => {
  /** The bounding boxes of the panels and their contents, to detect a shift. */
  const places = (page) =>
    page.evaluate(() =>
      [".panel", ".product", ".product > *", ".stage", ".formula-tabs", ".strip"].flatMap((selector) =>
        [...document.querySelectorAll(`#posenc ${selector}`)].map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect();
          // The width of the product's parts depends on its numbers.
          return selector === ".product > *" ? [y, height] : [x, y, width, height];
        }),
      ),
    );

  for (const [from, target] of [
    ["a clock", async (page) => (await clocks(page))[3]],
    [
      "a column of the heatmap",
      async (page) => {
        // Pair 24, which has a clock: its columns are 8 of 512 px wide.
        const { x, y, height } = await b.canvas(page, "heatmap").boundingBox();
        return { x: x + 226, y: y + 0.4 * height };
      },
    ],
  ])
    check(`that is pointed at lights up in all pictures, from ${from}`, { hash: "#pos=10" }, async (page) => {
      const words = () => page.locator(".product .numbers, .formula .cell").allTextContents();
      const [before, said, stood, was] = [await b.pictures(page), await words(), await places(page), await state(page)];
      const { x, y } = await target(page);
      await page.mouse.move(x, y);
      await b.settle(page);
      const lit = await b.pictures(page);
      for (const view of ["rotation", "heatmap", "waves"]) assert.notEqual(lit[view], before[view], view);
      // The product and the formula are those of the pair under the pointer, and are labelled so.
      const now = await words();
      for (const [index, text] of said.entries()) assert.notEqual(now[index], text);
      for (const part of [".product", ".formula"])
        assert.match(await page.locator(part).getAttribute("data-pointed"), /^pair \d+$/);
      assert.equal(await page.getByRole("tab", { name: "Pointed at" }).count(), 1);
      assert.deepEqual(await places(page), stood, "nothing moves");
      assert.deepEqual(await state(page), was, "nothing is selected");
      await page.mouse.move(640, 20);
      await b.settle(page);
      assert.deepEqual(await b.pictures(page), before);
      assert.deepEqual(await words(), said);
      assert.equal(await page.locator("[data-pointed]").count(), 0);
    });
});

describe("a hand", () => {
  check("is grabbed by its ring, follows between positions and settles on one", { hash: "#pos=10" }, async (page) => {
    const picture = b.canvas(page, "rotation");
    const cursor = () => picture.evaluate((canvas) => getComputedStyle(canvas).cursor);
    const dial = await rim(page);
    await page.mouse.move(...at(dial, 10 * omega, 0.5));
    await b.settle(page);
    assert.equal(await cursor(), "crosshair", "beside the rings nothing is grabbed");
    await page.mouse.move(...at(dial, 10 * omega));
    await b.settle(page);
    assert.equal(await cursor(), "grab");
    const still = await b.picture(page, "rotation");
    await page.mouse.down();
    // A third of the angle to the next position.
    await page.mouse.move(...at(dial, 10.3 * omega));
    await b.settle(page);
    assert.equal(await cursor(), "grabbing");
    assert.equal((await state(page)).pos, 10);
    const between = await b.picture(page, "rotation");
    assert.notEqual(between, still);
    await page.mouse.up();
    await b.settle(page);
    assert.equal(await b.picture(page, "rotation"), still);
    await page.mouse.down();
    for (let to = 10.2; to <= 13; to += 0.2) await page.mouse.move(...at(dial, to * omega));
    await page.mouse.up();
    await b.settle(page);
    assert.equal((await state(page)).pos, 13);
  });
});

describe("the first steps", () => {
  const bar = (page) => page.locator(".tour");
  const words = (page) => page.locator(".tour p").innerText();
  const next = (page) => page.locator("[data-action=tour-next]");

  for (const [width, height] of [
    [1280, 720],
    [1024, 768],
    [1920, 1080],
  ])
    for (const locale of ["en", "zh-CN"])
      check(
        `leave air between their words and the dial's rim (${width} × ${height}, ${locale})`,
        { viewport: { width, height }, locale },
        async (page) => {
          await until(() => bar(page).isVisible(), "the first step");
          const dial = await rim(page);
          const air = await page.evaluate((dial) => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector(".tour p"));
            const gap = ({ left, top, right, bottom }) => {
              const x = Math.min(Math.max(dial.x, left), right);
              const y = Math.min(Math.max(dial.y, top), bottom);
              return Math.hypot(x - dial.x, y - dial.y) - dial.r;
            };
            return Math.min(...[...range.getClientRects()].map(gap));
          }, dial);
          assert.ok(air >= 6, `${air} px`);
        },
      );

  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 1920, height: 1080 },
  ])
    check(`stand below the clocks after the first (${viewport.width})`, { viewport }, async (page) => {
      const clear = async (step) => {
        await b.settle(page);
        const dial = await rim(page);
        // The last one stands for the slower pairs; it may be covered.
        const lowest = Math.max(...(await clocks(page)).slice(0, -1).map(({ y, r }) => y + r));
        const box = await bar(page).boundingBox();
        // To the right of the rim is the label of a hand.
        assert.ok(box.x > dial.x + dial.r + 40, `${step}: ${box.x} px is beside the rim at ${dial.x + dial.r}`);
        // Below a clock is its number.
        assert.ok(box.y >= lowest + 10, `${step}: ${box.y} px is above the end of the clocks at ${lowest}`);
      };
      await b.canvas(page, "rotation").focus();
      for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
      await until(() => next(page).isVisible(), "the first step");
      await clear("first step");
      await next(page).click();
      await clear("second question");
      await page.locator("[data-action=tour-show]").click();
      await until(() => next(page).isVisible(), "the second step");
      await clear("second step");
      await next(page).click();
      await b.slider(page, "k").focus();
      for (let step = 0; step < 17; step++) await page.keyboard.press("ArrowRight");
      await until(() => next(page).isVisible(), "the third step");
      await clear("third step");
      await next(page).click();
      await clear("fourth step");
      await page.locator("[data-action=tour-jump]").click();
      await page.locator(".tour .to-lesson").waitFor();
      await clear("the end");
    });

  check("are done with the dial", {}, async (page) => {
    assert.match(await words(page), /what stays the same/);
    // Ends the first move of the hands, which begins on a page that nobody touches.
    await page.keyboard.press("Shift");
    await b.settle(page);
    const dial = await rim(page);
    await page.mouse.move(...at(dial, 10 * omega));
    await page.mouse.down();
    for (let to = 10; to <= 17; to += 0.25) await page.mouse.move(...at(dial, to * omega));
    await until(() => next(page).isVisible(), "the first step, while the hand is still held");
    assert.match(await words(page), /96\.66°/);
    await page.mouse.up();
    await next(page).click();
    await b.settle(page);
    assert.equal((await state(page)).pos, 37);
    // The ring is opposite to the hand; it is dragged to 20 degrees past the answer.
    const answer = 40 * omega;
    await page.mouse.move(...at(dial, 37 * omega + Math.PI));
    await page.mouse.down();
    for (let share = 0; share <= 1; share += 0.05) {
      const end = answer + Math.PI / 9;
      const from = 37 * omega + Math.PI;
      await page.mouse.move(...at(dial, from + share * (end - from)));
    }
    await page.mouse.move(...at(dial, answer + Math.PI / 9));
    await page.mouse.up();
    await until(() => next(page).isVisible(), "the second step");
    const off = Number.parseFloat(await words(page));
    assert.ok(Math.abs(off - 20) < 1.5, `${off}° off`);
    assert.equal((await state(page)).k, 3, "a guess sets nothing");
    await next(page).click();
    await b.slider(page, "k").focus();
    await page.keyboard.press("ArrowRight");
    await until(() => next(page).isVisible(), "the third step");
    await next(page).click();
    await page.locator("[data-action=tour-jump]").click();
    await b.settle(page);
    const { pos, max_len } = await state(page);
    assert.equal(pos, 900);
    assert.ok(max_len > 900);
    assert.ok(await page.locator(".tour .to-lesson").isVisible());
  });

  for (const options of [{}, { reducedMotion: "reduce" }])
    check(`are done with the keyboard ${JSON.stringify(options)}`, options, async (page) => {
      await b.canvas(page, "rotation").focus();
      for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowRight");
      await until(() => next(page).isVisible(), "the first step");
      const focused = () =>
        page.evaluate(() => {
          const { dataset, localName } = document.activeElement;
          return dataset.action ?? dataset.view ?? localName;
        });
      await next(page).focus();
      await page.keyboard.press("Enter");
      await b.settle(page);
      assert.equal(await focused(), "tour-show");
      await page.keyboard.press("Enter");
      await until(() => next(page).isVisible(), "the second step");
      if (!options.reducedMotion) {
        // The button came after the answer had been shown.
        assert.equal(await focused(), "section");
        await page.keyboard.press("Tab");
      }
      assert.equal(await focused(), "tour-next");
      await page.keyboard.press("Enter");
      // A second press before the step changes skips no step.
      await next(page).evaluate((button) => button.click());
      await b.settle(page);
      assert.match(await page.locator(".tour b").innerText(), /^Try 3/);
      assert.equal(await focused(), "section");
      await page.keyboard.press("Tab");
      assert.equal(await focused(), "tour-skip");
      await page.keyboard.press("Enter");
      await b.settle(page);
      assert.ok(!(await bar(page).isVisible()));
      assert.equal(await focused(), "rotation");
    });

  for (const viewport of [
    b.phone,
    { width: 360, height: 640 },
    { width: 844, height: 390 },
    { width: 667, height: 375 },
  ])
    check(`cover nothing of the dial at ${viewport.width}×${viewport.height}`, { viewport }, async (page) => {
      const { y, r } = await rim(page);
      for (const part of [bar(page), page.locator("#posenc > .controls")]) {
        const box = await part.boundingBox();
        assert.ok(box.y + box.height <= y - r || box.y >= y + r, `${JSON.stringify(box)} covers ${y - r} to ${y + r}`);
      }
    });

  check("are skipped by whoever comes with settings", { hash: "#k=5" }, async (page) => {
    assert.ok(!(await bar(page).isVisible()));
  });

  for (const [hash, shown] of [
    ["#lang=zh", true],
    ["#theme=dark&lang=en", true],
    ["#theme=projector", false],
    ["#lang=zh&reading", false],
  ])
    check(`are ${shown ? "there" : "not there"} for ${hash}`, { hash }, async (page) => {
      assert.equal(await bar(page).isVisible(), shown);
    });

  check("block nothing, stay skipped in another language and are not printed", {}, async (page) => {
    await page.emulateMedia({ media: "print" });
    assert.ok(!(await bar(page).isVisible()));
    await page.emulateMedia({ media: "screen" });
    await b.choose(page, "lang", "zh");
    assert.match(await words(page), /拖动这根指针/);
    await page.locator("[data-action=tour-skip]").click();
    await b.settle(page);
    await b.choose(page, "lang", "en");
    assert.ok(!(await bar(page).isVisible()));
  });
});
