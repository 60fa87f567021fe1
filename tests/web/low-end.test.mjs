// A phone in class: a narrow window with touch, Chromium's mode for devices with little memory, a script heap of 96 MB, and
// a slower processor. Everything must work; times are reported without a limit. docs/browsers.md lists them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import "./remains.mjs";
import * as b from "./browser.mjs";
import { serve } from "./serve.mjs";
import { LONG, TEST_TIMEOUT_MS, until } from "./wait.mjs";

const SLOWER = LONG ? 6 : 2;
const PHONE = { viewport: b.phone, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
/** A connection with 1.6 Mbit/s and a latency of 150 ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
/** The user agent of WeChat on Android. */
const WECHAT =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.49";

let browser, site;
before(async () => {
  const flags = ["--enable-low-end-device-mode", "--js-flags=--max-old-space-size=96"];
  [browser, site] = await Promise.all([b.launch(flags), serve()]);
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Opens the page on such a phone. */
async function phone({ line, ...options } = {}) {
  let session;
  const page = await b.open(browser, site.url, {
    ...PHONE,
    ...options,
    prepare: async (page) => {
      session = await page.context().newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
      if (line) {
        await session.send("Network.enable");
        await session.send("Network.emulateNetworkConditions", LINE);
      }
      await options.prepare?.(page);
    },
  });
  return { page, session };
}

/** The memory of the page in megabytes: the heap of its scripts and the memory of the core. */
async function memory(page, session) {
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const core = await page.evaluate(
    async () => (await (await import("./core/posenc.js")).default()).memory.buffer.byteLength,
  );
  return { scripts: usedSize / 1e6, core: core / 1e6 };
}

/**
 * Taps a button in the bar of a presentation until `done`: the bar hides after two seconds, and the next tap only shows it.
 */
const pressInBar = (page, name, done) =>
  until(async () => {
    if (await done()) return true;
    const box = await page.locator(`[data-do=${name}]`).boundingBox();
    if (box) await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await b.frames(page, 10);
    return done();
  }, `what comes of ${name}`);

const ninetyFive = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)];

test("a first visit over a slow line, the bench by touch, and the whole lesson", {
  timeout: TEST_TIMEOUT_MS,
}, async (t) => {
  const { page, session } = await phone({ line: true });
  t.diagnostic(`the bench is there after ${(await page.evaluate(() => performance.now())).toFixed(0)} ms`);
  await session.send("Network.emulateNetworkConditions", { ...LINE, latency: 0, downloadThroughput: -1 });
  await b.settle(page, 500);

  // Changes k by dragging its slider with a finger.
  const slider = page.locator("#posenc input[type=range][name=k]").filter({ visible: true }).first();
  const { x, y, width, height } = await slider.boundingBox();
  const at = (share) => ({ x: x + width * share, y: y + height / 2 });
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await page.evaluate(() => (window.frameMeasures.length = 0));
  await touch("touchStart", [at(0.52)]);
  for (let i = 0; i <= 40; i++) await touch("touchMove", [at(0.52 + 0.01 * i)]);
  await touch("touchEnd", []);
  await b.settle(page, 300);
  const k = Number(await page.locator("#posenc input[type=number][name=k]").first().inputValue());
  assert.ok(k > 20, `k is ${k}`);
  const frames = await page.evaluate(() => window.frameMeasures.map(({ duration }) => duration));
  t.diagnostic(`frames of the drag: ${frames.length}, 95 in 100 within ${ninetyFive(frames).toFixed(1)} ms`);

  // Scrolls to every figure, waits until it is drawn, and leaves it. This tests memory, which does not depend on processor
  // speed.
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  const figures = page.locator(".prose pe-figure");
  const count = await figures.count();
  assert.ok(count > 40);
  for (let i = 0; i < count; i++) {
    const figure = figures.nth(i);
    await figure.evaluate((figure) => figure.scrollIntoView({ block: "center" }));
    await page.waitForFunction((figure) => figure.shadowRoot && figure.drawn, await figure.elementHandle());
    if (i === Math.floor(count / 2))
      await session.send("Memory.simulatePressureNotification", { level: "critical" }).catch(() => {});
  }
  const { scripts, core } = await memory(page, session);
  t.diagnostic(`after ${count} figures: ${scripts.toFixed(0)} MB of scripts, ${core.toFixed(0)} MB of the core`);
  await b.noProblems(page);
  await page.context().close();
});

test("the largest table, a film and a presentation with notes", { timeout: TEST_TIMEOUT_MS }, async (t) => {
  const { page, session } = await phone({ hash: "#d_model=16384&max_len=1048576&pos=500000" });
  await b.settle(page, 500);
  await page.goto(`${site.url}#view=rotation&k=3`);
  await b.reload(page);
  const opener = page.locator("[data-kit=save]").first();
  await b.uncover(opener);
  await opener.click();
  const dialog = page.locator("dialog.kit");
  const begun = Date.now();
  const gif = dialog.getByRole("button", { name: "GIF" });
  await gif.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), gif.click()]);
  assert.equal(download.suggestedFilename(), "posenc-rotation-k.gif");
  t.diagnostic(`13 frames as GIF, 720 pixels wide: ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  await page.keyboard.press("Escape");
  const { scripts, core } = await memory(page, session);
  t.diagnostic(`then ${scripts.toFixed(0)} MB of scripts, ${core.toFixed(0)} MB of the core`);

  await page.goto(`${site.url}#steps=k=5;note=one/view=order;pe=on;note=two&present=1`);
  await b.reload(page);
  await page.waitForFunction(() => document.querySelector(".kit-bar output")?.textContent === "1 / 2");
  const step = page.locator(".kit-bar output");
  await pressInBar(page, "on", async () => (await step.textContent()) === "2 / 2");
  await page.waitForFunction(() => document.querySelector("#kit-figure[data-fits]"));
  await b.noProblems(page);
  await page.context().close();
});

test("a browser inside an app: no pop-ups, no clipboard, no downloads", { timeout: TEST_TIMEOUT_MS }, async () => {
  const { page } = await phone({
    userAgent: WECHAT,
    acceptDownloads: false,
    hash: "#lang=zh&steps=k=5;note=one/k=7&present=1",
    prepare: (page) =>
      page.addInitScript(() => {
        window.open = () => null;
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        Object.defineProperty(navigator, "platform", { value: "iPhone" });
      }),
  });
  await page.waitForFunction(() => document.querySelector(".kit-bar output")?.textContent === "1 / 2");
  await pressInBar(page, "notes", () => page.getByText("浏览器拦截了演讲者窗口").isVisible());
  const copy = page.getByText("复制此演示的链接");
  await pressInBar(page, "steps", () => copy.isVisible());
  await copy.click();
  await page.locator(".kit-by-hand").waitFor();
  await page.getByText("浏览器不允许自动复制，请按 ⌘C").waitFor();
  assert.match(await page.locator(".kit-by-hand").inputValue(), /steps=/);
  await page.locator(".kit-steps header button").click();
  await pressInBar(page, "leave", async () => !(await page.locator(".kit-bar").count()));
  const opener = page.locator("[data-kit=save]").first();
  await b.uncover(opener);
  await opener.click();
  const dialog = page.locator("dialog.kit");
  await dialog.getByRole("button", { name: /SVG/ }).click();
  await dialog.getByText("请单独打开本页").waitFor();
  await b.noProblems(page);
  await page.context().close();
});
