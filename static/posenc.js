// Positional encodings as functions, and figures as <pe-figure> elements: the module that pages import.
import start, * as core from "./core/posenc.js";
import { arrived, assertLoaded, load, loadNow } from "./core/figures.mjs";
import { reason } from "./core/policy.mjs";
import * as recovery from "./recovery.mjs";
import { texts } from "./styles.mjs";

const { Inspection, Mounted } = core;

/** Wraps a function of the second half of the core; it throws until that is loaded. */
const checked =
  (compute) =>
  (...given) => {
    assertLoaded();
    return compute(...given);
  };
export const encode = checked(core.encode);
export const rotation = checked(core.rotation);
export const tableCsv = checked(core.tableCsv);
export const tableNpy = checked(core.tableNpy);
export class TableFile extends core.TableFile {
  constructor(options, format) {
    assertLoaded();
    super(options, format);
  }
}

let started;

/** Starts the first half of the core, once: what a figure needs until it comes near the viewport. */
function startCore(source) {
  started ??= start(source === undefined ? undefined : { module_or_path: source }).catch(async (error) => {
    started = undefined;
    throw await reason(error);
  });
  return started;
}

/** Loads the core, once; `source` may be an address, a response, bytes or a compiled module of its first half. */
export default async function init(source) {
  const exports = await startCore(source);
  await load();
  return exports;
}

/** An older name of `init`. */
export const loadFigures = () => init();

/** Milliseconds of work before control returns to the page. */
const SLICE = 12;

/** Identifies the encoding of a table and its errors: returns what `posenc inspect --json` prints, as an object. */
export async function inspect(array, { shape, lang = "en", onprogress, signal } = {}) {
  await init();
  const inspection = new Inspection(array, shape);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const begun = performance.now();
      let now;
      do now = inspection.step(lang);
      while (typeof now === "number" && performance.now() - begun < SLICE);
      if (typeof now === "string") return JSON.parse(now);
      onprogress?.(now);
      await new Promise((go) => setTimeout(go));
    }
  } finally {
    inspection.free();
  }
}

/** Whether a figure has been added to the page. */
let figures = false;

// Without its style sheet a figure is plain but works.
const sheets = [];
let styled;

