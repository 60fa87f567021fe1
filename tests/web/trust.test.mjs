// Records of tests are kept only if all tests of a file pass; docs/trust.md says of the others that they were not in the
// run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const target = mkdtempSync(join(tmpdir(), "posenc-"));
after(() => rmSync(target, { recursive: true }));

// The nested test run must not detect that it runs inside another.
const { NODE_TEST_CONTEXT, ...environment } = process.env;
const node = (...options) =>
  spawnSync(process.execPath, options, { encoding: "utf8", env: { ...environment, CARGO_TARGET_DIR: target } });
const trust = fileURLToPath(new URL("trust.mjs", import.meta.url));

/** Runs a file of two tests that record values under this name; the second may fail. */
function run(name, passes, ...options) {
  const file = join(target, `${name}.test.mjs`);
  writeFileSync(
    file,
    `import { test } from "node:test";
import { record } from ${JSON.stringify(new URL("figures.mjs", import.meta.url).href)};
test("first", () => record("${name}", { engine: "chromium", version: "1.2", files: 3, bytes: 1 }));
test("second", async () => { await null; if (!${passes}) throw new Error("on purpose"); record("${name}", { bytes: 12345, extra: [1, 2], first: { nodes: 5 }, last: { nodes: 7 } }); });`,
  );
  const { status } = node("--test", ...options, file);
  assert.equal(status, passes ? 0 : 1);
  const noted = join(target, "figures", `${name}.json`);
  return existsSync(noted) ? JSON.parse(readFileSync(noted, "utf8")) : undefined;
}

test("a file that passes is noted, one that fails or runs in part is not", () => {
  const { stderr, status } = node(trust);
  assert.equal(status, 1);
  assert.match(stderr, /scripts\/test fills it/);

  assert.equal(run("places", false), undefined);
  assert.equal(run("security", true, "--test-name-pattern=second"), undefined);
  const { figures, commit, date } = run("size", true);
  assert.deepEqual(figures, {
    engine: "chromium",
    version: "1.2",
    files: 3,
    bytes: 12345,
    extra: [1, 2],
    first: { nodes: 5 },
    last: { nodes: 7 },
  });
  assert.ok(commit);
  assert.match(date, /^\d{4}-\d\d-\d\d$/);

  const page = node(trust).stdout;
  assert.match(page, /without a whole run/);
  assert.match(page, /\| Chromium 1\.2 \| 3 files \| 12,345 bytes; nodes: 5 → 7; extra: 1 → 2 \|\n/);
  assert.equal(
    page.match(/\| not in this run \|/g).length,
    page.match(/^\| .*\]\(\.\.\//gm).length - 1,
    "all the others",
  );
  for (const [, path] of page.matchAll(/\]\(\.\.\/([^)#]+)/g))
    assert.ok(existsSync(new URL(`../../${path}`, import.meta.url)), path);

  assert.equal(node(trust, "passed").status, 0);
  assert.match(node(trust).stdout, /a whole run of `CI=true scripts\/test`, in which every test passed: commit /);
});
