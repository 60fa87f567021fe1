// Hours of use in less time: all figures on one page, all that can play playing, followed by changes of state in sequence.
//
//   node tests/web/soak.mjs [MINUTES] [CHANGES]     30 and 10,000 by default; scripts/soak builds first
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { CHROMIUM, kept, launch, ready } from "./browser.mjs";
import { record } from "./figures.mjs";
import { dist, serve } from "./serve.mjs";

/** The parts of the time for which all figures play; what the page keeps is counted after each. */
const PARTS = 4;

/**
 * Plays for `minutes`, or for this many frames, and makes `changes` changes. Returns the counts of each part, or of each
 * minute, and their frame times.
 */
export async function soak({ minutes = 0, played = 0, changes = 10_000, seed = 1, say = () => {} } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "posenc-soak-"));
  const [browser, server] = await Promise.all([launch([], CHROMIUM), serve(0, folder)]);
  try {
    await symlink(dist, join(folder, "site"));
    await writeFile(
      join(folder, "soak.html"),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>All figures</title><link rel="icon" href="data:,">
<style>body { display: grid; grid-template-columns: repeat(auto-fill, 24rem); gap: 1rem; } iframe { width: 1280px; height: 720px; grid-column: span 3; border: 0; }</style>
<iframe src="site/index.html#hide=lesson"></iframe><script type="module" src="site/posenc.js"></script></html>`,
    );
    // All figures are in the viewport, so none is unmounted.
    const page = await browser.newPage({ viewport: { width: 2560, height: 6000 } });
    const problems = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await page.goto(`${server.url}soak.html`);
    const views = await page.evaluate(async () => {
      const lesson = await (await fetch("site/index.html")).text();
      const views = [...new Set([...lesson.matchAll(/<pe-figure[^>]* view="([^"]+)"/g)].map(([, view]) => view))];
      const readies = views.map((view) => {
        const figure = Object.assign(document.createElement("pe-figure"), { id: view });
        figure.setAttribute("view", view);
        figure.setAttribute("controls", "*");
        document.body.append(figure);
        return new Promise((resolve) => figure.addEventListener("pe-ready", resolve, { once: true }));
      });
      await Promise.all(readies);
      return views;
    });
    const bench = page.frames().find((frame) => frame.url().includes("index.html"));
    await ready(bench);
    const playing = await page.evaluate(
      () => [...document.querySelectorAll("pe-figure")].filter((figure) => figure.play()).length,
    );
    await bench.click('[data-action="play"]');

    const session = await page.context().newCDPSession(page);
    const count = async () => {
      const wasm = await page.evaluate(
        async () => (await (await import("./site/core/posenc.js")).default()).memory.buffer.byteLength,
      );
      return { ...(await kept(session)), wasm };
    };
    /** The number and the median time of frames of single figures, from their own measures, during this time. */
    const frames = (time) =>
      page.evaluate(async ({ ms, frames }) => {
        const times = [];
        const observer = new PerformanceObserver((list) => {
          for (const { name, duration } of list.getEntries()) if (name === "posenc:frame") times.push(duration);
        });
        observer.observe({ type: "measure" });
        if (ms) await new Promise((resolve) => setTimeout(resolve, ms));
        else await work.frames(frames);
        observer.disconnect();
        performance.clearMeasures();
        times.sort((a, b) => a - b);
        return { count: times.length, median: times[times.length >> 1] ?? 0 };
      }, time);

    const parts = Math.max(PARTS, minutes);
    const part = minutes ? { ms: (minutes * 60_000) / parts } : { frames: Math.ceil(played / parts) };
    await frames(part);
    const counts = [await count()];
    const times = [];
    while (times.length < parts) {
      times.push(await frames(part));
      counts.push(await count());
      say(`${times.length} of ${parts}: ${JSON.stringify({ ...times.at(-1), ...counts.at(-1) })}`);
    }
    await page.evaluate(() => document.querySelectorAll("pe-figure").forEach((figure) => figure.pause()));
    await bench.click('[data-action="play"]');

    const before = await count();
    const changed = await page.evaluate(
      async ({ changes, seed }) => {
        let bits = seed;
        const random = () => {
          bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
          return bits / 2 ** 32;
        };
        const figures = [...document.querySelectorAll("pe-figure")];
        let done = 0;
        while (done < changes) {
          for (let i = 0; i < 20 && done < changes; i++, done++) {
            const figure = figures[Math.floor(random() * figures.length)];
            const inputs = [...figure.shadowRoot.querySelectorAll(".fields input[type=range], .fields select")];
            const input = inputs[Math.floor(random() * inputs.length)];
            if (!input) figure.reset();
            else if (input.localName === "select")
              figure.setState({ [input.name]: input.options[Math.floor(random() * input.options.length)].value });
            else figure.setState({ [input.name]: String(Math.round(Number(input.min) + random() * 8)) });
          }
          await work.frames(1);
        }
        figures.forEach((figure) => figure.reset());
        // Long computations run over several frames.
        await work.frames(120);
        return done;
      },
      { changes, seed },
    );
    const after = await count();
    return {
      version: browser.version(),
      minutes,
      figures: views.length,
      playing,
      counts,
      times,
      changes: changed,
      before,
      after,
      problems,
    };
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The values for `record`. */
export const figures = ({ version, minutes, figures, playing, counts, times, changes, after }) => ({
  engine: "Chromium",
  version,
  ...(minutes && { minutes }),
  figures,
  playing,
  frames: times.reduce((sum, { count }) => sum + count, 0),
  changes,
  nodes: [counts[0].nodes, counts.at(-1).nodes, after.nodes],
  listeners: [counts[0].listeners, counts.at(-1).listeners, after.listeners],
  memory: [counts[0].wasm, counts.at(-1).wasm, after.wasm],
  frame: [times[0].median, times.at(-1).median],
});

if (import.meta.url === pathToFileURL(argv[1]).href) {
  const [minutes = 30, changes = 10_000] = argv.slice(2).map(Number);
  const seen = await soak({ minutes, changes, say: console.log });
  const { counts, times, ...rest } = seen;
  const [first, last] = [times[0], times.at(-1)];
  console.log(JSON.stringify(rest, null, 1));
  console.log(`median frame of the last minute against the first: ${(last.median / first.median).toFixed(2)}`);
  const grown = ["nodes", "listeners", "wasm"].filter((what) => counts.at(-1)[what] > 1.02 * counts[0][what]);
  if (grown.length || rest.problems.length) throw new Error(`grew: ${grown}; problems: ${rest.problems}`);
  record("soak-long", figures(seen));
}
