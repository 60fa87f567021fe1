// Animations: one frame for each value of a setting, drawn by a temporary figure, so that the visible one stays unchanged.
import { Apng } from "./apng.mjs";
import { el } from "./dialog.mjs";
import { elementFields, missingSettings } from "./handed-out.mjs";
import { bench } from "./target.mjs";
import { SAVE, say } from "./words.mjs";

/** The width of a figure on a page, in CSS pixels. */
const WIDTH = 720;
const WIDTHS = [480, 720, 1080];
const MAX_FRAMES = 200;
/** The time limit in milliseconds for drawing a frame. */
const DRAW_TIMEOUT_MS = 20_000;
/** Milliseconds of work before control returns to the page. */
const SLICE_MS = 8;
const PAGE = ["view", "lang", "theme", "hide", "lock"];

/** Polls `condition` until it is truthy and returns its value; throws after `DRAW_TIMEOUT_MS`, or once `signal` is aborted. */
async function waitFor(condition, signal) {
  for (const until = performance.now() + DRAW_TIMEOUT_MS; ; ) {
    signal.throwIfAborted();
    const value = condition();
    if (value) return value;
    if (performance.now() > until) throw new Error(say(SAVE.notDrawn));
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
}

/** Returns an async function to await between pieces of work: it yields to the page after `SLICE_MS` of work. */
function yielder(signal) {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    begun = performance.now();
  };
}

/** Returns the numeric fields of a view of a target with their labels and limits. */
function fields(target, view) {
  const root = target === bench ? target.element : target.element.shadowRoot;
  const { state } = target;
  const known = elementFields(target, view);
  return [...root.querySelectorAll("[data-control] input[type=number][name]")]
    .filter(({ name }) => typeof state[name] === "number" && known.includes(name))
    .map((input) => {
      const name = input.closest("[data-control]").querySelector(".name, label");
      const called = [...name.children].map((part) => part.textContent).join(" ");
      return { name: input.name, called, least: Number(input.min), most: Number(input.max), step: input.step };
    });
}

/** The initial range: for `k`, from 0 to 12; for any other field, 20 from its minimum; within the field's limits. */
function proposed({ name, least, most }) {
  const from = name === "k" ? Math.max(0, least) : least;
  return { from, to: Math.min(most, from + (name === "k" ? 12 : 20)) };
}

/** Returns the values from one number to another; undefined if they are too many. */
function values(from, to, step) {
  const count = Math.floor(Math.abs(to - from) / step + 1e-9) + 1;
  if (count > MAX_FRAMES) return;
  const by = to < from ? -step : step;
  return Array.from({ length: count }, (_, i) => Number((from + i * by).toFixed(9)));
}

/** Adds the figure to be recorded to `box`, which shows it reduced; `stop` removes it. `settings` are those of the target that it has. */
async function stage(target, view, box, signal) {
  const theme = target === bench ? target.state.theme : target.element.getAttribute("theme");
  const figure = el("pe-figure", { view, controls: "none", ...(theme && { theme }) });
  figure.style.cssText = `width: ${WIDTH}px; padding: 0; border: 0; --pe-padding: 0; transform-origin: 0 0; pointer-events: none`;
  figure.inert = true;
  box.append(figure);
  await waitFor(() => figure.shadowRoot && figure.hasAttribute("data-mounted"), signal);
  const settings = Object.entries(target.state).filter(([name]) => !PAGE.includes(name) && name in figure.state);
  const fit = () => {
    const scale = Math.min(1, box.clientWidth / WIDTH);
    figure.style.transform = `scale(${scale})`;
    box.style.height = `${scale * figure.offsetHeight}px`;
  };
  const sizes = new ResizeObserver(() => requestAnimationFrame(fit));
  sizes.observe(figure);
  return { figure, settings: Object.fromEntries(settings), stop: () => (sizes.disconnect(), figure.remove()) };
}

/** Copies each frame to a canvas of the size of the largest, filled with the colour of its corner if the frame is smaller. */
class Sheet {
  #canvas = el("canvas", { width: 0, height: 0 });
  #context = this.#canvas.getContext("2d", { willReadFrequently: true });

  /** Makes the canvas as large as this PNG file, whose header has its size. */
  async include(file) {
    const size = new DataView(await file.slice(16, 24).arrayBuffer());
    const { width, height } = this.#canvas;
    this.#canvas.width = Math.max(width, size.getUint32(0));
    this.#canvas.height = Math.max(height, size.getUint32(4));
  }

  /** Returns whether the frame is as large as the canvas. */
  async draw(file) {
    const image = await createImageBitmap(file);
    const { width, height } = this.#canvas;
    const isSame = image.width === width && image.height === height;
    if (!isSame) this.#context.drawImage(image, 0, image.height - 1, 1, 1, 0, 0, width, height);
    this.#context.drawImage(image, 0, 0);
    image.close();
    return isSame;
  }

  get pixels() {
    return this.#context.getImageData(0, 0, this.#canvas.width, this.#canvas.height);
  }

