// Post-processes dist/ after Trunk: optimises and divides the core, minifies the scripts, and writes posenc.html and posenc-inline.js,
// each with everything in one file.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  bundle,
  compressed,
  dataUrl,
  dist,
  esbuild,
  root,
  target,
  texts,
  textsOfPage,
  withPackages,
  withTranslation,
} from "./bundle.mjs";
import { addressed, canonical, citation } from "./citation.mjs";
import { split } from "./split.mjs";
import { divideTranslation } from "./translation.mjs";

const read = (name) => readFile(new URL(name, dist), "utf8");
const write = (name, text) => writeFile(new URL(name, dist), text);
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// Escapes what could end the script element; the characters have the same meaning in the script.
const sealed = (script) => script.replace(/<(?=\/script|!--)/gi, "\\x3c");

/** The meta element with the Content-Security-Policy of a page. */
const meta = (policy) => `<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">`;
const forbidden = [
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/**
 * Makes closures of an earlier instance of the core do nothing. After a restart of the core, event listeners, timers and
 * animation frames of the instance before are stale, and the glue would throw in each of them for as long as the page is
 * open.
 */
async function ignoreStaleClosures() {
  const glue = await read("core/posenc.js");
  const before = "throw new Error('Cannot invoke closure from previous WASM instance');";
  if (!glue.includes(before)) throw new Error("core/posenc.js says otherwise than it did what stale closures do");
  await write("core/posenc.js", glue.replaceAll(before, "return;"));
}

/**
 * Lets the core be instantiated asynchronously. Chrome and Edge before 115 do not allow a module of more than 4 KB to be
 * instantiated synchronously on the main thread (https://groups.google.com/a/chromium.org/g/blink-dev/c/nJw2zwaiJ2s).
 * `prepare` makes the instance, and the glue takes it.
 */
async function allowAsyncInstantiation() {
  const glue = await read("core/posenc.js");
  const atOnce = "new WebAssembly.Instance(wasmModule, __wbg_get_imports())";
  if (glue.split(atOnce).length !== 2) throw new Error("core/posenc.js makes its fresh instance otherwise than it did");
  const prepare =
    "let prepared;\nexport async function prepare() { prepared = await WebAssembly.instantiate(wasmModule, __wbg_get_imports()); }\n";
  await write("core/posenc.js", glue.replace(atOnce, `prepared ?? ${atOnce};\n    prepared = undefined`) + prepare);
}

/** Bundles the npm packages into the modules that import them. */
async function bundlePackages() {
  for (const name of ["kit/gif.mjs", "kit/zip.mjs"]) await write(name, await withPackages(new URL(name, dist)));
}

/** Copies the modules that only a course package uses; no page of the site loads them. */
async function session() {
  await mkdir(new URL("course/", dist), { recursive: true });
  for (const [name, source] of [
    ["course/scorm.mjs", "scorm/scorm.mjs"],
    ["course/scorm-session.mjs", "scorm/session.mjs"],
  ])
    await copyFile(new URL(source, root), new URL(name, dist));
}

/** Writes the list of files in a course package: all of dist/ except those for other pages. */
async function course() {
  const ABSENT = /^(\.|posenc\.html$|posenc-inline\.|.*\.d\.ts$|course\/files\.json$)/;
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(fileURLToPath(dist).length))
    .filter((name) => !ABSENT.test(name))
    .sort();
  const { version } = cited;
  await write("course/files.json", JSON.stringify({ version, names }));
}

async function minify() {
  const names = (await readdir(dist, { recursive: true })).filter((name) => /\.m?js$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      // before.js is a classic script for browsers of any age.
      const options = name === "before.js" ? { target: "es5" } : { target, format: "esm" };
      const { code } = await esbuild.transform(await read(name), {
        minify: true,
        charset: "utf8",
        legalComments: "none",
        ...options,
      });
      await write(name, code);
    }),
  );
}

/** Moves before.js ahead of all other scripts, because it detects whether they load. */
async function first() {
  const page = await read("index.html");
  const [tag] = page.match(/<script src="[^"]*before\.js"[^>]*><\/script>/) ?? [];
  if (!tag) throw new Error("index.html has no before.js");
  await write(
    "index.html",
    page.replace(tag, "").replace(/<script|<link rel="modulepreload"/, (other) => `${tag}\n${other}`),
  );
}

/**
 * Lays out the buttons in sentences like the text around them: a `<button>` is a box, which is not broken into lines, and after
 * which a full stop may stand alone on the next line. static/start.mjs handles the keys of a button.
 */
