// Measures the CPU time of a browser, from Linux's own counters. On a shared machine, wall-clock time includes other
// processes.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two samples. */
const EVERY = 20;

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended in the meantime, or this is not Linux.
    return "";
  }
}

/** Returns the descendants of this process. */
function family() {
  let names = [];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    // This is not Linux.
  }
  const parents = new Map(names.map((name) => [name, read(`/proc/${name}/stat`).replace(/.*\) . (\d+) .*/s, "$1")]));
  const belongs = (name) =>
    name !== "0" && parents.has(name) && (parents.get(name) === String(process.pid) || belongs(parents.get(name)));
  return names.filter(belongs);
}

/** Samples the main threads of all browsers that have been started. */
export function watch() {
  const looks = [];
  let names = [];
  const look = () => {
    // Browsers start processes from time to time.
    if (looks.length % 100 === 0) names = family();
    looks.push([
      Date.now(),
      new Map(names.map((name) => [name, Number(read(`/proc/${name}/task/${name}/schedstat`).split(" ")[0]) / 1e6])),
    ]);
  };
  look();
  const timer = setInterval(look, EVERY);
  return {
    /**
     * The approximate CPU time in milliseconds of the busiest thread between two times of Date.now(); Infinity if there are
     * no samples or no counters.
     */
    between(from, to) {
      const of = (name, time) => {
        const after = looks.findIndex(([at]) => at > time);
        if (after < 1) return NaN;
        const [[t0, had], [t1, has]] = [looks[after - 1], looks[after]];
        const before = had.get(name) ?? 0;
        return before + ((time - t0) / (t1 - t0)) * ((has.get(name) ?? 0) - before);
      };
      if (looks.at(-1)[0] <= to) look();
      const counted = [...looks.at(-1)[1]].filter(([, time]) => time > 0);
      const spent = Math.max(0, ...counted.map(([name]) => of(name, to) - of(name, from)));
      return counted.length && !Number.isNaN(spent) ? spent : Infinity;
    },
    /** Discards all samples. */
    again() {
      looks.length = 0;
      look();
    },
    stop: () => clearInterval(timer),
  };
}
