// What a page is busy with, recorded in the page.

/** Milliseconds after which something that waits for a frame goes on without it: in a covered window none may come. */
export const NO_FRAME_MS = 250;

/**
 * Runs in every document before its own scripts: `window.work` records pending work, for `settle`. `pending(ms)` lists the frames that are
 * requested, the lesson's translation while it loads, and the running timers of up to `ms` milliseconds. The others help
 * tests that wait in the page, and are not recorded themselves: `frames(count)` lets frames pass, and `until(look, what)`
 * looks in each frame until the result is truthy. From `countTime()` on, the page's time advances by a sixtieth of a second in
 * every frame, however long that takes: a move has all its pictures on a slow machine, too.
 */
export function watchWork([noFrame, limit]) {
  const { requestAnimationFrame: frame, cancelAnimationFrame, setTimeout: timer, clearTimeout, fetch } = window;
  const now = performance.now.bind(performance);
  const frames = new Set();
  let counted;
  const timers = new Map();
  window.requestAnimationFrame = (work) => {
    const id = frame((time) => {
      frames.delete(id);
      work(counted ?? time);
    });
    frames.add(id);
    return id;
  };
  window.cancelAnimationFrame = (id) => (frames.delete(id), cancelAnimationFrame(id));
  window.setTimeout = (work, ms = 0, ...rest) => {
    if (typeof work !== "function") return timer(work, ms);
    const id = timer(() => {
      timers.delete(id);
      work(...rest);
    }, ms);
    timers.set(id, ms);
    return id;
  };
  window.clearTimeout = (id) => (timers.delete(id), clearTimeout(id));
  const fetches = new Set();
  window.fetch = (...given) => {
    const answer = fetch(...given);
    const done = () => fetches.delete(answer);
    fetches.add(answer);
    answer.then(done, done);
    return answer;
  };
  /** Resolves in the next frame. */
  const next = () =>
    new Promise((resolve) => {
      const late = timer(resolve, noFrame);
      frame(() => {
        clearTimeout(late);
        resolve();
      });
    });
  window.work = {
    pending: (ms) => [
      ...(frames.size ? [`${frames.size} frames`] : []),
      ...(document.documentElement.dataset.translation === "loading" ? ["the translation"] : []),
      ...[...timers.values()].filter((length) => length <= ms).map((length) => `a timer of ${length} ms`),
    ],
    countTime() {
      counted = now();
      performance.now = () => counted;
      const tick = () => {
        counted += 1000 / 60;
        frame(tick);
      };
      frame(tick);
    },
    isFetching: () => fetches.size > 0,
    /** The next frame, however long it takes. */
    frame: () =>
      new Promise((resolve, reject) => {
        const late = timer(() => reject(new Error("waited in vain for a frame")), limit);
        frame(() => {
          clearTimeout(late);
          resolve();
        });
      }),
    async frames(count) {
      while (count-- > 0) await next();
    },
    async until(look, what) {
      for (const end = now() + limit; ; await next()) {
        const seen = await look();
        if (seen) return seen;
        if (now() > end) throw new Error(`waited in vain for ${what}`);
      }
    },
  };
}
