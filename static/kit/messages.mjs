// The page in a frame: reports its height to the embedding page, which can read and control the figure; see docs/messages.md.
import { bench, currentTarget } from "./target.mjs";

const root = bench.element;
const page = document.documentElement;

/**
 * Messages sent without a request contain only what is in the address, because their receiver is the page that chose the
 * address.
 */
const tell = (message, to = "*", transfer = []) => window.parent.postMessage(message, to, transfer);

// Height

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
[data-framed] #posenc[data-bare] ~ .lesson { display: none; }
[data-framed="fits"] { overflow-y: hidden; }
[data-framed] #posenc:not([data-only="bench"], [data-alone]) { height: auto; min-height: 100vh; }
[data-framed] #posenc:not([data-only="bench"], [data-alone]) :is(.bench, .panel) { flex: 1 0 auto; }
[data-framed] #posenc:not([data-only="bench"], [data-alone]) .bench { grid-template-rows: minmax(min-content, 1fr); }
[data-framed] #posenc:not([data-only="bench"], [data-alone]) .stage { flex: 1 0 11rem; height: auto; min-height: 11rem; }
[data-framed] #posenc[data-only="formula"] .cell { padding: 0.5rem 0 0.8rem; }
/* While it is measured: heights that follow from the width alone. */
[data-measured] #posenc:not([data-only="bench"], [data-alone]) { min-height: 0; }
[data-measured] #posenc:not([data-only="bench"], [data-alone]) .stage { flex: none; height: clamp(15rem, 52vw, 44rem); }
[data-measured] #posenc[data-only="waves"] .stage { height: clamp(11rem, 30vw, 26rem); }
[data-measured] #posenc[data-only="rotation"] .stage { height: clamp(18rem, 44vw, 34rem); }
@media (max-width: 63.99rem) { [data-measured] #posenc[data-only="rotation"] .stage { height: min(40rem, 92vw + 13.5rem); } }
@media (min-width: 64rem) {
  [data-measured] #posenc[data-only="bench"] { height: clamp(41rem, 56.25vw, 75rem); }
}
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
page.dataset.framed = "";

/** A figure of the lesson is built when it comes near the viewport: until then its height is unknown. */
const isBuilt = () => currentTarget() === bench || currentTarget().element.hasAttribute("data-mounted");
const isBare = () => root.dataset.only !== "bench" || root.hasAttribute("data-bare");

let reportedHeight = 0;
let pending;
let patience;

function height() {
  page.dataset.measured = "";
  const { height } = document.body.getBoundingClientRect();
  delete page.dataset.measured;
  return Math.ceil(height);
}

// Hides the scrollbar if the frame is high enough: it would appear and disappear while the parent adjusts the height, and
// change the width.
const fit = () => (page.dataset.framed = isBare() && innerHeight >= reportedHeight - 1 ? "fits" : "");

function measure() {
  pending = undefined;
  if (innerWidth < 1 || !isBare() || !isBuilt()) return fit();
  const now = height();
  if (Math.abs(now - reportedHeight) > 1) {
    reportedHeight = now;
    tell({ height: reportedHeight, context: "iframe.resize", subject: "lti.frameResize" });
  }
  clearTimeout(patience);
  patience = setTimeout(fit, 1000);
}

const remeasure = () => (pending ??= setTimeout(measure));

function resized() {
  if (innerHeight >= reportedHeight - 1) fit();
  remeasure();
}

// Messages

/** The time limit in milliseconds for a figure to start or to be drawn. */
const REPLY_TIMEOUT_MS = 20_000;
const LARGEST = 10_000;
const A_SECOND = 60;
/** The largest number of cells of an exported table, which stays in memory for a while. */
const MAX_NUMBERS = 4_000_000;
const PAGE = ["view", "lang", "theme", "hide", "lock"];
const MIME = { png: "image/png", svg: "image/svg+xml", csv: "text/csv", npy: "application/octet-stream" };

const isText = (value) => typeof value === "string";
const isId = (value) => (isText(value) && value.length <= 100) || Number.isFinite(value);
const isObject = (value) =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isSettings = (value) =>
  isObject(value) && Object.values(value).every((v) => isText(v) || Number.isFinite(v) || typeof v === "boolean");

/**
 * The fields of each type of message beside `posenc`, `id` and `type`: validity check, description, and whether it is
 * required.
 */
const FIELDS = {
  get: {},
  set: { state: [isSettings, "an object of numbers, texts and booleans", "needed"] },
  reset: {},
  play: {},
  pause: {},
  step: { by: [(v) => Number.isInteger(v) && Math.abs(v) <= 2 ** 31 - 1, "a whole number"] },
  export: {
    format: [(v) => isText(v) && Object.hasOwn(MIME, v), Object.keys(MIME).join(", "), "needed"],
    scale: [(v) => Number.isFinite(v) && v > 0 && v <= 8, "a number above 0, up to 8"],
    dtype: [(v) => v === "float32" || v === "float64", "float32 or float64"],
  },
};

/** The estimated length of a message when serialized, in characters; `Infinity` once it exceeds `room`. */
function size(value, room = LARGEST, depth = 4) {
  if (isText(value)) return value.length + 2;
  if (typeof value !== "object" || value === null) return 24;
  if (depth === 0 || ArrayBuffer.isView(value) || !(isObject(value) || Array.isArray(value))) return Infinity;
  let sum = 2;
  for (const key of Object.keys(value)) {
    sum += key.length + 4 + size(value[key], room - sum, depth - 1);
    if (sum > room) return Infinity;
  }
  return sum;
}

const short = (name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

/** Returns why a message is invalid, or `undefined` if it is valid. */
function fault(message) {
  if (size(message) > LARGEST) return `a message is at most ${LARGEST} characters long and has no depth`;
  if ("id" in message && !isId(message.id)) return "id must be a number or a text of at most 100 characters";
  if (!isText(message.type) || !Object.hasOwn(FIELDS, message.type))
    return `type must be one of ${Object.keys(FIELDS).join(", ")}`;
  const fields = FIELDS[message.type];
  for (const name of Object.keys(message)) {
    if (["posenc", "id", "type"].includes(name)) continue;
    if (!Object.hasOwn(fields, name)) return `${message.type} has no field ${short(name)}`;
    const [isGood, words] = fields[name];
    if (!isGood(message[name])) return `${name} must be ${words}`;
  }
  const missing = Object.keys(fields).find((name) => fields[name][2] && !Object.hasOwn(message, name));
  if (missing) return `${missing} is missing`;
}

const hasStarted = (shown) => shown === bench || Boolean(shown.element.shadowRoot);

/** Returns the figure that is shown alone, once it accepts settings, or else the bench. */
async function target() {
  for (const until = performance.now() + REPLY_TIMEOUT_MS; performance.now() < until; ) {
    const now = currentTarget();
    if (hasStarted(now)) return now;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the figure has not started");
}

/** Waits for the next animation frame; resolves to false if none comes because the browser is not rendering the page. */
function nextFrame() {
  if (document.hidden) return new Promise((resolve) => setTimeout(resolve, 0, false));
  return new Promise((resolve) => {
    const end = (drawn) => {
      cancelAnimationFrame(frame);
      clearInterval(timer);
      resolve(drawn);
    };
    const frame = requestAnimationFrame(() => end(true));
    // A long task delays these timer events, of which only one fires afterwards.
    let missed = 0;
    const timer = setInterval(() => ++missed === 5 && end(false), 200);
  });
}

/** Waits until the screen shows the state; does not wait while the browser is not rendering the page. */
async function drawn() {
  for (const until = performance.now() + REPLY_TIMEOUT_MS; !(await target()).drawn; ) {
    if (!(await nextFrame())) return;
    if (performance.now() > until) throw new Error("the figure could not be drawn");
  }
}

async function set(changes) {
  const entries = Object.entries(changes);
  const ofPage = Object.fromEntries(entries.filter(([name]) => PAGE.includes(name)));
  const others = entries.filter(([name]) => !PAGE.includes(name));
  if (Object.keys(ofPage).length) bench.setState(ofPage);
  if (others.length) (await target()).setState(Object.fromEntries(others));
}

let exporting = false;

async function file({ format, scale = 1, dtype }) {
  const shown = await target();
  const make = { png: "toBlob", svg: "toSVG", csv: "toCSV", npy: "toNPY" }[format];
  if (!shown[make]) throw new Error(`${format} is not available here`);
  const { d_model = 0, max_len = 0 } = shown.state;
  if (["csv", "npy"].includes(format) && d_model * max_len > MAX_NUMBERS)
    throw new Error(`tables have at most ${MAX_NUMBERS} numbers here`);
  if (exporting) throw new Error("one file at a time");
  exporting = true;
  try {
    const made = await shown[make]({ scale, ...(dtype && { dtype }) });
    const blob = made instanceof Blob ? made : new Blob([made], { type: MIME[format] });
    return { format, mime: blob.type || MIME[format], data: await blob.arrayBuffer() };
  } finally {
    exporting = false;
  }
}

async function act(message) {
  const shown = await target();
  switch (message.type) {
    case "get":
      return { type: "state", state: shown.state };
    case "set":
      await set(message.state);
      break;
    case "reset":
      shown.reset();
      break;
    case "play":
      if (shown.play() === false) throw new Error("nothing plays in this figure");
      break;
    case "pause":
      shown.pause();
      break;
    case "step":
      if (shown.step(message.by ?? 1) === false) throw new Error("nothing steps in this figure");
      break;
    case "export":
      return { type: "file", ...(await file(message)) };
  }
  await drawn();
  return { type: "done", state: (await target()).state };
}

let tokens = A_SECOND;
let counted = performance.now();
let complained = false;

/** Rate limit: whether a message is answered. At most `A_SECOND` messages per second are. */
function isDue() {
  const now = performance.now();
  tokens = Math.min(A_SECOND, tokens + ((now - counted) * A_SECOND) / 1000);
  counted = now;
  if (tokens > A_SECOND / 2) complained = false;
  if (tokens < 1) return false;
  tokens -= 1;
  return true;
}

async function heard({ source, origin, data }) {
  if (source !== window.parent || !isObject(data) || !Object.hasOwn(data, "posenc") || data.posenc !== 1) return;
  const mark = Object.hasOwn(data, "id") && isId(data.id) ? { posenc: 1, id: data.id } : { posenc: 1 };
  const answer = (words, transfer) =>
    tell({ ...mark, ...words }, origin === "null" || !origin ? "*" : origin, transfer);
  if (!isDue()) {
    if (!complained) answer({ type: "error", message: `at most ${A_SECOND} messages a second are answered` });
    complained = true;
    return;
  }
  try {
    const wrong = fault(data);
    if (wrong) throw new Error(wrong);
    const words = await act(data);
    answer(words, words.data ? [words.data] : []);
  } catch (error) {
    answer({ type: "error", message: String(error?.message ?? error).slice(0, 500) });
  }
}

let known;
let changing = false;
let again = false;

function report() {
  const shown = currentTarget();
  // A figure that has not started is reported by its pe-ready event.
  if (!hasStarted(shown)) return;
  const { state } = shown;
  const text = JSON.stringify(state);
  if (text !== known) tell({ posenc: 1, type: "change", state });
  known = text;
}

/** Reports a change at once, and further changes in the same frame together in the next one. */
async function changed() {
  again = true;
  if (changing) return;
  changing = true;
  try {
    while (again) {
      again = false;
      report();
      await nextFrame();
    }
  } finally {
    changing = false;
  }
}

async function start() {
  addEventListener("message", heard);
  await drawn();
  const { state } = await target();
  known = JSON.stringify(state);
  tell({ posenc: 1, type: "ready", state });
  document.addEventListener("posenc:input", changed);
  document.addEventListener("posenc:change", remeasure);
  for (const name of ["pe-change", "pe-ready"])
    document.addEventListener(name, ({ target }) => {
      if (target !== currentTarget().element) return;
      remeasure();
      changed();
    });
  addEventListener("posenc:restarted", () =>
    tell({ posenc: 1, type: "error", message: "the figure failed and was started again" }),
  );
  addEventListener("posenc:stopped", () =>
    tell({ posenc: 1, type: "error", message: "the figure failed again and has stopped" }),
  );
  new ResizeObserver(remeasure).observe(root);
  addEventListener("resize", resized);
  remeasure();
}

start().catch((error) => tell({ posenc: 1, type: "error", message: error.message }));
