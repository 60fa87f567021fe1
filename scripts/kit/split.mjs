// Divides the core into two files: core/posenc_bg.wasm, with which the bench starts, and core/figures.wasm with what only
// the figures of the lesson call or what is requested later. Most visits begin at the bench; the second file is loaded for
// the first figure (static/core/figures.mjs).
//
// Both files share one memory and one function table. Calls from the first file to the second go through that table, whose
// entries the second file sets when it is loaded; functions of the first file that the second calls are its imports. Strings
// and tables that only the second file needs are part of it (constants.mjs).
import { execFileSync } from "node:child_process";
import { copyFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compressed, dist } from "./bundle.mjs";
import { divideConstants } from "./constants.mjs";
import { shortenImports } from "./imports.mjs";
import { once } from "./once.mjs";

/**
 * Matches the functions of the second file, by the module of src/ that they are compiled from: the figures, except their
 * controls, which the bench shares, and their settings, which are read with the address; the mathematics that only figures
 * use; building, drawing, updating and dropping a figure, and saving it or a picture of the bench; inspection of tables;
 * tables as numbers and files, with the kernel that fills them: the bench needs single values and means; attention heads;
 * the Whisper table; what the bench draws and says of other encodings than sinusoids; QR codes; and what formats an `f32`,
 * and a `char` within quotes, which the bench never does.
 */
const FIGURES = new RegExp(
  `^<?(?:${[
    "bench(?:Picture|Svg)",
    "encode(?:At)?$|rotation$|table(?:Csv|Npy)$|tablefile_",
    "mounted_(?:table|measurements|picture|svg)",
    "posenc_(?:lab|inspect)::",
    "posenc_encoding::(?:whisper|head|alibi|rope|t5|transformer_xl)::",
    String.raw`posenc_encoding::\w+::(?:head::|\w+ as posenc_encoding::head::)`,
    "posenc_encoding::row_kernel::",
    "qrcodegen::",
    String.raw`posenc::(?:figure::(?!control::)|text::inspection\w*::|export::|math::(?:attention|linear)::)`,
    "posenc::figures::(?!fields|bench::(?!ViewFigure|bias_window|biases|points|words::(?:rows|shift|columns)_caption))",
    "core::ptr::drop_in_place<posenc(?:_inspect|_lab)?::(?:figures::(?!bench)|inspector|trainer)",
    String.raw`core\[\w+\]::fmt::float::\w+::<f32>`,
    String.raw`char as core\[\w+\]::fmt::Debug`,
    "posenc::web::(?:api|files|inspect|qr)::",
    "posenc::session::input::",
    String.raw`posenc::web::figure::(?:files::|custom_element::Mounted::(?:table|measurements|picture|svg)|(?:elements|input|shown)::|lifecycle::<impl [\w:]+>::(?:build|compute|draw|frame|update_dom))`,
  ].join("|")})`,
);
/**
 * The length of the text, in characters, up to which a function stays with its caller: of identical functions only one is
 * kept, under the name of any of them, and short functions are often identical.
 */
const SHORT = 2500;
const FEATURES = [
  "simd",
  "bulk-memory",
  "nontrapping-float-to-int",
  "sign-ext",
  "reference-types",
  "multivalue",
  "mutable-globals",
].map((name) => `--enable-${name}`);

const NAME = String.raw`\$(?:"(?:[^"\\]|\\.)*"|[^\s()]+)`;
const first = (text) => text.match(new RegExp(NAME))?.[0];
const all = (text, before = "") => [...text.matchAll(new RegExp(`${before}(${NAME})`, "g"))].map(([, name]) => name);
const named = (name) => name.replace(/^\$"?|"$/g, "");

/** Splits the text of a module by kind of definition: types, imports, functions and so on. */
function parts(text) {
  const found = {
    type: [],
    import: [],
    global: [],
    memory: [],
    data: [],
    table: [],
    elem: [],
    export: [],
    start: [],
    func: [],
  };
  for (const part of text.slice(text.indexOf("\n") + 1, text.lastIndexOf("\n)")).split(/\n(?= \()/)) {
    const [, kind] = part.match(/^ \((\w+)/) ?? [];
    if (!found[kind]) throw new Error(`the core has a part that is not known: ${part.slice(0, 80)}`);
    found[kind].push(part);
  }
  return found;
}

/** Returns the types of a function's parameters, and the text of its whole type, read from its first line or its import. */
function signature(text) {
  const line = text.split("\n")[0];
  const params = [...line.matchAll(/\(param ([^)]*)\)/g)].flatMap(([, types]) =>
    types.split(" ").filter((type) => !type.startsWith("$")),
  );
  const [result = ""] = line.match(/\(result [^)]*\)/) ?? [];
  return { params, type: `${params.length ? `(param ${params.join(" ")})` : ""} ${result}` };
}

