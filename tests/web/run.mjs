// Runs test files in the given order: `node --test` sorts them by name, so one that takes minutes could start last.
//
//     node tests/web/run.mjs [--jobs=4] FILE…
//     node tests/web/run.mjs --stress=10 [--jobs=2] FILE…
//
// A file that fails is run once more at the end, alone. If it passes then, it is reported as flaky; the second flaky file
// fails the run. target/figures/timings.json has the times of the files, target/failures/ what a failed test left behind.
//
// --stress runs the files many times beside four busy loops, while the site's late modules take up to two seconds more.
// target/stress.json has its progress: the same command goes on where it was interrupted.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec as Spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { folder, keep, root } from "./figures.mjs";

const target = join(folder, "..");
const { values, positionals } = parseArgs({
  options: { jobs: { type: "string", default: "4" }, stress: { type: "string" } },
  allowPositionals: true,
});
const jobs = Number(values.jobs);
const files = positionals.map((file) => resolve(file));
const named = (file) => relative(root, file);

const notes = mkdtempSync(join(tmpdir(), "posenc-"));
process.on("exit", () => rmSync(notes, { recursive: true, force: true }));
Object.assign(process.env, {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${new URL("usage.mjs", import.meta.url)}`.trim(),
  POSENC_USAGE: join(notes, "usage"),
  POSENC_RUNNER: String(process.pid),
  POSENC_FAILURES: join(target, "failures"),
});

/** The exit status and the processor seconds of each file that has ended. */
function usage() {
  try {
    const lines = readFileSync(process.env.POSENC_USAGE, "utf8").trim().split("\n");
    return new Map(lines.map((line) => JSON.parse(line)).map(({ file, ...rest }) => [file, rest]));
  } catch {
    // No file has ended.
    return new Map();
  }
}

/**
 * Runs files; `ended` is called with { file, ms, failed: names of tests } as soon as one has ended. Resolves to the list of
 * these.
 */
function play(files, jobs, ended = () => {}) {
  rmSync(process.env.POSENC_USAGE, { force: true });
  const begun = new Map();
  const failed = new Map(files.map((file) => [file, new Set()]));
  const results = new Map();
  // Files that failed, and failed tests that a helper defines: these are said to be in the helper's file.
  const broken = new Set();
  const elsewhere = new Set();
  const end = (file) => {
    results.set(file, { file, ms: Date.now() - begun.get(file), failed: [...failed.get(file)] });
    ended(results.get(file));
  };
  const fail = ({ file: place, name, todo, details: { error } }) => {
    if (todo !== undefined && todo !== false) return;
    // A suite fails with its tests; a file that ends by itself has no test to name.
    if (error?.failureType === "subtestsFailed") return;
    // Node 18 gives an address.
    const file = place?.startsWith("file:") ? fileURLToPath(place) : (place ?? name);
    if (failed.has(file)) failed.get(file).add(name);
    else elsewhere.add(name);
  };
  return new Promise((done) => {
    const report = run({ files, concurrency: jobs })
      .on("test:dequeue", ({ name }) => failed.has(name) && begun.set(name, Date.now()))
      // "test:fail" comes in the order of the files, and so perhaps long after the test.
      .on("test:complete", (test) => {
        const passed = test.details?.passed !== false;
        if (!passed) fail(test);
        if (!failed.has(test.name)) return;
        if (!passed) broken.add(test.name);
        end(test.name);
      })
      .on("test:fail", fail)
      .compose(new Spec());
    report.once("end", () => {
      // Node 18 does not say that a file has ended, nor how.
      for (const [file, { code }] of usage()) if (code && failed.has(file)) broken.add(file);
      // A failure that no file accounts for is that of every file.
      for (const file of elsewhere.size && !broken.size ? files : broken) {
        const names = failed.get(file);
        if (!names.size) for (const name of elsewhere.size ? elsewhere : [file]) names.add(name);
      }
      // A file may have ended before its failures were reported.
      for (const file of files) if (failed.get(file).size !== results.get(file)?.failed.length) end(file);
      done(files.map((file) => results.get(file)));
    });
    report.pipe(process.stdout, { end: false });
  });
}

const list = (names) => names.map((name) => (files.includes(name) ? "the file" : name)).join("; ");

/** The times of files in other runs. */
function earlier() {
  try {
    return JSON.parse(readFileSync(join(folder, "timings.json"), "utf8"));
  } catch {
    // There was no other run.
    return [];
  }
}

/** Runs all files, and those that fail once more. */
async function once() {
  const results = await play(files, jobs);
  const cpu = usage();
  const told = results.map(({ file, ms, failed }) => ({ file: named(file), ms, cpu: cpu.get(file)?.cpu, failed }));
  keep("timings", [...earlier().filter(({ file }) => !told.some((other) => other.file === file)), ...told]);
  const broken = results.filter(({ failed }) => failed.length);
  process.env.POSENC_TRACE = "1";
  let flaky = 0;
  for (const { file, failed } of broken) {
    console.log(`\nAgain, alone: ${named(file)}`);
    const [again] = await play([file], 1);
    if (again.failed.length) {
      console.log(`failed twice: ${named(file)}: ${list(again.failed)}`);
      process.exitCode = 1;
    } else {
      flaky++;
      const told = `flaky: ${named(file)}: ${list(failed)}`;
      console.log(told);
      mkdirSync(process.env.POSENC_FAILURES, { recursive: true });
      appendFileSync(join(process.env.POSENC_FAILURES, "flaky"), `${told}\n`);
    }
  }
  if (broken.length)
    console.log(`${flaky} flaky; what failed tests left behind is in ${named(join(target, "failures"))}`);
  if (flaky > 1) process.exitCode = 1;
}

/** A number from 0 to 1 for each round. */
function random(seed, round) {
  let bits = (seed + round * 0x9e3779b9) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Keeps a core busy until the process that started it ends. */
const BUSY = "const { ppid } = process; while (process.ppid === ppid) for (let n = 0; n < 1e8; n++);";

async function stress(rounds) {
  const path = join(target, "stress.json");
  const wanted = { rounds, files: files.map(named) };
  let state;
  try {
    state = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // None has been interrupted.
  }
  const isSame = JSON.stringify([state?.rounds, state?.files]) === JSON.stringify([rounds, wanted.files]);
  if (!isSame || state.done.length === rounds * files.length)
    state = { ...wanted, seed: Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31)), done: [] };
  mkdirSync(target, { recursive: true });
  for (let core = 0; core < 4; core++) {
    const loop = spawn(process.execPath, ["-e", BUSY], { stdio: "ignore" });
    process.on("exit", () => loop.kill());
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  for (let round = 0; round < rounds; round++) {
    const left = files.filter((file) => !state.done.some((one) => one.round === round && one.file === named(file)));
    if (!left.length) continue;
    process.env.DELAY_MODULES = String(Math.round(2000 * random(state.seed, round)));
    console.log(`\nround ${round + 1} of ${rounds}, SEED=${state.seed}: modules ${process.env.DELAY_MODULES} ms late`);
    await play(left, jobs, ({ file, ms, failed }) => {
      // Of a file that fails it may be said twice that it has ended.
      state.done = state.done.filter((one) => one.round !== round || one.file !== named(file));
      state.done.push({ round, file: named(file), ms, delay: Number(process.env.DELAY_MODULES), failed });
      writeFileSync(path, `${JSON.stringify(state, null, 1)}\n`);
    });
  }
  const failures = state.done.filter(({ failed }) => failed.length);
  for (const { round, file, delay, failed } of failures)
    console.log(`round ${round + 1}, modules ${delay} ms late: ${file}: ${failed.join("; ")}`);
  console.log(`${failures.length} of ${state.done.length} runs of files failed`);
  if (failures.length) process.exitCode = 1;
  process.exit();
}

if (values.stress) await stress(Number(values.stress));
else await once();
