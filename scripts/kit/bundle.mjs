// Makes one script of the built site's modules, with nothing left to load.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// The npm packages that building needs are installed with those of the browser tests.
const installed = createRequire(new URL("../../tests/web/package.json", import.meta.url));
export const esbuild = installed("esbuild");
/** The npm packages that modules of the site import by their names: they write GIF and zip archives, and decompress xz. */
const imported = {
  gifenc: installed.resolve("gifenc/dist/gifenc.esm.js"),
  fflate: join(dirname(installed.resolve("fflate/package.json")), "esm/browser.js"),
  "xz-decompress": installed.resolve("xz-decompress"),
};

export const root = new URL("../../", import.meta.url);
export const dist = new URL("dist/", root);
const core = fileURLToPath(new URL("core/posenc.js", dist));
/** The core in one piece, as scripts/kit/split.mjs leaves it. */
export const whole = new URL("target/kit/posenc.wasm", root);

/** The browsers that docs/browsers.md names. */
export const target = ["chrome109", "firefox115", "safari16.4"];

const types = { ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".html": "text/html" };

/** A file as an address that carries it. */
export async function dataUrl(path) {
  const type = types[extname(path)];
  if (!type) throw new Error(`no type is known for ${path}`);
  return `data:${type};base64,${(await readFile(path)).toString("base64")}`;
}

/** Bytes as xz: a fifth less of WebAssembly than gzip leaves, at the cost of a decoder of 9 KB. */
export const compressed = (bytes) =>
  execFileSync("xz", ["--format=xz", "--check=crc32", "--lzma2=preset=9e,lc=4,pb=0", "--stdout"], {
    input: bytes,
    maxBuffer: 1 << 26,
  });

/** Printable characters that may stand in a script, in a string, and in an attribute as they are; none of them begins a tag. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-./:;=?@[]^_{|}";

/** Bytes as text, four of them in five digits of base 85: a fifteenth shorter than base64. Zeros fill the last four. */
function digits(bytes) {
  const words = new DataView(new ArrayBuffer(4 * Math.ceil(bytes.length / 4)));
  new Uint8Array(words.buffer).set(bytes);
  let text = "";
  for (let at = 0; at < words.byteLength; at += 4) {
    const word = words.getUint32(at);
    for (const power of [85 ** 4, 85 ** 3, 85 ** 2, 85, 1]) text += DIGITS[Math.floor(word / power) % 85];
  }
  return text;
}

/** The module that wasm-bindgen writes, whose `init` has its bytes already. */
async function withBytes() {
  const wasm = compressed(await readFile(whole));
  return `
    import { XzReadableStream } from "xz-decompress";
    import init from ${JSON.stringify(core)};
    export * from ${JSON.stringify(core)};
    const wasm = ${JSON.stringify(digits(wasm))};
    function decompressed() {
      const digits = ${JSON.stringify(DIGITS)};
      const values = new Uint8Array(128);
      for (let i = 0; i < 85; i++) values[digits.charCodeAt(i)] = i;
      const bytes = new DataView(new ArrayBuffer((wasm.length / 5) * 4));
      for (let at = 0, from = 0; from < wasm.length; at += 4) {
        let word = 0;
        for (let i = 0; i < 5; i++) word = word * 85 + values[wasm.charCodeAt(from++)];
        bytes.setUint32(at, word);
      }
      const stream = new XzReadableStream(new Blob([new Uint8Array(bytes.buffer, 0, ${wasm.length})]).stream());
      return new Response(stream, { headers: { "content-type": "application/wasm" } });
    }
    export default async (source) => init(source ?? { module_or_path: decompressed() });`;
}

/** The module that reads the figures' style sheets, which has read them. */
export async function texts() {
  const [theme, figure] = await Promise.all(
    ["theme.css", "figure.css"].map((name) => readFile(new URL(name, dist), "utf8")),
  );
  return `export const texts = async () => ${JSON.stringify([theme, figure])};`;
}

/** The same module on a page that has these two in `<style>` elements of these ids. */
export const textsOfPage = (...ids) =>
  `export const texts = async () => ${JSON.stringify(ids)}.map((id) => document.getElementById(id).textContent);`;

/** The style sheets become text, by the module `styles`; files that a module names relative to itself become data: addresses. */
const carried = (styles) => ({
  name: "carried",
  setup(build) {
    // Course packages are made of the site's files, which one file has not.
    build.onLoad({ filter: /[\\/]course\.mjs$/ }, () => ({
      contents: `export const packed = () => Promise.reject(new Error("this is one file"));`,
    }));
    build.onLoad({ filter: /[\\/]styles\.mjs$/ }, () => ({ contents: styles }));
    build.onLoad({ filter: /\.mjs$/ }, async ({ path }) => {
      let contents = await readFile(path, "utf8");
      const named = /new URL\(\s*"([^"]+\.(?:css|svg|png|html))"\s*,\s*import\.meta\.url\s*\)/g;
      for (const [whole, name] of contents.matchAll(named)) {
        const data = await dataUrl(fileURLToPath(new URL(name, `file://${path}`)));
        contents = contents.replaceAll(whole, `new URL(${JSON.stringify(data)})`);
      }
      return { contents, loader: "js" };
    });
  },
});

/** The npm packages that modules of the site import. */
const packages = {
  name: "packages",
  setup: (build) =>
    build.onResolve({ filter: /^(?:gifenc|fflate|xz-decompress)$/ }, ({ path }) => ({ path: imported[path] })),
};

/** One module, small, with all that it imports. */
async function bundled(entry, options) {
  const made = await esbuild.build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "esm",
    minify: true,
    charset: "utf8",
    target,
    ...options,
  });
  return made.outputFiles[0].text;
}

/** A module with the npm packages that it imports, small; modules in `external` are left to be loaded. */
export const withPackages = (entry, external = []) =>
  bundled(entry, { legalComments: "none", plugins: [packages], external });

/** The core with its bytes in it, for every module but the one that adds them. */
const bytes = {
  name: "bytes",
  setup(build) {
    build.onResolve({ filter: /[\\/]posenc\.js$/ }, ({ path, resolveDir, namespace }) => {
      if (!/[\\/]core[\\/]posenc\.js$/.test(resolve(resolveDir, path))) return undefined;
      return namespace === "bytes" ? { path: core } : { path: core, namespace: "bytes" };
    });
    build.onLoad({ filter: /.*/, namespace: "bytes" }, async () => ({
      contents: await withBytes(),
      loader: "js",
      resolveDir: fileURLToPath(dist),
    }));
  },
};

/** The text of one module that holds `entry` and all it imports; `styles` is the module that has the figures' style sheets. */
export async function bundle(entry, styles) {
  const text = await bundled(entry, {
    logLevel: "warning",
    // What is in one file has no others beside it.
    define: { "import.meta.url": '""' },
    plugins: [packages, bytes, carried(styles)],
  });
  if (/\bimport\(/.test(text)) throw new Error(`${entry} imports something that is only known when it runs`);
  return text;
}
