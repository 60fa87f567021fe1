// Counts and measurements of tests, stored as files from which scripts/trust makes docs/trust.md.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const folder = join(resolve(root, process.env.CARGO_TARGET_DIR ?? "target"), "figures");

const noted = new Map();

// With these options only some tests of a file run, and their counts do not cover the whole file.
const isPartial = process.execArgv.some((option) => /^--test-(name-pattern|skip-pattern|only)/.test(option));

/**
 * Records values of a test under the name of a row in trust.mjs: plain values, of which `engine` and `version` say where the
 * test ran; changes are pairs [first, last], or two objects `first` and `last`. The file is written when this process ends,
 * and only if all its tests have passed. Values under the same name are merged; for equal keys the last value is kept.
 */
export function record(name, figures) {
  if (!/^[a-z0-9-]+$/.test(name)) throw new Error(`"${name}" is no name for a file`);
  if (!noted.size && !isPartial) process.once("exit", (code) => code === 0 && write());
  noted.set(name, { ...noted.get(name), ...figures });
}

/** Commit and date; the commit is marked if files differ from it, except for the page made from these records. */
export function origin() {
  const git = (...options) =>
    execFileSync("git", options, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const date = new Date().toISOString().slice(0, 10);
  try {
    return {
      commit:
        git("rev-parse", "--short=10", "HEAD") +
        (git("status", "--porcelain", "--", ".", ":!docs/trust.md") ? " with changes" : ""),
      date,
    };
  } catch {
    return { commit: "unknown", date };
  }
}

/** Writes the file atomically, since other processes may read or write it. */
export function keep(name, told) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(told, null, 1)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

function write() {
  try {
    const from = origin();
    for (const [name, figures] of noted) keep(name, { ...from, figures });
  } catch (error) {
    // The tests have passed nevertheless.
    console.warn(`the figures are not written: ${error.message}`);
  }
}
