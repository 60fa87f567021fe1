// Figures beside their text. In a scene the paragraphs are steps: the current one sets the state of the figure until the
// reader changes the figure; then it follows the text again only on request.

/**
 * The current step is the one that crosses this line: at 40 % of the viewport's height if the figure is beside the text, at
 * 78 % if it is above the text and takes up to 60 %.
 */
const BESIDE = "-40% 0px -59.9% 0px";
const BELOW = "-78% 0px -21.9% 0px";
/** The viewport width from which the figure is beside the text, as in style.css. */
const WIDE = "(min-width: 73.75rem)";

const figureOf = (scene) => scene.querySelector("pe-figure");
const current = (scene) => scene.querySelector("[data-step][aria-current]");

function apply(scene) {
  const step = current(scene);
  if (step && !("taken" in scene.dataset))
    figureOf(scene).setState(Object.fromEntries(new URLSearchParams(step.dataset.step)));
}

/** Stops a figure from following the text, because the reader has changed it, just now or earlier in this visit. */
export function leaveText(figure) {
  const scene = figure.closest(".scene");
  if (!scene) return;
  scene.dataset.taken = "";
  scene.querySelector(".follow").hidden = false;
}

/** Whether a figure follows the steps of the text. */
export const followsText = (figure) => Boolean(figure.closest(".scene:not([data-taken])"));

function release(scene) {
  delete scene.dataset.taken;
  scene.querySelector(".follow").hidden = true;
  // The button disappears, so the focus moves to its figure.
  const figure = figureOf(scene);
  figure.tabIndex = -1;
  figure.focus({ preventScroll: true });
  apply(scene);
}

function read(entries) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    const scene = target.closest(".scene");
    for (const step of scene.querySelectorAll("[aria-current]")) step.removeAttribute("aria-current");
    target.setAttribute("aria-current", "step");
    apply(scene);
  }
}

/** Lets the style sheet know the height of figures that stay in view: of higher ones than the window, the end stays. */
function tellHeights() {
  const tell = ({ target, borderBoxSize }) =>
    target.style.setProperty("--height", `${Math.ceil(borderBoxSize[0].blockSize)}px`);
  // In the next frame: a new style within the callback would count as a loop of resizing.
  const heights = new ResizeObserver((entries) => requestAnimationFrame(() => entries.forEach(tell)));
  for (const figure of document.querySelectorAll(".with-figure > pe-figure, .stays")) heights.observe(figure);
}

/** A phone in portrait orientation, as in style.css. */
const PHONE = "(max-width: 36rem) and (min-height: 40rem)";
/** The share of the window that a figure above its text takes on a phone. */
const SHARE = 0.45;
/** Pixels that a figure saves without its sentence and the rotation without its equation, which style.css hides there. */
const HIDDEN = { sentence: 65, equation: 80 };

/** On phones, lowers the figures that stay above their text. */
function lower({ matches }) {
  for (const figure of document.querySelectorAll("pe-figure.compact")) {
    const hidden = HIDDEN.sentence + (figure.getAttribute("view") === "rotation" ? HIDDEN.equation : 0);
    if (matches) figure.dataset.maxHeight = Math.round(SHARE * innerHeight + hidden);
    else delete figure.dataset.maxHeight;
    // The figure does not observe data-… attributes; it reads them when this one is set.
    figure.setAttribute("enlarge", figure.getAttribute("enlarge") ?? "1");
  }
}

export function start() {
  tellHeights();
  const phone = matchMedia(PHONE);
  if (phone.matches) lower(phone);
  phone.addEventListener("change", lower);
  const wide = matchMedia(WIDE);
  let steps;
  const observe = () => {
    steps?.disconnect();
    steps = new IntersectionObserver(read, { rootMargin: wide.matches ? BESIDE : BELOW });
    for (const step of document.querySelectorAll(".scene [data-step]")) steps.observe(step);
  };
  observe();
  wide.addEventListener("change", observe);
  document.addEventListener("posenc:translated", observe);
  for (const scene of document.querySelectorAll(".scene")) {
    const figure = figureOf(scene);
    // A press on the picture, a key on it, input to a control, or a press of a button that acts on the figure.
    const taken = (event) => {
      const [at] = event.composedPath();
      const changes =
        event.type === "click"
          ? at.closest('[data-do]:not([data-do="copy"])')
          : event.type === "input" || (at.localName === "canvas" && !/^(Tab|Shift|Escape)$/.test(event.key));
      if (changes) leaveText(figure);
    };
    // In the capture phase: before the figure handles the event and dispatches pe-change.
    for (const type of ["pointerdown", "keydown", "input", "click"]) figure.addEventListener(type, taken, true);
    scene.querySelector(".follow").addEventListener("click", () => release(scene));
  }
}