/**
 * Parses a module: its functions by name, the callees of each, the functions called from outside, and the function table.
 */
function read(text) {
  const module = parts(text);
  if (module.elem.length !== 1 || /\(ref\.func /.test(text))
    throw new Error("the core refers to functions in a way that is not known");
  const functions = new Map(module.func.map((body) => [first(body), body]));
  const calls = new Map(
    [...functions].map(([name, body]) => [name, new Set(all(body, String.raw`\((?:return_)?call `))]),
  );
  const [, begin, list] = module.elem[0].match(/\(i32\.const (\d+)\) func (.*)\)$/s);
  const entries = [...all(module.export.join("\n"), String.raw`\(func `), ...module.start.map(first)].filter((name) =>
    functions.has(name),
  );
  return { ...module, functions, calls, entries, begin: Number(begin), slots: all(list) };
}

/** Returns the functions that the bench can call without entering a function of the figures. */
function reachable({ functions, calls, entries, slots }) {
  const later = (name) => FIGURES.test(named(name)) && functions.get(name).length > SHORT;
  const found = new Set();
  for (const todo = [...entries, ...slots]; todo.length; ) {
    const name = todo.pop();
    if (found.has(name) || !functions.has(name) || later(name)) continue;
    found.add(name);
    todo.push(...calls.get(name));
  }
  return found;
}

/** A stub in the first file that calls a function of the second file by its index in the table. */
function stub(name, body, place) {
  const { params, type } = signature(body);
  const given = params.map((_, i) => `(local.get ${i})`).join(" ");
  return ` (func ${name} ${type} (call_indirect $0 ${type} ${given} (i32.const ${place})))`;
}

/**
 * Returns what the second file takes from the first: the exports of the one and the imports of the other, in `order`, the
 * order of functions in the first file, which compresses better.
 */
function shared({ functions, calls, import: imported, global, memory }, figures, table, order) {
  const exports = [];
  const imports = [];
  const share = (kind, name, type) => {
    const short = `f${exports.length.toString(36)}`;
    exports.push(` (export "${short}" (${kind} ${name}))`);
    imports.push(` (import "core" "${short}" (${kind} ${name} ${type}))`);
  };
  const outside = new Map(imported.map((text) => [first(text), text]));
  const own = new Set(figures);
  const called = new Set(figures.flatMap((name) => [...calls.get(name)]));
  for (const name of [...outside.keys(), ...order]) {
    if (!called.has(name) || own.has(name)) continue;
    share("func", name, signature(functions.get(name) ?? outside.get(name)).type);
  }
  const used = new Set(figures.flatMap((name) => all(functions.get(name), String.raw`\(global\.[gs]et `)));
  for (const text of global)
    if (used.has(first(text))) share("global", first(text), text.match(/\$\S+ (\(mut \w+\)|\w+)/)[1]);
  for (const text of memory) share("memory", first(text), text.match(/\$\S+ ([\d ]+)\)/)[1]);
  for (const text of table) {
    const [, name, type] = text.match(/(\$\S+) (.*)\)/);
    if (name !== "$0") share("table", name, type);
    else {
      // This export tells the page that there is a second file.
      exports.push(` (export "figures" (table $0))`);
      imports.push(` (import "core" "figures" (table $0 ${type}))`);
    }
  }
  return { exports, imports };
}

