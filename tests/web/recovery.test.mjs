// When the core fails (a panic, an exception during its work, a stack overflow), it is restarted and nothing is lost. The
// failures are triggered in the browser: a method that the core uses throws, as often as the test specifies.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { after, before, describe, test } from "node:test";
import { box, frames, noProblems, open, picture, ready, settle, slider, value } from "./browser.mjs";
import { tools, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { hosting } from "./host.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const failures = { path: fileURLToPath(new URL("failures.js", import.meta.url)) };
let host;

before(async () => (host = await hosting()));
after(() => host.close());

const kinds = ["panic", "trap", "stack"];
// Leaving a page while Chromium is still loading its icon logs that the icon failed to load.
const expected =
  /panicked at|unreachable|on purpose|call stack|posenc: |icon\.svg|^console error: Failed to load resource: net::ERR_FAILED$/;

async function visit(options = {}, path = "site/") {
  const { prepare, ...others } = options;
  const page = await open(tools.browser, host.url + path, {
    ...others,
    prepare: async (page) => {
      await page.addInitScript(failures);
      await prepare?.(page);
    },
  });
  await settle(page);
  return page;
}

let cases = 0;

async function end(page) {
  await noProblems(page, expected);
  await page.context().close();
  record("recovery-chromium", { ...where(), cases: ++cases });
}

const restarted = (page, times = 1) =>
  page.waitForFunction(
    (times) => window.restarts === times && document.documentElement.dataset.posenc === "ready",
    times,
  );
const press = async (page, name, key, times = 1) => {
  await slider(page, name).focus();
  for (let i = 0; i < times; i++) await page.keyboard.press(key);
};

describe("the bench", () => {
  for (const kind of kinds) {
    for (const path of kind === "stack" ? ["site/"] : ["site/", "site/posenc.html"]) {
      test(`goes on after a ${kind} in ${path}`, async () => {
        const page = await visit({ hash: "#lang=en&d_model=32&k=5&utm=1" }, path);
        await page.evaluate((kind) => window.fail(kind), kind);
        await press(page, "k", "ArrowRight");
        await restarted(page);
        await settle(page);
        await page.waitForFunction(() => /#d_model=32&k=6&lang=en&utm=1$/.test(location.hash));
        assert.deepEqual([await value(page, "d_model"), await value(page, "k")], [32, 6]);
        const notices = page.locator("[data-notice]");
        assert.deepEqual(await notices.allTextContents(), [
          "Something went wrong and was started again. Your settings are kept.",
        ]);
        assert.equal(await page.evaluate(() => document.activeElement.name), "k");
        // It works as before, and each key has one effect.
        const first = await picture(page, "rotation");
        await page.keyboard.press("ArrowRight");
        await settle(page);
        assert.equal(await value(page, "k"), 7);
        assert.notEqual(await picture(page, "rotation"), first);
        await notices.getByRole("button").click();
        assert.equal(await notices.count(), 0);
        assert.equal(await page.evaluate(() => window.restarts), 1);
        await end(page);
      });
    }
  }

  test("speaks Chinese, keeps what is half written and where the page was", async () => {
    const page = await visit({ hash: "#lang=zh&d_model=64" });
    await page.evaluate(() => window.fail("panic"));
    await box(page, "max_len").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("4");
    await restarted(page);
    await page.keyboard.type("8");
    await settle(page);
    assert.equal(await box(page, "max_len").inputValue(), "48");
    assert.match(await page.locator("[data-notice]").textContent(), /已自动重新启动/);
    await page.keyboard.press("Enter");
    await settle(page);
    await page.waitForFunction(() => /#d_model=64&max_len=48&(pos=3&)?lang=zh$/.test(location.hash));
    await end(page);
  });

  test("stops with advice and the link when it fails twice in a row, and not when it fails now and then", async () => {
    const page = await visit({ hash: "#lang=en" });
    for (const times of [1, 2]) {
      await page.evaluate(() => window.fail("panic"));
      await press(page, "k", "ArrowRight");
      await restarted(page, times);
      await page.evaluate(() => {
        const now = performance.now.bind(performance);
        performance.now = () => now() + 11_000;
      });
    }
    await settle(page);
    // Makes every attempt to rebuild the bench fail.
    await page.evaluate(() => window.fail("panic", 1e9));
    await press(page, "d_model", "ArrowLeft");
    await page.waitForFunction(() => window.stops === 1);
    const d_model = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("d_model"));
    assert.ok(Number(d_model) < 128, d_model);
    const panel = page.locator("[data-reason=panic]");
    assert.match(await panel.innerText(), /^Something went wrong twice in a row.*address keeps your settings/);
    assert.equal(await panel.locator("p[lang=en] a >> nth=1").textContent(), page.url());
    assert.equal(await panel.locator("p[lang=en] a").first().getAttribute("href"), page.url().split("#")[0]);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.failure), "panic");
    // After a reload the bench has all its settings.
    await page.goto("about:blank");
    await page.goto(`${host.url}site/#lang=en&d_model=${d_model}&k=5`);
    await ready(page);
    assert.equal(await value(page, "d_model"), Number(d_model));
    await end(page);
  });

  test("goes on where no instance of more than 4 KB may be made at once, as in Chrome before 115", async () => {
    const old = (page) =>
      page.addInitScript(() => {
        WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
          construct() {
            window.refusals = (window.refusals ?? 0) + 1;
            throw new RangeError(
              "WebAssembly.Instance is disallowed on the main thread, if the buffer size is larger than 4KB, on purpose",
            );
          },
        });
      });
    for (const path of ["site/", "site/posenc.html"]) {
      const page = await visit({ hash: "#lang=en&d_model=32&k=5", prepare: old }, path);
      await page.evaluate(() => window.fail("panic"));
      await press(page, "k", "ArrowRight", 3);
      await restarted(page);
      await settle(page);
      assert.equal(await page.evaluate(() => window.refusals), 1);
      await press(page, "k", "ArrowRight");
      await settle(page);
      const k = await value(page, "k");
      assert.ok(k >= 7, `${k}`);
      await page.waitForFunction((k) => location.hash === `#d_model=32&k=${k}&lang=en`, k);
      assert.equal(await page.locator("[data-notice]").count(), 1);
      await end(page);
    }
  });

  test("is started again if its first frame fails, once", async () => {
    const once = await visit({
      hash: "#lang=en&k=9",
      prepare: (page) => page.addInitScript(() => window.fail("panic")),
    });
    assert.equal(await value(once, "k"), 9);
    assert.equal(await once.evaluate(() => window.restarts), 1);
    await end(once);
    const never = await visit({
      hash: "#lang=zh&k=9",
      state: "failed",
      prepare: (page) => page.addInitScript(() => window.fail("panic", 1e9)),
    });
    const panel = never.locator("[data-reason=panic]");
    assert.match(await panel.innerText(), /接连两次出错/);
    assert.match(await panel.locator("p[lang=zh] a >> nth=1").textContent(), /#k=9&lang=zh$/);
    await end(never);
  });
});