const buttonsAsSpans = (page) =>
  page.replace(
    /<button class="set"([^>]*)>(.*?)<\/button>/gs,
    '<span class="set" role="button" tabindex="0"$1>$2</span>',
  );

/** Removes from a page the expressions from which its numbers are computed, and lets no number break at its thousands. */
const plainNumbers = (page) =>
  page.replace(/<data value="[^"]*">(.*?)<\/data>/gs, (_, number) => number.replace(/(?<=\d) (?=\d)/g, "\u00a0"));

/** Minifies the style sheets, and removes from the lesson what only authors and tests read. */
async function tighten() {
  await write("index.html", buttonsAsSpans(plainNumbers(await read("index.html"))));
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".css"));
  for (const name of names) {
    const { code } = await esbuild.transform(await read(name), {
      loader: "css",
      minify: true,
      charset: "utf8",
      legalComments: "none",
      target,
    });
    await write(name, code);
  }
}

/** Removes optional quotes and line breaks from markup; scripts and style sheets stay as they are. */
function dense(page) {
  const blocks = /(?<=>)\n(?=<\/?(?:aside|details|div|dd|dl|dt|h2|h3|li|math|ol|p|pe-figure|section|t[bdhr]\w*|ul)\b)/g;
  const markup = (text) =>
    text.replace(blocks, "").replace(/<[a-z][^>]*>/g, (tag) => tag.replace(/="([\w.-]+)"(?=[ >])/g, "=$1"));
  const parts = page.split(/(<(script|style)\b[\s\S]*?<\/\2>)/);
  // `split` returns three parts in turn: markup, a whole element, and the name of that element.
  return parts.map((part, i) => [markup(part), part, ""][i % 3]).join("");
}

