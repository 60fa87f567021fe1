// In a page, before or after it has loaded: `fail(kind, times)` has so many of the next calls fail that the core makes while it writes, and
// `restarts` and `stops` count what comes of it. With "soon" it is one second after the last restart then, however long that was ago by the clock.
"use strict";

(() => {
  const set = Element.prototype.setAttribute;
  // The setters with which the core writes text.
  const writers = ["textContent", "nodeValue"].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(Node.prototype, name),
  ]);
  const deep = () => deep() + 1;
  const failures = {
    // What the core expects to succeed: it panics.
    panic: () => {
      throw new TypeError("refused on purpose");
    },
    // As if it were the core that trapped: no hook hears of it.
    trap: () => {
      throw new WebAssembly.RuntimeError("memory access out of bounds, on purpose");
    },
    stack: deep,
  };
  window.restarts = 0;
  window.stops = 0;
  let restarted = 0;
  addEventListener("posenc:restarted", () => {
    restarted = performance.now();
    window.restarts++;
  });
  addEventListener("posenc:stopped", () => window.stops++);
  window.fail = (kind, times = 1, when = "") => {
    let left = times;
    // Scripts of the page that write while the core is at rest are not the core.
    const byCore = () => /wasm-function/.test(new Error().stack);
    const due = () => {
      if (left === 0 || !byCore()) return false;
      left--;
      if (when === "soon") performance.now = () => restarted + 1000;
      return true;
    };
    // Where this one fails the core does without.
    const spared = "aria-valuetext";
    Element.prototype.setAttribute = function (...given) {
      if (kind === "panic" && given[0] !== spared && due()) failures.panic();
      return set.apply(this, given);
    };
    for (const [name, original] of writers)
      Object.defineProperty(Node.prototype, name, {
        ...original,
        set(words) {
          if (kind !== "panic" && due()) failures[kind]();
          original.set.call(this, words);
        },
      });
  };
})();
