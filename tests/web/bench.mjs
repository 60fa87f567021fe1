// Measures the built site in Chromium and prints one Markdown table: node bench.mjs [--quick]
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { CHROMIUM, canvas, desktop, launch, mainSliders, open, settle, slider } from "./browser.mjs";
import { printHead, printRows } from "./report.mjs";
import { serve } from "./serve.mjs";
import { firstVisit, MAX_BYTES } from "./size.mjs";

const quick = process.argv.includes("--quick");
const rounds = quick ? 1 : 3;
const redraws = quick ? 5 : 15;
const tables = [
  { name: "64 × 128", hash: "#max_len=64&d_model=128", limit: 4 },
  { name: "5000 × 512", hash: "#max_len=5000&d_model=512", limit: 8 },
  { name: "1,048,576 × 16,384", hash: "#max_len=1048576&d_model=16384", limit: 33 },
];

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const ascending = (numbers) => [...numbers].sort((a, b) => a - b);
const median = (numbers) => at(ascending(numbers), 0.5);

/**
 * Drags a slider back and forth around its thumb for `moves` mouse moves, one every 1/60 s whether or not the page keeps up,
 * and records a DevTools trace. Returns the script time of every animation frame in milliseconds.
 */
async function traceDrag(browser, page, name, moves) {
  const range = slider(page, name);
  const { x, y, width, height } = await range.boundingBox();
  const thumb = await range.evaluate((r) => (r.value - r.min) / (r.max - r.min || 1));
  const place = (part) => ({ x: x + Math.min(width - 1, Math.max(1, width * part)), y: y + height / 2 });
  const devtools = await page.context().newCDPSession(page);
  const mouse = (type, part) =>
    devtools.send("Input.dispatchMouseEvent", { type, ...place(part), button: "left", buttons: 1, clickCount: 1 });

  await page.mouse.move(place(thumb).x, place(thumb).y);
  await mouse("mousePressed", thumb);
  await settle(page, 100);
  await browser.startTracing(page, { categories: ["-*", "devtools.timeline", "v8.execute", "blink.user_timing"] });
  const sent = [];
  const begin = performance.now();
  for (let move = 1; move <= moves; move++) {
    sent.push(mouse("mouseMoved", thumb + 0.15 * Math.sin((move / moves) * 4 * Math.PI)));
    const wait = begin + (move * 1000) / 60 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  await Promise.all(sent);
  const trace = JSON.parse((await browser.stopTracing()).toString());
  await mouse("mouseReleased", thumb);
  await settle(page);
  await devtools.detach();
  return { thread: framesOf(trace.traceEvents, "thread"), wall: framesOf(trace.traceEvents, "wall") };
}

/**
 * Script time per animation frame. In the trace, every period of running script on the page's main thread is an event: the
 * dispatch of an input event, the callback of an animation frame, a function call, a timer, microtasks. These nest, so their
 * union is taken. Layout, style and paint by the browser itself are not included; a layout forced by script is.
 * Times are CPU times of the main thread ("thread"): on two cores the browser's raster threads and this driver run in turn
 * with it, so wall-clock times include theirs. Both are reported.
 * A frame includes everything since the callbacks of the previous animation frame: first the input events, then the
 * callbacks of this frame.
 */
function framesOf(events, clock) {
  const script = new Set([
    "EventDispatch",
    "FireAnimationFrame",
    "FunctionCall",
    "TimerFire",
    "RunMicrotasks",
    "EvaluateScript",
    "FireIdleCallback",
  ]);
  const threads = new Map();
  for (const event of events) {
    const thread = `${event.pid}:${event.tid}`;
    if (!threads.has(thread)) threads.set(thread, []);
    threads.get(thread).push(event);
  }
  const callbacks = (list) => list.filter((e) => e.name === "FireAnimationFrame").length;
  const main = [...threads.values()].sort((a, b) => callbacks(b) - callbacks(a))[0];
  const spans = main
    .filter((e) => e.ph === "X" && script.has(e.name))
    .map((e) => (clock === "thread" ? { name: e.name, ts: e.tts, dur: e.tdur } : e))
    // An event at the edge of the trace may have no thread time.
    .filter((e) => Number.isFinite(e.ts) && Number.isFinite(e.dur ?? 0))
    .sort((a, b) => a.ts - b.ts);

  const frames = [];
  let spent = 0;
  let end = -Infinity;
  let closed = -Infinity; // the end of the last frame's callbacks
  for (const { name, ts, dur = 0 } of spans) {
    const more = Math.max(0, ts + dur - Math.max(ts, end));
    end = Math.max(end, ts + dur);
    if (name === "FireAnimationFrame") {
      // A second callback within a millisecond belongs to the same frame.
      if (ts - closed < 1000) frames[frames.length - 1] += spent + more;
      else frames.push(spent + more);
      spent = 0;
      closed = ts + dur;
    } else if (ts < closed) frames[frames.length - 1] += more;
    else spent += more;
  }
  return frames.map((microseconds) => microseconds / 1000);
}

async function drags(browser, url) {
  const samples = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const { name: table, hash } of tables) {
      const page = await open(browser, url, { hash, deviceScaleFactor: 2 });
      // In the first seconds a page runs code from the baseline compiler; users mostly run the optimised code.
      for (const name of mainSliders) await traceDrag(browser, page, name, 60);
      for (const name of mainSliders) {
        await page.evaluate(
          (hash) => (location.hash = hash),
          `${hash}&base=${9000 + round}&pos=${round + mainSliders.indexOf(name)}`,
        );
        await settle(page);
        const key = `${table} ${name}`;
        const { thread = [], wall = [] } = samples.get(key) ?? {};
        const frames = await traceDrag(browser, page, name, 120);
        samples.set(key, { thread: [...thread, ...frames.thread], wall: [...wall, ...frames.wall] });
      }
      await page.context().close();
    }
  }
  const rows = [];
  for (const { name: table, limit } of tables) {
    for (const name of mainSliders) {
      const { thread, wall } = samples.get(`${table} ${name}`);
      const quantiles = (frames) => [0.5, 0.95].map((part) => at(ascending(frames), part));
      const shown = (frames) =>
        quantiles(frames)
          .map((ms) => ms.toFixed(1))
          .join(" / ");
      const p95 = quantiles(thread)[1];
      rows.push([
        `drag of ${name}, ${table}, ratio 2: script per frame, p50 / p95 of ${thread.length}`,
        `${shown(thread)} ms (by the clock on the wall ${shown(wall)})`,
        `p95 ≤ ${limit} ms`,
        p95 <= limit,
      ]);
    }
  }
  return rows;
}

