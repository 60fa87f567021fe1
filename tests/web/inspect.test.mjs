// inspect(): identifies a given table, in the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { check } from "./check.mjs";

const corpus = new URL("../corpus/tables/", import.meta.url);
const [names, ...rows] = readFileSync(new URL("cases.tsv", corpus), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const cases = rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i], value])));

/** The values and the shape of a stored table in single precision; undefined for other tables. */
function table(file) {
  const bytes = readFileSync(new URL(file, corpus));
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.subarray(10, start).toString();
  if (!header.includes("'<f4'") || !header.includes("'fortran_order': False")) return;
  const shape = header
    .match(/\(([^)]*)\)/)[1]
    .split(",")
    .filter((part) => part.trim())
    .map(Number);
  const count = shape.reduce((product, length) => product * length, 1);
  return { shape, numbers: Array.from({ length: count }, (_, i) => bytes.readFloatLE(start + 4 * i)) };
}

/** What is recognised by measuring, which the page has no room for (crates/inspect, feature `measure`). */
const MEASURED = ["mae_2d-196x64.npy"];

check("tables are recognised in the page as they are natively", { hash: "#" }, async (page) => {
  const here = cases.filter(({ file }) => !MEASURED.includes(file));
  const tables = here.map((expected) => ({ expected, ...table(expected.file) })).filter(({ numbers }) => numbers);
  assert.ok(tables.length > 20, `${tables.length}`);
  const reports = await page.evaluate(async (tables) => {
    const { inspect } = await import("./posenc.js");
    const reports = [];
    for (const { shape, numbers } of tables) reports.push(await inspect(new Float32Array(numbers), { shape }));
    return reports;
  }, tables);
  for (const [i, { expected }] of tables.entries()) {
    const report = reports[i];
    const said = (value) => (value === null ? "-" : typeof value === "boolean" ? `${+value}` : `${value}`);
    for (const name of ["kind", "layout", "base", "start", "exponent", "swapped", "transposed"])
      if (expected[name] !== "*")
        assert.ok(expected[name].split("|").includes(said(report[name])), `${expected.file} ${name} ${report[name]}`);
    const codes = report.findings.map(({ code }) => code);
    for (const code of expected.codes.split(","))
      assert.ok(
        code.split("|").some((one) => codes.includes(one)),
        `${expected.file}: ${codes}`,
      );
  }
});

check("the code of inspect comes with its first use, and the work is done in slices", { hash: "#" }, async (page) => {
  const fetched = [];
  page.on("request", (request) => fetched.push(request.url()));
  const seen = await page.evaluate(async () => {
    const { default: init, encode, inspect } = await import("./posenc.js");
    await init();
    const array = encode({ dModel: 512, maxLen: 2048, layout: "tensor2tensor" });
    const steps = [];
    const report = await inspect(array, { shape: [1, 2048, 512], lang: "zh", onprogress: (it) => steps.push(it) });
    const stop = new AbortController();
    const stopped = inspect(array, { shape: [2048, 512], signal: stop.signal, onprogress: () => stop.abort() });
    return { report, steps, stopped: await stopped.then(String, (error) => error.name) };
  });
  assert.ok(fetched.some((url) => url.endsWith("core/figures.wasm")));
  assert.deepEqual(seen.report.shape, [2048, 512]);
  assert.equal(seen.report.layout, "tensor2tensor");
  assert.deepEqual(
    seen.report.findings.map(({ code }) => code),
    ["correct", "squeezed"],
  );
  assert.match(seen.report.findings[0].words, /每个单元格/);
  assert.ok(seen.steps.length > 2 && seen.steps.every((it) => it >= 0 && it <= 1), `${seen.steps}`);
  assert.deepEqual(
    seen.steps,
    [...seen.steps].sort((a, b) => a - b),
  );
  assert.equal(seen.stopped, "AbortError");
});

check("a bad array or shape is named", { hash: "#" }, async (page) => {
  const said = await page.evaluate(async () => {
    const { inspect } = await import("./posenc.js");
    const numbers = new Float32Array(6);
    const bad = [
      [numbers],
      [numbers, { shape: [2, 2] }],
      [numbers, { shape: [2, -3] }],
      [numbers, { shape: [2 ** 40, 2 ** 40] }],
      [numbers, { shape: [4000, 4000] }],
      [numbers, { shape: "2,3" }],
      [[1, 2], { shape: [1, 2] }],
      [undefined, { shape: [1, 2] }],
    ];
    return Promise.all(bad.map((given) => inspect(...given).then(JSON.stringify, (error) => error.message)));
  });
  const words = [/shape/, /promises 4 numbers/, /shape/, /beyond/, /16000000/, /shape/, /Float32Array/, /array/];
  for (const [i, word] of words.entries()) assert.match(said[i], word);
});
