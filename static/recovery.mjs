// The state of the core is unreliable after a panic, or after anything else that interrupted one of its calls. It is
// replaced by a new instance, and the parts of the page are restored. If that fails again soon, the core stays stopped.
import * as core from "./core/posenc.js";

/**
 * Milliseconds after a restart within which another failure counts as the same one; the core is then not restarted again.
 */
const CRASH_LOOP_MS = 10_000;

const parts = new Set();
let failing = false;
let restarted = -Infinity;

/** Whether the core has stopped for good on this page. */
export let stopped = false;

/**
 * Registers a part of the page that depends on the core; the returned function unregisters it. When the core fails, `onCrash()` is
 * called at once and must not call the core; then `onRestart(notice)`, which restores the part and, if `notice.due`, shows a notice and
 * sets that to false; or, where the core is not restarted, `onGiveUp(notice)`.
 */
export function register(part) {
  parts.add(part);
  return () => parts.delete(part);
}

/** Handles a failure of the core, which must not be called afterwards. */
export function handleCrash() {
  if (failing || stopped) return;
  failing = true;
  for (const part of parts) part.onCrash();
  // The failed call must return first.
  queueMicrotask(restart);
}

/** Replaces the failed instance of the core by a new one. */
async function replaceInstance() {
  const now = () => {
    core.startAfresh();
    // The next call creates the instance.
    core.isHealthy();
  };
  try {
    now();
  } catch (error) {
    // Chrome and Edge before 115 (see scripts/kit/site.mjs).
    if (!(error instanceof RangeError && core.prepare)) throw error;
    await core.prepare();
    now();
  }
}

async function restart() {
  const now = performance.now();
  stopped = now - restarted < CRASH_LOOP_MS;
  restarted = now;
  const { scrollX, scrollY } = globalThis;
  const notice = { due: true };
  if (!stopped) {
    try {
      await replaceInstance();
      for (const part of parts) part.onRestart(notice);
      scrollTo(scrollX, scrollY);
    } catch (error) {
      console.warn(`posenc: ${error}`);
      stopped = true;
    }
  }
  failing = false;
  if (stopped) for (const part of parts) part.onGiveUp(notice);
  dispatchEvent(new Event(stopped ? "posenc:stopped" : "posenc:restarted"));
}

/** The attributes that identify a control. */
const IDENTIFYING_ATTRIBUTES = ["name", "data-action", "data-do", "data-view"];

/** Remembers the focused control and its text; the returned function restores both in the control that replaces it. */
export function rememberFocus(control) {
  const attribute = IDENTIFYING_ATTRIBUTES.find((name) => control?.hasAttribute(name));
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

// Stack overflows and exceptions thrown by the browser do not reach the panic hook, so on any reported error this checks
// whether the core's last call returned. Resolves to true if it did not and the core is about to be restarted.
export async function checkHealth() {
  // The last call must return first.
  await undefined;
  if (!parts.size || stopped) return false;
  if (failing) return true;
  let well = false;
  try {
    well = core.isHealthy();
  } catch {
    // The check itself fails.
  }
  if (!well) handleCrash();
  return !well;
}

// Outside a page only the exported functions are used.
if (globalThis.document) {
  addEventListener("posenc:panic", handleCrash);
  addEventListener("error", checkHealth);
  addEventListener("unhandledrejection", checkHealth);
}