/**
 * A full redraw of the 5000 × 512 heatmap. For this page: the base alternates between two values, which recomputes
 * everything, and the script time of the frame is read from its posenc:frame measure, which includes the other views. For
 * plotly.js: the same values as z, two tables in turn, in a plot of the canvas's size, until Plotly.react has drawn. Both
 * run in sequence in one browser.
 */
async function heatmaps(browser, url) {
  const ours = await open(browser, url, { hash: "#max_len=5000&d_model=512" });
  const size = await canvas(ours, "heatmap").boundingBox();
  const theirs = await (await browser.newContext({ viewport: desktop })).newPage();
  await theirs.goto("about:blank");
  await theirs.addScriptTag({ path: createRequire(import.meta.url).resolve("plotly.js-dist-min") });
  await theirs.evaluate(({ width, height }) => {
    const plot = document.body.appendChild(document.createElement("div"));
    const table = (base) =>
      Array.from({ length: 5000 }, (_, pos) =>
        Array.from({ length: 512 }, (_, dim) =>
          (dim % 2 ? Math.cos : Math.sin)(pos * base ** ((-2 * (dim >> 1)) / 512)),
        ),
      );
    const z = [table(10000), table(9000)];
    window.redraw = async (which, zsmooth) => {
      const layout = { width, height, margin: { l: 50, r: 10, t: 10, b: 40 }, yaxis: { autorange: "reversed" } };
      const begin = performance.now();
      await Plotly.react(
        plot,
        [{ type: "heatmap", z: z[which], zmin: -1, zmax: 1, zsmooth, colorscale: "RdBu" }],
        layout,
        { staticPlot: true },
      );
      return performance.now() - begin;
    };
  }, size);

  const times = { ours: [], plain: [], fast: [] };
  for (let turn = -2; turn < redraws; turn++) {
    await ours.bringToFront();
    await settle(ours, 100);
    const before = await ours.evaluate(() => window.frameMeasures.length);
    await ours.evaluate((base) => (location.hash = `#max_len=5000&d_model=512&base=${base}`), turn % 2 ? 9000 : 9500);
    await ours.waitForFunction((before) => window.frameMeasures.length > before, before);
    await settle(ours, 100);
    const frame = await ours.evaluate((before) => window.frameMeasures[before], before);
    await theirs.bringToFront();
    const plain = await theirs.evaluate((which) => window.redraw(which, false), turn & 1);
    const fast = await theirs.evaluate((which) => window.redraw(which, "fast"), turn & 1);
    if (turn < 0) continue;
    times.ours.push(frame.script ?? frame.duration);
    times.plain.push(plain);
    times.fast.push(fast);
  }
  const mine = median(times.ours);
  const pixels = `${Math.round(size.width)} × ${Math.round(size.height)} px`;
  await Promise.all([ours.context().close(), theirs.context().close()]);
  const ratio = (list) => median(list.map((time, n) => time / times.ours[n]));
  return [
    [`redraw of the 5000 × 512 heatmap (${pixels}), this page`, `${mine.toFixed(1)} ms`, "", null],
    [
      "the same, plotly.js",
      `${median(times.plain).toFixed(0)} ms, ${ratio(times.plain).toFixed(0)} times`,
      "≥ 50 times",
      ratio(times.plain) >= 50,
    ],
    [
      'the same, plotly.js with zsmooth "fast"',
      `${median(times.fast).toFixed(0)} ms, ${ratio(times.fast).toFixed(0)} times`,
      "",
      null,
    ],
  ];
}

