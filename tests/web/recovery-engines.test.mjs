// The main cases of recovery.test.mjs, in Firefox and WebKit.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { inEngine, Key } from "./engines.mjs";
import { record } from "./figures.mjs";
import { hosting } from "./host.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const failures = await readFile(new URL("failures.js", import.meta.url), "utf8");
const NOTICE = "Something went wrong and was started again. Your settings are kept.";

let host;
before(async () => (host = await hosting()));
after(() => host.close());

const box = (name) => `#posenc input[type=number][name=${name}]`;
const slider = (name) => `#posenc input[type=range][name=${name}]`;
const rotation = "#posenc canvas[data-view=rotation]";

/** Opens the bench and installs the failures. */
async function visit(driver, hash, path = "site/") {
  await driver.open(`${host.url}${path}#lang=en${hash}`);
  // Pending drawing would trigger the failure before the test's action.
  await driver.settled();
  await driver.run(failures);
}
const fail = (driver, kind, when = "") => driver.run((kind, when) => window.fail(kind, 1, when), kind, when);
const restarted = (driver, times = 1) =>
  driver.until((times) => window.restarts === times && document.documentElement.dataset.posenc === "ready", times);
const says = (driver, name, wanted) =>
  driver.until((path, wanted) => Number(document.querySelector(path).value) === wanted, box(name), wanted);
const notices = (driver) =>
  driver.run(() => [...document.querySelectorAll("[data-notice]")].map((notice) => notice.textContent));
const told = (driver, name, id, times) =>
  driver.until(
    (name, id, times) => events.filter(([e, of]) => e === name && of === id).length === times,
    name,
    id,
    times,
  );