/** Returns the texts of the two modules into which `text` is divided; `map` is the linker's map. */
function divide(text, map) {
  const module = read(text);
  const { functions, calls, begin, slots } = module;
  const bench = reachable(module);
  // Sorted by name: related functions are similar, and compress better together.
  const order = [...functions.keys()].sort((a, b) =>
    named(a).replace(/^</, "") < named(b).replace(/^</, "") ? -1 : 1,
  );
  const isFigures = (name) => functions.has(name) && !bench.has(name);
  const figures = order.filter(isFigures);
  if (figures.length < 100) throw new Error("the core does not name its functions, so it cannot be divided");

  const stubs = [...new Set([...module.entries, ...[...bench].flatMap((name) => [...calls.get(name)])])].filter(
    isFigures,
  );
  // Identical functions share their code and have several entries in the table.
  const places = [...slots, ...stubs.filter((name) => !slots.includes(name))].map((name, i) => [name, begin + i]);
  const placeOf = new Map(places);
  const size = begin + places.length;
  const table = module.table.map((text) => text.replace(/^( \(table \$0) \d+ \d+/, `$1 ${size} ${size}`));
  const { exports, imports } = shared(module, figures, table, order);
  const kept = order.filter((name) => bench.has(name)).map((name) => functions.get(name));
  const data = divideConstants(module.data, [...kept, ...module.global].join("\n"), map);
  return {
    bench: [
      "(module",
      ...[module.type, module.import, module.global, module.memory, data.bench, table].flat(),
      ` (elem $0 (table $0) (i32.const ${begin}) func ${slots.map((name) => (isFigures(name) ? "$absent" : name)).join(" ")})`,
      ...[module.export, exports, module.start].flat(),
      ...kept,
      ...stubs.map((name) => stub(name, functions.get(name), placeOf.get(name))),
      " (func $absent (unreachable))",
      ")",
    ].join("\n"),
    figures: [
      "(module",
      ...module.type,
      ...imports,
      ...data.figures,
      ...places
        .filter(([name]) => isFigures(name))
        .map(([name, place]) => ` (elem (table $0) (i32.const ${place}) func ${name})`),
      ...figures.map((name) => functions.get(name)),
      ")",
    ].join("\n"),
  };
}

/** The longest time in milliseconds between the modification times of the core and its map, both written by the linker. */
const TOGETHER = 60_000;

/**
 * Returns the linker's map, which build.rs requests. With the map of another core, for example in a copied target folder,
 * constants would be lost.
 */
async function linkerMap() {
  const folder = join(process.env.CARGO_TARGET_DIR ?? "target", "wasm32-unknown-unknown/release");
  const [map, core] = ["posenc.map", "posenc.wasm"].map((name) => join(folder, name));
  const [mapped, linked] = await Promise.all([stat(map), stat(core)]);
  if (Math.abs(mapped.mtimeMs - linked.mtimeMs) > TOGETHER)
    throw new Error(`${map} is not of this core: touch build.rs and build again`);
  return readFile(map, "utf8");
}

/** Optimises for size; the names of functions are kept, because the core is divided by them. */
const OPTIMISE =
  "-Oz --one-caller-inline-max-function-size=100 --low-memory-unused --flatten --rereloop -Oz -Oz --strip-producers --strip-target-features --debuginfo".split(
    " ",
  );

/** How each file is optimised again. Alignments are hints, which processors do without. */
const AGAIN = {
  bench: ["-Oz", "--dealign"],
  figures: ["--dealign"],
  whole: ["-Oz", "--one-caller-inline-max-function-size=100", "--dealign"],
};

/** The sources of what is made here: other ones make another core. */
const sources = () =>
  Promise.all(
    ["split.mjs", "bundle.mjs", "constants.mjs", "imports.mjs", "package-lock.json"].map((name) =>
      readFile(new URL(name, import.meta.url)),
    ),
  );

const run = (command, ...rest) => execFileSync(command, rest, { maxBuffer: 1 << 28, encoding: "utf8" });

/** Writes the optimised core, divided and whole, and both compressed, into `folder`. */
async function make(folder, built, glue, map) {
  const path = (name) => join(folder, name);
  run("wasm-opt", built, ...OPTIMISE, "-o", path("optimised.wasm"));
  const { text, glue: shortGlue } = shortenImports(run("wasm-dis", path("optimised.wasm"), ...FEATURES), glue);
  await rm(path("optimised.wasm"));
  await writeFile(path("posenc.js"), shortGlue);
  for (const [name, module] of Object.entries({ whole: text, ...divide(text, map) })) {
    await writeFile(path(`${name}.wat`), module);
    // Once the names are gone the first file and the whole core can be made smaller; the second file would become larger.
    run("wasm-opt", "--quiet", path(`${name}.wat`), ...AGAIN[name], "-o", path(`${name}.wasm`), ...FEATURES);
    await rm(path(`${name}.wat`));
  }
  for (const name of ["whole", "bench"])
    await writeFile(path(`${name}.wasm.xz`), compressed(await readFile(path(`${name}.wasm`))));
}

/**
 * Optimises and divides the core built by Trunk. The function names, by which it is divided, and the long import names are
 * left out of the result. Returns the URL of the folder that also holds the whole core and both compressed.
 */
export async function split() {
  const built = new URL("core/posenc_bg.wasm", dist);
  const glueFile = new URL("core/posenc.js", dist);
  const [wasm, glue, map] = await Promise.all([readFile(built), readFile(glueFile, "utf8"), linkerMap()]);
  const folder = await once("core", [wasm, glue, map, ...(await sources())], (path) =>
    make(path, fileURLToPath(built), glue, map),
  );
  await copyFile(new URL("bench.wasm", folder), built);
  await copyFile(new URL("figures.wasm", folder), new URL("core/figures.wasm", dist));
  await copyFile(new URL("posenc.js", folder), glueFile);
  return folder;
}
