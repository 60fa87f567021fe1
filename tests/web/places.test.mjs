// Environments of the page: windows of any size and pixel ratio, hidden and shown again, in print, with other people's
// colours and spacing, and in browsers and networks that block what it needs. Each such failure has a message in both
// languages.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as b from "./browser.mjs";
import { check, tools, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { hosting } from "./host.mjs";
import { dist, serve } from "./serve.mjs";

/** Runs in the page: returns the flaws of the visible pictures. */
function flaws(most = 4096) {
  const canvases = [
    ...document.querySelectorAll("#posenc .data, #posenc .axes"),
    ...[...document.querySelectorAll("pe-figure[data-mounted]")].flatMap((figure) => [
      ...figure.shadowRoot.querySelectorAll("canvas"),
    ]),
  ];
  const found = [];
  for (const canvas of canvases) {
    const { width, height } = canvas.getBoundingClientRect();
    if (!canvas.checkVisibility() || width < 2 || height < 2) continue;
    const name = `${canvas.dataset.view ?? canvas.className} (${canvas.width} × ${canvas.height} on ${width} × ${height})`;
    if (canvas.width > most || canvas.height > most) found.push(`${name} is larger than browsers show`);
    if (
      getComputedStyle(canvas).objectFit !== "contain" &&
      Math.abs(canvas.width / canvas.height / (width / height) - 1) > 0.05 &&
      Math.min(width, height) > 40
    )
      found.push(`${name} is stretched`);
    // The words have no axes.
    if (canvas.matches("[data-stage=tokens] .axes")) continue;
    // Read from a copy: browsers switch a canvas that is read to software rendering.
    const copy = new OffscreenCanvas(200, 200).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0, 200, 200);
    const pixels = new Uint32Array(copy.getImageData(0, 0, 200, 200).data.buffer);
    if (pixels.every((pixel) => pixel === pixels[0])) found.push(`${name} is empty`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth - clientWidth} pixels wider than the window`);
  return found;
}
const tried = { looks: 0, refusals: 0 };
const count = (what) => record("places", { ...where(), [what]: ++tried[what] });
const sound = async (page, what) => {
  assert.deepEqual(await page.evaluate(`(${flaws})()`), [], what);
  count("looks");
};

let pages;
before(async () => (pages = await hosting()));
after(() => pages.close());

/** Opens another page with this body. */
const host = (body, options) => pages.open(tools.browser, body, options);

describe("sizes", () => {
  for (const [width, height] of [
    [319, 568],
    [320, 256],
    [7680, 4320],
  ]) {
    check(`a window of ${width} × ${height}`, { viewport: { width, height }, hash: "#lang=en" }, (page) => sound(page));
  }

  check(
    "400 % of 1280 × 720, as those read it who see little",
    { viewport: { width: 320, height: 180 }, deviceScaleFactor: 4, hash: "#lang=zh" },
    async (page) => {
      await sound(page);
      await b.type(page, "k", "7");
      assert.equal(await b.value(page, "k"), 7);
    },
  );

  test("a frame of no size, of one pixel, not shown at all, and then shown", async () => {
    const page = await host(
      `<iframe src="site/#lang=en" width="0" height="0" style="border: 0"></iframe><div id="later" style="display: none"><pe-figure view="rotation"></pe-figure></div>`,
    );
    const element = page.locator("iframe");
    const frame = await (await element.elementHandle()).contentFrame();
    await b.ready(frame);
    for (const style of ["width: 1px; height: 1px", "display: none", "width: 320px; height: 500px"]) {
      await element.evaluate((frame, style) => (frame.style.cssText = `border: 0; ${style}`), style);
      await b.frames(page, 10);
    }
    await frame.waitForFunction(() => document.querySelector("#posenc .data").width > 100);
    assert.deepEqual(await frame.evaluate(`(${flaws})()`), []);
    await page.locator("#later").evaluate((place) => (place.style.display = ""));
    await page.waitForFunction(() => document.querySelector("pe-figure").hasAttribute("data-mounted"));
    await b.settle(page);
    assert.deepEqual(await page.evaluate(`(${flaws})()`), []);
    await b.noProblems(page);
    await page.context().close();
  });

  const ratios = (page) =>
    page.evaluate(() =>
      [
        document.querySelector("#posenc .data"),
        document.querySelector("pe-figure").shadowRoot.querySelector("canvas"),
      ].map((c) => c.width / c.clientWidth),
    );
  /** Emulates a window on a screen with this device pixel ratio. */
  async function on(screen, page, ratio, { width, height }) {
    await screen.send("Emulation.setDeviceMetricsOverride", {
      width: Math.round(width),
      height: Math.round(height),
      deviceScaleFactor: ratio,
      mobile: false,
    });
    await page.waitForFunction((ratio) => devicePixelRatio === ratio, ratio);
  }
  const nearTo = (found, wanted) =>
    assert.ok(
      found.every((ratio) => Math.abs(ratio - wanted) < 0.02),
      `${found} for ${wanted}`,
    );

  // Chromium's emulation dispatches no event for another screen, so the test dispatches it to the registered listeners.
  const prepare = (page) =>
    page.addInitScript(() => {
      const match = window.matchMedia;
      window.screens = [];
      window.matchMedia = (query) => {
        const list = match.call(window, query);
        if (query.includes("resolution")) window.screens.push(list);
        return list;
      };
    });
  check(
    "zooms and screens of 0.5 to 4 pixels per pixel, one after the other",
    { hash: "#lang=en", prepare },
    async (page) => {
      await page.locator("pe-figure").first().scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelector("pe-figure").hasAttribute("data-mounted"));
      const screen = await page.context().newCDPSession(page);
      for (const zoom of [0.5, 0.75, 1.5, 2, 3, 4]) {
        await on(screen, page, zoom, { width: b.desktop.width / zoom, height: b.desktop.height / zoom });
        await b.settle(page, 300);
        await page.locator("pe-figure").first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelector("pe-figure").hasAttribute("data-mounted"));
        await b.settle(page, 300);
        await sound(page, `zoom ${zoom}`);
        // The page uses a ratio of at most 3.
        nearTo(await ratios(page), Math.min(3, zoom));
      }
      for (const ratio of [1, 2, 1.25]) {
        await on(screen, page, ratio, b.desktop);
        await b.settle(page);
        await page.evaluate(() => window.screens.at(-1).dispatchEvent(new Event("change")));
        await b.settle(page, 300);
        await page.locator("pe-figure").first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelector("pe-figure").hasAttribute("data-mounted"));
        await b.settle(page, 300);
        nearTo(await ratios(page), ratio);
      }
    },
  );

  check(
    "pictures that are asked for in sizes that no browser has",
    { viewport: { width: 3840, height: 2160 } },
    async (page) => {
      const made = await page.evaluate(async () => {
        const { bench } = await import("./kit/target.mjs");
        const canvas = await createImageBitmap(await bench.toBlob({ scale: 8, view: "heatmap" }));
        return [canvas.width, canvas.height];
      });
      assert.ok(made[0] > 2000 && made[0] * made[1] < 16384 ** 2, `${made}`);
    },
  );
});

describe("on paper", () => {
  check(
    "every figure is there, whole and in light colours; afterwards all is as it was",
    { hash: "#lang=en&theme=dark&k=4" },
    async (page) => {
      const before = await b.pictures(page);
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: 720, height: 1000 });
      await b.buildAll(page);
      await sound(page);
      const seen = await page.evaluate(() => ({
        theme: document.documentElement.dataset.theme,
        figures: document.querySelectorAll("pe-figure").length,
        built: document.querySelectorAll("pe-figure[data-mounted]").length,
        dark: [...document.querySelectorAll("pe-figure")].filter(
          (figure) => figure.shadowRoot.querySelector(".figure").dataset.theme !== "light",
        ).length,
        controls: [...document.querySelectorAll("input[type=range], .masthead button, .contents")].filter((control) =>
          control.checkVisibility(),
        ).length,
      }));
      assert.ok(seen.figures > 30);
      assert.deepEqual(seen, { ...seen, theme: "light", built: seen.figures, dark: 0, controls: 0 });
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await page.emulateMedia({ media: null });
      await page.setViewportSize(b.desktop);
      await b.settle(page);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      assert.ok(
        (await page.evaluate(() => document.querySelectorAll("pe-figure[data-mounted]").length)) < 8,
        "what is far from the screen was given back",
      );
      assert.deepEqual(await b.pictures(page), before);
      // The PDF contains the page.
      const paper = await page.pdf({ format: "A4" });
      assert.ok(paper.length > 300_000, `${paper.length}`);
    },
  );
});

describe("other people's styles", () => {
  check("forced colours show which tool is in use", { forcedColors: "active" }, async (page) => {
    await sound(page);
    const colours = await page.evaluate(() =>
      [true, false].map((on) => getComputedStyle(document.querySelector(`button[aria-pressed=${on}]`)).backgroundColor),
    );
    assert.notEqual(colours[0], colours[1]);
  });

  check("letters, words and lines as far apart as WCAG asks for", { hash: "#lang=en&d_model=NaN" }, async (page) => {
    // Like a browser extension: the page's policy allows no style element.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }",
      );
      document.adoptedStyleSheets.push(sheet);
    });
    await b.settle(page);
    await sound(page);
    assert.deepEqual(
      await page.evaluate(() =>
        [...document.querySelectorAll("#posenc canvas")].map(
          (c) => Number.parseFloat(getComputedStyle(c).letterSpacing) || 0,
        ),
      ),
      Array(8).fill(0),
      "labels have their places",
    );
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("#posenc :is(button, .button, .look, [data-notice] p, .residual)")]
        .filter(
          (e) =>
            e.checkVisibility() &&
            (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2) &&
            getComputedStyle(e).overflow !== "visible",
        )
        .map((e) => e.textContent),
    );
    assert.deepEqual(cut, []);
  });

  test("a font that comes late", async () => {
    let drawn;
    const isDrawn = new Promise((resolve) => (drawn = resolve));
    const page = await host(
      `<style>@font-face { font-family: Late; src: url(late.woff2); } pe-figure { --pe-font: Late, serif; width: 600px }</style><pe-figure view="order"></pe-figure>`,
      {
        prepare: (page) =>
          page.route("**/late.woff2", async (route) => {
            await isDrawn;
            await route.fulfill({ path: aFont(), contentType: "font/ttf" });
          }),
      },
    );
    await page.waitForFunction(() => events.some(([e]) => e === "pe-ready"));
    drawn();
    const arrived = await page.evaluate(() =>
      document.fonts.ready.then(() => [...document.fonts].map((font) => font.status)),
    );
    await b.settle(page);
    assert.ok(arrived.includes("loaded"), `${arrived}`);
    assert.deepEqual(await page.evaluate(`(${flaws})()`), []);
    await b.noProblems(page);
    await page.context().close();
  });
});

/** The path of a font that exists regardless of the system fonts: Playwright's own. */
function aFont() {
  const folder = fileURLToPath(new URL("node_modules/playwright-core/", import.meta.url));
  return join(
    folder,
    readdirSync(folder, { recursive: true }).find((name) => name.endsWith(".ttf")),
  );
}

describe("what is refused is said", () => {
  const WORDS = {
    load: { en: /could not start: its WebAssembly file did not load/, zh: /WebAssembly 文件未能加载/ },
    type: {
      en: /does not send files that end in \.mjs as text\/javascript/,
      zh: /没有把 \.mjs 文件标为 text\/javascript/,
    },
    canvas: { en: /refuses to draw on a canvas/, zh: /拒绝在画布/ },
  };
  /** Opens the site with the obstacle that `prepare` sets up, in both languages. */
  async function refused(prepare, reason, site = tools.site) {
    for (const lang of ["en", "zh"]) {
      const page = await b.open(tools.browser, site.url, { hash: `#lang=${lang}`, state: "failed", prepare });
      await page.locator(`html[data-failure=${reason}]`).waitFor({ state: "attached" });
      assert.match(await page.locator(".failure").innerText(), WORDS[reason][lang]);
      // The Chinese lesson is loaded later.
      await b.settle(page);
      assert.match(
        await page.locator(".prose").innerText(),
        lang === "en" ? /Attention, the core of a Transformer, compares/ : /注意力是 Transformer 的核心/,
        "the lesson can be read",
      );
      assert.equal(await page.locator(".wait").isVisible(), false);
      count("refusals");
      await page.context().close();
    }
  }
  const instead = (path, answer) => (page) => page.route(path, (route) => route.fulfill(answer));
  const wasm = fileURLToPath(new URL("core/posenc_bg.wasm", `file://${dist}/`));
  const compressed = fileURLToPath(new URL("core/posenc.wasm.xz", `file://${dist}/`));
  const absent = { status: 404, body: "" };
  const both = (plainAnswer, compressedAnswer) => async (page) => {
    await instead("**/*.wasm", plainAnswer)(page);
    await instead("**/*.wasm.xz", compressedAnswer)(page);
  };
  const half = (bytes) => bytes.subarray(0, bytes.length >> 1);

  test("a WebAssembly file that is not there, compressed or not", () => refused(both(absent, absent), "load"));
  test("one that is cut off", async () => {
    const answers = (await Promise.all([wasm, compressed].map((file) => readFile(file)))).map((bytes) => ({
      contentType: "application/wasm",
      body: half(bytes),
    }));
    await refused(both(...answers), "load");
  });
  test("a policy that forbids WebAssembly", async () => {
    const site = await serve(0, dist, { "content-security-policy": "script-src 'self'" });
    try {
      await refused(undefined, "load", site);
    } finally {
      await site.close();
    }
  });
  for (const path of ["core/posenc.js", "start.mjs"])
    test(`${path} that is not there`, () => refused(instead(`**/${path}`, { status: 404, body: "" }), "load"));
  test("modules that a server sends with a type that it does not know", async () => {
    const retyped = (route) => {
      const { pathname } = new URL(route.request().url());
      return route.fulfill({ path: join(dist, pathname), contentType: "application/octet-stream" });
    };
    await refused((page) => page.route("**/*.mjs", retyped), "type");
  });
  test("a browser that does not let pages draw", () =>
    refused((page) => page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null)), "canvas"));

  test("a WebAssembly file of the wrong type is read all the same", async () => {
    const page = await b.open(tools.browser, tools.site.url, {
      prepare: both({ path: wasm, contentType: "text/plain" }, absent),
    });
    await b.settle(page);
    await sound(page);
    await page.context().close();
  });

  test("the compressed core that is not there, cut off or damaged: the plain one is taken", async () => {
    const bytes = await readFile(compressed);
    const damaged = Buffer.from(bytes);
    damaged[bytes.length >> 1] ^= 1;
    for (const answer of [absent, { body: half(bytes) }, { body: damaged }, { body: "<!doctype html>" }]) {
      const asked = [];
      const page = await b.open(tools.browser, tools.site.url, {
        prepare: async (page) => {
          page.on("request", (request) => asked.push(request.url().split("/").pop()));
          await instead("**/*.wasm.xz", answer)(page);
        },
      });
      assert.ok(asked.includes("posenc.wasm.xz") && asked.includes("posenc_bg.wasm"), `${asked}`);
      await b.settle(page);
      await sound(page);
      count("refusals");
      await page.context().close();
    }
  });

  test("to figures on other pages: pe-error, and the sentence in their place stays", async () => {
    const page = await host(`<pe-figure view="rotation">A dial.</pe-figure>`, {
      prepare: instead("**/*.wasm", absent),
    });
    await page.waitForFunction(() => events.some(([e, , detail]) => e === "pe-error" && detail.message));
    assert.equal(await page.getByText("A dial.").isVisible(), true);
    await page.context().close();
    for (const [lang, words] of Object.entries(WORDS.canvas)) {
      const page = await host(`<pe-figure view="rotation">A dial.</pe-figure>`, {
        lang,
        prepare: (page) => page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null)),
      });
      await page.waitForFunction(() => events.some(([e]) => e === "pe-ready"));
      assert.match(await page.locator("pe-figure .notice").innerText(), words);
      count("refusals");
      await b.noProblems(page);
      await page.context().close();
    }
  });

  for (const [lang, words] of [
    ["en", /^Not loaded: reload the page$/],
    ["zh", /^未能加载，请刷新页面$/],
  ]) {
    test(`a part of the kit that does not come, in ${lang}`, async () => {
      const page = await b.open(tools.browser, tools.site.url, {
        hash: `#lang=${lang}`,
        prepare: (page) => page.route("**/kit/save.mjs", (route) => route.abort()),
      });
      await b.press(page.locator("#posenc [data-kit=save]"));
      await page.waitForFunction(
        (words) => new RegExp(words).test(document.querySelector("#posenc [data-kit=save]").textContent),
        words.source,
      );
      count("refusals");
      await page.context().close();
    });

    test(`clipboard, history, storage and the screen, in ${lang}`, async () => {
      const page = await b.open(tools.browser, tools.site.url, {
        hash: `#lang=${lang}&k=5`,
        prepare: async (page) => {
          await b.recordAnnouncements(page);
          await page.addInitScript(() => {
            const no = () => {
              throw new DOMException("refused", "SecurityError");
            };
            for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
              Object.defineProperty(window, name, { get: no });
            Object.defineProperty(document, "cookie", { get: no, set: no });
            history.replaceState = history.pushState = no;
            navigator.clipboard.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
            document.execCommand = () => false;
            Element.prototype.requestFullscreen = () => Promise.reject(new TypeError("refused"));
          });
        },
      });
      await b.settle(page);
      await b.type(page, "k", "9");
      await page.waitForFunction(() => /k=9/.test(location.hash));
      // The link is offered for manual copying.
      await b.press(page.locator("[data-action=link]"));
      const field = page.locator("#posenc [data-notice] input");
      await field.waitFor();
      assert.equal(await field.inputValue(), page.url());
      assert.equal(
        await page.evaluate(() => document.activeElement.selectionEnd - document.activeElement.selectionStart),
        page.url().length,
      );
      assert.match(
        await page.locator("#posenc [data-notice]").innerText(),
        lang === "en" ? /Copy this link/ : /手动复制/,
      );
      count("refusals");
      // So is the link of a figure.
      const figure = page.locator("pe-figure").first();
      await figure.scrollIntoViewIfNeeded();
      await b.openMenu(figure);
      await figure.locator("[data-act=link]").click();
      await figure.locator(".by-hand-copy").waitFor();
      count("refusals");
      // A presentation fills the window instead.
      await page.evaluate(() => scrollTo(0, 0));
      await page.locator("#posenc [data-kit=present]").click();
      await b.pressBar(page.locator("[data-do=full]"));
      await page.waitForFunction(
        (words) => window.announced.some((said) => said.includes(words)),
        lang === "en" ? "Full screen is not possible here" : "此处无法全屏",
      );
      count("refusals");
      await b.noProblems(page);
      await page.context().close();
    });
  }
});
