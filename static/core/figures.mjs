// The second half of the core: the code of the figures, of tables as numbers and files, and of heads of attention. Where the core is of two
// files (scripts/kit/split.mjs), it is fetched when the first figure comes near or something else needs it; where the core is in one piece,
// it is there from the beginning.
import { figuresArrived, initSync } from "./posenc.js";

const address = () => new URL("figures.wasm", import.meta.url);

let module;
let loading;
// The instances of the core that are whole: after a failure there is another.
const whole = new WeakSet();

/** Whether the second half is there; only asked once the core has started. */
export const arrived = () => whole.has(initSync());

/** Throws unless the second half is there. */
export function assertLoaded() {
  try {
    if (arrived()) return;
  } catch {
    // The first is not there either.
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
  // Node.js fetches no files.
  const files = address().protocol === "file:" && globalThis.process?.getBuiltinModule?.("node:fs");
  if (files) return WebAssembly.compile(files.readFileSync(address()));
  const response = await fetch(address());
  if (!response.ok) throw new Error(`core/figures.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Once the core has started: fetches what it lacks, and lets it show figures. */
export function load() {
  loading ??= complete().finally(() => (loading = undefined));
  return loading;
}

// After a failure the core is a fresh one.
globalThis.addEventListener?.("posenc:restarted", () => module && load());

/** The same while the page waits, for paper: nothing that comes later is printed. Chrome and Edge before 115 refuse to. */
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
