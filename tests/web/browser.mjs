// Shared by the browser tests, the screenshots and the benchmark: Chromium, opening a page, and user actions.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chromium } from "playwright-core";
import { CONDITION_TIMEOUT_MS } from "./wait.mjs";

export const desktop = { width: 1280, height: 720 };
export const phone = { width: 390, height: 844 };
/** The WebAssembly files of the core, uncompressed and compressed. */
export const CORE_FILES = /\.wasm(\.xz)?$/;
export const mainSliders = ["d_model", "max_len", "k"];
export const views = ["heatmap", "waves", "rotation"];

/** Flags for a machine without a GPU, and against network requests of the browser itself. */
const CHROMIUM_FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Features of Chromium's user interface: with each window it loads a hidden page for the popup of the address bar, which
 * takes as long as the page under test.
 */
const POPUPS = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** The features disabled by Playwright that matter here: Chromium uses only the last such list. */
const OTHERS = ["HttpsUpgrades", "MediaRouter", "OptimizationHints", "PaintHolding", "Translate"];

/** The flags for Chromium with its user interface. */
export const FULL_CHROMIUM_FLAGS = [...CHROMIUM_FLAGS, `--disable-features=${[...POPUPS, ...OTHERS]}`];

/** Environment for language and time zone of the browser; a test sets those of a page. */
export const NOWHERE = { LANGUAGE: "en", LC_ALL: "C.UTF-8", TZ: "UTC" };

/** The regular Chromium. */
export const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";
/** Chromium's headless shell, if it is installed: pages open in a third of the processor time. */
const HEADLESS = process.env.HEADLESS_CHROMIUM || CHROMIUM;

export async function launch(extra = [], program = HEADLESS) {
  const browser = await chromium.launch({
    env: { ...process.env, ...NOWHERE },
    executablePath: program,
    timeout: CONDITION_TIMEOUT_MS,
    args: [...(program === CHROMIUM ? FULL_CHROMIUM_FLAGS : CHROMIUM_FLAGS), ...extra],
  });
  const { newContext, close } = browser;
  browser.newContext = async (options) => patient(await newContext.call(browser, options));
  browser.close = async () => {
    await shut(browser);
    await close.call(browser);
  };
  return browser;
}

/**
 * A browser for the tests of a file. Most of their pages have the same window options; these are opened in one context,
 * whose renderer process is kept, since starting another takes a fifth of the processor time of a page.
 */
export async function launchForTests() {
  const browser = await launch(["--renderer-process-limit=1"]);
  browser.plainContext = reused(() => browser.newContext(PLAIN));
  return browser;
}

/** The default options of a page. */
const PLAIN = { viewport: desktop, locale: "en-GB", colorScheme: "light" };

/**
 * Returns a function that provides a context for pages of `url`: the kept one if it has been closed since, or else a new
 * one. Closing the kept context closes its pages and resets what was set for all of them.
 */
function reused(make) {
  let kept;
  return async (url) => {
    if (kept?.isFree) return Object.assign(kept, { isFree: false });
    const context = await make();
    if (kept) return context;
    kept = context;
    // Chromium ends a renderer process that has no page.
    const keeper = await context.newPage();
    await keeper.goto(new URL("icon.svg", url).href);
    context.keeper = keeper;
    context.close = async () => {
      const pages = context.pages().filter((page) => page !== keeper);
      await giveUpRoutes(context, pages);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([context.setOffline(false), context.clearCookies(), context.clearPermissions()]);
      context.isFree = true;
    };
    return context;
  };
}

/** Closes the contexts that a test has left open. */
export async function shut(browser) {
  for (const context of browser.contexts()) if (!context.isFree) await context.close();
}

/** The pages of a browser that tests have opened. */
export const openPages = (browser) =>
  browser.contexts().flatMap((context) => context.pages().filter((page) => page !== context.keeper));

/** Sets the common time limit of a context, and removes its routes before it closes, so that pending answers are ignored. */
function patient(context) {
  context.setDefaultTimeout(CONDITION_TIMEOUT_MS);
  const { close } = context;
  context.close = async () => {
    await giveUpRoutes(context, context.pages());
    await close.call(context);
  };
  return context;
}

async function giveUpRoutes(context, pages) {
  for (const routed of [context, ...pages]) await routed.unrouteAll({ behavior: "ignoreErrors" });
}

/**
 * Runs in a page before its own scripts: records pending work, for `settle`. `busy(ms)` is true while a frame is requested,
 * the lesson's translation is loading, or a timer of up to `ms` milliseconds is running; `frame` requests a frame that is
 * not recorded.
 */
