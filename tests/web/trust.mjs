// Makes docs/trust.md from the records of the tests: node trust.mjs. `node trust.mjs passed` records that a whole run has
// passed.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { folder, keep, origin } from "./figures.mjs";
import { machine } from "./report.mjs";

const names = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKitGTK" };

const number = (value) =>
  value.toLocaleString("en-GB", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
const said = (value) =>
  Array.isArray(value) ? value.map(said).join(" → ") : typeof value === "number" ? number(value) : String(value);
const megabytes = (values) => `${values.map((bytes) => number(bytes / 2 ** 20)).join(" → ")} MB`;
const some = (...parts) => parts.filter(Boolean).join("; ");
/** The sentence for a value, or an empty string if the value is missing. */
const of = (value, words) => (value === undefined ? "" : words(said(value), value));

const grown = (f) =>
  some(
    of(f.nodes, (n) => `${n} nodes`),
    of(f.listeners, (n) => `${n} listeners`),
    of(f.memory, (_, bytes) => `${megabytes(bytes)} of WebAssembly memory`),
  );

const monkey = {
  what: "A random user: mouse, touch, wheel, keys, boxes, addresses, scrolling",
  how: (f) =>
    some(
      of(f.events, (n) => `${n} events`) + of(f.frames, (n) => ` in ${n} frames`),
      of(f.seed, () => `seed ${f.seed}`),
    ),
  came: (f) =>
    some(
      "no error, and the page works on",
      of(f.script, (n) => `at most ${n} ms of script in a frame`),
      of(f.over, (n) => `${n} frames with more than 200 ms of it`),
      of(f.again, (n) => `${n} of its parts played again, because a frame had more than a second of it`),
      of(f.png, (n) => `at most ${n} ms in which the page waits while the browser makes a PNG file`),
      of(f.wall, (n) => `at most ${n} ms by the clock from frame to frame`),
      of(f.slow, (n) => `${n} frames later than 200 ms`),
      of(f.delayed, (n) => `${n} sizes a frame late`),
      grown(f),
    ),
  known: [
    "events",
    "frames",
    "seed",
    "script",
    "over",
    "again",
    "png",
    "wall",
    "slow",
    "delayed",
    "nodes",
    "listeners",
    "memory",
  ],
};
const engines = {
  what: "The same steps in each engine: bench, lesson, kit, element, frame and single file, by mouse and keys",
  how: (f) =>
    some(
      of(f.steps, (n) => `${n} steps`),
      of(f.figures, (n) => `${n} figures of the lesson drawn and worked`),
    ),
  came: () => "all as they should be, no error and no warning",
  known: ["steps", "figures"],
};
const recovery = {
  what: "The core made to fail: panics, exceptions in the middle of its work, full stacks",
  how: (f) => of(f.cases, (n) => `${n} cases`),
  came: () => "started again with the state kept, or stopped with advice",
  known: ["cases"],
};
const soak = {
  what: "Every figure playing at once, then changed at random",
  how: (f) =>
    some(
      of(f.minutes, (n) => `${n} min`),
      of(f.figures, (n) => `${n} figures`) + of(f.playing, (n) => ` of which ${n} play`),
      of(f.frames, (n) => `${n} frames`),
      of(f.changes, (n) => `${n} changes`),
    ),
  came: (f) =>
    some(
      grown(f),
      of(f.frame, () => `the last frames took ${number(f.frame[1] / f.frame[0])} of the time of the first`),
    ),
  known: ["minutes", "figures", "playing", "frames", "changes", "nodes", "listeners", "memory", "frame"],
};

/** One row for each engine. */
const inEach = (name, row) =>
  Object.fromEntries(Object.entries(names).map(([engine, title]) => [`${name}-${engine}`, { ...row, engine: title }]));

/**
 * The rows by the names under which tests record; `file` is the test, `known` the values that the row's sentence contains.
 */
const rows = {
  ...inEach("monkey", { ...monkey, file: "tests/web/monkey.test.mjs" }),
  "inputs-native": {
    file: "tests/native/inputs.rs",
    what: "Values that have surprised programs, and random ones, as settings, links and fields of every figure",
    how: (f) =>
      some(
        of(f.values, (n) => `${n} values × ${f.settings} settings`),
        of(f.links, (n) => `${n} addresses`),
        of(f.fields, (n) => `all values in ${n} fields of ${f.figures} figures`),
        ...["addresses", "fields", "figures drawn", "benches drawn"].map((what) =>
          of(f[`random ${what}`], (n) => `${n} random ${what}`),
        ),
      ),
    came: () => "nothing panics, what is used is legal, what was wrong is named",
    known: [
      "values",
      "settings",
      "links",
      "fields",
      "figures",
      "random addresses",
      "random fields",
      "random figures drawn",
      "random benches drawn",
    ],
  },
  inputs: {
    file: "tests/web/inputs.test.mjs",
    what: "The same on the page: in the address, as attributes and by `setState`",
    how: (f) =>
      some(
        of(f.values, (n) => `${n} values × ${f.settings} settings`),
        of(f.links, (n) => `${n} addresses`),
        of(f.attributes, (n) => `${n} attributes and states set`),
        of(f.begun, (n) => `${n} visits that begin with one`),
      ),
    came: (f) =>
      some(
        "nothing fails, and a notice names what was not taken",
        of(
          f.script,
          (_n, [middle, worst]) =>
            `script of a frame ${number(middle)} ms in the middle, ${number(worst)} ms at most, by the clock`,
        ),
        of(
          f.paint,
          (_, [ordinary, middle, worst]) =>
            `script until the first picture, in the processor's time: ${number(ordinary)} ms for an ordinary visit, ${number(middle)} ms in the middle of ${f.painted} of these, ${number(worst)} ms for the worst, \`${f.slowest}\``,
        ),
      ),
    known: ["values", "settings", "links", "attributes", "begun", "script", "paint", "painted", "slowest"],
  },
  places: {
    file: "tests/web/places.test.mjs",
    what: "Windows of any size and sharpness, hidden, on paper, in other people's colours; whatever a browser or a network can refuse",
    how: (f) =>
      some(
        of(f.looks, (n) => `${n} looks at all pictures`),
        of(f.refusals, (n) => `${n} refusals, each in a language`),
      ),
    came: () => "no picture empty, stretched or too large; each refusal has its words",
    known: ["looks", "refusals"],
  },
  ...inEach("engines", { ...engines, file: "tests/web/engines.test.mjs" }),
  ...inEach("recovery", { ...recovery, file: "tests/web/recovery-engines.test.mjs" }),
  "recovery-chromium": { ...recovery, engine: "Chromium", file: "tests/web/recovery.test.mjs" },
  walk: {
    file: "tests/web/walk.test.mjs",
    what: "Every figure of the lesson in each of several windows, themes and languages, alone by its link, presented and moved by its sentences: layout, targets, type, names, languages, keys, axe-core",
    how: (f) =>
      some(
        of(f.combinations, (n) => `${n} combinations`),
        of(f.drawn, (n) => `${n} visits to a figure`),
        of(f.audits, (n) => `${n} audits`),
        of(f.sentences, (n) => `${n} sentences pressed`),
      ),
    came: () => "no complaint",
    known: ["combinations", "drawn", "audits", "sentences"],
  },
  lesson: {
    file: "tests/web/lesson.test.mjs",
    what: "The lesson by keyboard alone",
    how: (f) =>
      some(
        of(f.chapters, (n) => `${n} chapters`),
        of(f.stops, (n) => `${n} stops of the Tab key`),
      ),
    came: () => "every figure reached, every stop seen, named, ringed and large enough",
    known: ["chapters", "stops"],
  },
  access: {
    file: "tests/web/access.test.mjs",
    what: "axe-core, rules of WCAG 2.0 to 2.2, A and AA, in dialogs and other states; the way of the Tab key",
    how: (f) =>
      some(
        of(f.states, (n) => `${n} states of the page`),
        of(f.stops, (n) => `${n} stops`),
      ),
    came: (f) => of(f.violations, (n) => `${n} violations`),
    known: ["states", "stops", "violations"],
  },
  security: {
    file: "tests/web/security.test.mjs",
    what: "The page's policy: what it must refuse, and that it is in nobody's way",
    how: (f) =>
      some(
        of(f.scripts, (n) => `${n} scripts read`),
        of(f.attempts, (n) => `${n} attempts at markup, scripts, styles and requests`),
        of(f.requests, (n) => `${n} requests of a whole visit`),
      ),
    came: (f) =>
      some(
        of(f.refused, (n) => `${n} attempts refused`),
        of(f.outside, (n) => `${n} requests to another origin`),
      ),
    known: ["scripts", "attempts", "requests", "refused", "outside"],
  },
  soak: { ...soak, file: "tests/web/soak.test.mjs" },
  "soak-long": { ...soak, file: "scripts/soak", what: `${soak.what}, for long (\`scripts/soak\`)` },
  mutants: {
    file: "scripts/mutants",
    what: "Small mistakes planted in the computing and drawing code, one at a time, against the native tests",
    how: (f) =>
      some(
        of(f.ran, (n) => `${n} of ${number(f.all)} possible ones`),
        of(f.seed, () => `seed ${f.seed}`),
      ),
    came: (f) =>
      some(
        of(f.share, (n) => `${n} % of those that compile were noticed`),
        of(f.caught, (n) => `${n} caught`),
        of(f.late, (n) => `${n} ran too long`),
        of(f.missed, (n) => `${n} missed`),
        of(f.harmless, (n) => `${n} change nothing that anybody could notice`),
        of(f.unviable, (n) => `${n} do not compile`),
      ),
    known: ["all", "ran", "seed", "share", "caught", "late", "missed", "harmless", "unviable"],
  },
  size: {
    file: "tests/web/size.test.mjs",
    what: "A first visit, everything gzipped",
    how: (f) => of(f.files, (n) => `${n} files`),
    came: (f) =>
      some(
        of(f.bytes, (n) => `${n} bytes`),
        of(f.figures, (n) => `${n} more with the first figure of the lesson`),
      ),
    known: ["files", "bytes", "figures"],
  },
};

/** A row without a record remains, and says so. */
function line([_name, row], told, of) {
  const what = `${row.what} ([${row.file.split("/").at(-1)}](../${row.file}))`;
  if (!told) return `| ${what} | ${row.engine ?? ""} | not in this run | |`;
  const { engine = "by itself", version = "", first, last, ...others } = told.figures;
  const pairs = Object.keys(first ?? {}).map((key) => [key, [first[key], last[key]]]);
  const figures = { ...Object.fromEntries(pairs), ...others };
  const more = Object.entries(figures)
    .filter(([key]) => !row.known.includes(key))
    .map(([key, value]) => `${key}: ${said(value)}`);
  const apart = told.commit && told.commit !== of.commit ? `commit ${told.commit}, ${told.date}` : "";
  return `| ${what} | ${`${names[engine] ?? engine} ${version}`.trim()} | ${row.how(figures)} | ${some(row.came(figures), ...more, apart)} |`.replaceAll(
    "\n",
    " ",
  );
}

function page() {
  let files = [];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    // No test has run yet.
  }
  const told = Object.fromEntries(
    files.map((name) => [name.slice(0, -5), JSON.parse(readFileSync(join(folder, name), "utf8"))]),
  );
  const { run, ...records } = told;
  // Each native test writes a record of its own.
  const native = Object.entries(records).filter(([name]) => name.startsWith("inputs-native-"));
  if (native.length)
    records["inputs-native"] = { figures: Object.assign({}, ...native.map(([, { figures }]) => figures)) };
  if (!Object.keys(records).length) throw new Error(`${folder} is empty: CI=true scripts/test fills it`);
  const latest = Object.values(records)
    .filter(({ commit }) => commit)
    .sort((a, b) => (a.date < b.date ? 1 : -1))[0];
  const from = run ?? { ...latest, machine: machine() };
  const whole = run
    ? "a whole run of `CI=true scripts/test`, in which every test passed"
    : "tests that passed one by one, without a whole run of `CI=true scripts/test`";
  return `# What was tried, in numbers

Every number below was counted or measured by the tests themselves; nobody types them, and \`scripts/trust\` writes this page. It was made
of ${whole}: commit ${from.commit}, ${from.date}, ${from.machine}. A row from another commit says so. A test that fails notes
nothing, and what did not run is not in the table: “not in this run”. Of the browsers it is those that Debian ships, without a GPU. An arrow stands between
the first and the last of several counts. Times are those of this computer under this load, which others share.

| what was tried | in | how much | what came of it |
|---|---|---|---|
${Object.entries(rows)
  .map((row) => line(row, records[row[0]], from))
  .join("\n")}

To have these numbers of your own: \`CI=true scripts/test\`, then \`scripts/test --long\` for what needs chance or hours, then
\`scripts/trust\`. Speed is measured apart, by
\`scripts/bench\`: its table is in [speed.md](speed.md). What was not tested stands in [accessibility.md](accessibility.md) and, about browsers, in
[browsers.md](browsers.md).
`;
}

if (process.argv[2] === "passed") keep("run", { ...origin(), machine: machine() });
else process.stdout.write(page());
