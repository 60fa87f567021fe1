// What the core holds after a panic, or after anything else that stopped it in the middle of its work, is not to be trusted. A fresh
// instance of it takes its place, and what was on the page is put there again as it was. If that fails again soon, it is left stopped.
import * as core from "./core/posenc.js";

/** Milliseconds after a new start within which another failure is the same one. */
const SOON = 10_000;

const parts = new Set();
let failing = false;
let restarted = -Infinity;

/** Nothing works any more on this page. */
export let stopped = false;

/**
 * Takes on something that lives in the core. When that fails, `lost()` is called at once and must not call the core; then
 * `again(notice)`, which puts it back, and where `notice.due` says what happened and sets that to false; or else `stop()`.
 */
export function keep(part) {
  parts.add(part);
  return () => parts.delete(part);
}

/** The core is not to be called any more. */
export function fail() {
  if (failing || stopped) return;
  failing = true;
  for (const part of parts) part.lost();
  // Its last call has yet to come to an end.
  queueMicrotask(restart);
}

/** Puts a fresh instance in the place of the one that has failed. */
async function renew() {
  const now = () => {
    core.startAfresh();
    // The next call makes it.
    core.isHealthy();
  };
  try {
    now();
  } catch (error) {
    // Chrome and Edge before 115; scripts/kit/site.mjs has more.
    if (!(error instanceof RangeError && core.prepare)) throw error;
    await core.prepare();
    now();
  }
}

async function restart() {
  const now = performance.now();
  stopped = now - restarted < SOON;
  restarted = now;
  const { scrollX, scrollY } = globalThis;
  const notice = { due: true };
  if (!stopped) {
    try {
      await renew();
      for (const part of parts) part.again(notice);
      scrollTo(scrollX, scrollY);
    } catch (error) {
      console.warn(`posenc: ${error}`);
      stopped = true;
    }
  }
  failing = false;
  if (stopped) for (const part of parts) part.stop(notice);
  dispatchEvent(new Event(stopped ? "posenc:stopped" : "posenc:restarted"));
}

/** What one control is told from another by. */
const NAMES = ["name", "data-action", "data-do", "data-view"];

/** The control that has the focus, with what is written in it: what this returns gives both back to its successor. */
export function held(control) {
  const attribute = NAMES.find((name) => control?.hasAttribute(name));
  const { type, value } = control ?? {};
  return (root) => {
    const same = attribute && root.querySelectorAll(`[${attribute}="${CSS.escape(control.getAttribute(attribute))}"]`);
    const next = same && [...same].find((other) => other.type === type);
    if (!next) return;
    next.focus({ preventScroll: true });
    if (!["number", "text"].includes(type) || next.value === value) return;
    next.value = value;
    next.dispatchEvent(new Event("input", { bubbles: true }));
  };
}

// A full stack and exceptions of the browser's run past the hook for panics: whenever anything is reported, of whatever it may be, it is
// looked whether the core came to the end of its work. Resolves to true where it did not and is about to be started again.
export async function look() {
  // Its last call has yet to come to an end.
  await undefined;
  if (!parts.size || stopped) return false;
  if (failing) return true;
  let well = false;
  try {
    well = core.isHealthy();
  } catch {
    // It cannot even say so.
  }
  if (!well) fail();
  return !well;
}

// Elsewhere than on a page only functions are called.
if (globalThis.document) {
  addEventListener("posenc:panic", fail);
  addEventListener("error", look);
  addEventListener("unhandledrejection", look);
}
