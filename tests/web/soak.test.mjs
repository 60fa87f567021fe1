// A short soak test; scripts/soak runs the long one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { record } from "./figures.mjs";
import { figures, soak } from "./soak.mjs";
import { LONG, TEST_TIMEOUT_MS } from "./wait.mjs";

test("all figures play and change without anything growing", { timeout: TEST_TIMEOUT_MS }, async (t) => {
  const minutes = Number(process.env.MINUTES ?? (LONG ? 1 : 0));
  const seen = await soak({ minutes, played: 100, changes: LONG ? 2000 : 400 });
  const { counts, times, before, after, problems, ...rest } = seen;
  const [first, last] = [counts[0], counts.at(-1)];
  t.diagnostic(
    JSON.stringify({
      ...rest,
      first,
      last,
      before,
      after,
      frames: times.map(({ count, median }) => [count, Number(median.toFixed(2))]),
    }),
  );
  assert.deepEqual(problems, []);
  assert.ok(rest.figures > 35, `${rest.figures} figures`);
  assert.ok(rest.playing > 10, `${rest.playing} of them play`);
  for (const [was, is] of [
    [first, last],
    [before, after],
  ]) {
    // Texts of captions and numbers are added and removed.
    assert.ok(is.nodes <= 1.05 * was.nodes + 200, `nodes: ${was.nodes}, then ${is.nodes}`);
    assert.ok(is.listeners <= was.listeners + 20, `listeners: ${was.listeners}, then ${is.listeners}`);
  }
  assert.ok(last.wasm <= first.wasm + (1 << 20), `wasm memory: ${first.wasm}, then ${last.wasm}`);
  assert.ok(times.every(({ count }) => count > 0));
  record("soak", figures(seen));
});
