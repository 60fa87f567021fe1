// Times the WebAssembly kernel and the plain JavaScript loop in turn, in one page. What was measured is on the page and, as rows of
// [what, measured, held to, kept], in `window.report`.
import init, { Table, Picture, frequencies } from "./pkg/table_benchmark.js";
import { copiedTable, plainTable, mismatches } from "./loops.js";

const tables = [
  { maxLen: 64, dModel: 128, times: 5 },
  { maxLen: 512, dModel: 512 },
  { maxLen: 5000, dModel: 512, times: 20 },
  { maxLen: 5000, dModel: 1024 },
];
const pictures = [
  [64, 128],
  [5000, 512],
  [1048576, 16384],
];
const size = [1200, 700];
const repetitions = 15;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const whole = (number) => number.toLocaleString("en");
const milliseconds = (time) => `${time.toLocaleString("en", { maximumSignificantDigits: 2 })} ms`;

/** Milliseconds per call, over enough calls to outlast the clock's resolution. */
function time(call, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) / calls;
}

/** Median times of calls that take turns, and the medians of their ratios to the first. */
async function compare(...candidates) {
  const counts = candidates.map((call) => {
    // Long enough for the optimising compilers to have taken over.
    let calls = 0;
    for (const start = performance.now(); performance.now() - start < 150; calls++) call();
    return Math.ceil(calls / 15);
  });
  const times = candidates.map(() => []);
  for (let i = 0; i < repetitions; i++) {
    candidates.forEach((call, which) => times[which].push(time(call, counts[which])));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const ratio = (list) => median(list.map((time, i) => time / times[0][i]));
  return times.map((list) => ({ time: median(list), ratio: ratio(list) }));
}

async function tableRows({ maxLen, dModel, times }) {
  const table = new Table(maxLen, dModel);
  const plain = new Float32Array(maxLen * dModel);
  const [ours, loop] = await compare(
    () => table.fill(),
    () => plainTable(plain, maxLen, dModel),
  );
  const values = table.values();
  table.free();
  const name = `table of ${whole(maxLen)} × ${whole(dModel)} f32`;
  const wrong = mismatches(values, maxLen, dModel);
  const rows = [
    [name, milliseconds(ours.time), "", null],
    [
      "the same, plain JavaScript loop",
      `${milliseconds(loop.time)}, ${loop.ratio.toFixed(0)} times`,
      times ? `≥ ${times} times` : "",
      times ? loop.ratio >= times : null,
    ],
    ["numbers that differ by more than the loop's error", whole(wrong), "0", wrong === 0],
  ];
  return { values, rows, failed: wrong > 0 };
}

/** What becomes of the numbers where f32 is used from the start; `values` are the rounded exact ones. */
function copiedRow(values, maxLen, dModel) {
  let misrounded = 0;
  let largest = 0;
  copiedTable(maxLen, dModel).forEach((value, at) => {
    if (value !== values[at]) misrounded++;
    largest = Math.max(largest, Math.abs(value - values[at]));
  });
  const part = ((100 * misrounded) / values.length).toFixed(0);
  return [
    `${whole(maxLen)} × ${whole(dModel)} by the usual f32 code: misrounded`,
    `${part} %, by up to ${largest.toExponential(1)}`,
    "",
    null,
  ];
}

async function pictureRow(maxLen, dModel) {
  const drawn = [false, true].map((concatenated) => new Picture(maxLen, dModel, concatenated));
  const [interleaved, concatenated] = await compare(...drawn.map((picture) => () => picture.render(...size)));
  drawn.forEach((picture) => picture.free());
  const both = `${milliseconds(interleaved.time)} / ${milliseconds(concatenated.time)}`;
  return [
    `means of ${whole(maxLen)} × ${whole(dModel)} in ${size.join(" × ")} px, interleaved / concatenated`,
    both,
    "",
    null,
  ];
}

async function run() {
  await init();
  const rows = [];
  let failed = false;
  for (const table of tables) {
    const made = await tableRows(table);
    rows.push(...made.rows);
    failed ||= made.failed;
    if (table === tables.at(-1)) rows.push(copiedRow(made.values, table.maxLen, table.dModel));
  }
  for (const [maxLen, dModel] of pictures) rows.push(await pictureRow(maxLen, dModel));
  const [ladder] = await compare(() => frequencies(16384));
  rows.push(["frequencies of 16,384 dimensions", milliseconds(ladder.time), "", null]);
  return { rows, failed };
}

const text = document.getElementById("text");
try {
  window.report = await run();
  text.textContent = window.report.rows.map(([what, measured]) => `${what}: ${measured}`).join("\n");
} catch (error) {
  window.report = { rows: [], failed: true };
  text.textContent = `Failed: ${error}`;
  throw error;
}
