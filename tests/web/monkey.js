// A random user, inside the page, for any engine that can evaluate a script. `monkey(seed, count)` performs `count` actions
// and returns a report; the same seed repeats them on the same page. `monkey.rest()` resets the page to its initial state.
//
// Two times are measured per frame. `wall` is wall-clock time from one frame's events to the next: it includes the browser's
// work (style, layout, painting, the hit tests of this file) and other programs on the machine. `script` is the part in
// which the page's own code runs: event handlers, animation frames and timers; with the long animation frames API also
// promises and observers. Encoding PNG files is not included: WebKit does it on the main thread (`png`), others in the
// background.
//
// A frame has at most `perFrame` events, and none after the page has worked for `pause` milliseconds on earlier ones: `slow`
// limits the time of one action, not of an accumulation in one frame.
"use strict";

function monkey(seed, count, { perFrame = 25, pause = 50, slow = 200 } = {}) {
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
  const report = {
    seed,
    count: 0,
    by: {},
    frames: 0,
    worstWall: 0,
    worstScript: 0,
    worstPng: 0,
    slowFrames: 0,
    slowScripts: [],
    delayed: 0,
    problems: [],
  };
  const note = (what) => report.problems.length < 20 && report.problems.push(`after ${report.count}: ${what}`);

  const nameOf = (element) => {
    const { act, action, do: does, kit } = element.dataset ?? {};
    const name = act || action || does || kit || element.name || element.className || element.textContent?.slice(0, 20);
    return `${element.localName ?? "page"} ${name ?? ""} in ${element.getRootNode?.().host?.id ?? "the page"}`;
  };

  /** Measures a piece of the page's own code. Nested pieces count once. */
  let [script, inside, png] = [0, false, 0];
  const pieces = [];
  const timed = (work, what, target) => {
    if (inside) return work();
    const startTime = performance.now();
    const before = png;
    inside = true;
    try {
      return work();
    } finally {
      inside = false;
      const duration = performance.now() - startTime - (png - before);
      script += duration;
      // Names are only built for long pieces, since the text of an element may be the whole lesson.
      pieces.push({
        startTime,
        duration,
        what: target && duration > pause / 2 ? `${what} on ${nameOf(target)}` : what,
      });
    }
  };
  const canvas = HTMLCanvasElement.prototype;
  const { toBlob } = canvas;
  canvas.toBlob = function (...how) {
    const began = performance.now();
    toBlob.apply(this, how);
    const duration = performance.now() - began;
    png += duration;
    report.worstPng = Math.max(report.worstPng, duration);
  };
  const { requestAnimationFrame: nextFrame, setTimeout: later } = window;
  window.requestAnimationFrame = (work) => nextFrame((time) => timed(() => work(time), "frame"));
  window.setTimeout = (work, ms, ...rest) =>
    later(typeof work === "function" ? () => timed(() => work(...rest), "timer") : work, ms);
  /** The longest pieces, with their durations in milliseconds. */
  const longest = (own) =>
    own
      .sort((a, b) => b.duration - a.duration)
      .slice(0, 3)
      .map(({ what, duration }) => `${what} ${Math.round(duration)}`)
      .join(", ");
  /** Records the time of the page's own code between two moments: pieces measured here, and others. */
  const tell = (from, to, others, done) => {
    const own = [...pieces.filter(({ startTime }) => startTime >= from && startTime < to), ...others];
    const [script, wall] = [own.reduce((sum, { duration }) => sum + duration, 0), to - from];
    const what = { script: Math.round(script), wall: Math.round(wall), after: report.count, done };
    if (script <= slow) report.worstScript = Math.max(report.worstScript, script);
    // Times of Date.now().
    else
      report.slowScripts.push({
        ...what,
        longest: longest(own),
        pieces: own.map(({ startTime, duration }) =>
          [startTime, startTime + duration].map((time) => performance.timeOrigin + time),
        ),
      });
    return wall;
  };
  const longFrames = (list) => {
    for (const { startTime, duration, scripts } of list.getEntries()) {
      const others = scripts.filter(({ sourceURL }) => sourceURL.startsWith(location.origin));
      if (others.length)
        tell(
          startTime,
          startTime + duration,
          others.map(({ startTime, duration, invoker: what }) => ({ startTime, duration, what })),
          "",
        );
    }
  };
  const observer = PerformanceObserver.supportedEntryTypes.includes("long-animation-frame")
    ? new PerformanceObserver(longFrames)
    : undefined;
  observer?.observe({ type: "long-animation-frame" });

  // Sizes that change twice within a frame are reported in the next one; browsers report this as a harmless error.
  const isDelay = ({ message }) => /^ResizeObserver loop completed with undelivered notifications/.test(message);
  const onError = (event) => {
    if (isDelay(event)) report.delayed++;
    else note(event.message ?? String(event.reason));
  };
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onError);
  const { error: wasError, warn: wasWarn } = console;
  console.error = (...words) => (note(`console.error ${words}`), wasError.apply(console, words));
  console.warn = (...words) => (note(`console.warn ${words}`), wasWarn.apply(console, words));
  // Prevents navigation away from the page, and downloads.
  const stay = (event) => {
    const link = event.composedPath().find((at) => at.localName === "a");
    const leads = link && link.href.split("#")[0] !== location.href.split("#")[0];
    if (leads || link?.download || link?.target) event.preventDefault();
  };
  addEventListener("click", stay, true);
  const { createObjectURL } = URL;
  URL.createObjectURL = () => "#";
  // Firefox blocks the page while its print dialog is open; print.test.mjs tests printing.
  const { print } = window;
  window.print = () => {};

  /** The innermost element at a point, including shadow roots. */
  const at = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found ?? document.body;
  };
  const isNear = (element) => {
    const { top, bottom, width } = element.getBoundingClientRect();
    return width > 0 && bottom > -200 && top < innerHeight + 200;
  };
  const near = (selector) => {
    const parts = [...document.querySelectorAll("body > :not(.lesson), .contents, .chapter")].filter(isNear);
    const roots = parts.flatMap((part) => [
      part,
      ...[...part.querySelectorAll("pe-figure[data-mounted]")].map((figure) => figure.shadowRoot),
    ]);
    const seen = roots.flatMap((root) => [...root.querySelectorAll(selector)]).filter(isNear);
    return seen.length ? one(seen) : undefined;
  };
  const odd = [
    "",
    " ",
    "-1",
    "0",
    "0.5",
    "1",
    "3",
    "7",
    "64",
    "1000",
    "1e400",
    "NaN",
    "Infinity",
    "１２",
    "0x10",
    "+5",
    "<b>",
    "99999999999999",
    "-",
    "__proto__",
    "猫追狗",
    "e",
  ];
  const keys = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Enter",
    " ",
    "Escape",
    "+",
    "-",
    "0",
    "p",
    "m",
    "b",
    "r",
    "?",
    "a",
    "Tab",
  ];
  const point = () => ({ clientX: below(innerWidth), clientY: below(innerHeight) });
  // Some engines do not let scripts construct touches.
  const touches = (() => {
    try {
      return Boolean(new Touch({ identifier: 1, target: document.body }));
    } catch {
      return false;
    }
  })();
  const send = (target, event) =>
    timed(() => target.dispatchEvent(event), [event.type, event.key].filter(Boolean).join(" "), target);
  const shared = { bubbles: true, cancelable: true, composed: true };
  let hold;

  const acts = {
    pointer() {
      const place = hold ?? point();
      const type = one(["mouse", "touch", "pen"]);
      const init = { ...shared, ...place, pointerId: 1, isPrimary: true, pointerType: type, button: 0, buttons: 1 };
      send(at(place.clientX, place.clientY), new PointerEvent("pointerdown", init));
      hold = place;
    },
    move() {
      const place = point();
      const init = { ...shared, ...place, pointerId: 1, isPrimary: true, pointerType: "mouse", buttons: hold ? 1 : 0 };
      send(
        hold ? at(hold.clientX, hold.clientY) : at(place.clientX, place.clientY),
        new PointerEvent("pointermove", init),
      );
    },
    release() {
      const place = hold ?? point();
      hold = undefined;
      const target = at(place.clientX, place.clientY);
      send(
        target,
        new PointerEvent(one(["pointerup", "pointerup", "pointercancel", "pointerleave"]), {
          ...shared,
          ...place,
          pointerId: 1,
          isPrimary: true,
        }),
      );
    },
    click() {
      const target = at(below(innerWidth), below(innerHeight));
      timed(() => target.click?.(), "click", target);
    },
    press() {
      const button = near("button:not([disabled]), summary, input[type=checkbox], a[href^='#']");
      // Not full screen: it changes the window, which belongs to the test.
      if (!button || /full/i.test(button.dataset.act ?? button.dataset.do ?? "")) return;
      timed(() => button.click(), "press", button);
    },
    wheel() {
      const place = point();
      send(
        at(place.clientX, place.clientY),
        new WheelEvent("wheel", {
          ...shared,
          ...place,
          deltaY: below(400) - 200,
          ctrlKey: random() < 0.3,
          deltaMode: below(3),
        }),
      );
    },
    touch() {
      const place = point();
      const target = at(place.clientX, place.clientY);
      if (!touches) return;
      const touch = (identifier) => new Touch({ identifier, target, ...point() });
      const all = random() < 0.5 ? [touch(1)] : [touch(1), touch(2)];
      send(
        target,
        new TouchEvent(one(["touchstart", "touchmove", "touchend"]), {
          ...shared,
          touches: all,
          targetTouches: all,
          changedTouches: all,
        }),
      );
    },
    key() {
      let target = document.activeElement ?? document.body;
      while (target.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
      const init = { ...shared, key: one(keys), shiftKey: random() < 0.1, repeat: random() < 0.2 };
      send(target, new KeyboardEvent("keydown", init));
      send(target, new KeyboardEvent("keyup", init));
    },
    focus() {
      const target = near("input, select, button, canvas[tabindex], [tabindex='0']");
      timed(() => target?.focus({ preventScroll: true }), "focus");
    },
    slide() {
      const slider = near("input[type=range]:not([disabled])");
      if (!slider) return;
      const [low, high] = [Number(slider.min), Number(slider.max)];
      slider.value = String(low + random() * (high - low));
      send(slider, new Event("input", shared));
      if (random() < 0.3) send(slider, new Event("change", shared));
    },
    write() {
      const box = near("input[type=number]:not([disabled]), input[type=text], textarea");
      if (!box) return;
      timed(() => box.focus({ preventScroll: true }), "focus");
      box.value = one(odd);
      send(box, new Event("input", shared));
      if (random() < 0.5) send(box, new Event("change", shared));
    },
    choose() {
      const list = near("select:not([disabled])");
      if (!list?.options.length) return;
      list.selectedIndex = below(list.options.length);
      send(list, new Event("input", shared));
      send(list, new Event("change", shared));
    },
    hash() {
      const names =
        "d_model max_len k pos pair base layout encoding lang theme compare positions dimensions steps unknown".split(
          " ",
        );
      const value = () =>
        one([...odd.slice(0, 16), "zh", "dark", "learned", "alibi", "rope", "concatenated", "2-9", "0,3"]);
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
      send(document, new Event("visibilitychange"));
      if (hidden) setTimeout(() => (delete document.hidden, document.dispatchEvent(new Event("visibilitychange"))), 30);
    },
    resize() {
      root.style.width = random() < 0.5 ? "" : `${320 + below(1200)}px`;
      send(window, new Event("resize"));
    },
  };
  const weights = {
    pointer: 8,
    move: 24,
    release: 8,
    click: 3,
    press: 8,
    wheel: 6,
    touch: 3,
    key: 14,
    focus: 6,
    slide: 12,
    write: 4,
    choose: 2,
    hash: 0.4,
    scroll: 0.6,
    hide: 0.2,
    resize: 0.3,
  };
  const total = Object.values(weights).reduce((sum, weight) => sum + weight);
  const pick = () => {
    let left = random() * total;
    for (const [name, weight] of Object.entries(weights)) {
      left -= weight;
      if (left < 0) return name;
    }
    return "move";
  };

  // Settings that change the layout of the whole page. No user changes two within a frame: one ends the frame.
  const root = document.documentElement;
  const scene = () =>
    [
      root.lang,
      root.dataset.theme,
      root.dataset.presenting,
      root.style.width,
      document.getElementById("posenc").dataset.only,
      document.querySelectorAll("dialog[open]").length,
    ].join();

  return new Promise((resolve) => {
    const finish = () => {
      acts.release();
      removeEventListener("error", onError);
      removeEventListener("unhandledrejection", onError);
      removeEventListener("click", stay, true);
      observer?.disconnect();
      Object.assign(window, { requestAnimationFrame: nextFrame, setTimeout: later, print });
      console.error = wasError;
      console.warn = wasWarn;
      URL.createObjectURL = createObjectURL;
      canvas.toBlob = toBlob;
      delete document.hidden;
      root.style.width = "";
      resolve(report);
    };
    let done = [];
    const step = () => {
      done = [];
      script = 0;
      const before = scene();
      const enough = () => done.length >= perFrame || report.count >= count || script > pause || scene() !== before;
      do {
        const name = pick();
        try {
          acts[name]();
        } catch (error) {
          note(`${name}: ${error?.stack ?? error}`);
        }
        done.push(name);
        report.by[name] = (report.by[name] ?? 0) + 1;
        report.count++;
      } while (!enough());
      if (root.dataset.posenc === "failed") note("the page says that it has failed");
      next();
    };
    const frameOver = () => {
      report.frames++;
      const wall = tell(last, performance.now(), [], done.join(" "));
      report.worstWall = Math.max(report.worstWall, wall);
      if (wall > slow) report.slowFrames++;
      // Long animation frames are reported some frames later.
      pieces.splice(0, Math.max(0, pieces.length - 1000));
      script = 0;
      if (report.count >= count || report.problems.length >= 20) return finish();
      last = performance.now();
      later(step);
    };
    let last = performance.now();
    const next = () => {
      let over = false;
      const go = () => {
        if (!over) frameOver();
        over = true;
      };
      // An animation frame, or a short delay if none comes.
      nextFrame(go);
      later(go, 250);
    };
    next();
  });
}

