// Shared by the browser tests, the screenshots and the benchmark: Chromium, opening a page, and user actions.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { NO_FRAME_MS, watchWork } from "./work.mjs";
import { CONDITION_TIMEOUT_MS, sleep, until, within } from "./wait.mjs";

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

/** Environment for language, time zone and fonts of the browser; a test sets language and time zone of a page. */
export const NOWHERE = {
  LANGUAGE: "en",
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  FONTCONFIG_FILE: fileURLToPath(new URL("fonts.conf", import.meta.url)),
};

/** The regular Chromium. */
export const CHROMIUM = process.env.CHROMIUM || "/usr/bin/chromium";
/** Chromium's headless shell, if it is installed: pages open in a third of the processor time. */
const HEADLESS = process.env.HEADLESS_CHROMIUM || CHROMIUM;

/** The browsers that run. */
export const browsers = new Set();

export async function launch(extra = [], program = HEADLESS) {
  const browser = await chromium.launch({
    env: { ...process.env, ...NOWHERE },
    executablePath: program,
    timeout: CONDITION_TIMEOUT_MS,
    args: [...(program === CHROMIUM ? FULL_CHROMIUM_FLAGS : CHROMIUM_FLAGS), ...extra],
  });
  browsers.add(browser);
  const { newContext, close } = browser;
  browser.newContext = async (options) => patient(await newContext.call(browser, options));
  browser.close = async () => {
    browsers.delete(browser);
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
    const session = await context.newCDPSession(keeper);
    const { origin } = new URL(url);
    context.close = async () => {
      const pages = context.pages().filter((page) => page !== keeper);
      await giveUpRoutes(context, pages);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([
        context.setOffline(false),
        context.clearCookies(),
        context.clearPermissions(),
        session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }),
        session.send("Network.clearBrowserCache"),
      ]);
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

/** Milliseconds between two looks at a condition. Playwright would look in each frame, but frames stop in a covered window. */
const POLL_MS = 100;

/**
 * Sets the common time limit of a context, and removes its routes before it closes, so that pending answers are ignored. The
 * requests of its pages that are not answered yet are in `page.requests`.
 */
async function patient(context) {
  context.setDefaultTimeout(CONDITION_TIMEOUT_MS);
  if (process.env.POSENC_TRACE) await context.tracing.start({ screenshots: true, snapshots: true });
  await context.addInitScript(watchWork, [NO_FRAME_MS, CONDITION_TIMEOUT_MS]);
  context.on("page", (page) => {
    page.requests = new Set();
    // How a request ends is not always reported: that of a frame that is removed, or of a document that its frame leaves
    // before the document has ended.
    const forget = (frame, isOver) => {
      for (const request of page.requests)
        if (request.frame() === frame && isOver(request)) page.requests.delete(request);
    };
    const isNavigation = (request) => request.isNavigationRequest();
    page.on("request", (request) => {
      if (isNavigation(request)) forget(request.frame(), isNavigation);
      page.requests.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, (request) => page.requests.delete(request));
    page.on("framenavigated", (frame) => {
      const place = withoutHash(frame.url());
      forget(frame, (request) => isNavigation(request) && withoutHash(request.url()) !== place);
    });
    page.on("framedetached", (frame) => forget(frame, () => true));
    poll(Object.getPrototypeOf(page.mainFrame()));
  });
  const { close } = context;
  context.close = async () => {
    await giveUpRoutes(context, context.pages());
    await close.call(context);
  };
  return context;
}

const withoutHash = (url) => url.split("#")[0];

let polls = false;

/** Lets all frames, and so their pages, look for conditions every POLL_MS. */
function poll(frame) {
  if (polls) return;
  polls = true;
  const { waitForFunction } = frame;
  frame.waitForFunction = function (look, value, options) {
    return waitForFunction.call(this, look, value, { polling: POLL_MS, ...options });
  };
}

async function giveUpRoutes(context, pages) {
  for (const routed of [context, ...pages]) await routed.unrouteAll({ behavior: "ignoreErrors" });
}

/**
 * Opens the site and waits as `ready` does. `page.problems` collects everything that must not happen: console errors and
 * warnings, exceptions, failed requests, requests to another origin.
 */
export async function open(browser, url, { hash = "", state, prepare, ...options } = {}) {
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
  await page.addInitScript(() => {
    const measures = [];
    const take = (entries) => {
      for (const { name, startTime, duration, detail } of entries)
        if (name === "posenc:frame") measures.push({ startTime, duration, ...detail });
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type: "measure", buffered: true });
    // Also those that the observer has not been told of yet.
    Object.defineProperty(window, "frameMeasures", { get: () => (take(observer.takeRecords()), measures) });
  });
  await prepare?.(page);
  await page.goto(url + hash);
  await ready(page, state);
  return page;
}

/**
 * Waits until the page is in `state`: "started" (all that it loads by itself listens), "ready" (the first picture is drawn)
 * or "failed"; and until a translation that it has requested has loaded or failed: the lesson's layout changes when it
 * arrives.
 */
export const ready = (page, state = "started") =>
  page.waitForFunction((state) => {
    const { posenc, parts, translation } = document.documentElement.dataset;
    const is = state === "started" ? posenc === "ready" && parts === state : posenc === state;
    return is && translation !== "loading";
  }, state);

/** Loads the page again, and waits as `open` does. */
export async function reload(page) {
  await page.reload();
  await ready(page);
}

/**
 * Waits until all requests of a page are answered and what has happened in its documents has been reported. A test that
 * holds a request back has to let it go before.
 */
export async function flush(page) {
  const isFetching = (frame) => frame.evaluate(() => window.work?.isFetching()).catch(() => false);
  await until(
    async () => !(await Promise.all(page.frames().map(isFetching))).includes(true) && page.requests.size === 0,
    () => `answers to ${[...page.requests].map((request) => request.url().slice(0, 200)).join(", ")}`,
  );
  // Reports are sent in the order of the events, so those before this answer have arrived with it.
  for (const frame of page.frames()) await frame.evaluate(() => {}).catch(() => {});
}

/** Asserts that nothing has happened that must not; `expected` matches what may. */
export async function noProblems(page, expected) {
  await flush(page);
  assert.deepEqual(
    page.problems.filter((problem) => !expected?.test(problem)),
    [],
  );
}

/**
 * Frames without pending work after which the page counts as settled: size and intersection observers call back a frame
 * later.
 */
const QUIET_FRAMES = 4;

/** Says what a page or frame is busy with, as far as it answers. */
export async function pending(page, ms = 250) {
  const silent = sleep(5000).then(() => ["an answer of the page"]);
  const own = await Promise.race([page.evaluate((ms) => window.work?.pending(ms) ?? [], ms), silent]);
  const requests = [...((page.page?.() ?? page).requests ?? [])].map((request) => request.url().slice(0, 200));
  return [...own, ...requests].join(", ") || "nothing";
}

/**
 * Waits until the page has finished its reaction to an action: no frame is requested, and no timer of up to `ms`
 * milliseconds runs. The page writes its address and its announcements with timers of 200 to 500 ms.
 */
export const settle = (page, ms = 250) =>
  within(
    page.evaluate(
      async ([ms, frames]) => {
        let quiet = 0;
        while (quiet <= frames) {
          await window.work.frames(1);
          quiet = window.work.pending(ms).length ? 0 : quiet + 1;
        }
      },
      [ms, QUIET_FRAMES],
    ),
    async () => `the page to settle: pending are ${await pending(page, ms)}`,
  );

/** Waits until the address, which is written at most twice a second, matches the state of the page. */
export const written = (page) => settle(page, 500);

/**
 * Waits for this many frames, or for as long as they may take, so that something that must not happen has had the
 * opportunity.
 */
export const frames = (page, count) =>
  within(
    page.evaluate((count) => window.work.frames(count), count),
    async () => `${count} frames: pending are ${await pending(page)}`,
  );

export const box = (page, name) => page.locator(`input[type=number][name=${name}]`).first();
export const slider = (page, name) => page.locator(`input[type=range][name=${name}]`).first();
export const canvas = (page, view) => page.locator(`canvas[data-view=${view}]`).first();
export const value = async (page, name) => Number(await box(page, name).inputValue());

/** The size and a checksum of what a view shows, with all its layers. */
export const picture = (page, view) =>
  canvas(page, view).evaluate((canvas) => {
    const { width, height } = canvas;
    const whole = Object.assign(document.createElement("canvas"), { width, height });
    const reader = whole.getContext("2d", { willReadFrequently: true });
    for (const layer of canvas.parentElement.querySelectorAll("canvas")) reader.drawImage(layer, 0, 0, width, height);
    let sum = 0;
    new Uint32Array(reader.getImageData(0, 0, width, height).data.buffer).forEach((pixel, i) => {
      sum = (Math.imul(sum, 31) + pixel + i) | 0;
    });
    return `${width} × ${height}: ${sum}`;
  });

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

/**
 * What a page keeps, by a DevTools session of it: the least of three counts, each after a collection of garbage, since one
 * collection may leave something to the next.
 */
export async function kept(session) {
  let least = { nodes: Infinity, listeners: Infinity, scripts: Infinity };
  for (let count = 0; count < 3; count++) {
    await session.send("HeapProfiler.collectGarbage");
    const { nodes, jsEventListeners: listeners } = await session.send("Memory.getDOMCounters");
    const { usedSize: scripts } = await session.send("Runtime.getHeapUsage");
    const now = { nodes, listeners, scripts };
    least = Object.fromEntries(Object.entries(now).map(([what, number]) => [what, Math.min(number, least[what])]));
  }
  return least;
}

/** Builds every figure, as printing does; before their code is loaded, printing would show their sentences instead. */
export async function buildAll(page) {
  await page.waitForFunction(() => [...document.querySelectorAll("pe-figure")].every((figure) => figure.shadowRoot));
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
}

/** Opens the menu, the tab or "More" that contains the control. */
export const uncover = (control) =>
  control.evaluate((control) => {
    const menu = control.closest("details.menu");
    if (menu) menu.open = true;
    const panel = control.closest("[role=tabpanel]");
    if (panel && !panel.checkVisibility()) document.getElementById(panel.getAttribute("aria-labelledby")).click();
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

/**
 * Records what a page announces in `window.announced`: the messages disappear after seconds, before a test on a busy
 * computer may have looked.
 */
export const recordAnnouncements = (page) =>
  page.addInitScript(() => {
    window.announced = [];
    new MutationObserver(() => {
      const text = document.querySelector(".kit-said p")?.textContent;
      if (text && text !== window.announced.at(-1)) window.announced.push(text);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });

/** Runs `act`, and waits until the text of an element has been `wanted`, if only for a moment. */
export async function flashes(element, wanted, act) {
  await element.evaluate((element) => {
    element.texts = [element.textContent];
    const look = () => element.texts.push(element.textContent);
    new MutationObserver(look).observe(element, { childList: true, characterData: true, subtree: true });
  });
  await act();
  await until(
    () => element.evaluate((element, wanted) => element.texts.includes(wanted), wanted),
    async () => `“${wanted}”: the element has said ${await element.evaluate((element) => element.texts.join(", "))}`,
  );
}

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
