// pos, k and pair move to the values that are set; everything but the pictures has the values at once.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

/** Starts to count, in every frame, the different pictures of a view; from then on the page's time is that of its frames. */
const film = (page, view = "rotation") =>
  page.evaluate((view) => {
    work.countTime();
    const canvas = document.querySelector(`canvas[data-view=${view}]`);
    window.pictures = [canvas.toDataURL()];
    const look = () => {
      const picture = canvas.toDataURL();
      if (picture !== window.pictures.at(-1)) window.pictures.push(picture);
      work.frames(1).then(look);
    };
    look();
  }, view);

/** The number of different pictures since `film`. */
const filmed = (page) => page.evaluate(() => window.pictures.length);

const written = (page) => page.evaluate(() => document.querySelector("input[type=number][name=pos]").value);

/** A picture that a page shows which is opened with this hash. */
async function shownAt(page, hash, view = "rotation") {
  await page.evaluate((hash) => (location.hash = hash), hash);
  await b.settle(page);
  return b.picture(page, view);
}

describe("a single change moves", () => {
  const steps = {
    "a typed position": (page) => b.type(page, "pos", "37"),
    "a typed offset": (page) => b.type(page, "k", "-9"),
    "a typed pair": (page) => b.type(page, "pair", "9"),
    "a key on the picture": (page) => b.canvas(page, "rotation").press("Shift+ArrowRight"),
    "a pressed clock": async (page) => {
      const { x, y, width, height } = await b.canvas(page, "rotation").boundingBox();
      await page.mouse.click(x + 0.94 * width, y + 0.5 * height);
    },
    "a step back": async (page) => {
      const button = page.locator("[data-action=previous]");
      await b.uncover(button);
      await button.click();
    },
  };
  for (const [what, act] of Object.entries(steps))
    check(`${what}, and arrives`, { hash: "#pos=10&pair=4" }, async (page) => {
      await film(page);
      await act(page);
      await b.settle(page);
      const count = await filmed(page);
      assert.ok(count > 3, `${count} pictures`);
      const hash = await page.evaluate(() => location.hash);
      const picture = await b.picture(page, "rotation");
      await shownAt(page, "#pos=0");
      assert.equal(await shownAt(page, hash), picture, `it arrives at ${hash}`);
    });

  check("in the time that its distance asks for, with the value at once", { hash: "#pos=10" }, async (page) => {
    // The first state is a change too.
    await b.written(page);
    await film(page);
    const [early, changes, addressed, took] = await page.evaluate(async () => {
      let changes = 0;
      document.addEventListener("posenc:change", () => changes++);
      const box = document.querySelector("input[type=number][name=pos]");
      box.value = 37;
      for (const type of ["input", "change"]) box.dispatchEvent(new Event(type, { bubbles: true }));
      const start = performance.now();
      await work.frames(2);
      const early = box.value;
      await work.until(() => location.hash.includes("pos=37"), "the address");
      const addressed = performance.now() - start;
      await work.until(() => work.pending(250).length === 0, "the end of the move");
      return [early, changes, addressed, performance.now() - start];
    });
    assert.equal(early, "37");
    assert.equal(changes, 1, "posenc:change once");
    // 1087 ms for 2.42 turns, and 300 ms for the outline.
    assert.ok(took > 1300, `${took} ms`);
    assert.ok(addressed < took - 300, `the address after ${addressed} of ${took} ms`);
  });
});

