// The speaker's window: notes, the next step, a clock, and a copy of the picture that the audience sees. It is an empty
// window that this page fills and listens to, so no messages are needed: this also works from a local folder (file:) and in
// the single file.
import { el } from "./dialog.mjs";
import * as keys from "./keys.mjs";
import { isComposing, isField } from "./parts.mjs";
import * as steps from "./steps.mjs";
import { SPEAKER as WORDS, say } from "./words.mjs";

/** Milliseconds between the last change of a note and its write to the address. */
const SAVE_DELAY_MS = 600;

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

/** Formats milliseconds as minutes and seconds. */
function clock(time) {
  const seconds = Math.max(0, Math.floor(time / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Opens the window for a presentation; `undefined` if the browser blocks it. The caller must call `render` when the step or
 * the list has changed, and `close` at the end. `presentation` has its `root`, `currentIndex` (of the step that is shown),
 * `advance(by)`, `goTo(index)`, `toggleBlackout()` and `canvases()`; `onClose` is called once the window is closed.
 */
export function open(presentation, onClose) {
  try {
    const view = window.open("", "", "popup,width=1120,height=680");
    // A frame may be able to open windows that it cannot write to.
    return view?.document ? new Speaker(view, presentation, onClose) : undefined;
  } catch {
    return undefined;
  }
}

class Speaker {
  #view;
  #presentation;
  #startTime = performance.now();
  #stepStartTime = performance.now();
  #shownStep;
  #saveTimer;
  #frames = new PerformanceObserver((list) => list.getEntriesByName("posenc:frame").length && this.#copyPicture());
  #abort = new AbortController();

  constructor(view, presentation, onClose) {
    this.#view = view;
    this.#presentation = presentation;
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
    this.note = el("textarea", {
      maxLength: steps.LONGEST_NOTE,
      oninput: () => this.#saveSoon(),
      onblur: () => this.#saveNow(),
    });
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
        button(WORDS.reset, () => this.#resetClocks()),
        button(WORDS.back, () => presentation.advance(-1)),
        button(WORDS.on, () => presentation.advance(1)),
      ),
    );
    // A closing window may still receive "resize" events, so the listeners are removed by this signal.
    const { signal } = this.#abort;
    document.addEventListener("keydown", (event) => this.#key(event), { signal });
    view.addEventListener("resize", () => this.#copyPicture(), { signal });
    view.setInterval(() => this.#renderClocks(), 250);
    // The user may close this window, or leave the page that fills it.
    for (const each of [view, window]) each.addEventListener("pagehide", () => this.close(), { signal });
    this.#frames.observe({ type: "measure" });
    this.onClose = onClose;
    this.render();
    view.focus();
  }

  focus() {
    this.#view.focus();
  }

  /** Updates everything that depends on the list of steps and on the step that is shown, if any. */
  render() {
    const index = this.#presentation.currentIndex;
    const step = steps.steps[index];
    const shown = step && `${index} ${step.hash}`;
    if (shown !== this.#shownStep) {
      this.#saveNow();
      this.#stepStartTime = performance.now();
      this.#shownStep = shown;
    }
    const count = steps.steps.length;
    this.title.textContent = step
      ? say(WORDS.at, { step: index + 1, count, name: steps.nameOf(step) })
      : say(WORDS.free);
    this.note.disabled = !step;
    this.note.placeholder = step ? say(WORDS.write) : say(WORDS.keepFirst);
    if (!this.#saveTimer) this.note.value = step?.note ?? "";
    this.note.dataset.at = index;
    const next = steps.steps[(index ?? -1) + 1];
    this.next.textContent = next ? say(WORDS.next, { name: steps.nameOf(next) }) : say(WORDS.none);
    this.#renderClocks();
    this.#copyPicture();
  }

  #renderClocks() {
    const now = performance.now();
    this.elapsed.textContent = clock(now - this.#startTime);
    this.ofStep.textContent = clock(now - this.#stepStartTime);
  }

  #resetClocks() {
    this.#startTime = this.#stepStartTime = performance.now();
    this.#renderClocks();
  }

  #saveSoon() {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.#saveNow(), SAVE_DELAY_MS);
  }

  /** Writes the current note to the address. */
  #saveNow() {
    if (!this.#saveTimer) return;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = undefined;
    if (!steps.setNote(Number(this.note.dataset.at), this.note.value)) this.note.setCustomValidity(say(WORDS.long));
    else this.note.setCustomValidity("");
    this.note.reportValidity();
  }

  /** Copies the audience's canvases, each at its position. */
  #copyPicture() {
    const all = this.#presentation.canvases().filter((canvas) => canvas.width && canvas.height && canvas.offsetWidth);
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
    context.fillStyle = getComputedStyle(this.#presentation.root).getPropertyValue("--panel") || "#fff";
    context.fillRect(0, 0, across, down);
    for (const [i, { x, y, width, height }] of places.entries())
      context.drawImage(all[i], (x - left) * scale, (y - top) * scale, width * scale, height * scale);
  }

  #key(event) {
    const { key, target } = event;
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#action(key, target);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #action(key, element) {
    if (key === "PageDown") return () => this.#presentation.advance(1);
    if (key === "PageUp") return () => this.#presentation.advance(-1);
    if (key === "Escape") return () => this.close();
    if (isField(element)) return;
    if (key === "ArrowRight" || (key === " " && element.localName !== "button"))
      return () => this.#presentation.advance(1);
    if (key === "ArrowLeft") return () => this.#presentation.advance(-1);
    if (key === "Home") return () => this.#presentation.goTo(0);
    if (key === "End") return () => this.#presentation.goTo(steps.steps.length - 1);
    if (keys.areOn() && (key === "b" || key === ".")) return () => this.#presentation.toggleBlackout();
  }

  /** Closes the window. */
  close() {
    if (this.#abort.signal.aborted) return;
    this.#saveNow();
    this.#abort.abort();
    this.#frames.disconnect();
    this.#view.close();
    this.onClose();
  }
}