test("a figure of the lesson comes back as it was", { timeout: TEST_TIMEOUT_MS }, async () => {
  const page = await visit({ hash: "#lang=en" });
  const figure = page.locator("pe-figure[view=ruler]").first();
  await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("pe-figure[view=ruler]").hasAttribute("data-mounted"));
  await settle(page);
  const range = figure.locator("input[type=range]").first();
  await range.focus();
  await page.keyboard.press("ArrowRight");
  await settle(page);
  const scrolled = await page.evaluate(() => scrollY);
  await page.evaluate(() => window.fail("trap"));
  await page.keyboard.press("ArrowRight");
  await restarted(page);
  const before = await figure.evaluate((figure) => figure.state);
  await page.waitForFunction(() => document.querySelector("pe-figure[view=ruler]").hasAttribute("data-mounted"));
  await settle(page);
  assert.ok(Math.abs((await page.evaluate(() => scrollY)) - scrolled) < 3, "the page stays where it was");
  assert.equal(await range.evaluate((range) => range.getRootNode().activeElement === range), true);
  await page.keyboard.press("ArrowRight");
  await settle(page);
  assert.notDeepEqual(await figure.evaluate((figure) => figure.state), before);
  assert.equal(await page.locator("[data-notice]").count(), 1, "the page says it once");
  assert.equal(await page.locator("pe-figure .notice:not(:empty)").count(), 0);
  await end(page);
});

describe("a figure that comes while the core fails", () => {
  for (const kind of kinds) {
    test(`is there after the restart: ${kind}`, async () => {
      const page = await visit({ hash: "#lang=en" });
      await page.evaluate((kind) => {
        const figure = document.createElement("pe-figure");
        figure.id = "late";
        figure.setAttribute("view", "rotation");
        figure.addEventListener("pe-ready", () => (window.late = true));
        window.fail(kind);
        document.querySelector("#posenc").after(figure);
      }, kind);
      await restarted(page);
      await page.locator("#late").scrollIntoViewIfNeeded();
      await page.waitForFunction(() => window.late);
      await page.evaluate(() => document.querySelector("#late").setState({ k: 9 }));
      await settle(page);
      assert.equal(await page.evaluate(() => document.querySelector("#late").state.k), 9);
      assert.equal(await page.locator("#late [role=alert]").count(), 0);
      await end(page);
    });
  }
});

test("a presentation goes on", { timeout: TEST_TIMEOUT_MS }, async () => {
  const page = await visit({ hash: "#lang=en&k=5" });
  await page.keyboard.press("p");
  await page.waitForFunction(() => document.documentElement.dataset.presenting === "bench");
  await settle(page);
  const before = await picture(page, "heatmap");
  await page.evaluate(() => window.fail("panic"));
  await press(page, "k", "ArrowRight");
  await restarted(page);
  await settle(page);
  await press(page, "k", "ArrowLeft");
  await settle(page);
  assert.equal(await picture(page, "heatmap"), before, "as large and in the same colours");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.documentElement.dataset.presenting === undefined);
  await end(page);
});

