// Makes two files of the core: core/posenc_bg.wasm, which the bench starts with, and core/figures.wasm with what only the figures of the
// lesson call, or what is asked for later. Most visits begin at the bench; the second file comes when the first figure does (static/core/figures.mjs).
//
// Both are of one instance's memory and one table of functions. What the first calls of the second goes through that table, whose places
// the second fills when it arrives; what the second calls of the first is imported by it. Texts and tables that only the second needs come with
// it (constants.mjs).
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dist, whole } from "./bundle.mjs";
import { divideConstants } from "./constants.mjs";
import { shortenImports } from "./imports.mjs";

/**
 * The functions of the second file, by the module of src/ they are compiled from: the figures, but for controls, which the bench shares, and
 * but for their settings, which are read with the address; the mathematics that they alone use; what builds, draws and works a figure, and
 * what saves it or a picture of the bench; what inspects tables; tables as numbers and files; heads of attention; the table of Whisper;
 * and QR codes.
 */
const FIGURES = new RegExp(
  `^<?(?:${[
    "bench(?:Picture|Svg)",
    "encode(?:At)?$|rotation$|table(?:Csv|Npy)$|tablefile_",
    "mounted_(?:table|measurements|picture|svg)",
    "posenc_(?:lab|inspect)::",
    "posenc_encoding::(?:whisper|head|alibi|rope|t5|transformer_xl)::",
    String.raw`posenc_encoding::\w+::(?:head::|\w+ as posenc_encoding::head::)`,
    "posenc_encoding::row_kernel::<impl posenc_encoding::sinusoidal::Sinusoidal>::block_f32",
    "qrcodegen::",
    "posenc::(?:figure::(?!control::)|text::inspection::|export::|math::(?:attention|linear)::)",
    "posenc::figures::(?!fields|bench::(?!ViewFigure))",
    "posenc::web::(?:api|files|inspect|qr)::",
    String.raw`posenc::web::figure::(?:files::|element::Mounted::(?:table|measurements|picture|svg)|(?:elements|input)::<impl|lifecycle::<impl [\w:]+>::(?:draw|frame))`,
  ].join("|")})`,
);
/**
 * Bytes of text below which a function stays with whoever calls it: of functions that are alike only one is kept, under the name of any of
 * them, and short ones are often alike.
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

/** The text of a module by its kinds of parts: types, imports, functions and so on. */
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

/** The types of a function's parameters, and its whole type as text, as its first line or its import has them. */
function signature(text) {
  const line = text.split("\n")[0];
  const params = [...line.matchAll(/\(param ([^)]*)\)/g)].flatMap(([, types]) =>
    types.split(" ").filter((type) => !type.startsWith("$")),
  );
  const [result = ""] = line.match(/\(result [^)]*\)/) ?? [];
  return { params, type: `${params.length ? `(param ${params.join(" ")})` : ""} ${result}` };
}

/** A module with its functions by name, what each of them calls, what is called from outside, and the table of functions. */
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

/** What the bench can come to call, without entering a function of the figures. */
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

/** A function in the first file that calls the one of the second by its place in the table. */
function door(name, body, place) {
  const { params, type } = signature(body);
  const given = params.map((_, i) => `(local.get ${i})`).join(" ");
  return ` (func ${name} ${type} (call_indirect $0 ${type} ${given} (i32.const ${place})))`;
}

/** What the second file takes from the first: the exports of the one, the imports of the other; in the first's `order`, which packs smaller. */
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
      // By this name the page knows that there is a second file.
      exports.push(` (export "figures" (table $0))`);
      imports.push(` (import "core" "figures" (table $0 ${type}))`);
    }
  }
  return { exports, imports };
}

/** The texts of the two modules that `text` is divided into; `map` is the linker's. */
function divide(text, map) {
  const module = read(text);
  const { functions, calls, begin, slots } = module;
  const bench = reachable(module);
  // In the order of their names: what belongs together is alike, and packs smaller.
  const order = [...functions.keys()].sort((a, b) =>
    named(a).replace(/^</, "") < named(b).replace(/^</, "") ? -1 : 1,
  );
  const isFigures = (name) => functions.has(name) && !bench.has(name);
  const figures = order.filter(isFigures);
  if (figures.length < 100) throw new Error("the core does not name its functions, so it cannot be divided");

  const doors = [...new Set([...module.entries, ...[...bench].flatMap((name) => [...calls.get(name)])])].filter(
    isFigures,
  );
  // Functions that are alike share their code and have several places.
  const places = [...slots, ...doors.filter((name) => !slots.includes(name))].map((name, i) => [name, begin + i]);
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
      ...doors.map((name) => door(name, functions.get(name), placeOf.get(name))),
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

/** Milliseconds within which the linker writes the core and its map. */
const TOGETHER = 60_000;

/** The map that build.rs has had the linker write. By that of another core, as of a copied target folder, constants would be lost. */
async function linkerMap() {
  const folder = join(process.env.CARGO_TARGET_DIR ?? "target", "wasm32-unknown-unknown/release");
  const [map, core] = ["posenc.map", "posenc.wasm"].map((name) => join(folder, name));
  const [mapped, linked] = await Promise.all([stat(map), stat(core)]);
  if (Math.abs(mapped.mtimeMs - linked.mtimeMs) > TOGETHER)
    throw new Error(`${map} is not of this core: touch build.rs and build again`);
  return readFile(map, "utf8");
}

/** Divides the core that Trunk has built; its names, by which it is divided, are left out of what is made, as are the long ones of its imports. */
export async function split() {
  const folder = await mkdtemp(join(tmpdir(), "posenc-split-"));
  const run = (command, ...rest) =>
    execFileSync(command, [...rest, ...FEATURES], { maxBuffer: 1 << 28, encoding: "utf8" });
  const built = fileURLToPath(new URL("core/posenc_bg.wasm", dist));
  const figures = fileURLToPath(new URL("core/figures.wasm", dist));
  try {
    const glueFile = new URL("core/posenc.js", dist);
    const { text, glue } = shortenImports(run("wasm-dis", built), await readFile(glueFile, "utf8"));
    await writeFile(glueFile, glue);
    const made = divide(text, await linkerMap());
    await mkdir(new URL(".", whole), { recursive: true });
    for (const [name, module, file] of [
      ["whole", text, fileURLToPath(whole)],
      ["bench", made.bench, built],
      ["figures", made.figures, figures],
    ]) {
      const source = join(folder, `${name}.wat`);
      await writeFile(source, module);
      run("wasm-opt", "--quiet", source, "-o", file);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
