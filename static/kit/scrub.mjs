// Numbers in sentences that follow a figure: `data-shows` has settings of the figure `data-figure`, such as "k", or a sum
// of multiples of them, such as "2pair+1". Those with `data-limits` set their setting as well: dragged sideways, or with
// keys. Without scripts they are plain numbers.
import { leaveText } from "./scenes.mjs";

/** Pixels of a drag to the next number. */
const STEP = 8;

/** Keys, and how many steps they go. */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

const figureOf = ({ dataset }) => document.getElementById(dataset.figure);
const limitsOf = ({ dataset }) => dataset.limits.split(" ").map(Number);

/** The value of a sum such as "2pair+1" in a state of a figure. */
function evaluate(sum, state) {
  const terms = [...sum.matchAll(/(\d*)([a-z_]*)\+?/g)].filter(([term]) => term);
  return terms.reduce((total, [, factor, name]) => total + Number(factor || 1) * (name ? state[name] : 1), 0);
}

/** Writes the current numbers of one figure. */
function write(figure) {
  for (const number of document.querySelectorAll(`[data-shows][data-figure="${figure.id}"]`)) {
    const value = String(evaluate(number.dataset.shows, figure.state)).replace("-", "−");
    // An unchanged text is left alone: it may be selected.
    if (number.textContent !== value) number.textContent = value;
    if (number.tabIndex === 0) number.setAttribute("aria-valuenow", value.replace("−", "-"));
  }
}

function set(number, value) {
  const figure = figureOf(number);
  const [low, high] = limitsOf(number);
  leaveText(figure);
  figure.setState({ [number.dataset.shows]: Math.max(low, Math.min(high, value)) }, { moves: false });
}

function makeSlider(number) {
  const [low, high] = limitsOf(number);
  number.tabIndex = 0;
  number.setAttribute("role", "slider");
  number.setAttribute("aria-label", number.dataset.shows);
  number.setAttribute("aria-valuemin", low);
  number.setAttribute("aria-valuemax", high);
  const value = () => figureOf(number).state[number.dataset.shows];
  let from;
  number.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    from = { x: event.clientX, value: value() };
    number.setPointerCapture(event.pointerId);
  });
  number.addEventListener("pointermove", ({ clientX }) => {
    if (from) set(number, from.value + Math.round((clientX - from.x) / STEP));
  });
  number.addEventListener("lostpointercapture", () => (from = undefined));
  number.addEventListener("keydown", (event) => {
    const target = { Home: low, End: high }[event.key] ?? value() + KEYS[event.key];
    if (Number.isNaN(target) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    set(number, target);
  });
}

export function start() {
  const update = () => {
    const numbers = [...document.querySelectorAll("[data-shows]")];
    for (const number of numbers) if (number.dataset.limits && number.tabIndex) makeSlider(number);
    for (const figure of new Set(numbers.map(figureOf))) write(figure);
  };
  update();
  document.addEventListener("posenc:translated", update);
  for (const type of ["pe-ready", "pe-change"]) document.addEventListener(type, ({ target }) => write(target));
}
