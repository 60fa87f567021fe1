// scripts/setup.sh: downloads of prebuilt programs, progress messages, and failures.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { root } from "./figures.mjs";
import { until } from "./wait.mjs";

const folder = mkdtempSync(join(tmpdir(), "posenc-setup-"));
after(() => rmSync(folder, { recursive: true }));

/** Runs lines of bash after setup.sh, with a tools folder of their own and `more` in the environment. */
function bash(lines, { tools = mkdtempSync(join(folder, "tools-")), releases = "", more = {} } = {}) {
  const run = spawnSync("bash", ["-c", `source scripts/setup.sh\n${lines}`], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, POSENC_TOOLS: tools, POSENC_RELEASES: releases, ...more },
  });
  return { ...run, tools };
}

/**
 * Creates an archive with a program of this name that prints `words` as its version; returns its address and its checksum.
 */
function archive(name, words) {
  const place = mkdtempSync(join(folder, "archive-"));
  mkdirSync(join(place, "inside"));
  const program = join(place, "inside", name);
  writeFileSync(program, `#!/bin/sh\necho "${words}"\n`);
  chmodSync(program, 0o755);
  execFileSync("tar", ["-czf", "archive.tar.gz", "inside"], { cwd: place });
  const file = join(place, "archive.tar.gz");
  const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
  return { file, address: `file://${file}`, sum };
}

const release = ({ address, sum }) =>
  bash(`need_release trunk 9.9.9 "${address}" "${sum}" && echo taken || echo compile`, { releases: "file://" });

describe("a release of a tool", () => {
  test("is used where its sum is the pinned one", () => {
    const { stdout, tools } = release(archive("trunk", "trunk 9.9.9"));
    assert.match(stdout, /taken/);
    assert.equal(execFileSync(join(tools, "bin/trunk"), { encoding: "utf8" }), "trunk 9.9.9\n");
  });

  test("is used where its sum is the published one", () => {
    const { file, address, sum } = archive("trunk", "trunk 9.9.9");
    writeFileSync(`${file}.sha256sum`, `${sum}  trunk.tar.gz\n`);
    assert.match(release({ address, sum: "" }).stdout, /taken/);
  });

  const refused = {
    "with another sum than the pinned one": () => ({ ...archive("trunk", "trunk 9.9.9"), sum: "0".repeat(64) }),
    "with another sum than the published one": () => {
      const found = archive("trunk", "trunk 9.9.9");
      writeFileSync(`${found.file}.sha256sum`, `${"0".repeat(64)}  trunk.tar.gz\n`);
      return { ...found, sum: "" };
    },
    "without any sum": () => ({ ...archive("trunk", "trunk 9.9.9"), sum: "" }),
    "of another version": () => archive("trunk", "trunk 9.9.8"),
    "without the program": () => archive("track", "trunk 9.9.9"),
    "that is not there": () => ({ address: `file://${folder}/nothing`, sum: "0".repeat(64) }),
  };
  for (const [what, make] of Object.entries(refused)) {
    test(`${what} is not used`, () => {
      const { stdout, status } = release(make());
      assert.equal(status, 0);
      assert.match(stdout, /compile\n$/);
      assert.match(stdout, /\n {2}\S.*\n/, "and it says why");
    });
  }

  test("is not asked for where POSENC_RELEASES is empty", () => {
    const { address, sum } = archive("trunk", "trunk 9.9.9");
    const { stdout } = bash(`need_release trunk 9.9.9 "${address}" "${sum}" || echo compile`);
    assert.equal(stdout, "compile\n");
  });

  test("of Trunk is pinned for every architecture that is asked for", () => {
    const { stdout } = bash('for one in x86_64 aarch64; do echo "$(trunk_sum $one)"; done');
    assert.match(stdout, /^([0-9a-f]{64}\n){2}$/);
  });
});

/** Whether the process whose number is in this file runs. One that has ended is there until its parent asks for it. */
function isRunning(file) {
  const pid = Number(readFileSync(file, "utf8"));
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Only Linux has this file.
    return true;
  }
}

/** The names of the given programs in the environment: none. */
const unset = Object.fromEntries(
  ["CHROMIUM", "HEADLESS_CHROMIUM", "CHROMEDRIVER", "FIREFOX", "GECKODRIVER", "WEBKITDRIVER"].map((name) => [name, ""]),
);