/**
 * Resets the page to its initial state; returns false if the bench is not visible afterwards. On a busy machine the last
 * action, such as a presentation that is still loading, may take effect during the reset; then it is repeated.
 */
monkey.rest = async ({ patience = 120_000 } = {}) => {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    await resetPage();
    if (document.querySelector("#posenc .masthead").getClientRects().length > 0) return true;
  }
  return false;
};

async function resetPage() {
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  /** Waits until nothing is drawn, with a limit because playing figures draw all the time. */
  const quiet = async () => {
    const drawn = () => performance.getEntriesByName("posenc:frame").at(-1)?.startTime;
    let was;
    for (let tries = 0; tries < 8 && (!tries || drawn() !== was); tries++) {
      was = drawn();
      await wait(400);
    }
  };
  // The last action may take effect only now. A dialog, a list, a blackout and the presentation take an Escape each.
  await quiet();
  for (let tries = 0; tries < 10 && document.querySelector("dialog[open], .kit-show"); tries++) {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.activeElement?.blur();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    await wait(100);
  }
  document.activeElement?.blur();
  location.hash = "#lang=en&theme=light";
  await quiet();
  const reset = document.querySelector('[data-action="reset"]');
  reset.click();
  // The anchor in the hash may still cause a scroll.
  scrollTo(0, 0);
  await quiet();
}
