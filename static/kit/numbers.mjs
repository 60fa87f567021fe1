// The table of an encoding as numbers for readers of text: a sample of cells that includes the selected ones. It is added to
// the `<details>` whose summary was pressed, and follows the settings while that is open.
import { encode, encodeAt } from "../core/posenc.js";
import { load } from "../core/figures.mjs";
import { el } from "./dialog.mjs";
import { NUMBERS, say } from "./words.mjs";
import { tableOptions } from "../posenc.js";

const ROWS = 8;
const COLUMNS = 4;

/** Up to `count` whole numbers from 0 to `end` − 1, evenly spaced, and those of `others` in that range, in ascending order. */
function sampled(end, count, others) {
  const even = Array.from({ length: Math.min(count, end) }, (_, i) =>
    Math.round((i * (end - 1)) / Math.max(1, Math.min(count, end) - 1)),
  );
  return [...new Set([...even, ...others.filter((other) => other >= 0 && other < end)])].sort((a, b) => a - b);
}

/** The two dimensions of a pair. The last dimension of tensor2tensor's layout belongs to none if the width is odd. */
function dimensionsOf(pair, width, layout) {
  if (layout === "interleaved") return [2 * pair, 2 * pair + 1];
  return [pair, pair + (layout === "tensor2tensor" ? Math.floor : Math.ceil)(width / 2)];
}

/**
 * Returns a function for the values of the table: computed by formula, whatever its size, or read from the whole table,
 * which is small in other encodings.
 */
function numbers(options) {
  if (options.encoding === "sinusoidal") return (position, dimension) => encodeAt({ ...options, position, dimension });
  const table = encode(options);
  return (position, dimension) => table[position * options.dModel + dimension];
}

function table(state) {
  let options, number;
  try {
    options = tableOptions(state);
    number = numbers(options);
  } catch {
    return el("p", {}, say(NUMBERS.none));
  }
  const { pos = 0, k = 0, pair = 0 } = state;
  const positions = sampled(options.maxLen, ROWS, [pos, pos + k]);
  const dimensions = sampled(options.dModel, COLUMNS, dimensionsOf(pair, options.dModel, options.layout));
  const named = (position) =>
    position === pos ? `${position} (pos)` : position === pos + k ? `${position} (pos+k)` : `${position}`;
  const value = (position, dimension) => number(position, dimension).toFixed(4).replace(/^-/, "−");
  const head = dimensions.map((dimension) => el("th", { scope: "col" }, `${dimension}`));
  const row = (position) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, named(position)),
      ...dimensions.map((dimension) => el("td", {}, value(position, dimension))),
    );
  return el(
    "table",
    {},
    el(
      "caption",
      {},
      say(NUMBERS.caption, {
        rows: positions.length,
        positions: options.maxLen,
        columns: dimensions.length,
        dimensions: options.dModel,
      }),
    ),
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, say(NUMBERS.position)), ...head)),
    el("tbody", {}, ...positions.map(row)),
  );
}

/** Adds the table of `target` below its summary and keeps it up to date; removes it when the `<details>` is closed. */
export async function open(target, summary) {
  const details = summary.parentElement;
  // In the single file this module is available at once, before the press has opened the element.
  await new Promise((resolve) => setTimeout(resolve));
  if (!details.open || details.childElementCount > 1) return;
  const whole = el("button", { type: "button" }, say(NUMBERS.all));
  whole.dataset.kit = "save";
  whole.setAttribute("aria-haspopup", "dialog");
  const place = el("div", {}, table(target.state), whole);
  details.append(place);
  const follow = async () => {
    if (!details.isConnected) return forget();
    // The core may have been replaced.
    await load();
    place.firstChild.replaceWith(table(target.state));
  };
  const forget = target.watch(follow);
  details.addEventListener("toggle", function closed() {
    if (details.open) return;
    details.removeEventListener("toggle", closed);
    forget();
    place.remove();
  });
}
