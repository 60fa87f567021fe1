// A random user at the whole page, in three engines. SEED replays a run, EVENTS says how long it is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROMIUM, launch, open } from "./browser.mjs";
import { tools, where } from "./check.mjs";
import { engines, skip, start } from "./engines.mjs";
import { record } from "./figures.mjs";
import { watch } from "./processor.mjs";
import { install, isOfTheMonkey, source } from "./random.mjs";
import { HANGS } from "./wait.mjs";

/** Most in Chromium, which alone reports long frames, listeners and what its console was told. */
const inContinuousIntegration = { chromium: 50_000, firefox: 20_000, webkit: 20_000 };
/** After each part the page is brought back and looked over. */
const parts = 4;
/**
 * Milliseconds of the page's own script that are too many for a frame, and that no frame may take. How many frames take more than the first is
 * noted: it is a measure of the computer, too. The second is far from what any of them does.
 */
const SLOW = 200;
const HANG = 2000;
/** Bytes of the largest table that is held as a whole: learned, 4096 positions × 1024 dimensions of 4 bytes. */
const LARGEST_TABLE = 4096 * 1024 * 4;

/** Run in the page: the memory of the core in bytes, and all elements, those in figures too. */
const weigh = async () => {
  const roots = [
    document,
    ...[...document.querySelectorAll("pe-figure")].map((figure) => figure.shadowRoot).filter(Boolean),
  ];
  const { memory } = await (await import(new URL("core/posenc.js", document.baseURI))).default();
  return {
    nodes: roots.reduce((sum, root) => sum + root.querySelectorAll("*").length, 0),
    memory: memory.buffer.byteLength,
  };
};

/** Chromium, which also says what its console was told and what it keeps itself. */
async function chromium() {
  const browser = await launch([], CHROMIUM);
  const page = await open(browser, tools.site.url);
  const session = await page.context().newCDPSession(page);
  await install(page);
  return {
    where: where(),
    ask: (work, ...values) => page.evaluate(`(${work})(...${JSON.stringify(values)})`),
    problems: () => page.problems.splice(0).filter((words) => !isOfTheMonkey(words)),
    async weigh() {
      const { memory } = await page.evaluate(weigh);
      await session.send("HeapProfiler.collectGarbage");
      const { nodes, jsEventListeners: listeners } = await session.send("Memory.getDOMCounters");
      return { nodes, listeners, memory };
    },
    close: () => browser.close(),
  };
}

async function driven(engine) {
  const { hands, close } = await start(engine);
  try {
    await hands.open(tools.site.url);
    await hands.run(source);
  } catch (error) {
    await close();
    throw error;
  }
  // No script that is asked for may take as long as this.
  const ask = async (work, ...values) => {
    await hands.run(
      `window.told = undefined; Promise.resolve((${work})(...arguments)).then((said) => (window.told = { said }), (error) => (window.told = { error: String(error) }));`,
      ...values,
    );
    for (const end = Date.now() + 20 * 60_000; Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const gone = "no answer: the page has gone elsewhere";
      const told = await hands.run((gone) => window.told ?? (window.monkey ? null : { error: gone }), gone);
      if (told) {
        assert.equal(told.error, undefined);
        return told.said;
      }
    }
    throw new Error("no answer from the page");
  };
  return { where: hands.where, ask, problems: () => [], weigh: () => ask(weigh), close };
}