  file() {
    return new Promise((resolve) => this.#canvas.toBlob(resolve, "image/png"));
  }
}

/**
 * Records an animation of a target: `format` is "gif" or "png", `name` the field, `values` its value in each frame, `delay`
 * the duration of a frame in milliseconds, `width` the width in pixels. `report` is called with the number of frames done; a
 * GIF, whose palette is chosen first, counts each frame twice.
 */
export async function recordAnimation(target, view, { format, name, values, delay, width }, { box, report, signal }) {
  const { figure, settings, stop } = await stage(target, view, box, signal);
  const yieldToPage = yielder(signal);
  const sheet = new Sheet();
  try {
    const files = [];
    for (const value of values) {
      // With the others, which a value before may have limited.
      figure.setState({ ...settings, [name]: value });
      await waitFor(() => figure.drawn, signal);
      const file = await figure.toBlob({ scale: width / WIDTH });
      await sheet.include(file);
      files.push(file);
      report(files.length);
      await yieldToPage();
    }
    if (format === "png") {
      const apng = new Apng(files.length, delay);
      for (const file of files) {
        await apng.add((await sheet.draw(file)) ? file : await sheet.file());
        await yieldToPage();
      }
      return apng.finish();
    }
    const { Gif } = await import("./gif.mjs");
    const gif = new Gif(delay);
    for (const file of files) {
      await sheet.draw(file);
      await gif.count(sheet.pixels, yieldToPage);
    }
    for (const [done, file] of files.entries()) {
      await sheet.draw(file);
      await gif.add(sheet.pixels, yieldToPage);
      report(files.length + done + 1);
    }
    return gif.finish();
  } finally {
    stop();
  }
}

/** Returns this part of the save dialog for a view: which setting to vary and how; `save` writes a file with this name. */
export function animationForm(target, view, save) {
  const all = fields(target, view);
  if (!all.length) return [el("p", {}, say(SAVE.noMotion))];
  const number = (label, more) => {
    const input = el("input", { type: "number", ...more });
    return [el("label", { className: "kit-number" }, say(label), input), input];
  };
  const which = el(
    "select",
    { "aria-label": say(SAVE.sweep) },
    ...all.map(({ name, called }) => el("option", { value: name }, called)),
  );
  which.value = (all.find(({ name }) => name === "k") ?? all[0]).name;
  const [fromLabel, from] = number(SAVE.from);
  const [toLabel, to] = number(SAVE.to);
  const [stepLabel, step] = number(SAVE.step, { value: "1", min: "0" });
  const [delayLabel, delay] = number(SAVE.delay, { value: "0.4", min: "0.02", max: "10", step: "any" });
  const size = el(
    "select",
    { "aria-label": say(SAVE.across) },
    ...WIDTHS.map((width) => el("option", { value: width }, say(SAVE.pixels, { width }))),
  );
  size.value = WIDTH;
  const count = el("p", { className: "kit-note", role: "status" });
  const field = () => all.find(({ name }) => name === which.value);

  /** Returns the chosen values; undefined if they are invalid. */
  function wish() {
    const numbers = [from, to, step, delay];
    if (numbers.some((input) => input.value === "" || !input.checkValidity()) || !(Number(step.value) > 0)) return;
    const list = values(Number(from.value), Number(to.value), Number(step.value));
    if (!list) return;
    return {
      name: which.value,
      values: list,
      delay: Math.round(Number(delay.value) * 1000),
      width: Number(size.value),
    };
  }
  const button = (words, note, format) =>
    el(
      "button",
      {
        type: "button",
        className: "kit-file",
        onclick: () => {
          const asked = wish();
          const file = `posenc-${view}-${which.value}.${format}`;
          if (asked) save(file, asked.values.length * (format === "gif" ? 2 : 1), { ...asked, format });
        },
      },
      words,
      el("small", {}, note),
    );
  const buttons = [button("GIF", say(SAVE.gif), "gif"), button("APNG", say(SAVE.apng), "png")];

  function update() {
    const asked = wish();
    count.textContent = asked
      ? say(SAVE.frames, { frames: asked.values.length, seconds: (asked.values.length * asked.delay) / 1000 })
      : say(SAVE.noFrames, { most: MAX_FRAMES });
    for (const each of buttons) each.disabled = !asked;
  }
  function propose() {
    const { least, most, step: grain, ...rest } = field();
    for (const input of [from, to]) Object.assign(input, { min: least, max: most, step: grain || "any" });
    const { from: first, to: last } = proposed({ ...rest, least, most });
    Object.assign(from, { value: first });
    Object.assign(to, { value: last });
    step.step = grain || "any";
    update();
  }
  which.onchange = propose;
  for (const input of [from, to, step, delay]) input.oninput = update;
  propose();
  const missing = missingSettings(target, view);
  return [
    el("div", { className: "kit-row" }, which, fromLabel, toLabel, stepLabel, delayLabel, size),
    ...(missing.length ? [el("p", { className: "kit-note" }, say(SAVE.left, { names: missing.join(", ") }))] : []),
    count,
    el("div", { className: "kit-row" }, ...buttons),
  ];
}
