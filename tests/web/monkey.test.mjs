// A random user at the whole page, in three engines. SEED replays a run, EVENTS says how long it is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { engines, start } from "./engines.mjs";

const source = await readFile(new URL("monkey.js", import.meta.url), "utf8");
const events = Number(process.env.EVENTS ?? 10_000);
/** So many at a time, after which the page is brought back and looked over. */
const round = 5_000;

test(`${events} random events leave the page working`, { timeout: 40 * 60_000 }, async (t) => {
  const seed = Number(process.env.SEED ?? (process.env.CI ? 7 : Math.floor(Math.random() * 2 ** 31)));
  t.diagnostic(`SEED=${seed}`);
  const page = await open(tools.browser, tools.site.url);
  page.on("dialog", (dialog) => dialog.dismiss());
  const session = await page.context().newCDPSession(page);
  // Everything as at first: what is left over is what would go on growing.
  const count = async () => {
    await page.evaluate(() => {
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
      document.activeElement?.blur();
      scrollTo(0, 0);
      location.hash = "#lang=en&theme=light";
    });
    await page.keyboard.press("Escape");
    await page.waitForTimeout(800);
    await page.evaluate(() => document.querySelector('[data-action="reset"]').click());
    // A place in the hash may still be on its way.
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(1500);
    await settle(page);
    await session.send("HeapProfiler.collectGarbage");
    const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
    const heap = await page.evaluate(async () => (await (await import("./core/posenc.js")).default()).memory.buffer.byteLength);
    return { nodes, listeners: jsEventListeners, heap };
  };
  await page.evaluate(source + ";window.monkey = monkey");
  const counts = [];
  let [worst, slow, frames] = [0, 0, 0];
  const by = {};
  for (let done = 0; done < events; done += round) {
    const part = Math.min(round, events - done);
    const report = await page.evaluate(([seed, part]) => window.monkey(seed, part), [seed + done, part]);
    assert.deepEqual(report.problems, [], `SEED=${seed}, from event ${done} on`);
    // The browser speaks of what the monkey wrote into a box, and of previews that were closed while they loaded.
    const own = page.problems.splice(0).filter((words) => !/The specified value .* cannot be parsed|net::ERR_ABORTED/.test(words));
    assert.deepEqual(own, [], `SEED=${seed}, from event ${done} on`);
    worst = Math.max(worst, report.worstFrame);
    [slow, frames] = [slow + report.slowFrames, frames + report.frames];
    for (const [name, number] of Object.entries(report.by)) by[name] = (by[name] ?? 0) + number;
    counts.push(await count());
  }
  t.diagnostic(JSON.stringify({ events, by, frames, slow, worst: Math.round(worst), counts }));
  const [first, last] = [counts[Math.min(1, counts.length - 1)], counts.at(-1)];
  assert.ok(last.nodes <= 1.2 * first.nodes + 500, `nodes: ${JSON.stringify(counts)}`);
  assert.ok(last.listeners <= 1.2 * first.listeners + 50, `listeners: ${JSON.stringify(counts)}`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.posenc), "ready");
  await page.context().close();
});

for (const name of ["firefox", "webkit"]) {
  const engine = engines[name];
  const skip = engine.missing && !process.env.CI ? `${name} is not there: ${engine.missing}` : false;
  test(`${events} random events leave the page working, ${name}`, { timeout: 40 * 60_000, skip }, async (t) => {
    assert.equal(engine.missing, "", `${name} is to be tested here`);
    const seed = Number(process.env.SEED ?? (process.env.CI ? 7 : Math.floor(Math.random() * 2 ** 31)));
    t.diagnostic(`SEED=${seed}`);
    const { hands, close } = await start(engine);
    try {
      await hands.open(tools.site.url);
      await hands.run(`${source}; window.monkey = monkey;`);
      const weigh = () =>
        hands.run(() => {
          const all = [document, ...[...document.querySelectorAll("pe-figure")].map((figure) => figure.shadowRoot).filter(Boolean)];
          return all.reduce((sum, root) => sum + root.querySelectorAll("*").length, 0);
        });
      const [nodes, sum] = [[], { frames: 0, slow: 0, worst: 0 }];
      for (let done = 0; done < events; done += round) {
        const part = Math.min(round, events - done);
        await hands.run((seed, part) => ((window.told = undefined), void window.monkey(seed, part).then((report) => (window.told = report))), seed + done, part);
        let report;
        for (const end = Date.now() + 600_000; !report && Date.now() < end; ) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          report = await hands.run(() => window.told ?? null);
        }
        assert.ok(report, `SEED=${seed}: no answer from event ${done} on`);
        assert.deepEqual(report.problems, [], `SEED=${seed}, from event ${done} on`);
        sum.frames += report.frames;
        sum.slow += report.slowFrames;
        sum.worst = Math.max(sum.worst, Math.round(report.worstFrame));
        await hands.run(() => {
          for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
          scrollTo(0, 0);
          location.hash = "#lang=en&theme=light";
        });
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await hands.run(() => document.querySelector('[data-action="reset"]').click());
        await new Promise((resolve) => setTimeout(resolve, 1500));
        nodes.push(await weigh());
      }
      t.diagnostic(JSON.stringify({ events, ...sum, nodes }));
      assert.equal(await hands.run(() => document.documentElement.dataset.posenc), "ready");
      assert.ok(nodes.at(-1) <= 1.2 * nodes[Math.min(1, nodes.length - 1)] + 500, `nodes: ${nodes}`);
    } finally {
      await close();
    }
  });
}
