// A random user on the whole page, in three engines. SEED replays a run, EVENTS sets its length; by default both are fixed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROMIUM, flush, kept as keptBy, launch, open } from "./browser.mjs";
import { tools, where } from "./check.mjs";
import { engines, skip, start } from "./engines.mjs";
import { record } from "./figures.mjs";
import { watch } from "./processor.mjs";
import { install, isOfTheMonkey, source } from "./random.mjs";
import { LONG, TEST_TIMEOUT_MS } from "./wait.mjs";

/** Most events in Chromium, the only engine that reports long frames, listeners and console messages. */
const inLongRun = { chromium: 50_000, firefox: 20_000, webkit: 20_000 };
/** After each part the page is reset and checked. */
const parts = 4;
/**
 * SLOW: a frame with more script time than this, in milliseconds, counts as slow; the number of slow frames is recorded and
 * depends on the computer. HANG: in long runs no frame may take this long; it is far above the usual times.
 */
const SLOW = 200;
const HANG = 2000;
/** The size in bytes of the largest table in memory: learned, 4096 positions × 1024 dimensions × 4 bytes. */
const LARGEST_TABLE = 4096 * 1024 * 4;

/** Runs in the page: the memory of the core in bytes, and the number of elements, including those in figures. */
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

/** Chromium, which also reports console messages and its internal counts. */
async function chromium() {
  const browser = await launch([], CHROMIUM);
  const page = await open(browser, tools.site.url);
  const session = await page.context().newCDPSession(page);
  await install(page);
  return {
    where: where(),
    ask: (work, ...values) => page.evaluate(`(${work})(...${JSON.stringify(values)})`),
    async problems() {
      await flush(page);
      return page.problems.splice(0).filter((words) => !isOfTheMonkey(words));
    },
    async weigh() {
      const { memory } = await page.evaluate(weigh);
      return { ...(await keptBy(session)), memory };
    },
    close: () => browser.close(),
  };
}

async function driven(engine) {
  const { driver, close } = await start(engine);
  try {
    await driver.open(tools.site.url);
    await driver.run(source);
  } catch (error) {
    await close();
    throw error;
  }
  // Scripts may take longer than the driver's time limit, so the result is polled.
  const ask = async (work, ...values) => {
    await driver.run(
      `window.told = undefined; Promise.resolve((${work})(...arguments)).then((said) => (window.told = { said }), (error) => (window.told = { error: String(error) }));`,
      ...values,
    );
    for (const end = Date.now() + 20 * 60_000; Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const gone = "no answer: the page has gone elsewhere";
      const told = await driver.run((gone) => window.told ?? (window.monkey ? null : { error: gone }), gone);
      if (told) {
        assert.equal(told.error, undefined);
        return told.said;
      }
    }
    throw new Error("no answer from the page");
  };
  return { where: driver.where, ask, problems: () => [], weigh: () => ask(weigh), close };
}

for (const name of ["chromium", "firefox", "webkit"]) {
  const engine = engines[name];
  const events = Number(process.env.EVENTS ?? (LONG ? inLongRun[name] : 2_000));
  test(`${events} random events leave the page working, ${name}`, {
    timeout: TEST_TIMEOUT_MS,
    skip: skip(engine),
  }, async (t) => {
    assert.equal(engine.missing, "", `${name} is to be tested here`);
    const seed = Number(process.env.SEED ?? (LONG ? Math.floor(Math.random() * 2 ** 31) : 7));
    t.diagnostic(`SEED=${seed}`);
    const page = await (name === "chromium" ? chromium() : driven(engine));
    const processor = watch();
    try {
      const sum = { frames: 0, delayed: 0, slow: 0, script: 0, png: 0, wall: 0 };
      const began = Date.now();
      const weights = [];
      const slow = [];
      const part = Math.ceil(events / parts);
      /** Plays one part and resets the page. */
      const play = async (seed, count) => {
        const at = `SEED=${seed}, the first ${count} events`;
        processor.again();
        const report = await page.ask("window.monkey", seed, count, { slow: SLOW });
        assert.deepEqual(report.problems, [], at);
        assert.deepEqual(await page.problems(), [], at);
        sum.delayed += report.delayed;
        // A single such error is harmless; many would mean a flickering picture.
        if (LONG) assert.ok(report.delayed <= count / 5000, `${at}: ${report.delayed} sizes came a frame late`);
        // Script time while another process had the processor is not counted.
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
        // A hang caused by the page is repeated with the same seed; one caused by other load is not.
        if (LONG && played.worst > HANG) {
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
      if (LONG) assert.ok(sum.script <= HANG, `a frame with ${sum.script} ms of script`);
      assert.ok(last.nodes <= 1.2 * first.nodes + 500, `nodes: ${JSON.stringify(weights)}`);
      // Memory never shrinks, and the largest states may come late: the bench, the save dialog and an animation hold a
      // learned table each, and so may one that is about to be freed. Slow leaks are found by the soak test, which returns
      // to the same state.
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
