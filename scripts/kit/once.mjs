// Keeps results that take long and depend on nothing but their inputs, so that an edit of a script or a style does not
// optimise the core again.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const kept = new URL("../../target/kit/", import.meta.url);

/**
 * Returns the URL of a folder with the files that `make` writes into the folder whose path it is given. If it has been made
 * of the same inputs (strings and bytes) before, it is not made again; of each name only the latest is kept.
 */
export async function once(name, inputs, make) {
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(`${input.length}:`).update(input);
  const folder = new URL(`${name}-${hash.digest("hex").slice(0, 32)}/`, kept);
  if (existsSync(folder)) return folder;
  await mkdir(kept, { recursive: true });
  const others = (await readdir(kept)).filter((other) => other.startsWith(`${name}-`));
  for (const other of others) await rm(new URL(other, kept), { recursive: true, force: true });
  const unfinished = fileURLToPath(new URL(`${name}-unfinished`, kept));
  await mkdir(unfinished);
  await make(unfinished);
  await rename(unfinished, folder);
  return folder;
}
