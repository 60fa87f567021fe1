// The main cases of recovery.test.mjs, in Firefox and WebKit.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { inEngine, Key } from "./engines.mjs";
import { record } from "./figures.mjs";
import { hosting } from "./host.mjs";
import { HANGS } from "./wait.mjs";

const failures = await readFile(new URL("failures.js", import.meta.url), "utf8");
const NOTICE = "Something went wrong and was started again. Your settings are kept.";

let host;
before(async () => (host = await hosting()));
after(() => host.close());

const box = (name) => `#posenc input[type=number][name=${name}]`;
const slider = (name) => `#posenc input[type=range][name=${name}]`;
const rotation = "#posenc canvas[data-view=rotation]";

/** Opens the bench and installs the failures. */
async function visit(hands, hash, path = "site/") {
  await hands.open(`${host.url}${path}#lang=en${hash}`);
  // Pending drawing would trigger the failure before the test's action.
  await hands.settled();
  await hands.run(failures);
}
const fail = (hands, kind, when = "") => hands.run((kind, when) => window.fail(kind, 1, when), kind, when);
const restarted = (hands, times = 1) =>
  hands.until((times) => window.restarts === times && document.documentElement.dataset.posenc === "ready", times);
const says = (hands, name, wanted) =>
  hands.until((path, wanted) => Number(document.querySelector(path).value) === wanted, box(name), wanted);
const notices = (hands) =>
  hands.run(() => [...document.querySelectorAll("[data-notice]")].map((notice) => notice.textContent));