describe("<pe-figure> on a page of somebody else's", () => {
  const somebody = (body, script) =>
    host.open(tools.browser, body, { script, prepare: (page) => page.addInitScript(failures) });
  const count = (page, name, id, times) =>
    page.waitForFunction(
      ([name, id, times]) => events.filter(([e, of]) => e === name && of === id).length === times,
      [name, id, times],
    );
  const note = (page, id) => page.locator(`#${id} .notice`).textContent();

  test("keeps its settings when it is asked for them between the failure and the new start", async () => {
    const page = await somebody(
      `<pe-figure id="a" view="rotation" d-model="64" k="3">A dial.</pe-figure>`,
      "posenc.js",
    );
    await count(page, "pe-ready", "a", 1);
    await settle(page);
    await page.evaluate(() => document.querySelector("#a").setState({ k: 8 }));
    await settle(page);
    const state = await page.evaluate(() => {
      const a = document.querySelector("#a");
      // The change is reported asynchronously; before that the core fails while it updates the figure.
      a.setState({ k: 9 });
      const { getAttribute } = Element.prototype;
      Element.prototype.getAttribute = () => {
        Element.prototype.getAttribute = getAttribute;
        throw new RangeError("Maximum call stack size exceeded, on purpose");
      };
      a.shadowRoot.querySelector("input[type=range]").dispatchEvent(new Event("input", { bubbles: true }));
      a.setState({ pos: 21 });
      return a.state;
    });
    assert.equal(state.k, 9);
    await count(page, "pe-ready", "a", 2);
    const { k, pos, d_model } = await page.evaluate(() => document.querySelector("#a").state);
    assert.deepEqual([k, pos, d_model], [9, 21, 64]);
    await end(page);
  });

  for (const [script, kind] of [
    ["posenc.js", "panic"],
    ["posenc-inline.js", "trap"],
  ]) {
    test(`tells pe-error and is there again, by ${script}`, async () => {
      const body = `<pe-figure id="a" view="rotation" d-model="64" k="3">A dial.</pe-figure><div lang="zh"><pe-figure id="b" view="order"></pe-figure></div>`;
      const page = await somebody(body, script);
      await Promise.all([count(page, "pe-ready", "a", 1), count(page, "pe-ready", "b", 1)]);
      await page.evaluate(() => {
        document.querySelector("#a").setState({ k: 8 });
        document.querySelector("#b").setState({ pe: true });
      });
      await settle(page);
      await page.evaluate((kind) => window.fail(kind), kind);
      await page.evaluate(() => document.querySelector("#a").setState({ pos: 21 }));
      await Promise.all([count(page, "pe-ready", "a", 2), count(page, "pe-ready", "b", 2)]);
      const states = await page.evaluate(() => ["#a", "#b"].map((id) => document.querySelector(id).state));
      assert.deepEqual([states[0].k, states[0].pos, states[0].d_model, states[1].pe], [8, 21, 64, true]);
      const errors = await page.evaluate(() =>
        events.filter(([e]) => e === "pe-error").map(([, id, { message, state }]) => [id, message, state.view]),
      );
      assert.deepEqual(errors.sort(), [
        ["a", "the figure has failed and starts again", "rotation"],
        ["b", "the figure has failed and starts again", "order"],
      ]);
      assert.equal(await note(page, "a"), "Something went wrong and was started again. Your settings are kept.");
      assert.equal(await note(page, "b"), "", "it is said once");
      await page.evaluate(() => document.querySelector("#a").step(1));
      assert.equal(await page.evaluate(() => document.querySelector("#a").state.pos), 22);
      assert.equal(
        await page.evaluate(() => document.querySelector("#a").shadowRoot.querySelector("[role=alert]")),
        null,
      );

      // A second failure soon after the first: the message is in the language of the surrounding text.
      await page.evaluate((kind) => window.fail(kind, 1, "soon"), kind);
      await page.evaluate(() => document.querySelector("#b").setState({ pe: false }));
      await page.waitForFunction(() => window.stops === 1);
      assert.match(await page.locator("#a [role=alert]").textContent(), /has failed again and stopped/);
      assert.match(await page.locator("#b [role=alert]").textContent(), /再次出错，已停止/);
      await count(page, "pe-error", "a", 2);
      assert.deepEqual((await page.evaluate(() => document.querySelector("#a").state)).pos, 22);
      await end(page);
    });
  }

  test("and errors of the page's own are none of its concern", async () => {
    const page = await somebody(`<pe-figure id="a" view="waves"></pe-figure>`);
    await count(page, "pe-ready", "a", 1);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new WebAssembly.RuntimeError("unreachable, on purpose");
      });
      Promise.reject(new Error("on purpose"));
    });
    await frames(page, 20);
    assert.equal(await page.evaluate(() => window.restarts), 0);
    assert.equal(await page.evaluate(() => events.filter(([e]) => e === "pe-error").length), 0);
    await end(page);
  });
});
