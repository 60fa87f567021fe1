// How long tests wait. A wait is for a condition, with one limit for all; nothing is taken to have happened because time has passed.

/** Milliseconds after which a condition does not come true any more, on however busy a computer. */
export const PATIENCE = 120_000;
/** Milliseconds after which a test hangs: it ends what has no limit of its own, and says nothing about speed. */
export const HANGS = 30 * 60_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks until what `look` gives is truthy, and returns that; `what` is what was waited for, or a function that says it. */
export async function until(look, what) {
  for (const end = Date.now() + PATIENCE; ; await sleep(30)) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === "function" ? await what() : what}`);
  }
}
