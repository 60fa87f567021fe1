// Makes the npm package from dist/: node package.mjs [folder], target/npm/posenc by default.
import { execFileSync } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { dist, root, texts } from "./bundle.mjs";

const folder = new URL(
  `${pathToFileURL(resolve(process.argv[2] ?? fileURLToPath(new URL("target/npm/posenc", root))))}/`,
);
const write = (name, text) => writeFile(new URL(name, folder), text);
const copy = (name, from) => copyFile(new URL(name, from), new URL(name, folder));

const cargo = await readFile(new URL("Cargo.toml", root), "utf8");
const field = (name) => {
  const found = new RegExp(`^${name} = "(.*)"`, "m").exec(cargo);
  if (!found) throw new Error(`Cargo.toml has no ${name}`);
  return found[1];
};

const manifest = {
  name: field("name"),
  version: field("version"),
  description: field("description"),
  keywords: JSON.parse(/^keywords = (.*)/m.exec(cargo)[1]),
  license: `(${field("license")})`,
  type: "module",
  main: "./posenc.js",
  types: "./posenc.d.ts",
  exports: {
    ".": { types: "./posenc.d.ts", default: "./posenc.js" },
    "./inline": { types: "./posenc-inline.d.ts", default: "./posenc-inline.js" },
    "./posenc.js": { types: "./posenc.d.ts", default: "./posenc.js" },
    "./posenc-inline.js": { types: "./posenc-inline.d.ts", default: "./posenc-inline.js" },
    "./posenc_bg.wasm": "./core/posenc_bg.wasm",
    "./figures.wasm": "./core/figures.wasm",
    "./package.json": "./package.json",
  },
  // These modules define <pe-figure>.
  sideEffects: ["./posenc.js", "./posenc-inline.js", "./recovery.mjs"],
  files: [
    "core",
    "posenc.js",
    "posenc.d.ts",
    "posenc-inline.js",
    "posenc-inline.d.ts",
    "recovery.mjs",
    "styles.mjs",
    "LICENSE-*",
    "THIRD-PARTY.txt",
  ],
};

/** Returns the text of the README: how to add the package to a page, and the section of the documentation on the element. */
async function readme() {
  const element = await readFile(new URL("docs/element.md", root), "utf8");
  const settings = await readFile(new URL("docs/settings.md", root), "utf8");
  const use = await readFile(new URL("package.md", import.meta.url), "utf8");
  const section = /^# In a page of your own\n\n([\s\S]*?)(?=^## )/m.exec(element)?.[1];
  const views = /^\| `view` \| `bench`, (.*?) \|/m.exec(settings)?.[1];
  // The bench and its formula are no elements.
  const figures = views?.replace("`formula`, ", "");
  if (!section || !figures)
    throw new Error("docs/element.md says nothing of the element, or docs/settings.md names no figures");
  const here = section
    .replace("`posenc.js` lies next to `index.html`. It", "`posenc.js`")
    .replace(
      "`view` is a figure of [the list of settings](settings.md), except `bench` and `formula`,",
      `\`view\` is one of ${figures};`,
    )
    // The package contains the type declarations, but no other file that this section links to.
    .replace("(../static/posenc.d.ts)", "(posenc.d.ts)")
    .replace(/\[([^\]]+)\]\((?!https?:|posenc\.d\.ts)[^)]*\)/g, "$1");
  return `${use.trim()}\n\n## In a page\n\n${here.trim()}\n`;
}

await rm(folder, { recursive: true, force: true });
await mkdir(new URL("core", folder), { recursive: true });
await Promise.all([
  ...[
    "core/posenc.js",
    "core/posenc_bg.wasm",
    "core/figures.mjs",
    "core/policy.mjs",
    "core/figures.wasm",
    "posenc.js",
    "posenc.d.ts",
    "posenc-inline.js",
    "posenc-inline.d.ts",
    "recovery.mjs",
  ].map((name) => copy(name, dist)),
  ...["LICENSE-APACHE", "LICENSE-MIT"].map((name) => copy(name, root)),
  // The figures' styles as text, since bundlers would not find them as files.
  write("styles.mjs", await texts()),
  write("package.json", `${JSON.stringify(manifest, null, 2)}\n`),
  write("README.md", await readme()),
]);
execFileSync(process.execPath, [
  fileURLToPath(new URL("licences.mjs", import.meta.url)),
  fileURLToPath(new URL("THIRD-PARTY.txt", folder)),
]);
console.log(fileURLToPath(folder));