describe("Chromium", () => {
  const debian = "chromium chromium-driver chromium-headless-shell";
  // `there` are the programs of a machine, `known` are the packages in its lists.
  const machine = (there, known) => `
    there=(${there}) known=(${known})
    is_in() { [[ " \${*:2} " == *" $1 "* ]]; }
    has() { is_in "$1" apt-get apt-cache pdftoppm "\${there[@]}"; }
    first_of() { local one; for one; do if has "$one"; then echo "$one"; return; fi; done; }
    id() { echo 0; }
    apt-cache() { is_in "$2" "\${known[@]}"; }
    compgen() { true; }
    quietly() {
      if [ "$1" = package-lists ]; then
        if [ \${#known[@]} = 0 ]; then known=(${debian}); fi
      else
        echo "install \${packages[*]}"
        there+=("\${packages[@]/#chromium-driver/chromedriver}")
      fi
    }`;
  const said = (part, there, known, more) =>
    bash(
      `${machine(there, known)}\nfind_programs; want_for ${part}; install_packages; find_programs; echo "with $HEADLESS_CHROMIUM"`,
      { more: { ...unset, ...more } },
    )
      .stdout.split("\n")
      .filter((line) => /^(install|with)/.test(line));

  for (const [name, part, there, known, expected, more] of [
    [
      "the headless shell is enough for a page",
      "page",
      "",
      debian,
      ["install chromium-headless-shell", "with chromium-headless-shell"],
    ],
    ["Chromium is taken where there is no shell", "page", "", "chromium", ["install chromium", "with chromium"]],
    [
      "it is known after the lists are read which there is",
      "page",
      "",
      "",
      ["install chromium-headless-shell", "with chromium-headless-shell"],
    ],
    [
      "the shell that was just installed is used",
      "chromium",
      "chromium chromedriver",
      debian,
      ["install chromium-headless-shell", "with chromium-headless-shell"],
    ],
    [
      "the shell is not asked for where there is none",
      "chromium",
      "chromium chromedriver",
      "chromium chromium-driver",
      ["with chromium"],
    ],
    [
      "all of it comes at once",
      "chromium",
      "",
      "",
      ["install chromium chromium-driver chromium-headless-shell", "with chromium-headless-shell"],
    ],
    [
      "a given one is used for everything, and nothing else is installed",
      "chromium",
      "own chromium-headless-shell chromedriver",
      debian,
      ["with own"],
      { CHROMIUM: "own" },
    ],
    [
      "beside a given one no shell is installed",
      "chromium",
      "own chromedriver",
      debian,
      ["with own"],
      { CHROMIUM: "own" },
    ],
  ])
    test(name, () => assert.deepEqual(said(part, there, known, more), expected));
});

describe("a build of the site", () => {
  test("that fails ends there, and leaves the mark of the last one", () => {
    const { stdout } = bash(
      `site_is_built() { false; }; trunk() { false; }; node() { echo went on; }; mv() { echo marked; }\n(build_site) || echo failed`,
    );
    assert.equal(stdout, "Building the site\nfailed\n");
  });
});

describe("a command that takes long", () => {
  test("has its output in a log that a failure names and ends with", () => {
    const { status, stderr, tools } = bash("quietly thing sh -c 'echo deep; exit 3'");
    assert.equal(status, 1);
    assert.match(stderr, /^deep\n.*thing failed, see above; .*log\/thing\.log\n$/);
    assert.equal(readFileSync(join(tools, "log/thing.log"), "utf8"), "deep\n");
  });

  test("runs beside others, and ends them if it fails", async () => {
    const here = mkdtempSync(join(folder, "jobs-"));
    // Each waits for the other to begin.
    const meet = (mine, other) =>
      `sh -c 'touch "${here}/${mine}"; until [ -e "${here}/${other}" ]; do sleep 0.1; done'`;
    assert.equal(bash(`job one 1 ${meet("one", "two")}\njob two 1 ${meet("two", "one")}\nrun_jobs`).status, 0);
    const { status, stderr } = bash(
      `job waits 1 sh -c 'echo $$ > "${here}/pid"; exec sleep 300'\njob fails 1 sh -c 'until [ -s "${here}/pid" ]; do sleep 0.1; done; exit 1'\nrun_jobs`,
    );
    assert.equal(status, 1);
    assert.match(stderr, /fails failed/);
    await until(() => !isRunning(join(here, "pid")), "the other to end");
  });

  test("runs once, although several parts of the work need it", () => {
    const log = join(folder, "once");
    const { status, stdout } = bash(
      `for part in page chromium; do job packages 1 sh -c 'echo ran >> "${log}"'; done; echo \${job_names[*]}; run_jobs`,
    );
    assert.deepEqual([status, stdout], [0, "packages\n"]);
    assert.equal(readFileSync(log, "utf8"), "ran\n");
  });

  test("says about how long it takes", () => {
    const { stdout } = bash("for s in 5 40 61 90 400; do about $s; echo; done");
    assert.deepEqual(stdout.trim().split("\n"), [
      "less than a minute",
      "about a minute",
      "about 1½ minutes",
      "about 1½ minutes",
      "about 7 minutes",
    ]);
  });

  test("says how far it is by its log", () => {
    const log = join(folder, "cargo.log");
    writeFileSync(log, "\r   Building [==>   ] 44/312: syn\r   Building [==>   ] 45/312: quote");
    assert.equal(bash(`progress_in "${log}"`).stdout, "45 of 312\n");
    writeFileSync(log, "added 12 packages\n");
    assert.equal(bash(`progress_in "${log}"`).stdout, "");
  });

  test("ends with the script that is interrupted", async () => {
    const mark = join(folder, "mark");
    const tools = mkdtempSync(join(folder, "tools-"));
    const lines = `source scripts/setup.sh\nquietly thing sh -c 'echo $$ > "${mark}"; exec sleep 300'`;
    const child = spawn("bash", ["-c", lines], { cwd: root, env: { ...process.env, POSENC_TOOLS: tools } });
    const ended = new Promise((resolve) => child.once("exit", (code) => resolve(code)));
    await until(() => existsSync(mark) && readFileSync(mark, "utf8").endsWith("\n"), "the command to begin");
    child.kill("SIGTERM");
    assert.equal(await ended, 130);
    await until(() => !isRunning(mark), "the command to end");
  });
});
