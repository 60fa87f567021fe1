// How long tests wait, and how much they do. A wait is for a condition, with one time limit for all; no test assumes that something has happened
// after a delay.

/** Milliseconds after which a condition counts as failed, however busy the computer is. */
export const CONDITION_TIMEOUT_MS = Number(process.env.CONDITION_TIMEOUT_MS ?? 120_000);
/** Milliseconds after which a test counts as hanging: this ends tests without another limit, and does not measure speed. */
export const TEST_TIMEOUT_MS = 15 * 60_000;

/**
 * With LONG=1 tests do as much as hours allow, with random seeds, and hold times and frames to limits. Otherwise what they do
 * depends on nothing but the site, and times are only recorded.
 */
export const LONG = Boolean(process.env.LONG);

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls `look` until its result is truthy, and returns that; `what` describes the condition, or is a function that does. */
export async function until(look, what) {
  for (const end = Date.now() + CONDITION_TIMEOUT_MS; ; await sleep(30)) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error(`waited in vain for ${typeof what === "function" ? await what() : what}`);
  }
}

/** Resolves as `work` does; rejects if that takes longer than a condition may, with what `describe` then says. */
export async function within(work, describe) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(async () => reject(new Error(`waited in vain for ${await describe()}`)), CONDITION_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
