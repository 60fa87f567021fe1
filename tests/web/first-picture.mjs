// How much script it takes until a visit shows its first picture, by a DevTools trace.

/** What script runs in; these nest. */
const script = new Set([
  "EventDispatch",
  "EvaluateScript",
  "FireAnimationFrame",
  "FunctionCall",
  "RunMicrotasks",
  "TimerFire",
  "v8.evaluateModule",
]);

/** Milliseconds of the main thread's own time, so that whatever else this computer does hardly counts. */
function spent(events) {
  const end = events.find(({ name, ph }) => name === "posenc:frame" && ph === "e");
  const spans = events.filter(
    ({ name, ph, pid, tid, ts }) => ph === "X" && script.has(name) && pid === end.pid && tid === end.tid && ts < end.ts,
  );
  let sum = 0;
  let last = -Infinity;
  for (const { tts, tdur = 0 } of spans.filter(({ tts }) => Number.isFinite(tts)).sort((a, b) => a.tts - b.tts)) {
    sum += Math.max(0, tts + tdur - Math.max(tts, last));
    last = Math.max(last, tts + tdur);
  }
  // Where a trace begins or ends an event may lack the thread's time; that by the clock is rather too long.
  for (const { dur = 0 } of spans.filter(({ tts }) => !Number.isFinite(tts))) sum += dur;
  return sum / 1000;
}

/** Opens an address in a page and says how much script it took until `posenc:frame` was first measured. */
export async function scriptToPicture(browser, page, address) {
  await browser.startTracing(page, { categories: ["-*", "devtools.timeline", "v8.execute", "blink.user_timing"] });
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(
    () =>
      document.documentElement?.dataset.posenc === "ready" && performance.getEntriesByName("posenc:frame").length > 0,
  );
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  return spent(traceEvents);
}