/**
 * Scrolls from the top of the page to its end and back, twelve pixels per frame, and measures the time between animation
 * frames. The first pass builds every figure.
 */
async function scroll(browser, url) {
  const rows = [];
  const page = await open(browser, url);
  for (const pass of ["down, every figure new", "up again"]) {
    const { gaps, script } = await page.evaluate(async (down) => {
      const end = document.documentElement.scrollHeight - innerHeight;
      const times = [];
      window.frameMeasures.length = 0;
      const step = 12;
      await new Promise((resolve) => {
        let y = down ? 0 : end;
        const move = (now) => {
          times.push(now);
          y += down ? step : -step;
          scrollTo(0, y);
          if (down ? y >= document.documentElement.scrollHeight - innerHeight : y <= 0) resolve();
          else requestAnimationFrame(move);
        };
        requestAnimationFrame(move);
      });
      return {
        gaps: times.slice(1).map((time, i) => time - times[i]),
        script: window.frameMeasures.map((m) => m.script),
      };
    }, pass.startsWith("down"));
    const sorted = ascending(gaps);
    const late = gaps.filter((gap) => gap > 33.4).length;
    const figures = ascending(script);
    rows.push([
      `scroll through the lesson, ${pass}: time between frames, p50 / p99 / longest of ${gaps.length}; script of the longest figure frame`,
      `${at(sorted, 0.5).toFixed(1)} / ${at(sorted, 0.99).toFixed(1)} / ${sorted.at(-1).toFixed(1)} ms, ${late} over 33 ms; ${(figures.at(-1) ?? 0).toFixed(1)} ms`,
      "none over 33 ms",
      late === 0,
    ]);
  }
  await page.context().close();
  return rows;
}

async function weight(browser, url) {
  const { files, total } = await firstVisit(browser, url);
  const parts = files.map(({ name, bytes }) => `${name} ${(bytes / 1000).toFixed(1)}`).join(", ");
  return [
    [
      `first visit, gzipped (${parts})`,
      `${(total / 1000).toFixed(1)} KB`,
      `≤ ${MAX_BYTES / 1000} KB`,
      total <= MAX_BYTES,
    ],
  ];
}

if (loadavg()[0] > 1)
  console.error(`The machine is busy (load ${loadavg()[0].toFixed(1)}): the times below will be too long.`);
const [browser, site] = await Promise.all([launch([], CHROMIUM), serve()]);
try {
  const rows = [
    ...(await drags(browser, site.url)),
    ...(await heatmaps(browser, site.url)),
    ...(await scroll(browser, site.url)),
    ...(await weight(browser, site.url)),
  ];
  printHead(browser);
  printRows(rows);
} finally {
  await browser.close();
  await site.close();
}
