// How long a browser had the processor, by Linux's own count. On a machine that others use as well, the clock counts them, too.
import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two looks. */
const EVERY = 20;

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended meanwhile, or this is not Linux.
    return "";
  }
}

/** The processes that were started by this one, by those, and so on. */
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

/** Begins to look at the main threads of all browsers that have been started. */
export function watch() {
  const looks = [];
  let names = [];
  const look = () => {
    // Browsers start processes now and then.
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
     * About how many milliseconds the busiest of them had between two moments of Date.now(); infinitely many where nobody has looked or
     * nobody counts.
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
    /** Forgets what it has seen. */
    again() {
      looks.length = 0;
      look();
    },
    stop: () => clearInterval(timer),
  };
}
