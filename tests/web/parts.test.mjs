// scripts/test: the parts that it accepts, and its message for unknown ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { root } from "./figures.mjs";

// A run removes what failed tests have left in its target folder.
const target = mkdtempSync(join(tmpdir(), "posenc-"));
after(() => rmSync(target, { recursive: true }));

const run = (...words) =>
  spawnSync(join(root, "scripts/test"), words, { encoding: "utf8", env: { ...process.env, CARGO_TARGET_DIR: target } });
const listed = (text) => text.split(/\s+/);

test("--help lists every file of tests", () => {
  const { stdout, status } = run("--help");
  assert.equal(status, 0);
  const words = listed(stdout);
  const native = readdirSync(join(root, "tests/native"))
    .filter((name) => name.endsWith(".rs"))
    .filter((name) => /^\s*#\[test\]/m.test(readFileSync(join(root, "tests/native", name), "utf8")))
    .map((name) => name.slice(0, -3));
  const web = readdirSync(join(root, "tests/web"))
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => name.split(".")[0]);
  assert.ok(native.includes("snapshots") && web.includes("share"));
  assert.deepEqual(
    [...native, ...web].filter((name) => !words.includes(name)),
    [],
  );
  assert.ok(!words.includes("main") && !words.includes("python"), "files without tests are no parts");
});

test("an unknown name is refused before anything runs, with those that there are", () => {
  for (const words of [["nonsense"], ["snapshots", "nonsense"], ["snap"], [".*"]]) {
    const { stdout, stderr, status } = run(...words);
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.ok(listed(stderr).includes("snapshots") && listed(stderr).includes("share"));
    assert.match(stderr, /there is no part \S+: the names are listed above\.\n$/);
  }
});

test("a part runs by its name, and what an earlier run has left does not matter", () => {
  mkdirSync(join(target, "failures"));
  writeFileSync(join(target, "failures/flaky"), "flaky: one\nflaky: another\n");
  const { stdout, stderr, status } = run("format");
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^== format: passed in \d+ s$/m);
});

test("every function that the scripts call is there", () => {
  const scripts = readdirSync(join(root, "scripts"), { withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = scripts.map(({ name }) => readFileSync(join(root, "scripts", name), "utf8"));
  const called = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/^ *(?:\w+ && )?(need\w*|build_site|step|part)\b(?!\()/gm)].map((m) => m[1]),
    ),
  );
  assert.ok(called.size > 5, [...called].join());
  for (const name of called)
    assert.ok(
      texts.some((text) => text.includes(`${name}() {`)),
      `${name} is nowhere`,
    );
});

test("every file of a lane or of a newcomer's tests is there", () => {
  const text = readFileSync(join(root, "scripts/test"), "utf8");
  const lists = [...text.matchAll(/^(site|\w+_lane|long_web)=\(([^)]*)\)$/gm)];
  assert.ok(lists.length >= 6, "the lists are declared as they were");
  for (const [, list, names] of lists)
    for (const name of names.split(" "))
      assert.ok(existsSync(join(root, `tests/web/${name}.test.mjs`)), `${list} names ${name}`);
});

test("an unknown option is refused", () => {
  for (const words of [["--fast"], ["--quick", "snapshots"], ["--stress", "2"], ["--stress", "often", "e2e"]]) {
    const { stderr, status } = run(...words);
    assert.equal(status, 1);
    assert.match(stderr, /--/);
  }
});
