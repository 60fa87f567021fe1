// Mutation testing: measures how many small mutations of the computing and drawing code the native tests detect.
//
// cargo-mutants lists the possible mutations. Instead of one build for each mutant, all mutants of a sample are built into
// one program as branches of their functions, and an environment variable selects the branch ("mutant schemata", Untch et
// al. 1993). A mutant that does not compile in this form, such as one in a `const fn`, is built by itself.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { keep, origin, root } from "../tests/web/figures.mjs";

const { values: options } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "150" },
    jobs: { type: "string", default: "2" },
    minutes: { type: "string", default: "30" },
    file: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`scripts/mutants [--seed N] [--count N] [--jobs N] [--minutes N] [--file PATH]…
Plants a seeded sample of mistakes, one at a time, and runs the native tests on each. --file takes mutants of these files alone.`);
  process.exit();
}
const [seed, count, jobs, minutes] = ["seed", "count", "jobs", "minutes"].map((name) => {
  const value = Number(options[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`mutants: --${name} takes a whole number above 0`);
  process.exit(2);
});

const began = Date.now();
const deadline = began + minutes * 60_000;
const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "mutants");
const tree = join(target, "tree");
const HARMLESS = "tests/mutants-harmless.txt";
const TESTS = ["--workspace", "--lib", "--test", "native"];
// These tests detect nothing that the others do not, and are slow: random input, and tests that start Python. `layers`, `cycles`
// and `lengths` read the sources, which contain the switch.
const SKIPPED = ["inputs::", "layers::", "cycles::", "lengths::", "python", "numpy", "every_view_is_drawn"];
const ONE_BY_ONE = "--test-threads=1";
// Modules of tests run in classes by duration; these are the upper limits in seconds.
const UP_TO = [1, 12, Infinity];
const environment = { ...process.env, CARGO_TARGET_DIR: join(target, "build"), CARGO_PROFILE_DEV_DEBUG: "0" };
// Set only while a mutant runs.
delete environment.POSENC_MUTANT;

const say = (text) => console.log(`${String(Math.round((Date.now() - began) / 1000)).padStart(5)} s  ${text}`);

/** Returns a seeded generator of numbers uniform in [0, 1): mulberry32. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, seed) {
  const [next, order] = [random(seed), [...list]];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const originals = new Map();

/** Returns the text of a source file, as it is in the project, and the offsets of its lines. */
function source(file) {
  if (!originals.has(file)) {
    const text = project.get(file).toString("utf8");
    const lines = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines.push(at + 1);
    originals.set(file, { text, lines });
  }
  return originals.get(file);
}

const offset = (file, { line, column }) => source(file).lines[line - 1] + column - 1;
const range = (file, { start, end }) => [offset(file, start), offset(file, end)];

/**
 * Returns the offset after the opening brace of a function's body: the first brace outside comments, parentheses and
 * brackets.
 */
function bodyStart(text, at, end) {
  for (let depth = 0; at < end; at++) {
    if (text.startsWith("//", at)) at = text.indexOf("\n", at);
    else if ("([".includes(text[at])) depth++;
    else if (")]".includes(text[at])) depth--;
    else if (text[at] === "{" && depth === 0) return at + 1;
  }
  return undefined;
}