for (const name of ["chromium", "firefox", "webkit"]) {
  const engine = engines[name];
  const events = Number(process.env.EVENTS ?? (process.env.CI ? inContinuousIntegration[name] : 3_000));
  test(`${events} random events leave the page working, ${name}`, {
    timeout: HANGS,
    skip: skip(engine),
  }, async (t) => {
    assert.equal(engine.missing, "", `${name} is to be tested here`);
    const seed = Number(process.env.SEED ?? (process.env.CI ? 7 : Math.floor(Math.random() * 2 ** 31)));
    t.diagnostic(`SEED=${seed}`);
    const page = await (name === "chromium" ? chromium() : driven(engine));
    const processor = watch();
    try {
      const sum = { frames: 0, slow: 0, script: 0, png: 0, wall: 0 };
      const began = Date.now();
      const weights = [];
      const slow = [];
      const part = Math.ceil(events / parts);
      /** One part, and the page brought back after it. */
      const play = async (seed, count) => {
        const at = `SEED=${seed}, the first ${count} events`;
        processor.again();
        const report = await page.ask("window.monkey", seed, count, { slow: SLOW });
        assert.deepEqual(report.problems, [], at);
        assert.deepEqual(page.problems(), [], at);
        // One is a nuisance for whoever watches the errors of a page; many would be a picture that flickers.
        assert.ok(report.delayed <= count / 5000, `${at}: ${report.delayed} sizes came a frame late`);
        // Script that waited while others had the processor has not taken long itself.
        const scripts = report.slowScripts.map(({ pieces, ...frame }) => ({
          ...frame,
          script: Math.round(
            pieces.reduce((sum, [from, to]) => sum + Math.min(to - from, processor.between(from, to)), 0),
          ),
          clock: frame.script,
        }));
        assert.ok(await page.ask("window.monkey.rest"), `${at}: the bench is not seen after them`);
        assert.equal(await page.ask(() => document.documentElement.dataset.posenc), "ready", at);
        return {
          report,
          scripts,
          worst: Math.max(Math.round(report.worstScript), ...scripts.map(({ script }) => script)),
        };
      };
      for (let done = 0; done < events; done += part) {
        const what = [seed + done, Math.min(part, events - done)];
        let played = await play(...what);
        // A hang of the page's own comes again with its seed; one that a neighbour has made does not.
        if (played.worst > HANG) {
          t.diagnostic(
            `played again: a frame with ${played.worst} ms of script after SEED=${what[0]}: ${JSON.stringify(played.scripts)}`,
          );
          sum.again = (sum.again ?? 0) + 1;
          played = await play(...what);
        }
        const { report, scripts, worst } = played;
        slow.push(...scripts.filter(({ script }) => script > SLOW));
        sum.frames += report.frames;
        sum.slow += report.slowFrames;
        sum.script = Math.max(sum.script, worst);
        sum.png = Math.max(sum.png, Math.round(report.worstPng));
        sum.wall = Math.max(sum.wall, Math.round(report.worstWall));
        weights.push(await page.weigh());
      }
      const [first, last] = [weights[Math.min(1, weights.length - 1)], weights.at(-1)];
      const kept = Object.fromEntries(Object.keys(last).map((what) => [what, [first[what], last[what]]]));
      const figures = { ...page.where, seed, events, ...sum, over: slow.length, ...kept };
      t.diagnostic(JSON.stringify({ ...figures, seconds: Math.round((Date.now() - began) / 1000), weights }));
      if (slow.length) t.diagnostic(`over ${SLOW} ms of script: ${JSON.stringify(slow)}`);
      assert.ok(sum.script <= HANG, `a frame with ${sum.script} ms of script`);
      assert.ok(last.nodes <= 1.2 * first.nodes + 500, `nodes: ${JSON.stringify(weights)}`);
      // It never shrinks, and the largest states may come late: the bench, Save as it opens, and a moving picture hold a learned table each, and
      // so may one that is about to be freed. What is lost little by little is found by the soak test, which comes back to the same state.
      assert.ok(last.memory <= first.memory + 4 * LARGEST_TABLE, `memory: ${JSON.stringify(weights)}`);
      if (first.listeners)
        assert.ok(last.listeners <= 1.2 * first.listeners + 50, `listeners: ${JSON.stringify(weights)}`);
      await record(`monkey-${name}`, figures);
    } finally {
      processor.stop();
      await page.close();
    }
  });
}
