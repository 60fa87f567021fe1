// run.mjs: a file that fails is run again, one that then passes is reported, and a run under stress goes on where it stopped.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "posenc-"));
after(() => rmSync(folder, { recursive: true }));
const runner = fileURLToPath(new URL("run.mjs", import.meta.url));
// The nested test run must not detect that it runs inside another.
const { NODE_TEST_CONTEXT, ...environment } = process.env;

/**
 * Writes a file of two tests, of which the second fails as long as `fails(times)`, where `times` counts its runs from 0; with
 * `helper`, a helper defines both.
 */
function file(name, fails, helper = "node:test") {
  const path = join(folder, `${name}.test.mjs`);
  writeFileSync(
    path,
    `import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe } from "node:test";
import { test } from "${helper}";
const count = ${JSON.stringify(join(folder, name))};
const times = existsSync(count) ? readFileSync(count).length : 0;
appendFileSync(count, ".");
test("steady", () => {});
describe("a suite", () => test("by chance", () => { if ((${fails})(times)) throw new Error("on purpose"); }));`,
  );
  return path;
}

function run(...options) {
  const { stdout, status } = spawnSync(process.execPath, [runner, "--jobs=2", ...options], {
    encoding: "utf8",
    env: { ...environment, CARGO_TARGET_DIR: folder },
  });
  return { stdout, status };
}

const written = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));

test("a file that fails once is reported as flaky, and the run passes", () => {
  const { stdout, status } = run(
    file("good", () => false),
    file("once", (times) => times === 0),
  );
  assert.match(stdout, /^flaky: .*once\.test\.mjs: by chance$/m);
  assert.match(stdout, /^1 flaky/m);
  assert.equal(status, 0, stdout);
  const timings = written("figures/timings.json");
  assert.deepEqual(timings.map(({ file, failed }) => [basename(file), failed]).sort(), [
    ["good.test.mjs", []],
    ["once.test.mjs", ["by chance"]],
  ]);
  for (const { ms, cpu } of timings) assert.ok(ms > 0 && (cpu > 0 || process.platform !== "linux"), `${ms}, ${cpu}`);
});

test("two flaky files fail the run, and so does one that fails twice", () => {
  const two = run(
    file("first", (times) => times === 0),
    file("second", (times) => times === 0),
  );
  assert.match(two.stdout, /^2 flaky/m);
  assert.equal(two.status, 1);
  const always = run(file("always", () => true));
  assert.match(always.stdout, /^failed twice: .*always\.test\.mjs: by chance$/m);
  assert.equal(always.status, 1);
});

test("a failed test that a helper defines fails its file", () => {
  writeFileSync(
    join(folder, "helper.mjs"),
    'import { test as defined } from "node:test"; export const test = (name, work) => defined(name, work);',
  );
  const { stdout, status } = run(
    file("helped", () => true, "./helper.mjs"),
    file("sound", () => false, "./helper.mjs"),
  );
  assert.match(stdout, /^failed twice: .*helped\.test\.mjs: by chance$/m);
  assert.doesNotMatch(stdout, /: .*sound\.test\.mjs: /);
  assert.equal(status, 1);
});

test("a run under stress counts failures, and does only what an interrupted one has left", () => {
  const [good, bad] = [file("calm", () => false), file("weak", (times) => times === 1)];
  const { stdout, status } = run("--stress=2", good, bad);
  assert.match(stdout, /^1 of 4 runs of files failed$/m);
  assert.match(stdout, /^round 2, modules \d+ ms late: .*weak\.test\.mjs: by chance$/m);
  assert.equal(status, 1);
  const state = written("stress.json");
  assert.deepEqual(state.done.map(({ round, file }) => `${round} ${basename(file)}`).sort(), [
    "0 calm.test.mjs",
    "0 weak.test.mjs",
    "1 calm.test.mjs",
    "1 weak.test.mjs",
  ]);
  // As if it had been interrupted before the last two.
  state.done = state.done.filter(({ round }) => round === 0);
  writeFileSync(join(folder, "stress.json"), JSON.stringify(state));
  const again = run("--stress=2", good, bad);
  assert.match(again.stdout, /^0 of 4 runs of files failed$/m);
  assert.equal(written("stress.json").seed, state.seed);
  assert.equal(readFileSync(join(folder, "calm"), "utf8").length, 3);
  assert.equal(again.status, 0, again.stdout);
});
