// What the tests of notebooks share: the wheel, and a server that is started for a test.
import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CONDITION_TIMEOUT_MS } from "./wait.mjs";

const run = promisify(execFile);
const scripts = fileURLToPath(new URL("../../scripts/kit/", import.meta.url));

/** The folder of the programs of JupyterLab and marimo; without it their tests are left out, unless nothing may be. */
export const programs = process.env.JUPYTER;
export const isLeftOut = !programs && !process.env.CI && "JUPYTER names no notebooks: scripts/test installs them";

/** Builds the wheel and installs it in a folder below `folder`, which is returned: Python finds it by PYTHONPATH. */
export async function installWheel(folder) {
  const licences = join(folder, "THIRD-PARTY.txt");
  await run("node", [join(scripts, "licences.mjs"), licences]);
  const archive = [join(scripts, "archive.py"), "wheel", "0.0.0", licences, folder];
  const wheel = (await run("python3", archive)).stdout.trim();
  const packages = join(folder, "packages");
  const pip = ["-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", "--target", packages];
  await run(join(programs, "python"), [...pip, join(folder, wheel)]);
  return packages;
}

/** Starts a program and waits until it prints its address, which `pattern` finds. Returns that and a function that ends it. */
export async function startServer(program, args, options, pattern) {
  const server = spawn(join(programs, program), args, options);
  let log = "";
  const close = () =>
    new Promise((resolve) => {
      server.removeAllListeners("exit").once("exit", resolve);
      server.kill();
    });
  const started = new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`${program} did not start:\n${log}`));
    // JupyterLab reads thousands of files before its first output.
    const late = setTimeout(failed, 5 * CONDITION_TIMEOUT_MS);
    server
      .once("error", failed)
      .once("exit", failed)
      .once("exit", () => clearTimeout(late));
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (data) => {
        log += data;
        const found = pattern.exec(log);
        if (found) resolve(found[0]), clearTimeout(late);
      });
    }
  });
  try {
    return { url: await started, close };
  } catch (error) {
    if (server.exitCode === null && server.pid) await close();
    throw error;
  }
}
