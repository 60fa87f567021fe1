// Writes the licences of all third-party software that is distributed: node licences.mjs FILE. These are the crates of the
// command line and of the page, and the npm packages in the page.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const kit = fileURLToPath(new URL("scripts/kit/node_modules/", root));

/**
 * Returns name, version, licence and folder of the crates that are linked for this target. Build dependencies and procedural
 * macros are left out.
 */
function crates(target) {
  const line = ["metadata", "--format-version", "1", "--locked", "--filter-platform", target];
  const { packages, resolve } = JSON.parse(
    execFileSync("cargo", line, { cwd: fileURLToPath(root), maxBuffer: 1 << 28 }),
  );
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  // Procedural macros run in the compiler.
  const macros = packages.filter(({ targets }) => targets.some(({ kind }) => kind.includes("proc-macro")));
  const left = new Set(macros.map(({ id }) => id));
  const seen = new Set();
  const walk = (id) => {
    if (seen.has(id) || left.has(id)) return;
    seen.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id).deps) if (kinds.some(({ kind }) => kind === null)) walk(pkg);
  };
  walk(resolve.root);
  return packages
    .filter(({ id, source }) => seen.has(id) && source)
    .map(({ name, version, license, manifest_path: path }) => ({ name, version, license, folder: dirname(path) }));
}

async function npm(name) {
  const folder = join(kit, name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  return { name, version, license, folder };
}

const host = /host: (.*)/.exec(execFileSync("rustc", ["-vV"], { encoding: "utf8" }))[1];
const all = [
  ...new Map(
    [...crates(host), ...crates("wasm32-unknown-unknown")].map((it) => [`${it.name} ${it.version}`, it]),
  ).values(),
  await npm("fflate"),
  await npm("gifenc"),
].sort((a, b) => a.name.localeCompare(b.name, "en"));

const parts = ["What is passed on with the Positional Encoding Explorer, and under which licences.\n"];
const texts = new Map();
for (const { name, version, license, folder } of all) {
  const files = existsSync(folder)
    ? (await readdir(folder)).filter((it) => /^(licen[cs]e|copying|notice)/i.test(it))
    : [];
  for (const file of files.sort()) {
    const text = (await readFile(join(folder, file), "utf8").catch(() => "")).trim().replace(/\r\n/g, "\n");
    if (text) texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  parts.push(`${name} ${version}: ${license}`);
}
for (const [text, names] of texts) parts.push(`\n${"=".repeat(80)}\n${names.join(", ")}\n\n${text}`);
await writeFile(process.argv[2], `${parts.join("\n")}\n`);
