// Bundles modules of the built site into one script that loads no other file.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const installed = createRequire(import.meta.url);
export const esbuild = installed("esbuild");
/** The npm packages that modules of the site import by name: encoders for GIF and zip. */
const imported = {
  gifenc: installed.resolve("gifenc/dist/gifenc.esm.js"),
  fflate: join(dirname(installed.resolve("fflate/package.json")), "esm/browser.js"),
};

export const root = new URL("../../", import.meta.url);
export const dist = new URL("dist/", root);
const core = fileURLToPath(new URL("core/posenc.js", dist));
const decoder = fileURLToPath(new URL("static/core/xz.mjs", root));

/** The oldest supported browsers (docs/browsers.md). */
export const target = ["chrome109", "firefox115", "safari16.4"];

const types = { ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png", ".html": "text/html" };

/** Returns a data: URL with the content of a file. */
export async function dataUrl(path) {
  const type = types[extname(path)];
  if (!type) throw new Error(`no type is known for ${path}`);
  return `data:${type};base64,${(await readFile(path)).toString("base64")}`;
}

/** Compresses bytes with xz. The WebAssembly becomes a fifth smaller than with gzip; the decoder takes 3 KB (crates/xz). */
export const compressed = (bytes) =>
  execFileSync(
    "xz",
    ["--format=xz", "--threads=1", "--check=crc32", "--lzma2=preset=9e,lc=4,pb=0,nice=96", "--stdout"],
    {
      input: bytes,
      maxBuffer: 1 << 26,
    },
  );

/** Printable characters that need no escape in a script, a string or an attribute. None of them starts a tag. */
const CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#%()*+,-./:;=?@[]^_{|}";
/** The first of them encode six bits each, the others seven: a complete prefix code. This is how many encode six. */
const SIX_BIT = 128 - CHARACTERS.length;

/**
 * Encodes compressed bytes as text. Their bits are like random ones, so a character of six bits occurs twice as often as one
 * of seven, and gzip on a server encodes each in just as many bits: transferred, the text is no larger than the bytes. Base 64
 * would make a longer file, base 85 a transfer that is 1.4 % larger.
 */
function encoded(bytes) {
  let text = "";
  let [held, bits] = [0, 0];
  for (const byte of [...bytes, 0]) {
    held = ((held & 127) << 8) | byte;
    bits += 8;
    while (bits >= 7) {
      const code = (held >> (bits - 6)) & 63;
      if (code < SIX_BIT) {
        text += CHARACTERS[code];
        bits -= 6;
      } else {
        text += CHARACTERS[((held >> (bits - 7)) & 127) - SIX_BIT];
        bits -= 7;
      }
    }
  }
  return text;
}

/** The section of the core that holds the translation of the lesson, in a page that is one file. */
const SECTION = "translation";

/**
 * Appends a custom section with this text to a WebAssembly module: compressed together, the lesson and the texts of the
 * figures, which have many words in common, become smaller.
 */
export function withTranslation(wasm, text) {
  const content = Buffer.concat([Buffer.from([SECTION.length]), Buffer.from(SECTION + text)]);
  const size = [];
  for (let rest = content.length; size.length === 0 || rest > 0; rest >>= 7)
    size.push((rest & 127) | (rest > 127 ? 128 : 0));
  return Buffer.concat([wasm, Buffer.from([0, ...size]), content]);
}

/** Takes the translation from the core when static/before.js asks for it. */
const TRANSLATE = `
    document.addEventListener("posenc:translation", async (event) => {
      event.preventDefault();
      const { read, fail } = event.detail;
      try {
        const texts = WebAssembly.Module.customSections(await compiled(), ${JSON.stringify(SECTION)});
        read(URL.createObjectURL(new Blob(texts, { type: "text/html" })));
      } catch {
        fail();
      }
    });`;

/**
 * The source of a module that wraps the one from wasm-bindgen and carries the bytes of the core for `init`; `wasm` is the
 * compressed core, with or without a translation.
 */
function withBytes(wasm, isTranslated) {
  return `
    import init from ${JSON.stringify(core)};
    import { decompression } from ${JSON.stringify(decoder)};
    export * from ${JSON.stringify(core)};
    const wasm = ${JSON.stringify(encoded(wasm))};
    async function decompressed() {
      const codes = new Uint8Array(128);
      [...${JSON.stringify(CHARACTERS)}].forEach((character, i) => (codes[character.charCodeAt(0)] = i));
      const bytes = new Uint8Array(${wasm.length});
      for (let at = 0, from = 0, held = 0, bits = 0; from < wasm.length; from++) {
        const code = codes[wasm.charCodeAt(from)];
        held = code < ${SIX_BIT} ? (held << 6) | code : (held << 7) | (code + ${SIX_BIT});
        bits += code < ${SIX_BIT} ? 6 : 7;
        if (bits < 8) continue;
        bits -= 8;
        bytes[at++] = held >> bits;
        held &= (1 << bits) - 1;
      }
      const file = new Blob([bytes]);
      const stream = file.stream().pipeThrough(await decompression());
      return new Response(stream, { headers: { "content-type": "application/wasm" } });
    }
    let module;
    const compile = async () => WebAssembly.compileStreaming(await decompressed());
    const forget = (error) => {
      module = undefined;
      throw error;
    };
    const compiled = () => (module ??= compile().catch(forget));
    export default async (source) => init(source ?? { module_or_path: compiled() });${isTranslated ? TRANSLATE : ""}`;
}

/** The source of a module like styles.mjs with the figures' style sheets as string literals. */
export async function texts() {
  const [theme, figure] = await Promise.all(
    ["theme.css", "figure.css"].map((name) => readFile(new URL(name, dist), "utf8")),
  );
  return `export const texts = async () => ${JSON.stringify([theme, figure])};`;
}

/** The source of the same module for a page that has the two style sheets in `<style>` elements with these ids. */
export const textsOfPage = (...ids) =>
  `export const texts = async () => ${JSON.stringify(ids)}.map((id) => document.getElementById(id).textContent);`;

/**
 * An esbuild plugin that replaces styles.mjs by the module `styles`, and files named relative to `import.meta.url` by data:
 * URLs.
 */
const inlineAssets = (styles) => ({
  name: "inline-assets",
  setup(build) {
    // A course package is made of the site's files, which are not available to a single file.
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

/** Builds crates/xz and returns its WebAssembly, optimised for size. */
function decoderOfXz() {
  const build =
    "rustc --quiet --locked --release --target wasm32-unknown-unknown --package posenc-xz --crate-type cdylib";
  execFileSync("cargo", build.split(" "), { cwd: root, stdio: "inherit" });
  const folder = resolve(fileURLToPath(root), process.env.CARGO_TARGET_DIR ?? "target");
  const built = join(folder, "wasm32-unknown-unknown/release/posenc_xz.wasm");
  const options = "--all-features -Oz --low-memory-unused --strip-debug --strip-producers --strip-target-features -o -";
  return execFileSync("wasm-opt", [built, ...options.split(" ")]);
}

/** An esbuild plugin that resolves the packages imported by modules of the site: npm packages and posenc-xz, as base64. */
const packages = {
  name: "packages",
  setup(build) {
    build.onResolve({ filter: /^(?:gifenc|fflate)$/ }, ({ path }) => ({ path: imported[path] }));
    build.onResolve({ filter: /^posenc-xz$/ }, ({ path }) => ({ path, namespace: "built" }));
    build.onLoad({ filter: /.*/, namespace: "built" }, () => ({ contents: decoderOfXz(), loader: "base64" }));
  },
};

/** Returns a minified module with all its imports. */
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

/** Returns a minified module with the npm packages that it imports; modules in `external` remain imports. */
export const withPackages = (entry, external = []) =>
  bundled(entry, { legalComments: "none", plugins: [packages], external });

/** An esbuild plugin that replaces the core by a module with these bytes, except for the import in that module itself. */
const bytes = (wasm, isTranslated) => ({
  name: "bytes",
  setup(build) {
    build.onResolve({ filter: /[\\/]posenc\.js$/ }, ({ path, resolveDir, namespace }) => {
      if (!/[\\/]core[\\/]posenc\.js$/.test(resolve(resolveDir, path))) return undefined;
      return namespace === "bytes" ? { path: core } : { path: core, namespace: "bytes" };
    });
    build.onLoad({ filter: /.*/, namespace: "bytes" }, () => ({
      contents: withBytes(wasm, isTranslated),
      loader: "js",
      resolveDir: fileURLToPath(dist),
    }));
  },
});

/**
 * Returns the text of one module with `entry` and all its imports; `styles` is the source of the module with the figures'
 * style sheets, `whole` the compressed core, with or without the translation of the lesson.
 */
export async function bundle(entry, styles, whole, isTranslated = false) {
  const text = await bundled(entry, {
    logLevel: "warning",
    // A single file has no other files beside it.
    define: { "import.meta.url": '""' },
    plugins: [packages, bytes(whole, isTranslated), inlineAssets(styles)],
  });
  if (/\bimport\(/.test(text)) throw new Error(`${entry} imports something that is only known when it runs`);
  return text;
}
