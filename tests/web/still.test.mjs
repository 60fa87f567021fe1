// The still picture on the page until the bench is ready.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CORE_FILES } from "./browser.mjs";
import { tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const still = (page) => page.locator(".still");

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
  [390, 844],
]) {
  test(`it is where the dial will be, and gives way to it, ${width}×${height}`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    let arrive;
    const arrived = new Promise((resolve) => (arrive = resolve));
    const context = await tools.browser.newContext({ viewport: { width, height }, locale: "en-GB" });
    const page = await context.newPage();
    await page.route(CORE_FILES, (route) => arrived.then(() => route.continue()));
    await page.goto(tools.site.url, { waitUntil: "commit" });
    await still(page).waitFor();
    // The centre of the dial, where the axes of cosine and sine intersect.
    const before = await page.evaluate(() => {
      const [across, up] = [...document.querySelectorAll(".still path[opacity='0.6']")].map((line) =>
        line.getBoundingClientRect(),
      );
      return { x: up.left + up.width / 2, y: across.top + across.height / 2, across: across.width };
    });
    arrive();
    await page.waitForFunction(() => document.documentElement.dataset.posenc === "ready");
    assert.equal(await still(page).count(), 0);
    const after = await page.evaluate(() => {
      const { left, top } = document.querySelector("canvas[data-view=rotation]").getBoundingClientRect();
      return { left, top };
    });
    const svg = await page.evaluate(async () => (await import("./kit/target.mjs")).bench.toSVG({ view: "rotation" }));
    const scale = Number(svg.match(/viewBox="0 0 (\d+)/)[1]) / Number(svg.match(/ width="([\d.]+)/)[1]);
    const [across, up] = [...svg.matchAll(/<polyline points="(\d+),(\d+) (\d+),(\d+)"[^>]*opacity="0.6"/g)].map(
      ([, ...numbers]) => numbers.map((number) => number / scale),
    );
    // The panel keeps its aspect ratio only approximately.
    const near = width / 40;
    assert.ok(Math.abs(after.left + up[0] - before.x) < near, `${after.left + up[0]} and ${before.x}`);
    assert.ok(Math.abs(after.top + across[1] - before.y) < near, `${after.top + across[1]} and ${before.y}`);
    const size = Math.abs(across[2] - across[0]) / before.across;
    assert.ok(size > 0.75 && size < 1.35, `${size}`);
    await context.close();
  });
}

test("it is not shown where the address asks for something else", { timeout: TEST_TIMEOUT_MS }, async () => {
  const context = await tools.browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.route(CORE_FILES, (route) => route.abort());
  for (const [hash, shown] of [
    ["#lang=zh&theme=light", true],
    ["#k=5", false],
    ["#view=helix", false],
  ]) {
    await page.goto("about:blank");
    // It is not shown either if the bench fails.
    await page.goto(tools.site.url + hash, { waitUntil: "commit" });
    await page.locator("html[data-failure]").waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => "linked" in document.documentElement.dataset), !shown, hash);
    assert.equal(await still(page).isVisible(), false, hash);
  }
  await context.close();
});

test("without scripts it stays, with a sentence that says why nothing moves", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ]) {
    const context = await tools.browser.newContext({ viewport: { width, height }, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(tools.site.url);
    const words = page.locator("[data-reason=script]");
    const [picture, sentence] = [await still(page).boundingBox(), await words.boundingBox()];
    assert.ok(picture.height > 100 && picture.y + picture.height <= sentence.y, JSON.stringify([picture, sentence]));
    assert.ok(sentence.y + sentence.height < height);
    await context.close();
  }
});