const told = (hands, name, id, times) =>
  hands.until(
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
      async (hands) => {
        await visit(hands, "&d_model=32&k=5", path);
        const before = await hands.drawn(rotation);
        await fail(hands, kind);
        await hands.focus(slider("k"));
        await hands.press(Key.ARROW_RIGHT);
        await restarted(hands);
        await says(hands, "k", 6);
        await says(hands, "d_model", 32);
        await hands.until(() => location.hash === "#d_model=32&k=6&lang=en");
        assert.deepEqual(await notices(hands), [NOTICE]);
        assert.equal(await hands.run(() => document.activeElement.name), "k", "the control in use has the focus");
        await hands.press(Key.ARROW_RIGHT);
        await says(hands, "k", 7);
        await hands.drawn(rotation, before);
        await hands.focus("[data-notice] button");
        await hands.press(Key.ENTER);
        await hands.until(() => !document.querySelector("[data-notice]"));
        assert.deepEqual(await hands.run(() => [window.restarts, window.stops]), [1, 0]);
      },
    ]),
  ),

  async "what is half written stays"(hands) {
    await visit(hands, "&d_model=64");
    await hands.focus(box("max_len"));
    await hands.run((path) => document.querySelector(path).select(), box("max_len"));
    await fail(hands, "panic");
    await hands.press("4");
    await restarted(hands);
    assert.equal(await hands.run(() => document.activeElement.name), "max_len");
    await hands.press("8");
    await hands.until((path) => document.querySelector(path).value === "48", box("max_len"));
    await hands.press(Key.ENTER);
    await hands.until(() => /#d_model=64&max_len=48(&pos=3)?&lang=en$/.test(location.href));
  },

  async "twice in a row it stops, with advice and the link"(hands) {
    await visit(hands, "&k=5");
    await fail(hands, "panic");
    await hands.focus(slider("k"));
    await hands.press(Key.ARROW_RIGHT);
    await restarted(hands);
    await says(hands, "k", 6);
    await hands.settled();
    await fail(hands, "panic", "soon");
    await hands.press(Key.ARROW_RIGHT);
    await hands.until(() => window.stops === 1);
    const [words, link, reason] = await hands.run(() => {
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
    await hands.open(link);
    await says(hands, "k", 7);
  },

  async "a figure of the lesson comes back as it was"(hands) {
    await visit(hands, "");
    const range = "pe-figure[view=ruler] >> input[type=range]";
    // Figures that are built above move it.
    await hands.see("pe-figure[view=ruler]");
    await hands.settled();
    await hands.see("pe-figure[view=ruler]");
    await hands.focus(range);
    await hands.press(Key.ARROW_RIGHT);
    await hands.until(() => document.querySelector("pe-figure[view=ruler]").state.d_model > 512);
    // The drawing for the first key must be done before the next one fails.
    await hands.settled();
    assert.equal(
      await hands.run(() => document.querySelector("pe-figure[view=ruler]").shadowRoot.activeElement?.type),
      "range",
    );
    const before = await hands.run(() => ({
      scrollY,
      state: JSON.stringify(document.querySelector("pe-figure[view=ruler]").state),
    }));
    await fail(hands, "trap");
    await hands.press(Key.ARROW_RIGHT);
    await restarted(hands);
    await hands.until((state) => {
      const figure = document.querySelector("pe-figure[view=ruler]");
      return (
        figure.hasAttribute("data-mounted") &&
        figure.shadowRoot.activeElement?.type === "range" &&
        JSON.stringify(figure.state) !== state
      );
    }, before.state);
    const scrolled = await hands.run(() => scrollY);
    assert.ok(Math.abs(scrolled - before.scrollY) < 3, `the page was at ${before.scrollY} and is at ${scrolled}`);
    assert.deepEqual(await notices(hands), [NOTICE], "it is said once");
  },

  ...Object.fromEntries(
    [
      ["posenc.js", "panic"],
      ["posenc-inline.js", "trap"],
      ["posenc.js", "stack"],
    ].map(([script, kind]) => [
      `on somebody else's page, by ${script}, after a ${kind}`,
      async (hands) => {
        const body = `<pe-figure id="a" view="rotation" d-model="64" k="3">A dial.</pe-figure><div lang="zh"><pe-figure id="b" view="order"></pe-figure></div>`;
        await hands.goto(await host.write(body, { script, head: `<script>${failures}</script>` }));
        for (const id of ["a", "b"]) await told(hands, "pe-ready", id, 1);
        await hands.run(() => {
          document.querySelector("#a").setState({ k: 8 });
          document.querySelector("#b").setState({ pe: true });
        });
        await told(hands, "pe-change", "b", 1);
        await hands.drawn("#a >> canvas");
        await hands.settled();
        await fail(hands, kind);
        await hands.run(() => document.querySelector("#a").setState({ pos: 21 }));
        for (const id of ["a", "b"]) await told(hands, "pe-ready", id, 2);
        const states = await hands.run(() => ["#a", "#b"].map((id) => document.querySelector(id).state));
        assert.deepEqual([states[0].k, states[0].pos, states[0].d_model, states[1].pe], [8, 21, 64, true]);
        const said = () =>
          hands.run(() =>
            ["#a", "#b"].map((id) => document.querySelector(id).shadowRoot.querySelector(".notice").textContent),
          );
        assert.deepEqual(await said(), [NOTICE, ""], "it is said once");
        const before = await hands.drawn("#a >> canvas");
        await hands.run(() => document.querySelector("#a").step(1));
        await hands.drawn("#a >> canvas", before);
        // A second failure, soon after the first.
        await hands.settled();
        await fail(hands, kind, "soon");
        await hands.run(() => document.querySelector("#b").setState({ pe: false }));
        await hands.until(() => window.stops === 1);
        await told(hands, "pe-error", "a", 2);
        const alerts = await hands.run(() =>
          ["#a", "#b"].map((id) => document.querySelector(id).shadowRoot.querySelector("[role=alert]").textContent),
        );
        assert.match(alerts[0], /has failed again and stopped/);
        assert.match(alerts[1], /再次出错，已停止/);
        assert.equal((await hands.run(() => document.querySelector("#a").state)).pos, 22);
      },
    ]),
  ),
};

for (const name of ["firefox", "webkit"]) {
  inEngine(name, (its) => {
    let cases = 0;
    for (const [what, work] of Object.entries(steps)) {
      test(what, { timeout: HANGS }, async () => {
        const hands = its();
        await hands.size();
        await work(hands);
        record(`recovery-${name}`, { ...hands.where, cases: ++cases });
      });
    }
  });
}
