// Loaded by run.mjs into the process of each test file: notes how it ends, and its processor time with that of its browsers.
import { appendFileSync, readFileSync } from "node:fs";

const { POSENC_USAGE: notes, POSENC_RUNNER: runner } = process.env;
/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100;

// Processes that a test starts with node inherit the option; their time is part of the test's.
if (notes && String(process.ppid) === runner)
  process.on("exit", (code) => {
    let cpu;
    try {
      // The time in user and system mode of the process and of its children that have ended.
      const [, after] = readFileSync("/proc/self/stat", "utf8").split(/\) (?!.*\) )/s);
      const spent = after.split(" ").slice(11, 15);
      cpu = spent.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
    } catch {
      // Only Linux has this file.
    }
    appendFileSync(notes, `${JSON.stringify({ file: process.argv[1], code, cpu })}\n`);
  });
