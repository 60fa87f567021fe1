// A random user, inside the page: it runs in any engine that can evaluate a script. `monkey(seed, count)` does `count` things and reports what
// came of them; the same seed does the same things on the same page.
"use strict";

function monkey(seed, count, { perFrame = 25, size } = {}) {
  let bits = seed | 0;
  const random = () => {
    // mulberry32
    bits = (bits + 0x6d2b79f5) | 0;
    let t = Math.imul(bits ^ (bits >>> 15), 1 | bits);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(random() * n);
  const one = (list) => list[below(list.length)];
  const report = { seed, count: 0, by: {}, worstFrame: 0, slowFrames: 0, frames: 0, problems: [] };
  const note = (what) => report.problems.length < 20 && report.problems.push(`after ${report.count}: ${what}`);

  const onError = (event) => note(event.message ?? String(event.reason));
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onError);
  const { error: wasError, warn: wasWarn } = console;
  console.error = (...words) => (note(`console.error ${words}`), wasError.apply(console, words));
  console.warn = (...words) => (note(`console.warn ${words}`), wasWarn.apply(console, words));
  // Nothing leads away from the page or saves a file.
  const stay = (event) => {
    const link = event.composedPath().find((at) => at.localName === "a");
    if (link && (link.download || link.origin !== location.origin || link.target)) event.preventDefault();
  };
  addEventListener("click", stay, true);
  const { createObjectURL } = URL;
  URL.createObjectURL = () => "#";

  /** The innermost element at a point, inside shadows too. */
  const at = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found ?? document.body;
  };
  const everywhere = (selector) => {
    const roots = [document, ...[...document.querySelectorAll("pe-figure")].map((figure) => figure.shadowRoot).filter(Boolean)];
    return roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  };
  const near = (selector) => {
    const seen = everywhere(selector).filter((element) => {
      const { top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && bottom > -200 && top < innerHeight + 200;
    });
    return seen.length ? one(seen) : undefined;
  };
  const odd = ["", " ", "-1", "0", "0.5", "1", "3", "7", "64", "1000", "1e400", "NaN", "Infinity", "１２", "0x10", "+5", "<b>", "99999999999999", "-", "__proto__", "猫追狗", "e"];
  const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter", " ", "Escape", "+", "-", "0", "p", "m", "b", "r", "?", "a", "Tab"];
  const point = () => ({ clientX: below(innerWidth), clientY: below(innerHeight) });
  // Not every engine lets scripts make them.
  const touches = (() => {
    try {
      return Boolean(new Touch({ identifier: 1, target: document.body }));
    } catch {
      return false;
    }
  })();
  const shared = { bubbles: true, cancelable: true, composed: true };
  let hold;

  const acts = {
    pointer() {
      const place = hold ?? point();
      const type = one(["mouse", "touch", "pen"]);
      const init = { ...shared, ...place, pointerId: 1, isPrimary: true, pointerType: type, button: 0, buttons: 1 };
      at(place.clientX, place.clientY).dispatchEvent(new PointerEvent("pointerdown", init));
      hold = place;
    },
    move() {
      const place = point();
      const init = { ...shared, ...place, pointerId: 1, isPrimary: true, pointerType: "mouse", buttons: hold ? 1 : 0 };
      (hold ? at(hold.clientX, hold.clientY) : at(place.clientX, place.clientY)).dispatchEvent(new PointerEvent("pointermove", init));
    },
    release() {
      const place = hold ?? point();
      hold = undefined;
      const target = at(place.clientX, place.clientY);
      target.dispatchEvent(new PointerEvent(one(["pointerup", "pointerup", "pointercancel", "pointerleave"]), { ...shared, ...place, pointerId: 1, isPrimary: true }));
    },
    click() {
      at(below(innerWidth), below(innerHeight)).click?.();
    },
    press() {
      const button = near("button:not([disabled]), summary, input[type=checkbox], a[href^='#']");
      // Its window is the test's, not the page's.
      if (!button || /full/i.test(button.dataset.act ?? button.dataset.do ?? "")) return;
      button.click();
    },
    wheel() {
      const place = point();
      at(place.clientX, place.clientY).dispatchEvent(new WheelEvent("wheel", { ...shared, ...place, deltaY: below(400) - 200, ctrlKey: random() < 0.3, deltaMode: below(3) }));
    },
    touch() {
      const place = point();
      const target = at(place.clientX, place.clientY);
      if (!touches) return;
      const touch = (identifier) => new Touch({ identifier, target, ...point() });
      const all = random() < 0.5 ? [touch(1)] : [touch(1), touch(2)];
      target.dispatchEvent(new TouchEvent(one(["touchstart", "touchmove", "touchend"]), { ...shared, touches: all, targetTouches: all, changedTouches: all }));
    },
    key() {
      let target = document.activeElement ?? document.body;
      while (target.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
      const init = { ...shared, key: one(keys), shiftKey: random() < 0.1, repeat: random() < 0.2 };
      target.dispatchEvent(new KeyboardEvent("keydown", init));
      target.dispatchEvent(new KeyboardEvent("keyup", init));
    },
    focus() {
      near("input, select, button, canvas[tabindex], [tabindex='0']")?.focus({ preventScroll: true });
    },
    slide() {
      const slider = near("input[type=range]:not([disabled])");
      if (!slider) return;
      const [low, high] = [Number(slider.min), Number(slider.max)];
      slider.value = String(low + random() * (high - low));
      slider.dispatchEvent(new Event("input", shared));
      if (random() < 0.3) slider.dispatchEvent(new Event("change", shared));
    },
    write() {
      const box = near("input[type=number]:not([disabled]), input[type=text], textarea");
      if (!box) return;
      box.focus({ preventScroll: true });
      box.value = one(odd);
      box.dispatchEvent(new Event("input", shared));
      if (random() < 0.5) box.dispatchEvent(new Event("change", shared));
    },
    choose() {
      const list = near("select:not([disabled])");
      if (!list || !list.options.length) return;
      list.selectedIndex = below(list.options.length);
      list.dispatchEvent(new Event("input", shared));
      list.dispatchEvent(new Event("change", shared));
    },
    hash() {
      const names = ["d_model", "max_len", "k", "pos", "pair", "base", "layout", "encoding", "lang", "theme", "compare", "positions", "dimensions", "steps", "unknown"];
      const value = () => one([...odd.slice(0, 16), "zh", "dark", "learned", "alibi", "rope", "concatenated", "2-9", "0,3"]);
      const pairs = Array.from({ length: 1 + below(4) }, () => `${one(names)}=${value()}`);
      const view = one(["", "", "", "view=waves", "view=order", "#fig-rope", "view=quiz"]);
      location.hash = [view, ...pairs].filter(Boolean).join("&");
    },
    scroll() {
      scrollTo(0, random() < 0.3 ? 0 : random() * document.documentElement.scrollHeight);
    },
    hide() {
      const hidden = random() < 0.5;
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
      if (hidden) setTimeout(() => (delete document.hidden, document.dispatchEvent(new Event("visibilitychange"))), 30);
    },
    resize() {
      const root = document.documentElement.style;
      root.width = random() < 0.5 ? "" : `${320 + below(1200)}px`;
      size?.(320 + below(1600), 240 + below(900));
      dispatchEvent(new Event("resize"));
    },
  };
  const weights = { pointer: 8, move: 24, release: 8, click: 3, press: 8, wheel: 6, touch: 3, key: 14, focus: 6, slide: 12, write: 4, choose: 2, hash: 0.4, scroll: 0.6, hide: 0.2, resize: 0.3 };
  const total = Object.values(weights).reduce((sum, weight) => sum + weight);
  const pick = () => {
    let left = random() * total;
    for (const [name, weight] of Object.entries(weights)) {
      left -= weight;
      if (left < 0) return name;
    }
    return "move";
  };

  return new Promise((resolve) => {
    const finish = () => {
      acts.release();
      removeEventListener("error", onError);
      removeEventListener("unhandledrejection", onError);
      removeEventListener("click", stay, true);
      console.error = wasError;
      console.warn = wasWarn;
      URL.createObjectURL = createObjectURL;
      delete document.hidden;
      document.documentElement.style.width = "";
      resolve(report);
    };
    const step = () => {
      for (let i = 0; i < perFrame && report.count < count; i++) {
        const name = pick();
        const began = performance.now();
        try {
          acts[name]();
        } catch (error) {
          note(`${name}: ${error?.stack ?? error}`);
        }
        const took = performance.now() - began;
        if (took > 200) report.slowActs = (report.slowActs ?? 0) + 1;
        report.by[name] = (report.by[name] ?? 0) + 1;
        report.count++;
      }
      if (document.documentElement.dataset.posenc === "failed") note("the page says that it has failed");
      if (report.count >= count || report.problems.length >= 20) finish();
      else next();
    };
    let last = performance.now();
    const next = () => {
      let done = false;
      const go = () => {
        if (done) return;
        done = true;
        const now = performance.now();
        report.frames++;
        report.worstFrame = Math.max(report.worstFrame, now - last);
        if (now - last > 200) report.slowFrames++;
        last = performance.now();
        setTimeout(step);
      };
      // A frame, or where none comes, a moment.
      requestAnimationFrame(go);
      setTimeout(go, 250);
    };
    next();
  });
}
