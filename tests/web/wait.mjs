// How long tests wait. A wait is for a condition, with one time limit for all; no test assumes that something has happened
// after a delay.

/** Milliseconds after which a condition counts as failed, however busy the computer is. */
export const CONDITION_TIMEOUT_MS = 120_000;
/** Milliseconds after which a test counts as hanging: this ends tests without another limit, and does not measure speed. */
export const TEST_TIMEOUT_MS = 30 * 60_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls `look` until its result is truthy, and returns that; `what` describes the condition, or is a function that does. */
export async function until(look, what) {
  for (const end = Date.now() + CONDITION_TIMEOUT_MS; ; await sleep(30)) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === "function" ? await what() : what}`);
  }
}
