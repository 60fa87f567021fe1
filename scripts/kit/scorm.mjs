// Makes a SCORM 1.2 package from dist/ that opens in a given state: node scorm.mjs [state] [file]. static/kit/course.mjs
// defines its contents.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { files as filesOf } from "../../static/kit/course.mjs";
import { dist, root } from "./bundle.mjs";

/** The default state in which a package opens. */
export const STATE = "view=worksheet&seed=1&count=10&hide=seed,topic,count";

/** Returns the files of the package by name. */
export async function files(state) {
  const built = await filesOf((name) => readFile(new URL(name, dist)), state);
  return new Map([...built].map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

/** Writes the files as a zip archive. The result is reproducible: equal files give equal bytes. */
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
