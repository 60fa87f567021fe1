// Makes a SCORM 1.2 package of what dist/ holds, which opens in a state: node scorm.mjs [state] [file]. The site itself has nothing of it.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { opened } from "../../static/kit/snippet.mjs";
import { dist, esbuild, root, target } from "./bundle.mjs";

/** What a package opens in where nobody says. */
export const STATE = "view=worksheet&seed=1&count=10&hide=seed,topic,count";
/** What is for other pages than the package's own. */
const ABSENT = /^(\.|posenc\.html$|posenc-inline\.|.*\.d\.ts$)/;

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** imsmanifest.xml for these files. */
export function manifest(names, { version, title }) {
  const files = names.map((name) => `      <file href="${escaped(name)}"/>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="posenc" version="${escaped(version)}" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>${escaped(title)}</title>
      <item identifier="page" identifierref="site">
        <title>${escaped(title)}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="site" type="webcontent" adlcp:scormtype="sco" href="index.html">
${files}
    </resource>
  </resources>
</manifest>
`;
}

/** The files of the package by their names. */
export async function files(state) {
  const built = new Map();
  for (const name of (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) =>
      `${entry.parentPath ?? entry.path}/${entry.name}`.slice(fileURLToPath(dist).length).replace(/^\//, ""),
    )
    .filter((name) => !ABSENT.test(name))
    .sort())
    built.set(name, await readFile(new URL(name, dist)));
  const page = built.get("index.html").toString("utf8");
  const tag = /<script type="module" async src="\.\/start\.mjs"><\/script>/;
  if (!tag.test(page)) throw new Error("index.html starts otherwise than it did");
  const ours = page.replace(tag, '<script type="module" async src="./scorm.mjs"></script>');
  built.set("index.html", Buffer.from(opened(ours, state)));
  for (const [name, source] of [
    ["scorm.mjs", "scorm/scorm.mjs"],
    ["scorm-session.mjs", "scorm/session.mjs"],
  ]) {
    const text = await readFile(new URL(source, root), "utf8");
    const { code } = await esbuild.transform(text, {
      minify: true,
      charset: "utf8",
      target: ["es2022", ...target],
      format: "esm",
    });
    built.set(name, Buffer.from(code));
  }
  const version = /^version = "(.*)"/m.exec(await readFile(new URL("Cargo.toml", root), "utf8"))[1];
  const title = "Positional Encoding Explorer · 位置编码探索台";
  return new Map([["imsmanifest.xml", Buffer.from(manifest([...built.keys()], { version, title }))], ...built]);
}

/** Writes the files as a zip archive: the same files give the same bytes. */
export async function pack(files, archive) {
  const folder = await mkdtemp(join(tmpdir(), "posenc-scorm-"));
  try {
    for (const [name, bytes] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    execFileSync("python3", [fileURLToPath(new URL("archive.py", import.meta.url)), "flat", folder, archive]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const state = (process.argv[2] || STATE).replace(/^#/, "");
  const file = resolve(process.argv[3] ?? fileURLToPath(new URL("target/scorm/posenc-scorm12.zip", root)));
  await mkdir(dirname(file), { recursive: true });
  await pack(await files(state), file);
  console.log(`${file}: ${(await stat(file)).size} bytes, opens in #${state}`);
}
