// What the browser tests, the pictures and the benchmark share: Chromium, an opened page, and hands to work it with.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chromium } from "playwright-core";

export const desktop = { width: 1280, height: 720 };
export const phone = { width: 390, height: 844 };
export const mainSliders = ["d_model", "max_len", "k"];
export const views = ["heatmap", "waves", "rotation"];

export function launch(extra = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...extra,
    ],
  });
}

/**
 * Opens the site and waits until it has drawn (or failed, where `state` is "failed"). `page.problems` gathers everything that
 * must not happen: console errors and warnings, exceptions, failed requests, requests to another origin.
 */
export async function open(browser, url, { hash = "", state = "ready", prepare, ...options } = {}) {
  const context = await browser.newContext({ viewport: desktop, locale: "en-GB", colorScheme: "light", ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.problems = [];
  page.on(
    "console",
    (m) => ["error", "warning"].includes(m.type()) && page.problems.push(`console ${m.type()}: ${m.text()}`),
  );
  page.on("pageerror", (error) => page.problems.push(`exception: ${error.message}`));
  // What is given up because the page goes elsewhere has not failed.
  page.on(
    "requestfailed",
    (r) =>
      r.failure()?.errorText !== "net::ERR_ABORTED" &&
      page.problems.push(`failed: ${r.url().slice(0, 200)} ${r.failure()?.errorText}`),
  );
  page.on("response", (r) => r.status() >= 400 && page.problems.push(`${r.status()}: ${r.url().slice(0, 200)}`));
  page.on("request", (r) => {
    const to = new URL(r.url());
    if (!["data:", "blob:"].includes(to.protocol) && to.origin !== new URL(url).origin)
      page.problems.push(`other origin: ${to}`);
  });
  await page.addInitScript(() => {
    window.frameMeasures = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name === "posenc:frame") window.frameMeasures.push({ duration: entry.duration, ...entry.detail });
    }).observe({ type: "measure", buffered: true });
  });
  await prepare?.(page);
  await page.goto(url + hash);
  await page.waitForFunction((state) => document.documentElement.dataset.posenc === state, state);
  return page;
}

/** Waits until nothing has been drawn for `ms` milliseconds, so that what is on the screen is what was asked for. */
export async function settle(page, ms = 250) {
  await page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let count = -1;
        const look = () => {
          if (count === window.frameMeasures.length) return resolve();
          count = window.frameMeasures.length;
          setTimeout(look, ms);
        };
        look();
      }),
    ms,
  );
}

export const box = (page, name) => page.locator(`input[type=number][name=${name}]`).first();
export const slider = (page, name) => page.locator(`input[type=range][name=${name}]`).first();
export const canvas = (page, view) => page.locator(`canvas[data-view=${view}]`).first();
export const value = async (page, name) => Number(await box(page, name).inputValue());

/** What a person sees where the view is, its layers together. */
export async function picture(page, view) {
  return createHash("sha256")
    .update(await canvas(page, view).screenshot({ animations: "disabled" }))
    .digest("hex");
}

export async function pictures(page) {
  const seen = {};
  for (const view of views) seen[view] = await picture(page, view);
  return seen;
}

/** Drags a slider with the mouse between two places given as parts of its width. */
export async function drag(page, name, from, to, { steps = 12, pause = 16 } = {}) {
  const range = slider(page, name);
  await range.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await range.boundingBox();
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  for (let step = 1; step <= steps; step++) {
    await page.mouse.move(x + width * (from + ((to - from) * step) / steps), y + height / 2);
    await page.waitForTimeout(pause);
  }
  await page.mouse.up();
  await settle(page);
}

/** Sets a choice whether it is a select, a group of radios or of buttons. */
export async function choose(page, name, option) {
  const select = page.locator(`select[name=${name}]`);
  if (await select.count()) await select.first().selectOption(option);
  else await page.locator(`[name=${name}][value=${option}]`).first().click();
  await settle(page);
}

/** Types into a number box as a person does: everything replaced, then Enter. */
export async function type(page, name, text) {
  await box(page, name).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  if (text) await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
  await page.evaluate(() => document.activeElement?.blur());
  await settle(page);
}

/** What the copy-link button puts on the clipboard: the address it shows. */
export async function link(page) {
  const button = page.locator("[data-action=link]").first();
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await button.click();
  const copied = await page.waitForFunction(() => navigator.clipboard.readText());
  assert.equal(await copied.jsonValue(), await button.evaluate((a) => a.href));
  return copied.jsonValue();
}
