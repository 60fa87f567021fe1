// A phone at three screen sizes: one finger scrolls the page over any picture, handles can be dragged, and k stays beside
// the pictures that it changes.
import assert from "node:assert/strict";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { until } from "./wait.mjs";

const SCREENS = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 844, height: 390 },
];
const onPhone = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Swipes with a finger from a point of the window by this distance, in four steps. */
async function swipe(touch, { x, y }, { across = 0, down = 0 }) {
  let timestamp = Date.now() / 1000 - 1;
  const send = (type, seconds, touchPoints) => {
    timestamp += seconds;
    return touch.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp });
  };
  await send("touchStart", 0, [{ x, y }]);
  for (const share of [0.25, 0.5, 0.75, 1])
    await send("touchMove", 0.05, [{ x: x + across * share, y: y + down * share }]);
  // A pause before the finger is lifted prevents momentum scrolling.
  await send("touchMove", 0.2, [{ x: x + across, y: y + down }]);
  await send("touchEnd", 0.1, []);
}

/** Frames without scrolling after which a swipe counts as over. */
const RESTING_FRAMES = 5;

/**
 * Swipes by 80 px from nine points of a rectangle; returns how far the page scrolled, and whether the state returned by `read`
 * changed.
 */
async function swipeEverywhere(page, { x, y, width, height }, read) {
  const touch = await page.context().newCDPSession(page);
  const outcomes = [];
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) {
      const at = { x: x + ((column + 0.5) / 3) * width, y: y + ((row + 0.5) / 3) * height };
      // Upwards below, so that the finger stays in the window.
      const down = row > 1 ? -80 : 80;
      const before = await page.evaluate(read);
      const top = await scrolled(page);
      await swipe(touch, at, { down });
      // The answer to a touch comes before the page has scrolled.
      await until(
        async () => (await scrolled(page)) !== top || (await page.evaluate(read)) !== before,
        `what a finger at ${JSON.stringify(at)} does`,
      );
      await page.evaluate((frames) => {
        let [quiet, last] = [0, scrollY];
        return work.until(() => {
          quiet = scrollY === last ? quiet + 1 : 0;
          last = scrollY;
          return quiet > frames;
        }, "the page to rest");
      }, RESTING_FRAMES);
      const moved = (await scrolled(page)) - top;
      const changed = (await page.evaluate(read)) !== before;
      const scrolls = Math.sign(moved) === -Math.sign(down) && Math.abs(moved) > 20;
      outcomes.push({ row, column, moved, changed, scrolls, drags: changed && moved === 0 });
      await page.evaluate((top) => scrollTo({ top, behavior: "instant" }), top);
    }
  return outcomes;
}

/** Swipes that neither only scroll nor only drag. */
const odd = (outcomes) => outcomes.filter(({ scrolls, drags, changed }) => (scrolls ? changed : !drags));
const dragging = (outcomes) => outcomes.filter(({ drags }) => drags).length;

const scrolled = (page) => page.evaluate(() => scrollY);

/** Scrolls until the whole canvas is visible above the fixed controls at the bottom. */
async function bringUp(page, view) {
  await page.evaluate((view) => {
    const canvas = document.querySelector(`.stage canvas.data[data-view=${view}]`);
    scrollBy({ top: canvas.getBoundingClientRect().top - 30, behavior: "instant" });
  }, view);
  await b.settle(page, 100);
}

/** The state of the bench, which contains everything that a user can change. */
const stateOf = async () => JSON.stringify((await import("./kit/target.mjs")).bench.state);

