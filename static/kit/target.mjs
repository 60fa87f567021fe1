// Targets that can be shared, saved, presented and controlled from outside: the bench of this page or one figure, with one
// interface.
import {
  benchLink,
  benchPicture,
  benchState,
  benchSvg,
  isBenchDrawn,
  playBench,
  resetBench,
  setBenchState,
  stepBench,
  tableCsv,
  tableNpy,
} from "../core/posenc.js";
import { load } from "../core/figures.mjs";
import { tableOptions } from "../posenc.js";

/** The pictures of the bench, by the names of their views. */
export const pictures = ["heatmap", "waves", "rotation"];

const page = () => location.href.split("#")[0];

/** Encodes a canvas as PNG. */
const blob = (canvas) =>
  new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the browser cannot make the image"))),
      "image/png",
    ),
  );

const shown = () => (pictures.includes(benchState().view) ? benchState().view : "heatmap");

/** The bench, whichever of its views the page shows. */
export const bench = {
  element: document.getElementById("posenc"),
  get state() {
    return benchState();
  },
  get drawn() {
    return isBenchDrawn();
  },
  setState: setBenchState,
  reset: resetBench,
  play: () => (playBench(true), true),
  pause: () => playBench(false),
  step: (by = 1) => (stepBench(by), true),
  /** Returns one of the bench's pictures as PNG. */
  async toBlob({ scale = 1, view = shown() } = {}) {
    await load();
    const canvas = benchPicture(view, scale);
    if (!canvas) throw new Error(`${view} has no picture on this page`);
    return blob(canvas);
  },
  /** Returns one of the bench's pictures as SVG. */
  async toSVG({ view = shown() } = {}) {
    await load();
    const svg = benchSvg(view);
    if (!svg) throw new Error(`${view} has no picture on this page`);
    return svg;
  },
  /** Returns the table of the encoding as CSV. */
  async toCSV(options) {
    await load();
    return tableCsv(tableOptions(benchState(), options));
  },
  async toNPY(options) {
    await load();
    return new Blob([tableNpy(tableOptions(benchState(), options))]);
  },
  /** Returns the address of the current state. */
  link: () => benchLink(),
  /** Calls `changed` after changes, debounced; returns a function that removes the listener. */
  watch(changed) {
    document.addEventListener("posenc:change", changed);
    return () => document.removeEventListener("posenc:change", changed);
  },
};

/** Returns the target for a `<pe-figure>` of this page. */
export const figureTarget = (element) => ({
  element,
  get state() {
    return element.state;
  },
  get drawn() {
    return isBenchDrawn() && element.drawn;
  },
  setState: (changes) => element.setState(changes),
  reset: () => element.reset(),
  play: () => element.play(),
  pause: () => element.pause(),
  step: (by = 1) => element.step(by),
  toBlob: (options) => element.toBlob(options),
  toSVG: () => element.toSVG(),
  toCSV: (options) => element.toCSV(options),
  toNPY: (options) => element.toNPY(options),
  measurements: () => element.measurements(),
  link: () =>
    page() +
    (element.shadowRoot?.querySelector("[data-act=link]")?.getAttribute("href") ?? `#view=${element.state.view}`),
  watch(changed) {
    element.addEventListener("pe-change", changed);
    return () => element.removeEventListener("pe-change", changed);
  },
});

/** The main target of the page: the figure that it shows alone, or else the bench. */
export function currentTarget() {
  const alone = document.querySelector("#posenc[data-alone] .alone > pe-figure");
  return alone ? figureTarget(alone) : bench;
}

/** The language of the page. */
export const lang = () => (document.documentElement.lang === "zh" ? "zh" : "en");