/** Writes the page as one file, whose policy lets it load nothing. */
async function offline() {
  // Other pages, linked in the head and at the end, are missing when the file is distributed alone.
  const index = (await read("index.html"))
    .replace(/<p class="beside"[\s\S]*?<\/p>\n?/g, "")
    .replace(/<link rel="(?:preload|modulepreload|help|author)"[^>]*>\n?/g, "");
  let { page, translation } = divideTranslation(index, "carried");
  const whole = withTranslation(await readFile(new URL("whole.wasm", core)), dense(translation));
  const styleTexts = textsOfPage("theme-css", "figure-css");
  const start = sealed(await bundle(new URL("start.mjs", dist), styleTexts, compressed(whole), true));
  const before = sealed(await read("before.js"));
  const [theme, figure, ...others] = await Promise.all(
    ["theme.css", "figure.css", "style.css", "reserved-heights.css"].map(read),
  );
  const styles = `<style id="theme-css">${theme}</style><style id="figure-css">${figure}</style><style>${others.join("\n")}</style>`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(before)} ${hash(start)} 'wasm-unsafe-eval'`,
    "style-src 'unsafe-inline' data:",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "connect-src data: blob:",
    ...forbidden,
  ];

  const put = (pattern, text) => {
    if (!pattern.test(page)) throw new Error(`index.html has nothing like ${pattern}`);
    page = page.replace(pattern, () => text);
  };
  put(/<meta charset="utf-8" ?\/?>/i, `<meta charset="utf-8">\n${meta(policy)}`);
  put(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${await dataUrl(fileURLToPath(new URL("icon.svg", dist)))}">`);
  put(/<link rel="stylesheet"[^>]*theme\.css[^>]*>/, styles);
  page = page.replace(/<link rel="stylesheet"[^>]*>\n?/g, "");
  put(/<script src="[^"]*before\.js"[^>]*><\/script>/, `<script>${before}</script>`);
  // The script goes to the end, so that text is displayed while the rest of the file is parsed.
  put(/<script type="module"[^>]*start\.mjs"[^>]*><\/script>(?:<!--.*?-->)?/, "");
  // Here it is the browser that cannot read the Chinese text.
  put(/刷新页面可以重试。/, "解压中文需要支持 SIMD 的 WebAssembly。");
  put(/<\/body>/, `<script type="module">${start}</script>\n</body>`);
  const markup = page
    .replaceAll(start, "")
    .replaceAll(before, "")
    .replace(/<style\b[\s\S]*?<\/style>/g, "")
    // An <a> element loads nothing by itself.
    .replace(/<a\b[^>]*>/g, "");
  const outside = markup.match(/\s(?:src|srcset|href|data|poster)="(?!data:|#)[^"]*"/g) ?? [];
  const loads = outside.filter((found) => !/ href="https?:/.test(found));
  if (loads.length) throw new Error(`posenc.html would load ${loads}`);
  await write("posenc.html", dense(page));
}

/**
 * Lets the page load the first half of the core compressed with xz. Other pages, and this page if that fails, load the
 * uncompressed file beside it.
 */
async function compressCore() {
  await copyFile(new URL("bench.wasm.xz", core), new URL("core/posenc.wasm.xz", dist));
  await write("core/bench.mjs", await withPackages(new URL("static/core/compressed.mjs", root), ["./posenc.js"]));
  const page = await read("index.html");
  const preload = '<link rel="preload" href="core/posenc_bg.wasm" as="fetch" type="application/wasm" crossorigin>';
  if (!page.includes(preload)) throw new Error("index.html does not ask for the core as it did");
  await write(
    "index.html",
    page.replace(preload, '<link rel="preload" href="core/posenc.wasm.xz" as="fetch" crossorigin>'),
  );
}

/** Moves the lesson's Chinese to a file that is loaded only by readers of Chinese. */
async function separateTranslation() {
  const { page, translation } = divideTranslation(await read("index.html"), "separate");
  await write("index.html", page);
  await write("lesson.zh.html", translation);
}

/** Adds a policy to the page that allows only files of its own origin, and no strings to be evaluated as scripts. */
async function lock() {
  const page = await read("index.html");
  const inside = (tag) =>
    [...page.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([^]*?)</${tag}>`, "g"))]
      .map(([, text]) => ` ${hash(text)}`)
      .join("");
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${inside("script")}`,
    `style-src 'self'${inside("style")}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    // The preview in the share dialog.
    "frame-src 'self'",
    ...forbidden,
  ];
  await write("index.html", page.replace(/<meta charset="utf-8" ?\/?>/i, `$&\n${meta(policy)}`));
}

/**
 * Replaces `<!-- copy: ID -->` by the text of the step with that id: both plans contain that text, each with its own time.
 */
const copied = (page) =>
  page.replace(/<!-- copy: ([\w-]+) -->/g, (_, id) => {
    const words = new RegExp(`<li class="step" id="${id}"[^>]*>\n<p class="time">.*?</p>\n(.*?)\n</li>`, "s");
    const [, found] = words.exec(page) ?? [];
    if (!found) throw new Error(`there is no step ${id} to be copied`);
    return found;
  });

/**
 * Builds the text pages beside the bench. Style and script are inline, so that the pages work from a local folder, where
 * 'self' matches nothing.
 */
async function pages() {
  const from = (name) => readFile(new URL(`static/pages/${name}`, root), "utf8");
  const small = async (text, options) =>
    (await esbuild.transform(text, { minify: true, charset: "utf8", legalComments: "none", target, ...options })).code;
  const style = await small((await read("theme.css")) + (await from("page.css")), { loader: "css" });
  const script = sealed(await small(await from("page.js"), {}));
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    ...forbidden,
  ];
  const icon = await dataUrl(fileURLToPath(new URL("icon.svg", dist)));
  const { title, version, author, addresses } = cited;
  const citationText = [`${author}. ${title}, version ${version}.`, addresses.url].filter(Boolean).join(" ");
  for (const name of ["plans.html", "about.html"]) {
    const page = plainNumbers(addressed(copied(await from(name)), addresses))
      .replace(
        '<meta charset="utf-8">',
        () => `<meta charset="utf-8">\n${meta(policy)}\n<link rel="icon" href="${icon}">`,
      )
      .replace("<style></style>", () => `<style>${style}</style>`)
      .replace("<script></script>", () => `<script>${script}</script>`)
      .replaceAll('<span class="version"></span>', () => version)
      .replaceAll('<p class="citation"></p>', () => `<p class="citation">${citationText}</p>`);
    await write(name, page);
  }
}

/** Writes the module with the functions, the element and the bytes of the core, which is also a notebook widget. */
async function inline() {
  await write(
    "posenc-inline.js",
    await bundle(new URL("static/inline.mjs", root), await texts(), await readFile(new URL("whole.wasm.xz", core))),
  );
  await copyFile(new URL("static/posenc-inline.d.ts", root), new URL("posenc-inline.d.ts", dist));
}

const cited = citation(await readFile(new URL("CITATION.cff", root), "utf8"));
/** The folder with the core, whole and divided. */
const core = await split();
await ignoreStaleClosures();
await allowAsyncInstantiation();
await bundlePackages();
await session();
await minify();
await first();
await tighten();
await write("index.html", canonical(await read("index.html"), cited.addresses));
await offline();
await compressCore();
await separateTranslation();
await lock();
await pages();
await inline();
await course();
