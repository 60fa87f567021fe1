// The speaker's window: notes, the next step, a clock, and a copy of the picture that the audience sees. It is an empty window that this
// page fills and listens to, so that nothing has to be sent: that works from a folder (file:), too, and in the single file.
import { el } from "./dialog.mjs";
import * as keys from "./keys.mjs";
import { isField } from "./parts.mjs";
import * as steps from "./steps.mjs";
import { SPEAKER as WORDS, say } from "./words.mjs";

/** Milliseconds after the last letter of a note until the address has it. */
const QUIET = 600;

const STYLE = `
:root { color-scheme: light dark; font: 18px/1.45 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
* { box-sizing: border-box; margin: 0; }
body { height: 100vh; padding: 0.8rem; display: grid; gap: 0.8rem; grid: auto minmax(0, 1fr) auto / minmax(0, 1.1fr) minmax(0, 1fr); }
header, footer { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.4rem 1.4rem; align-items: baseline; }
h1 { flex: 1; font-size: 1.1rem; }
[role=timer] { font-size: 1.5rem; font-variant-numeric: tabular-nums; }
small { font-size: 0.8rem; }
canvas { display: block; max-width: 100%; max-height: 100%; border: 1px solid GrayText; }
.picture { min-height: 0; }
label { display: flex; flex-direction: column; min-height: 0; gap: 0.2rem; }
textarea { flex: 1; width: 100%; padding: 0.5rem; resize: none; font: inherit; font-size: 1.25rem; }
.next { flex: 1; min-width: 12rem; }
button { min-height: 2.4rem; padding: 0 0.9rem; font: inherit; }
@media (max-width: 40rem), (max-aspect-ratio: 1/1) { body { grid: auto minmax(0, 1fr) minmax(0, 1fr) auto / minmax(0, 1fr); } }
`;

