// The output of the benchmarks: one Markdown table, below a line that names the machine.
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

export function machine() {
  const cores = cpus();
  let model = cores[0]?.model ?? "unknown";
  try {
    model = /^model name\s*: (.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1] ?? model;
  } catch {
    // Only Linux has this file.
  }
  return `${model}, ${cores.length} cores`;
}

export function printHead(browser) {
  console.log(`${machine()}, Chromium ${browser.version()} headless without a GPU\n`);
  console.log("| what | measured | held to | kept |\n|---|---|---|---|");
}

/** Prints rows of [what, measured, held to, kept]; `kept` is null if there is no limit. */
export function printRows(rows) {
  for (const [what, measured, limit, kept] of rows) {
    console.log(`| ${what} | ${measured} | ${limit} | ${kept === null ? "" : kept ? "yes" : "**no**"} |`);
  }
}
