// The code of the figures. Where the core is of two files (scripts/kit/split.mjs), it is the second, and is fetched when the first figure
// comes near; where the core is in one piece, it is there from the beginning.
import { figuresArrived, initSync } from "../core/posenc.js";

const address = () => new URL("figures.wasm", import.meta.url);

let module;
let loading;
// The instances of the core that are whole: after a failure there is another.
const whole = new WeakSet();

/** Whether figures can be computed; only asked once the core has started. */
export const arrived = () => whole.has(initSync());

async function complete() {
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
  const response = await fetch(address());
  if (!response.ok) throw new Error(`core/figures.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Once the core has started: fetches what it lacks, and lets it show figures. */
export function load() {
  loading ??= complete().finally(() => (loading = undefined));
  return loading;
}

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