/** Minutes and seconds of some milliseconds. */
function clock(time) {
  const seconds = Math.max(0, Math.floor(time / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Opens the window for a presentation; `undefined` if the browser blocks it. The presentation calls `renew` when the step or the list
 * has changed, and `end` when it is over. `show` has `at`, the step that is shown, `on(by)`, `go(index)`, `black()` and `canvases()`.
 */
export function open(show, closed) {
  try {
    const view = window.open("", "", "popup,width=1120,height=680");
    // A frame may open windows that it may not write into.
    return view?.document ? new Speaker(view, show, closed) : undefined;
  } catch {
    return undefined;
  }
}

class Speaker {
  #view;
  #show;
  #begun = performance.now();
  #stepBegun = performance.now();
  #step;
  #writing;
  #frames = new PerformanceObserver((list) => list.getEntriesByName("posenc:frame").length && this.#copy());
  #ended = new AbortController();

  constructor(view, show, closed) {
    this.#view = view;
    this.#show = show;
    const { document } = view;
    document.title = say(WORDS.title);
    document.documentElement.lang = window.document.documentElement.lang;
    const sheet = new view.CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets = [sheet];
    const button = (words, act) => el("button", { type: "button", onclick: act }, say(words));
    const timer = (words) => el("span", { role: "timer", "aria-label": say(words), title: say(words) });
    this.title = el("h1");
    this.elapsed = timer(WORDS.elapsed);
    this.ofStep = timer(WORDS.ofStep);
    this.canvas = el("canvas", { role: "img", "aria-label": say(WORDS.picture) });
    this.note = el("textarea", { oninput: () => this.#write(), onblur: () => this.#flush() });
    this.next = el("p", { className: "next" });
    document.body.replaceChildren(
      el(
        "header",
        {},
        this.title,
        el("span", {}, el("small", {}, `${say(WORDS.elapsed)} `), this.elapsed),
        el("span", {}, el("small", {}, `${say(WORDS.ofStep)} `), this.ofStep),
      ),
      el("div", { className: "picture" }, this.canvas),
      el("label", {}, say(WORDS.notes), this.note),
      el(
        "footer",
        {},
        this.next,
        button(WORDS.reset, () => this.#reset()),
        button(WORDS.back, () => show.on(-1)),
        button(WORDS.on, () => show.on(1)),
      ),
    );
    // A closing window may still receive "resize" events, so the listeners are removed by this signal.
    const { signal } = this.#ended;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    view.addEventListener("resize", () => this.#copy(), { signal });
    view.setInterval(() => this.#tick(), 250);
    // It may be closed by its own cross; the page that fills it may go.
    for (const each of [view, window]) each.addEventListener("pagehide", () => this.end(), { signal });
    this.#frames.observe({ type: "measure" });
    this.closed = closed;
    this.renew();
    view.focus();
  }

  focus() {
    this.#view.focus();
  }

  /** The step that is shown, or none, and what comes after it. */
  renew() {
    const at = this.#show.at;
    const step = steps.steps[at];
    const shown = step && `${at} ${step.hash}`;
    if (shown !== this.#step) {
      this.#flush();
      this.#stepBegun = performance.now();
      this.#step = shown;
    }
    const count = steps.steps.length;
    this.title.textContent = step ? say(WORDS.at, { step: at + 1, count, name: steps.name(step) }) : say(WORDS.free);
    this.note.disabled = !step;
    this.note.placeholder = step ? say(WORDS.write) : say(WORDS.keepFirst);
    if (!this.#writing) this.note.value = step?.note ?? "";
    this.note.dataset.at = at;
    const next = steps.steps[(at ?? -1) + 1];
    this.next.textContent = next ? say(WORDS.next, { name: steps.name(next) }) : say(WORDS.none);
    this.#tick();
    this.#copy();
  }

  #tick() {
    const now = performance.now();
    this.elapsed.textContent = clock(now - this.#begun);
    this.ofStep.textContent = clock(now - this.#stepBegun);
  }

  #reset() {
    this.#begun = this.#stepBegun = performance.now();
    this.#tick();
  }

  #write() {
    clearTimeout(this.#writing);
    this.#writing = setTimeout(() => this.#flush(), QUIET);
  }

  /** What has been written so far goes into the address. */
  #flush() {
    if (!this.#writing) return;
    clearTimeout(this.#writing);
    this.#writing = undefined;
    if (!steps.note(Number(this.note.dataset.at), this.note.value)) this.note.setCustomValidity(say(WORDS.long));
    else this.note.setCustomValidity("");
    this.note.reportValidity();
  }

  /** What the audience's canvases show, each in its place. */
  #copy() {
    const all = this.#show.canvases().filter((canvas) => canvas.width && canvas.height && canvas.offsetWidth);
    const places = all.map((canvas) => canvas.getBoundingClientRect());
    this.canvas.hidden = all.length === 0;
    if (!all.length) return;
    const left = Math.min(...places.map((place) => place.left));
    const top = Math.min(...places.map((place) => place.top));
    const width = Math.max(...places.map((place) => place.right)) - left;
    const height = Math.max(...places.map((place) => place.bottom)) - top;
    const room = this.canvas.parentElement;
    const scale =
      Math.min(room.clientWidth / width, room.clientHeight / height) * Math.min(2, this.#view.devicePixelRatio);
    if (!(scale > 0 && scale < Infinity)) return;
    const [across, down] = [Math.ceil(width * scale), Math.ceil(height * scale)];
    if (this.canvas.width !== across || this.canvas.height !== down) {
      Object.assign(this.canvas, { width: across, height: down });
      this.canvas.style.width = `${across / Math.min(2, this.#view.devicePixelRatio)}px`;
    }
    const context = this.canvas.getContext("2d");
    context.fillStyle = getComputedStyle(this.#show.root).getPropertyValue("--panel") || "#fff";
    context.fillRect(0, 0, across, down);
    for (const [i, { x, y, width, height }] of places.entries())
      context.drawImage(all[i], (x - left) * scale, (y - top) * scale, width * scale, height * scale);
  }

  #key(event) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#action(key, target);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #action(key, element) {
    if (key === "PageDown") return () => this.#show.on(1);
    if (key === "PageUp") return () => this.#show.on(-1);
    if (key === "Escape") return () => this.end();
    if (isField(element)) return;
    if (key === "ArrowRight" || (key === " " && element.localName !== "button")) return () => this.#show.on(1);
    if (key === "ArrowLeft") return () => this.#show.on(-1);
    if (key === "Home") return () => this.#show.go(0);
    if (key === "End") return () => this.#show.go(steps.steps.length - 1);
    if (keys.areOn() && (key === "b" || key === ".")) return () => this.#show.black();
  }

  /** Closes the window. */
  end() {
    if (this.#ended.signal.aborted) return;
    this.#flush();
    this.#ended.abort();
    this.#frames.disconnect();
    this.#view.close();
    this.closed();
  }
}
