// The second half of the core: the code of the figures, of tables as numbers and files, and of attention heads. If the core
// is divided into two files (scripts/kit/split.mjs), the second is fetched when the first figure comes near the viewport or
// something else needs it; an undivided core contains it from the start.
import { figuresArrived, initSync } from "./posenc.js";

const address = () => new URL("figures.wasm", import.meta.url);

let module;
let loading;
// The complete instances of the core: after a failure there is a new instance.
const whole = new WeakSet();

/** Whether the second half is loaded; must not be called before the core has started. */
export const arrived = () => whole.has(initSync());

/** Throws unless the second half is loaded. */
export function assertLoaded() {
  try {
    if (arrived()) return;
  } catch {
    // The first half is not loaded either.
  }
  throw new Error("posenc: await init() first");
}

async function complete() {
  if (arrived()) return;
  while (!arrived()) {
    const core = initSync();
    if (core.figures) {
      module ??= await compiled();
      await WebAssembly.instantiate(module, { core });
    }
    whole.add(core);
  }
  figuresArrived();
}

async function compiled() {
  // fetch() of Node.js does not support file: URLs.
  const files = address().protocol === "file:" && globalThis.process?.getBuiltinModule?.("node:fs");
  if (files) return WebAssembly.compile(files.readFileSync(address()));
  const response = await fetch(address());
  if (!response.ok) throw new Error(`core/figures.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Fetches the second half of the core, which lets it show figures. The core must have started. */
export function load() {
  loading ??= complete().finally(() => (loading = undefined));
  return loading;
}

// After a failure the core is a new instance.
globalThis.addEventListener?.("posenc:restarted", () => module && load());

/**
 * Loads the second half synchronously, for printing: nothing that loads later is printed. Chrome and Edge before 115 do not
 * support this.
 */
export function loadNow() {
  const core = initSync();
  if (core.figures && !module) {
    const request = new XMLHttpRequest();
    request.open("GET", address(), false);
    request.overrideMimeType("text/plain; charset=x-user-defined");
    request.send();
    if (request.status !== 200) throw new Error(`core/figures.wasm: ${request.status}`);
    module = new WebAssembly.Module(Uint8Array.from(request.responseText, (character) => character.charCodeAt(0)));
  }
  if (core.figures) new WebAssembly.Instance(module, { core });
  whole.add(core);
  figuresArrived();
}