export function watchWork() {
  const {
    requestAnimationFrame: frame,
    cancelAnimationFrame: noFrame,
    setTimeout: timer,
    clearTimeout: noTimer,
  } = window;
  const frames = new Set();
  const timers = new Map();
  window.requestAnimationFrame = (work) => {
    const id = frame((time) => {
      frames.delete(id);
      work(time);
    });
    frames.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => (frames.delete(id), noFrame(id));
  window.setTimeout = (work, ms = 0, ...rest) => {
    if (typeof work !== "function") return timer(work, ms);
    const id = timer(() => {
      timers.delete(id);
      work(...rest);
    }, ms);
    timers.set(id, ms);
    return id;
  };
  window.clearTimeout = (id) => (timers.delete(id), noTimer(id));
  window.work = {
    busy: (ms) =>
      frames.size > 0 ||
      document.documentElement.dataset.translation === "loading" ||
      [...timers.values()].some((length) => length <= ms),
    frame: (look) => frame(look),
  };
}

/**
 * Opens the site and waits until it has drawn (or failed, if `state` is "failed") and until a translation that it has
 * requested has loaded or failed: the lesson's layout changes when it arrives. `page.problems` collects everything that
 * must not happen: console errors and warnings, exceptions, failed requests, requests to another origin.
 */
export async function open(browser, url, { hash = "", state = "ready", prepare, ...options } = {}) {
  const isPlain = browser.plainContext && Object.keys(options).length === 0;
  const context = isPlain ? await browser.plainContext(url) : await browser.newContext({ ...PLAIN, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.problems = [];
  page.on(
    "console",
    (m) => ["error", "warning"].includes(m.type()) && page.problems.push(`console ${m.type()}: ${m.text()}`),
  );
  page.on("pageerror", (error) => page.problems.push(`exception: ${error.message}`));
  // Requests aborted by a navigation have not failed.
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
  await page.addInitScript(watchWork);
  await page.addInitScript(() => {
    window.frameMeasures = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name === "posenc:frame") window.frameMeasures.push({ duration: entry.duration, ...entry.detail });
    }).observe({ type: "measure", buffered: true });
  });
  await prepare?.(page);
  await page.goto(url + hash);
  await page.waitForFunction((state) => {
    const { posenc, translation } = document.documentElement.dataset;
    return posenc === state && translation !== "loading";
  }, state);
  return page;
}

/**
 * Frames without pending work after which the page counts as settled: size and intersection observers call back a frame
 * later.
 */
const QUIET_FRAMES = 4;

/**
 * Waits until the page has finished its reaction to an action: no frame is requested, and no timer of up to `ms`
 * milliseconds runs. The page writes its address and its announcements with timers of 200 to 500 ms.
 */
export async function settle(page, ms = 250) {
  await page.evaluate(
    ([ms, frames]) =>
      new Promise((resolve) => {
        let quiet = 0;
        const look = () => {
          quiet = window.work.busy(ms) ? 0 : quiet + 1;
          if (quiet > frames) resolve();
          else window.work.frame(look);
        };
        look();
      }),
    [ms, QUIET_FRAMES],
  );
}

/** Waits until the address, which is written at most twice a second, matches the state of the page. */
export const written = (page) => settle(page, 500);

/** Waits for this many frames, so that something that must not happen has had the opportunity. */
export const frames = (page, count) =>
  page.evaluate(
    (count) =>
      new Promise((resolve) => {
        const next = () => (count-- > 0 ? (window.work?.frame ?? requestAnimationFrame)(next) : resolve());
        next();
      }),
    count,
  );

export const box = (page, name) => page.locator(`input[type=number][name=${name}]`).first();
export const slider = (page, name) => page.locator(`input[type=range][name=${name}]`).first();
export const canvas = (page, view) => page.locator(`canvas[data-view=${view}]`).first();
export const value = async (page, name) => Number(await box(page, name).inputValue());

/** A hash of what is visible in a view, with all its layers. */
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

/** Drags a slider with the mouse between two positions given as fractions of its width. */
export async function drag(page, name, from, to, { steps = 12 } = {}) {
  const range = slider(page, name);
  await uncover(range);
  await range.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await range.boundingBox();
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  for (let step = 1; step <= steps; step++) {
    await page.mouse.move(x + width * (from + ((to - from) * step) / steps), y + height / 2);
    await frames(page, 1);
  }
  await page.mouse.up();
  await settle(page);
}

/** Builds every figure, as printing does; before their code is loaded, printing would show their sentences instead. */
export async function buildAll(page) {
  await page.waitForFunction(() => [...document.querySelectorAll("pe-figure")].every((figure) => figure.shadowRoot));
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
}

/** Opens the menu or "More" if it contains the control. */
export const uncover = (control) =>
  control.evaluate((control) => {
    const menu = control.closest("details.menu");
    if (menu) menu.open = true;
    const more = document.querySelector("[data-action=more]");
    const sheet = more?.closest(".controls");
    const hidden = control.closest(".controls") === sheet && !control.checkVisibility();
    if (more && hidden && more.getAttribute("aria-expanded") === "false") more.click();
  });

/** Presses a button of the bench, opening its menu if needed. */
export async function press(button, options) {
  await uncover(button);
  await button.click(options);
}

/**
 * Presses a button of a presentation's bar. The bar hides after two seconds, below an element that receives the press;
 * moving the mouse there shows it, but a regular click checks the hit target before it moves the mouse.
 */
export const pressBar = (bar) => bar.click({ force: true });

/** Sets a choice in a select, or in a group of radio buttons or buttons. */
export async function choose(page, name, option) {
  const select = page.locator(`select[name=${name}]`);
  if (await select.count()) {
    await uncover(select.first());
    await select.first().selectOption(option);
  } else await page.locator(`[name=${name}][value=${option}]`).first().click();
  await settle(page);
}

/** Types into a number box like a user: replaces everything, then presses Enter. */
export async function type(page, name, text) {
  await uncover(box(page, name));
  await box(page, name).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  if (text) await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
  await page.evaluate(() => document.activeElement?.blur());
  await settle(page);
}

/** Opens the menu of a figure, which contains link, sharing and saving. */
export async function openMenu(figure) {
  await figure.locator(".menu:not([open]) > summary").click();
}

/** Returns what the copy-link button copies to the clipboard, which must be the address in its link. */
export async function link(page) {
  const button = page.locator("[data-action=link]").first();
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await press(button);
  const copied = await page.waitForFunction(() => navigator.clipboard.readText());
  assert.equal(await copied.jsonValue(), await button.evaluate((a) => a.href));
  await button.evaluate((a) => a.closest("details")?.removeAttribute("open"));
  return copied.jsonValue();
}
