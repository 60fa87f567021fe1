// Numbers in sentences that follow a figure: `data-shows` is a setting of the figure `data-figure`, such as "k", or a sum of
// settings, "pos+k". Those with `data-limits` set their setting as well: dragged sideways, or with keys. Without scripts
// they are plain numbers.
import { leaveText } from "./scenes.mjs";

/** Pixels of a drag to the next number. */
const STEP = 8;

/** Keys, and how many steps they go. */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

const figureOf = ({ dataset }) => document.getElementById(dataset.figure);
const isSlider = (number) => number.hasAttribute("role");
const limitsOf = ({ dataset }) => dataset.limits.split(" ").map(Number);

/** A sum of settings of a figure; NaN if the figure has not started and does not say them yet. */
const sumOf = (names, state) => names.split("+").reduce((sum, name) => sum + Number(state[name]), 0);

/** Sets the value of a slider. The figure itself can go beyond the limits, which are then as wide as the value. */
function tell(number, value) {
  const [low, high] = limitsOf(number);
  number.setAttribute("aria-valuemin", Math.min(low, value));
  number.setAttribute("aria-valuemax", Math.max(high, value));
  number.setAttribute("aria-valuenow", value);
}

/** Writes the current numbers of one figure. */
function write(figure) {
  for (const number of document.querySelectorAll(`[data-shows][data-figure="${figure.id}"]`)) {
    const value = sumOf(number.dataset.shows, figure.state);
    if (Number.isNaN(value)) continue;
    const text = String(value).replace("-", "−");
    // An unchanged text is left alone: it may be selected.
    if (number.textContent !== text) number.textContent = text;
    if (isSlider(number)) tell(number, value);
  }
}

const shownValue = (number) => Number(number.getAttribute("aria-valuenow"));

/** Sets the value within the limits. */
function set(number, value) {
  const [low, high] = ["min", "max"].map((end) => Number(number.getAttribute(`aria-value${end}`)));
  put(number, Math.max(low, Math.min(high, value)));
}

function put(number, next) {
  const figure = figureOf(number);
  if (next === shownValue(number)) return;
  leaveText(figure);
  figure.setState({ [number.dataset.shows]: next }, { moves: false });
  // A figure that has not started sends no event.
  write(figure);
}

function makeSlider(number) {
  const [low, high] = limitsOf(number);
  number.tabIndex = 0;
  number.setAttribute("role", "slider");
  number.setAttribute("aria-label", number.dataset.shows);
  number.setAttribute("aria-controls", number.dataset.figure);
  // What the text says holds until the figure tells its state.
  tell(number, Number(number.textContent));
  let from;
  // The value when the number was pressed or got the focus, which Escape restores if nothing else has changed it since.
  let before;
  let own;
  number.addEventListener("focus", () => (own = before = shownValue(number)));
  const change = (value) => {
    if (own !== shownValue(number)) before = shownValue(number);
    set(number, value);
    own = shownValue(number);
  };
  number.addEventListener("pointerdown", (event) => {
    if (event.button || !event.isPrimary) return;
    own = before = shownValue(number);
    from = { x: event.clientX, value: before };
    number.setPointerCapture(event.pointerId);
  });
  number.addEventListener("pointermove", ({ clientX }) => {
    if (from) change(from.value + Math.round((clientX - from.x) / STEP));
  });
  number.addEventListener("lostpointercapture", () => (from = undefined));
  number.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && own === shownValue(number) && own !== before) {
      event.preventDefault();
      event.stopPropagation();
      from = undefined;
      put(number, before);
      own = before;
      return;
    }
    const target = { Home: low, End: high }[event.key] ?? shownValue(number) + KEYS[event.key];
    if (Number.isNaN(target) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    change(target);
  });
}

export function start() {
  const update = () => {
    const numbers = [...document.querySelectorAll("[data-shows]")].filter(figureOf);
    for (const number of numbers) if (number.dataset.limits && !isSlider(number)) makeSlider(number);
    for (const figure of new Set(numbers.map(figureOf))) write(figure);
  };
  update();
  document.addEventListener("posenc:translated", update);
  for (const type of ["pe-ready", "pe-change"]) document.addEventListener(type, ({ target }) => write(target));
}
