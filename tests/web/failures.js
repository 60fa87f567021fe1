// Runs in a page, before or after it has loaded: `fail(kind, times)` makes the next `times` calls fail with which the core
// writes to the page; `restarts` and `stops` count the results. With "soon", the clock then shows one second after the last
// restart, however long ago that was.
"use strict";

(() => {
  const set = Element.prototype.setAttribute;
  // The property setters with which the core writes text.
  const writers = ["textContent", "nodeValue"].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(Node.prototype, name),
  ]);
  const deep = () => deep() + 1;
  const failures = {
    // The core expects this to succeed, so it panics.
    panic: () => {
      throw new TypeError("refused on purpose");
    },
    // As if the core had trapped: no panic hook runs.
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
    // Writes by scripts of the page, outside a call of the core, are not affected.
    const byCore = () => /wasm-function/.test(new Error().stack);
    const due = () => {
      if (left === 0 || !byCore()) return false;
      left--;
      if (when === "soon") performance.now = () => restarted + 1000;
      return true;
    };
    // The core ignores a failure of this one.
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