for (const viewport of SCREENS) {
  const name = `${viewport.width}×${viewport.height}`;

  for (const view of b.views) {
    check(`${name}: a finger on the ${view} scrolls, except on a handle`, { ...onPhone, viewport }, async (page) => {
      await bringUp(page, view);
      const box = await b.canvas(page, view).boundingBox();
      const height = Math.min(box.height, viewport.height - 60 - box.y);
      const outcomes = await swipeEverywhere(page, { ...box, height }, stateOf);
      assert.deepEqual(odd(outcomes), []);
      assert.ok(dragging(outcomes) <= (view === "rotation" ? 2 : 0), `${dragging(outcomes)} of nine points drag`);
    });
  }

  check(
    `${name}: the arrows of the dial are dragged by their tips`,
    { ...onPhone, viewport, hash: "#pos=0&k=1" },
    async (page) => {
      const touch = await page.context().newCDPSession(page);
      await bringUp(page, "rotation");
      const box = await b.canvas(page, "rotation").boundingBox();
      // PE(0) points to the right: its tip is the rightmost pixel of its colour at the height of the centre.
      const tip = await page.evaluate(() => {
        const canvas = document.querySelector(".stage canvas.data[data-view=rotation]");
        const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        probe.fillStyle = getComputedStyle(document.querySelector("#posenc")).getPropertyValue("--here");
        probe.fillRect(0, 0, 1, 1);
        const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        const rows = new Map();
        for (let y = 0; y < height; y++)
          for (let x = 0; x < width; x++) {
            const at = 4 * (y * width + x);
            if (
              data[at + 3] > 200 &&
              Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 12
            )
              rows.set(y, [...(rows.get(y) ?? []), x]);
          }
        // The small dials are separated from it by a gap.
        const last = (xs) => xs.findIndex((x, i) => x + 1 !== xs[i + 1]);
        const [y, xs] = [...rows].sort((a, b) => last(b[1]) - last(a[1]))[0];
        return { x: xs[last(xs)] / width, y: y / height };
      });
      const before = await page.evaluate(stateOf);
      const top = await scrolled(page);
      await swipe(touch, { x: box.x + tip.x * box.width - 4, y: box.y + tip.y * box.height }, { down: -70 });
      await b.settle(page, 100);
      assert.equal(await scrolled(page), top);
      assert.notEqual(await page.evaluate(stateOf), before);
    },
  );

  check(
    `${name}: k and the dial are on the screen together`,
    { ...onPhone, viewport, hash: "#pos=11" },
    async (page) => {
      const touch = await page.context().newCDPSession(page);
      await bringUp(page, "rotation");
      const box = await b.canvas(page, "rotation").boundingBox();
      const range = await b.slider(page, "k").boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= range.y, "the dial is whole above the slider");
      for (const control of [b.slider(page, "k"), b.box(page, "k"), page.locator("[data-action=play-beside-k]")]) {
        const { x, y, width, height } = await control.boundingBox();
        assert.ok(x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height);
        // Nothing covers it.
        assert.ok(
          await control.evaluate((element) => {
            const { x, y, width, height } = element.getBoundingClientRect();
            return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
          }),
        );
      }
      assert.ok(range.width >= 120, `${range.width}`);
      const before = await b.value(page, "k");
      const middle = { x: range.x + range.width / 2, y: range.y + range.height / 2 };
      await swipe(touch, middle, { across: range.width / 3 });
      await b.settle(page);
      assert.notEqual(await b.value(page, "k"), before);
      // Below the bench it is outside the viewport.
      await page.locator(".chapter").first().scrollIntoViewIfNeeded();
      await page.evaluate(() => scrollBy({ top: innerHeight, behavior: "instant" }));
      assert.ok((await b.slider(page, "k").boundingBox()).y < 0);
    },
  );
}

check(
  "a finger that scrolls over a figure of the lesson leaves it as it was",
  { ...onPhone, viewport: SCREENS[0] },
  async (page) => {
    await page.evaluate(() => document.querySelector("#fig-pair-turn").scrollIntoView({ behavior: "instant" }));
    await page.waitForFunction(() => document.querySelector("#fig-pair-turn").hasAttribute("data-mounted"));
    await page.waitForFunction(
      () => document.querySelector("#fig-pair-turn").shadowRoot.querySelector("canvas")?.clientHeight > 100,
    );
    await b.settle(page);
    const canvas = page.locator("#fig-pair-turn canvas");
    await canvas.evaluate((it) => scrollBy({ top: it.getBoundingClientRect().top - 60, behavior: "instant" }));
    await b.settle(page);
    const state = () => JSON.stringify(document.querySelector("#fig-pair-turn").state);
    const outcomes = await swipeEverywhere(page, await canvas.boundingBox(), state);
    assert.deepEqual(odd(outcomes), []);
    assert.ok(dragging(outcomes) <= 2, `${dragging(outcomes)} of nine points drag`);
  },
);
