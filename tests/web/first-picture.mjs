// The script time until a visit shows its first picture, from a DevTools trace.

/** Trace events in which script runs; they nest. */
const script = new Set([
  "EventDispatch",
  "EvaluateScript",
  "FireAnimationFrame",
  "FunctionCall",
  "RunMicrotasks",
  "TimerFire",
  "v8.evaluateModule",
]);

/** CPU time of the main thread in milliseconds, so that other load on the computer has little effect. */
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
  // An event at the edge of the trace may have no thread time; its wall-clock time is an upper estimate.
  for (const { dur = 0 } of spans.filter(({ tts }) => !Number.isFinite(tts))) sum += dur;
  return sum / 1000;
}

/** Opens an address in a page and returns the script time in milliseconds until the first `posenc:frame` measure. */
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