describe("what is followed is there in the next frame", () => {
  check("a slider", { hash: "#pos=10" }, async (page) => {
    await film(page);
    await page.evaluate(() => {
      const slider = document.querySelector("input[type=range][name=pos]");
      slider.value = slider.max;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await b.settle(page);
    assert.equal(await filmed(page), 2);
    assert.equal(await written(page), "63");
  });

  check("an address", { hash: "#pos=10" }, async (page) => {
    await film(page);
    await page.evaluate(() => (location.hash = "#pos=37"));
    await b.settle(page);
    assert.equal(await filmed(page), 2);
    await page.goBack();
    await b.settle(page);
    assert.equal(await filmed(page), 3);
    assert.equal(await written(page), "10");
  });

  check("a lock: nothing moves to what the reader may not set", { hash: "#pos=10&lock=pos,pair" }, async (page) => {
    const sentence = page.locator(".chapter [lang=en] [data-figure=bench][data-set*='&pos=20']").first();
    await film(page);
    await sentence.evaluate((button) => button.click());
    await b.settle(page);
    assert.equal(await written(page), "10");
    // The width has changed at once.
    assert.equal(await filmed(page), 2);
  });

  check("everything, where less motion is asked for", { hash: "#pos=10", reducedMotion: "reduce" }, async (page) => {
    await film(page);
    await b.canvas(page, "rotation").press("Shift+ArrowRight");
    await b.settle(page);
    assert.equal(await filmed(page), 2);
  });
});

describe("the columns of the heatmap", () => {
  const checked = (page) => page.evaluate(() => document.querySelector("[name=colour]:checked").value);

  check("slide to the order that an arrow key chooses, and arrive", { hash: "#pos=10" }, async (page) => {
    await page.locator("[name=colour]:checked").focus();
    await film(page, "heatmap");
    for (const order of ["sines-cosines", "phase", "value"]) {
      const before = await filmed(page);
      await page.keyboard.press("ArrowRight");
      assert.equal(await checked(page), order);
      await b.settle(page);
      assert.ok((await filmed(page)) > before + 3, `on the way to ${order}`);
      const picture = await b.picture(page, "heatmap");
      const hash = await page.evaluate(() => location.hash);
      assert.equal(hash.includes(`colour=${order}`), order !== "value");
      await shownAt(page, "#pos=0", "heatmap");
      assert.equal(await shownAt(page, `#pos=10&colour=${order}`, "heatmap"), picture, order);
    }
    // The group is one stop of the Tab key.
    await page.locator("[name=colour]:checked").focus();
    await page.keyboard.press("Tab");
    assert.notEqual(await page.evaluate(() => document.activeElement.name), "colour");
  });

  check("go on from where they are when another order is chosen", { hash: "#pos=10" }, async (page) => {
    const [took, shown] = await page.evaluate(async () => {
      const choose = (value) => document.querySelector(`[name=colour][value=${value}]`).click();
      const canvas = document.querySelector("canvas[data-view=heatmap]");
      const first = canvas.toDataURL();
      work.countTime();
      const chosen = performance.now();
      choose("sines-cosines");
      await work.until(() => performance.now() > chosen + 130, "the slide");
      const between = canvas.toDataURL();
      const start = performance.now();
      choose("value");
      await work.frames(1);
      const next = canvas.toDataURL();
      await work.until(() => work.pending(250).length === 0, "the end of the slide");
      const took = performance.now() - start;
      return [took, [between, next].every((picture) => picture !== canvas.toDataURL() && picture !== first)];
    });
    assert.ok(shown, "it does not jump to an end");
    assert.ok(took > 650, `${took} ms`);
  });

  check("are there at once where less motion is asked for", { hash: "", reducedMotion: "reduce" }, async (page) => {
    await film(page, "heatmap");
    await page.evaluate(() => document.querySelector("[name=colour][value=sines-cosines]").click());
    await b.settle(page);
    assert.equal(await filmed(page), 2);
  });

  check("are saved as they will be", { hash: "#pos=10" }, async (page) => {
    const [during, after, slid] = await page.evaluate(async () => {
      const { bench } = await import("./kit/target.mjs");
      const canvas = document.querySelector("canvas[data-view=heatmap]");
      work.countTime();
      const chosen = performance.now();
      document.querySelector("[name=colour][value=sines-cosines]").click();
      await work.until(() => performance.now() > chosen + 130, "the slide");
      const between = canvas.toDataURL();
      const during = await bench.toSVG({ view: "heatmap" });
      await work.until(() => work.pending(250).length === 0, "the end of the slide");
      return [during, await bench.toSVG({ view: "heatmap" }), between !== canvas.toDataURL()];
    });
    assert.ok(slid, "it was saved during the slide");
    assert.equal(during, after);
  });
});
