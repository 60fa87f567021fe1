// Times the WebAssembly kernel and the plain JavaScript loop in turn, in one page. The report is on the page and in
// `window.report`.
import init, { Table, Picture, frequencies } from "./pkg/table_benchmark.js";

/** The straightforward good way: frequencies once, one sine and one cosine per pair. */
function plainTable(out, maxLen, dModel) {
  const omega = new Float64Array(dModel / 2);
  for (let pair = 0; pair < omega.length; pair++) {
    omega[pair] = Math.pow(10000, (-2 * pair) / dModel);
  }
  let at = 0;
  for (let position = 0; position < maxLen; position++) {
    for (let pair = 0; pair < omega.length; pair++) {
      const angle = position * omega[pair];
      out[at++] = Math.sin(angle);
      out[at++] = Math.cos(angle);
    }
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Milliseconds per call, over enough calls to outlast the clock's resolution. */
function time(call, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) / calls;
}

/** Medians of interleaved repetitions. */
async function compare(candidates, repetitions) {
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
  return times.map(median);
}

async function run() {
  await init();
  const report = { agent: navigator.userAgent, tables: [], pictures: [] };
  for (const [maxLen, dModel] of [[64, 128], [512, 512], [5000, 512], [5000, 1024]]) {
    const table = new Table(maxLen, dModel);
    const plain = new Float32Array(maxLen * dModel);
    const [wasm, js] = await compare([() => table.fill(), () => plainTable(plain, maxLen, dModel)], 15);
    let difference = 0;
    for (let position = 0; position < maxLen; position += 7) {
      for (let dimension = 0; dimension < dModel; dimension++) {
        difference = Math.max(difference, Math.abs(table.at(position, dimension) - plain[position * dModel + dimension]));
      }
    }
    table.free();
    report.tables.push({ maxLen, dModel, wasm, js, ratio: js / wasm, difference });
  }
  const pictures = [[64, 128], [5000, 512], [1048576, 16384]];
  for (const [maxLen, dModel] of pictures) {
    for (const concatenated of [false, true]) {
      const picture = new Picture(maxLen, dModel, concatenated);
      const [wasm] = await compare([() => picture.render(1200, 700)], 15);
      picture.free();
      report.pictures.push({ maxLen, dModel, layout: concatenated ? "concatenated" : "interleaved", wasm });
    }
  }
  [report.frequencies] = await compare([() => frequencies(16384)], 15);
  return report;
}

function text(report) {
  const lines = ["table, f32      wasm ms    JavaScript ms   ratio   largest difference"];
  for (const { maxLen, dModel, wasm, js, ratio, difference } of report.tables) {
    const cells = [wasm.toFixed(4).padStart(10), js.toFixed(3).padStart(15), ratio.toFixed(1).padStart(8)];
    lines.push(`${maxLen}×${dModel}`.padEnd(13) + cells.join(" ") + difference.toExponential(1).padStart(16));
  }
  lines.push("", "picture 1200×700                     wasm ms");
  for (const { maxLen, dModel, layout, wasm } of report.pictures) {
    lines.push(`${maxLen}×${dModel} ${layout}`.padEnd(32) + wasm.toFixed(3).padStart(12));
  }
  lines.push("", `frequencies of 16384 dimensions ${report.frequencies.toFixed(3).padStart(12)}`);
  return lines.join("\n");
}

try {
  window.report = await run();
  window.report.text = text(window.report);
} catch (error) {
  window.report = { text: `Failed: ${error}`, failed: true };
}
document.getElementById("text").textContent = window.report.text;