const steps = {
  ...Object.fromEntries(
    [
      ["panic", "site/"],
      ["trap", "site/"],
      ["stack", "site/"],
      ["panic", "site/posenc.html"],
    ].map(([kind, path]) => [
      `the bench goes on after a ${kind} in ${path}`,
      async (driver) => {
        await visit(driver, "&d_model=32&k=5", path);
        const before = await driver.drawn(rotation);
        await fail(driver, kind);
        await driver.focus(slider("k"));
        await driver.press(Key.ARROW_RIGHT);
        await restarted(driver);
        await says(driver, "k", 6);
        await says(driver, "d_model", 32);
        await driver.until(() => location.hash === "#d_model=32&k=6&lang=en");
        assert.deepEqual(await notices(driver), [NOTICE]);
        assert.equal(await driver.run(() => document.activeElement.name), "k", "the control in use has the focus");
        await driver.press(Key.ARROW_RIGHT);
        await says(driver, "k", 7);
        await driver.drawn(rotation, before);
        await driver.focus("[data-notice] button");
        await driver.press(Key.ENTER);
        await driver.until(() => !document.querySelector("[data-notice]"));
        assert.deepEqual(await driver.run(() => [window.restarts, window.stops]), [1, 0]);
      },
    ]),
  ),

  async "what is half written stays"(driver) {
    await visit(driver, "&d_model=64");
    await driver.focus(box("max_len"));
    await driver.run((path) => document.querySelector(path).select(), box("max_len"));
    await fail(driver, "panic");
    await driver.press("4");
    await restarted(driver);
    assert.equal(await driver.run(() => document.activeElement.name), "max_len");
    await driver.press("8");
    await driver.until((path) => document.querySelector(path).value === "48", box("max_len"));
    await driver.press(Key.ENTER);
    await driver.until(() => /#d_model=64&max_len=48(&pos=3)?&lang=en$/.test(location.href));
  },

  async "twice in a row it stops, with advice and the link"(driver) {
    await visit(driver, "&k=5");
    await fail(driver, "panic");
    await driver.focus(slider("k"));
    await driver.press(Key.ARROW_RIGHT);
    await restarted(driver);
    await says(driver, "k", 6);
    await driver.settled();
    await fail(driver, "panic", "soon");
    await driver.press(Key.ARROW_RIGHT);
    await driver.until(() => window.stops === 1);
    const [words, link, reason] = await driver.run(() => {
      const panel = document.querySelector("[data-reason=panic]");
      return [
        panel.innerText,
        panel.querySelectorAll("p[lang=en] a")[1].href,
        document.documentElement.dataset.failure,
      ];
    });
    assert.match(words, /^Something went wrong twice in a row/);
    assert.match(link, /#k=7&lang=en$/);
    assert.equal(reason, "panic");
    await driver.open(link);
    await says(driver, "k", 7);
  },

  async "a figure of the lesson comes back as it was"(driver) {
    await visit(driver, "");
    const range = "pe-figure[view=ruler] >> input[type=range]";
    // Figures that are built above move it.
    await driver.see("pe-figure[view=ruler]");
    await driver.settled();
    await driver.see("pe-figure[view=ruler]");
    await driver.focus(range);
    await driver.press(Key.ARROW_RIGHT);
    await driver.until(() => document.querySelector("pe-figure[view=ruler]").state.d_model > 512);
    // The drawing for the first key must be done before the next one fails.
    await driver.settled();
    assert.equal(
      await driver.run(() => document.querySelector("pe-figure[view=ruler]").shadowRoot.activeElement?.type),
      "range",
    );
    const before = await driver.run(() => ({
      scrollY,
      state: JSON.stringify(document.querySelector("pe-figure[view=ruler]").state),
    }));
    await fail(driver, "trap");
    await driver.press(Key.ARROW_RIGHT);
    await restarted(driver);
    await driver.until((state) => {
      const figure = document.querySelector("pe-figure[view=ruler]");
      return (
        figure.hasAttribute("data-mounted") &&
        figure.shadowRoot.activeElement?.type === "range" &&
        JSON.stringify(figure.state) !== state
      );
    }, before.state);
    const scrolled = await driver.run(() => scrollY);
    assert.ok(Math.abs(scrolled - before.scrollY) < 3, `the page was at ${before.scrollY} and is at ${scrolled}`);
    assert.deepEqual(await notices(driver), [NOTICE], "it is said once");
  },

  ...Object.fromEntries(
    [
      ["posenc.js", "panic"],
      ["posenc-inline.js", "trap"],
      ["posenc.js", "stack"],
    ].map(([script, kind]) => [
      `on somebody else's page, by ${script}, after a ${kind}`,
      async (driver) => {
        const body = `<pe-figure id="a" view="rotation" d-model="64" k="3">A dial.</pe-figure><div lang="zh"><pe-figure id="b" view="order"></pe-figure></div>`;
        await driver.goto(await host.write(body, { script, head: `<script>${failures}</script>` }));
        for (const id of ["a", "b"]) await told(driver, "pe-ready", id, 1);
        await driver.run(() => {
          document.querySelector("#a").setState({ k: 8 });
          document.querySelector("#b").setState({ pe: true });
        });
        await told(driver, "pe-change", "b", 1);
        await driver.drawn("#a >> canvas");
        await driver.settled();
        await fail(driver, kind);
        await driver.run(() => document.querySelector("#a").setState({ pos: 21 }));
        for (const id of ["a", "b"]) await told(driver, "pe-ready", id, 2);
        const states = await driver.run(() => ["#a", "#b"].map((id) => document.querySelector(id).state));
        assert.deepEqual([states[0].k, states[0].pos, states[0].d_model, states[1].pe], [8, 21, 64, true]);
        const said = () =>
          driver.run(() =>
            ["#a", "#b"].map((id) => document.querySelector(id).shadowRoot.querySelector(".notice").textContent),
          );
        assert.deepEqual(await said(), [NOTICE, ""], "it is said once");
        const before = await driver.drawn("#a >> canvas");
        await driver.run(() => document.querySelector("#a").step(1));
        await driver.drawn("#a >> canvas", before);
        // A second failure, soon after the first.
        await driver.settled();
        await fail(driver, kind, "soon");
        await driver.run(() => document.querySelector("#b").setState({ pe: false }));
        await driver.until(() => window.stops === 1);
        await told(driver, "pe-error", "a", 2);
        const alerts = await driver.run(() =>
          ["#a", "#b"].map((id) => document.querySelector(id).shadowRoot.querySelector("[role=alert]").textContent),
        );
        assert.match(alerts[0], /has failed again and stopped/);
        assert.match(alerts[1], /再次出错，已停止/);
        assert.equal((await driver.run(() => document.querySelector("#a").state)).pos, 22);
      },
    ]),
  ),
};

for (const name of ["firefox", "webkit"]) {
  inEngine(name, (its) => {
    let cases = 0;
    for (const [what, work] of Object.entries(steps)) {
      test(what, { timeout: TEST_TIMEOUT_MS }, async () => {
        const driver = its();
        await driver.size();
        await work(driver);
        record(`recovery-${name}`, { ...driver.where, cases: ++cases });
      });
    }
  });
}