function style() {
  styled ??= texts().then(
    ([theme, figure]) => {
      // Isolates the figure from the page's type, colours and sizes, and from its rem, which may have any size.
      const colours = theme
        .replaceAll(":root", ".figure")
        .replace(/--accent:\s*(#\w+)/g, "--accent: var(--pe-accent, $1)");
      const own = figure.replace(/([\d.]+)rem(?![^{};]*\{)/g, "calc($1 * var(--pe-unit))");
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        `:host { display: block; } .figure { all: initial; direction: ltr; unicode-bidi: isolate; }\n${colours}${own}`,
      );
      sheets.push(sheet);
    },
    // Navigation away from the loading page also ends here; timers do not run any more then, so nothing is logged.
    (error) => setTimeout(() => console.warn(`posenc: ${error}`), 200),
  );
  return styled;
}

/** Messages that have been logged to the console. */
const failures = new Set();

const STOPPED = "the figure has failed again and stopped";
const NOT_STARTED = { en: "This figure could not be started: ", zh: "此图未能启动：" };
const FAILED_AGAIN = {
  en: "This figure has failed again and stopped. Load the page again.",
  zh: "此图再次出错，已停止。请重新加载页面。",
};

const snake = (name) => name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
// Attributes that the figure itself sets on its element, those that belong to the page, and properties that a framework writes
// as attributes before the element is defined.
const foreign = /^(style|class|id|slot|part|hidden|tabindex|loading|is|data-.*|aria-.*|on.*|state|playing|drawn)$/;

/**
 * Stops the propagation of a key that a control handles, so that it does not trigger the page's shortcuts. PageUp and PageDown
 * pass, since presentation remotes send them, and so does Escape.
 */
function stopHandledKey(event) {
  const [at] = event.composedPath();
  if (event.ctrlKey || event.metaKey || event.altKey || /^(Page|Escape|Tab|F\d)/.test(event.key)) return;
  const is = (selector, keys = /^/) => at.matches?.(selector) && keys.test(event.key);
  if (
    event.defaultPrevented ||
    is("input:not([type=range], [type=checkbox], [type=file]), select, textarea") ||
    is("input[type=range]", /^(Arrow|Home|End)/) ||
    is("a, button, summary, input[type=checkbox]", /^(Enter| )$/)
  ) {
    event.stopPropagation();
  }
}

/** WebKit accepts full-width digits in a number input but then reads it as empty, so the ASCII ones are inserted instead. */
function insertAsciiDigits(event) {
  const [at] = event.composedPath();
  const text = event.data?.replace(/[０-９．－＋]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
  if (!text || text === event.data || !event.cancelable || event.defaultPrevented || at.type !== "number") return;
  event.preventDefault();
  document.execCommand("insertText", false, text);
}

class Figure extends (globalThis.HTMLElement ?? class {}) {
  #mounted;
  #observer;
  #waiting;
  // What was set before the figure has started, or between a failure and the restart: settings, and a file.
  #given;
  #file;
  #changing = false;
  // Restores the figure when it is inserted again or after a failure of the core: the last reported settings, and the
  // focused control.
  #settings;
  #restoreFocus;
  #unregister;

  constructor() {
    super();
    this.addEventListener("keydown", stopHandledKey);
    this.addEventListener("beforeinput", insertAsciiDigits);
    // Properties assigned before the element was defined would hide those of the class.
    for (const name of Object.keys(this).filter((name) => Object.hasOwn(Figure.prototype, name))) {
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  connectedCallback() {
    if (!this.#observer) {
      this.#observer = new MutationObserver((records) => this.#attributes(records));
      this.#observer.observe(this, { attributes: true });
    }
    if (this.#mounted || this.#waiting) return;
    if (this.getAttribute("loading") === "lazy") {
      this.#waiting = new IntersectionObserver(([entry]) => entry.isIntersecting && this.#mount(), {
        rootMargin: "75% 0px",
      });
      this.#waiting.observe(this);
    } else {
      this.#mount();
    }
  }

  disconnectedCallback() {
    // A moved element keeps its figure; one that is inserted again later keeps its settings.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#waiting?.disconnect();
      this.#waiting = undefined;
      if (this.#mounted) this.#settings = this.#mounted.state();
      this.#mounted?.disconnected();
      this.#mounted?.free();
      this.#mounted = undefined;
      this.#unregister?.();
      this.#unregister = undefined;
    });
  }

  async #mount() {
    this.#waiting?.disconnect();
    this.#waiting = undefined;
    try {
      await Promise.all([startCore(), style()]);
      if (!this.isConnected || this.#mounted || this.#unregister) return;
      if (recovery.stopped) throw new Error(STOPPED);
      this.#unregister = recovery.register({
        onCrash: () => this.#onCrash(),
        onRestart: (notice) => this.#onRestart(notice),
        onGiveUp: (notice) => this.#onGiveUp(notice),
      });
      this.#createFigure();
    } catch (error) {
      // If the core has failed, recovery restores the figure with everything else.
      if (this.#unregister && (await recovery.checkHealth())) return;
      this.#unregister?.();
      this.#unregister = undefined;
      this.#failed(error.message ?? String(error));
    }
  }

  /** Shows the reason why the figure cannot start, above the element's own content. */
  #failed(words) {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" }).append(document.createElement("slot"));
    this.#note(NOT_STARTED, words);
    this.#report(words);
  }

  #report(words) {
    if (!failures.has(words)) console.error(`posenc: ${words}`);
    failures.add(words);
    this.#dispatch("error", words);
  }

  /** Reports what cannot be set, where an exception would reach none but the framework that has assigned it. */
  async #refused(error) {
    // If the core has failed, recovery restores the figure.
    if (!(await recovery.checkHealth())) this.#report(error.message ?? String(error));
  }

  /** Adds a message above the figure; works without core and style sheet. */
  #note(texts, detail = "") {
    const note = document.createElement("p");
    note.setAttribute("role", "alert");
    note.dir = "ltr";
    note.style.cssText = "padding: 0.5rem; border: 2px solid";
    const lang = /^zh/i.test(this.closest("[lang]")?.lang || navigator.language) ? "zh" : "en";
    note.textContent = texts[lang] + detail;
    this.shadowRoot.prepend(note);
  }

  /**
   * Passes on the page's custom properties for accent and font, since style sheets do not apply to the picture on the
   * canvas.
   */
  #applyCustomStyle() {
    const style = getComputedStyle(this);
    const said = style.getPropertyValue("--pe-accent").trim();
    const accent = said && CSS.supports("color", said) ? hex(said) : "";
    this.#mounted?.setCustomStyle(accent, style.getPropertyValue("--pe-font").trim());
  }

  #createFigure() {
    figures = true;
    this.#mounted = new Mounted(this, (what, words) => this.#dispatch(what, words), this.#settings);
    // Deferred until all figures that start in this task exist: each read after a change makes the browser recompute styles.
    queueMicrotask(() => this.#applyCustomStyle());
    if (this.shadowRoot) this.shadowRoot.adoptedStyleSheets = sheets;
    const [given, file] = [this.#given, this.#file];
    this.#given = this.#file = undefined;
    try {
      if (given) this.#mounted.setState(given, true);
      if (file) this.#mounted.open(file);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Called when the core has failed, which loses its part of this figure. */
  #onCrash() {
    this.#mounted = undefined;
    this.#restoreFocus = recovery.rememberFocus(this.shadowRoot?.activeElement);
  }

  #onRestart(notice) {
    if (!this.isConnected) return;
    this.#dispatch("error", "the figure has failed and starts again");
    // The reserved height keeps the page around the figure in place.
    if (this.offsetHeight) this.style.minHeight = `${this.offsetHeight}px`;
    const wasMounted = this.hasAttribute("data-mounted");
    this.#createFigure();
    if (notice.due && wasMounted) {
      notice.due = false;
      this.#mounted.sayRestarted();
    }
  }

  /** Called after a repeated failure: the picture on the screen stays, with a message above it unless the page has one. */
  #onGiveUp(notice) {
    this.#dispatch("error", STOPPED);
    if (notice.due && this.shadowRoot) this.#note(FAILED_AGAIN);
  }

  /** Applies the attributes that have been written in this task, of which the observer tells only after it. */
  #readAttributes() {
    const records = this.#observer?.takeRecords();
    if (records?.length) this.#attributes(records);
  }

  #attributes(records) {
    if (records.some(({ attributeName }) => /^(style|class)$/.test(attributeName))) this.#applyCustomStyle();
    for (const name of new Set(records.map((record) => record.attributeName))) {
      if (foreign.test(name)) continue;
      if (this.#mounted) this.#mounted.attributeChanged(snake(name), this.getAttribute(name) ?? undefined);
      else this.#rewritten(snake(name));
    }
  }

  /** An attribute written while the figure is not mounted takes precedence over a kept setting, and over one set before. */
  #rewritten(name) {
    delete this.#given?.[name];
    if (name === "view") this.#settings = undefined;
    else if (this.#settings) delete this.#settings[name];
  }

  /**
   * Event callback of the core, which is still borrowed: events are dispatched in a microtask, and several changes as one
   * event.
   */
  #dispatch(what, words) {
    if (what === "wanted") {
      // Until the code is loaded, and if that fails, the element's own content is shown.
      queueMicrotask(() => load().catch((error) => this.#dispatch("error", error.message ?? String(error))));
      return;
    }
    if (what === "change") {
      if (this.#changing) return;
      this.#changing = true;
    }
    queueMicrotask(() => {
      if (what === "change") this.#changing = false;
      const { state } = this;
      if (this.#mounted && what !== "error") this.#settings = state;
      const detail = what === "error" ? { message: words, state } : { state };
      if (what === "ready") {
        this.#restoreFocus?.(this.shadowRoot);
        this.#restoreFocus = undefined;
      }
      this.dispatchEvent(new CustomEvent(`pe-${what}`, { bubbles: true, composed: true, detail }));
    });
  }

  /** Saves the settings at once, since the core may fail before the change event is dispatched. */
  #remember() {
    this.#settings = this.#mounted.state() ?? this.#settings;
  }

  #now() {
    this.#readAttributes();
    if (!this.#mounted) throw new Error("the figure has not started yet: wait for pe-ready");
    return this.#mounted;
  }

  /** The mounted figure, for methods that need its picture or computed values: throws until the code of the figures is loaded. */
  #shown() {
    const mounted = this.#now();
    if (!arrived()) throw new Error("no figure has been shown yet: wait for pe-ready");
    return mounted;
  }

  /** The settings with their values; before the figure has started, its attributes. */
  get state() {
    this.#readAttributes();
    // After a failure that has not been handled yet, the core returns nothing.
    const state = this.#mounted?.state();
    if (state) return state;
    const attributes = [...this.attributes].filter(({ name }) => !foreign.test(name));
    const written = attributes.map(({ name, value }) => [snake(name), value]);
    return { ...(this.#settings ?? Object.fromEntries(written)), ...this.#given };
  }

  /**
   * Sets what differs, as `setState` does, for frameworks that pass properties. They also assign undefined, null or "" to take
   * one away, and give back the state of every "pe-change".
   */
  set state(settings) {
    if (!settings || typeof settings !== "object") return;
    try {
      const { state } = this;
      const changes = Object.entries(settings).filter(([name, value]) => state[snake(name)] !== value);
      if (changes.length) this.setState(Object.fromEntries(changes));
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Whether the picture on the screen matches the settings; also true while the figure is far from the viewport. */
  get drawn() {
    return this.#mounted?.drawn ?? false;
  }
  set drawn(_) {
    // Frameworks may assign it.
  }

  setState(changes, { moves = true } = {}) {
    this.#readAttributes();
    if (this.#mounted?.setState(changes, moves)) return this.#remember();
    const given = Object.fromEntries(Object.entries(changes).map(([name, value]) => [snake(name), value]));
    // Another view begins with its own settings.
    const turns = given.view !== undefined && given.view !== this.state.view;
    this.#given = turns ? given : { ...this.#given, ...given };
  }

  reset() {
    if (this.#mounted) {
      this.#mounted.reset();
      return this.#remember();
    }
    this.#settings = this.#given = this.#file = undefined;
  }

  /** Opens a file or another Blob in a figure that inspects tables. */
  open(file) {
    if (this.#mounted) this.#mounted.open(file);
    else this.#file = file;
  }

  get playing() {
    return this.#mounted?.playing ?? false;
  }
  set playing(_) {
    // Frameworks may assign it.
  }

  play() {
    return this.#now().play();
  }

  pause() {
    this.#mounted?.pause();
  }

  step(by = 1) {
    const stepped = this.#now().step(by);
    this.#remember();
    return stepped;
  }

  /** The picture as PNG, with `scale` pixels per CSS pixel. */
  async toBlob({ scale = 1 } = {}) {
    if (!(scale > 0 && scale <= 8)) throw new Error("scale must be a number above 0, up to 8");
    this.#now();
    await load();
    const canvas = this.#now().picture(scale);
    if (!canvas) throw new Error("this figure has no picture");
    return blob(canvas);
  }

  /** The picture as SVG, with its labels as text. */
  toSVG() {
    const svg = this.#shown().svg();
    if (!svg) throw new Error("this figure has no picture");
    return svg;
  }

  /** The encoding of the figure's settings as CSV, or the table that the figure has learned so far. */
  toCSV(options) {
    const learned = this.#shown().table("csv", options?.dtype ?? "float32");
    return learned ? new TextDecoder().decode(learned) : tableCsv(tableOptions(this.#now().state(), options));
  }

  /** What a figure that trains something has measured so far, as CSV. */
  measurements() {
    const measured = this.#shown().measurements();
    if (measured === undefined) throw new Error("this figure has measured nothing so far");
    return measured;
  }

  /** The same table as NumPy's .npy: 32-bit floats, or 64-bit floats with `dtype: "float64"`. */
  toNPY(options) {
    const learned = this.#shown().table("npy", options?.dtype ?? "float32");
    return new Blob([learned ?? tableNpy(tableOptions(this.#now().state(), options))]);
  }
}

// Frameworks assign a property where the element has one of that name: an attribute such as `step`, the setting, is written as an
// attribute and does not replace the method.
for (const [name, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(Figure.prototype))) {
  if (typeof method !== "function" || /^constructor$|Callback$/.test(name)) continue;
  Object.defineProperty(Figure.prototype, name, {
    get: () => method,
    set(value) {
      if (value === undefined || value === null || value === "") this.removeAttribute(name);
      else if (typeof value !== "function") this.setAttribute(name, value);
    },
  });
}

/** Returns the options for `encode` and for table files from a figure's settings. */
export function tableOptions(
  { d_model: dModel, max_len: maxLen, encoding = "sinusoidal", base = 10000, layout = "interleaved" },
  { dtype = "float32" } = {},
) {
  if (dModel === undefined || maxLen === undefined)
    throw new Error("this figure has no table: it has no d_model and max_len");
  return { dModel, maxLen, encoding, base, layout, dtype };
}

/** A CSS colour as a canvas serializes it: #rrggbb if it is opaque. */
function hex(colour) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return "";
  context.fillStyle = colour;
  return context.fillStyle;
}

/** Encodes a canvas as PNG. */
function blob(canvas) {
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot make the image"))),
      "image/png",
    ),
  );
}

export { Figure as PeFigure };

/**
 * Watches the device pixel ratio and dispatches "resize" when it changes: a move to another screen does not change the
 * window's size.
 */
function follow() {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
    "change",
    () => {
      follow();
      dispatchEvent(new Event("resize"));
    },
    { once: true },
  );
}

if (globalThis.customElements && !customElements.get("pe-figure")) {
  customElements.define("pe-figure", Figure);
  follow();
  addEventListener("beforeprint", () => {
    if (!figures || arrived()) return;
    try {
      loadNow();
    } catch (error) {
      console.warn(`posenc: figures are printed as their sentences: ${error}`);
    }
  });
  document.getElementById("posenc")?.addEventListener("beforeinput", insertAsciiDigits);
}