/** Returns all mutants that cargo-mutants finds; `.cargo/mutants.toml` configures where. */
function listed() {
  const files = options.file.flatMap((file) => ["--file", file]);
  const list = execFileSync("cargo", ["mutants", "--list", "--json", "--workspace", ...files], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(list).map((mutant) => {
    const { text, lines } = source(mutant.file);
    const line = mutant.span.start.line;
    return {
      ...mutant,
      at: range(mutant.file, mutant.span),
      // Identifies the mutant without line numbers, which change with every edit.
      what: `${mutant.file}: ${mutant.name.replace(/^.*?:\d+:\d+: /, "")}`,
      code: text.slice(lines[line - 1], lines[line] ?? text.length).trim(),
    };
  });
}

const mutated = (text, mutant, [from, to]) =>
  text.slice(from, mutant.at[0]) + mutant.replacement + text.slice(mutant.at[1], to);

/**
 * Returns the text of a file with these mutants as branches of their functions, and `regions` as { from, to, mutants }, the
 * mutants of each range of lines.
 */
function branched(file, mutants) {
  const { text } = source(file);
  const functions = new Map();
  for (const mutant of mutants) {
    const [from, to] = mutant.body;
    const key = `${from}-${to}`;
    if (!functions.has(key)) functions.set(key, { from, to, mutants: [] });
    functions.get(key).mutants.push(mutant);
  }
  const regions = [];
  let [out, line, at] = ["", 1, 0];
  const write = (part, mutants) => {
    const from = line;
    out += part;
    line += part.split("\n").length - 1;
    if (mutants) regions.push({ from, to: line, mutants });
  };
  for (const { from, to, mutants } of [...functions.values()].sort((a, b) => a.from - b.from)) {
    write(text.slice(at, from));
    for (const mutant of mutants) {
      write(`\nif crate::mutation::is(${mutant.id}) {${mutated(text, mutant, [from, to])}} else\n`, [mutant]);
    }
    write(`{${text.slice(from, to)}}\n`, mutants);
    at = to;
  }
  write(text.slice(at));
  return { text: out, regions };
}

const SWITCH = `
#[doc(hidden)]
pub mod mutation {
    /// Whether the mutant of this number is the one to be.
    pub fn is(number: u32) -> bool {
        static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let number = std::env::var("POSENC_MUTANT").ok();
            number.and_then(|number| number.parse().ok()).unwrap_or(0)
        }) == number
    }
}
`;

/** Writes a file unless its content is unchanged, because cargo compares modification times. */
function put(file, text) {
  const path = join(tree, file);
  try {
    if (Buffer.compare(readFileSync(path), Buffer.from(text)) === 0) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  writeFileSync(path, text);
}

// All files of the project, read at the start, since the project may be edited during the run.
const project = new Map();
const names = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
for (const file of execFileSync("git", names, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean)) {
  try {
    project.set(file, readFileSync(join(root, file)));
  } catch {
    // Deleted in the working tree, but still in the index.
  }
}

/** Writes all files of the project to the tree, with the given files changed. */
function lay(changed) {
  for (const [file, text] of project) put(file, changed.get(file) ?? text);
}

/** Runs cargo and returns its messages; throws if it fails without a compiler error. */
function cargo(...command) {
  const { stdout, stderr, status } = spawnSync("cargo", [...command, "--locked", "--message-format=json"], {
    cwd: tree,
    env: environment,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const messages = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const errors = messages.filter(({ message }) => message?.level === "error" && message.spans?.length);
  if (status !== 0 && !errors.length) throw new Error(`cargo ${command.join(" ")} failed:\n${stderr.slice(-2000)}`);
  return { failed: status !== 0, errors, messages };
}

/** Builds the mutants that compile together into one program, and returns these. */
function buildTogether(mutants) {
  let together = mutants.filter(({ body }) => body);
  for (;;) {
    const [regions, changed] = [new Map(), new Map()];
    for (const file of new Set(together.map(({ file }) => file))) {
      const made = branched(
        file,
        together.filter((mutant) => mutant.file === file),
      );
      changed.set(file, made.text);
      regions.set(file, made.regions);
    }
    for (const file of ["src/lib.rs", "crates/encoding/src/lib.rs"]) {
      changed.set(file, (changed.get(file) ?? source(file).text) + SWITCH);
    }
    lay(changed);
    const { failed, errors } = cargo("check", ...TESTS);
    if (!failed) return together;
    const out = new Set();
    for (const { message } of errors) {
      for (const span of message.spans) {
        const hit = (regions.get(span.file_name) ?? []).filter(
          ({ from, to }) => span.line_start <= to && span.line_end >= from,
        );
        const own = hit.filter(({ mutants }) => mutants.length === 1 && span.is_primary);
        for (const { mutants } of own.length ? own : hit) for (const mutant of mutants) out.add(mutant);
      }
    }
    if (!out.size) throw new Error(`not of a mutant:\n${errors.map(({ message }) => message.rendered).join("\n")}`);
    say(`${out.size} do not compile in one program with the others`);
    together = together.filter((mutant) => !out.has(mutant));
  }
}

/** Builds the tests and returns their executables, with that of the integration tests last. */
function programs() {
  const { failed, messages } = cargo("test", "--no-run", ...TESTS);
  if (failed) return undefined;
  return messages
    .filter(({ executable, profile }) => executable && profile?.test)
    .map(({ executable, target, manifest_path }) => ({ executable, name: target.name, folder: dirname(manifest_path) }))
    .sort((a, b) => Number(a.name === "native") - Number(b.name === "native"));
}

/** Returns the seconds that each test of a program takes without a mutant; throws if a test fails. */
function times({ executable, name, folder }) {
  const skipped = SKIPPED.flatMap((name) => ["--skip", name]);
  const { stdout, status } = spawnSync(executable, [ONE_BY_ONE, "-Zunstable-options", "--report-time", ...skipped], {
    cwd: folder,
    // Reporting times is an unstable option of the test harness.
    env: { ...environment, CARGO_MANIFEST_DIR: folder, RUSTC_BOOTSTRAP: "1" },
    stdio: ["ignore", "pipe", "ignore"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`without a mutant, tests of ${name} fail:\n${stdout.slice(-2000)}`);
  const lines = stdout.matchAll(/^test (\S+)(?: - should panic)? \.\.\. ok <([\d.]+)s>$/gm);
  return [...lines].map(([, test, seconds]) => ({ test, seconds: Number(seconds) }));
}

/**
 * Returns the tests in the order in which they run, with their time limits: those of fast modules of all programs first. The
 * tests of a module stay together, because they share computed values.
 */
async function parts(timed) {
  const module = (test) => test.replace(/::[^:]+$/, "");
  const seconds = (program) => {
    const sums = new Map();
    for (const { test, seconds } of program.tests) sums.set(module(test), (sums.get(module(test)) ?? 0) + seconds);
    return sums;
  };
  const asked = UP_TO.flatMap((most, index) =>
    timed.flatMap(({ program, tests }) => {
      const sums = seconds({ tests });
      const isOwn = ({ test }) => sums.get(module(test)) > (UP_TO[index - 1] ?? -1) && sums.get(module(test)) <= most;
      const own = tests.filter(isOwn).map(({ test }) => test);
      return own.length ? [{ ...program, tests: own, limit: 600_000 }] : [];
    }),
  );
  // Values shared by modules are computed by the first of them, so a part may take longer than the sum of its tests.
  for (const part of asked) {
    const start = Date.now();
    await run(part);
    part.limit = 10_000 + 5 * (Date.now() - start);
  }
  return asked;
}

/** Returns the tests in the folder of a source file, which detect most of its mutants at once; empty if they are slow. */
function nearby(timed, file) {
  const [, crate, path] = file.match(/^(.*?)\/?src\/(.*)\.rs$/);
  const modules = path.split("/");
  const prefix = `${modules.slice(0, Math.max(1, modules.length - 1)).join("::")}::`;
  const unit = timed.find(({ program }) => program.name !== "native" && program.folder === join(tree, crate));
  const own = unit?.tests.filter(({ test, seconds }) => test.startsWith(prefix) && seconds < 1) ?? [];
  return own.length ? [{ ...unit.program, tests: own.map(({ test }) => test), limit: 120_000 }] : [];
}

/** Runs tests of one program until the first failure. Resolves to "passed", "failed" or "late". */
function run({ executable, folder, tests, limit }, mutant) {
  // A mutant may allocate without end.
  const line = 'ulimit -v 6000000; exec "$@"';
  const child = spawn("bash", ["-c", line, "bash", executable, ONE_BY_ONE, "--exact", ...tests], {
    cwd: folder,
    env: { ...environment, CARGO_MANIFEST_DIR: folder, ...(mutant && { POSENC_MUTANT: String(mutant) }) },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  return new Promise((done) => {
    let [tail, how] = ["", undefined];
    const end = (outcome) => {
      how ??= outcome;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // The process has ended already.
      }
    };
    const timer = setTimeout(() => end("late"), limit);
    child.stdout.on("data", (data) => {
      tail = (tail + data).slice(-500);
      if (/ \.\.\. FAILED/.test(tail)) end("failed");
    });
    child.on("close", (status) => {
      clearTimeout(timer);
      done(how ?? (status === 0 ? "passed" : "failed"));
    });
  });
}

async function outcome(all, mutant) {
  for (const part of all) {
    const how = await run(part, mutant);
    if (how === "failed") return "caught";
    if (how === "late") return "timed out";
  }
  return "missed";
}

/** Returns the program of another build that has the tests of this part. */
function sameProgram(programs, { name, folder }) {
  return programs.find((program) => program.name === name && program.folder === folder);
}

/**
 * Returns the mutants known to be equivalent, one per line as `WHAT | CODE | REASON`: nothing that they change is
 * observable.
 */
function harmless() {
  const lines = project.get(HARMLESS).toString("utf8").split("\n");
  const known = lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(" | "));
  return new Map(known.map(([what, code, reason]) => [`${what} | ${code}`, reason]));
}

const all = listed();
const sample = shuffled(all, seed).slice(0, count);
for (const [index, mutant] of sample.entries()) {
  mutant.id = index + 1;
  if (!mutant.function) continue;
  const [from, to] = range(mutant.file, mutant.function.span);
  const start = bodyStart(source(mutant.file).text, from, to);
  const signature = source(mutant.file).text.slice(from, start);
  const nested = sample.slice(0, index).some(({ file, body }) => {
    return file === mutant.file && body && start < body[1] && to > body[0] && start !== body[0];
  });
  if (start && !nested && !/\bconst fn\b/.test(signature)) mutant.body = [start, to - 1];
}
say(`${sample.length} of ${all.length} mutants, seed ${seed}`);
const together = buildTogether(sample);
say(`${together.length} are built into one program`);
const built = programs();
if (!built) throw new Error("the tests do not build");
const timed = built.map((program) => ({ program, tests: times(program) }));
const asked = await parts(timed);
say(`without a mutant the tests pass`);

const queue = [...together];
async function worker() {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    if (Date.now() > deadline - 60_000) return;
    mutant.outcome = await outcome([...nearby(timed, mutant.file), ...asked], mutant.id);
    if (mutant.outcome !== "caught") say(`${mutant.outcome}: ${mutant.name}`);
  }
}
await Promise.all(Array.from({ length: jobs }, worker));

for (const mutant of sample.filter((mutant) => !together.includes(mutant))) {
  if (Date.now() > deadline - 120_000) break;
  const { text } = source(mutant.file);
  lay(new Map([[mutant.file, mutated(text, mutant, [0, text.length])]]));
  if (cargo("check", ...TESTS).failed) {
    mutant.outcome = "unviable";
    continue;
  }
  const own = programs();
  mutant.outcome = own ? await outcome(asked.map((part) => ({ ...part, ...sameProgram(own, part) }))) : "unviable";
  if (mutant.outcome !== "caught") say(`${mutant.outcome}: ${mutant.name}`);
}

const ran = sample.filter(({ outcome }) => outcome);
const of = (outcome) => ran.filter((mutant) => mutant.outcome === outcome);
const [caught, late, unviable] = [of("caught"), of("timed out"), of("unviable")];
const reasons = harmless();
const reason = ({ what, code }) => reasons.get(`${what} | ${code}`);
const [excused, missed] = [of("missed").filter(reason), of("missed").filter((mutant) => !reason(mutant))];
const viable = ran.length - unviable.length;
const share = (100 * (caught.length + late.length)) / Math.max(1, viable);
say(`done: ${ran.length} of the sample's ${sample.length} mutants
${caught.length} caught, ${late.length} timed out, ${missed.length} missed, ${excused.length} harmless, ${unviable.length} unviable
${share.toFixed(1)} % of ${viable} viable mutants were noticed`);
for (const mutant of excused) console.log(`harmless: ${mutant.name}\n    ${mutant.code}\n    ${reason(mutant)}`);
for (const mutant of missed) console.log(`missed: ${mutant.name}\n    ${mutant.what} | ${mutant.code} | `);
if (!options.file.length) {
  keep("mutants", {
    ...origin(),
    figures: {
      seed,
      all: all.length,
      ran: ran.length,
      unviable: unviable.length,
      caught: caught.length,
      late: late.length,
      missed: missed.length,
      harmless: excused.length,
      share: Math.round(10 * share) / 10,
    },
  });
}
process.exitCode = share < 90 ? 1 : 0;
