// Pages of somebody else's, with <pe-figure> on them: a folder in which the built site lies as site/, and a server for it.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { desktop, watchWork } from "./browser.mjs";
import { dist, serve } from "./serve.mjs";

export async function hosting() {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  await symlink(dist, join(folder, "site"));
  const server = await serve(0, folder);
  let pages = 0;

  /** The address of a page with this body, and none of our scripts where `script` is empty. Its events are kept in `window.events`, as [name, id, detail]. */
  async function write(body, { head = "", lang = "en", script = "posenc.js" } = {}) {
    const name = `page-${++pages}.html`;
    await writeFile(
      join(folder, name),
      `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Notes</title><link rel="icon" href="data:,">${head}
<script>window.events = []; for (const e of ["pe-ready", "pe-change", "pe-error"]) addEventListener(e, (event) => events.push([e, event.target.id, event.detail]));</script>
${script && `<script type="module" src="site/${script}"></script>`}</head><body>${body}</body></html>`,
    );
    return server.url + name;
  }

  /** The same, opened; `page.problems` gathers errors and warnings. */
  async function open(browser, body, { head, lang, script, prepare, ...options } = {}) {
    const address = await write(body, { head, lang, script });
    const page = await (
      await browser.newContext({ viewport: desktop, locale: "en-GB", colorScheme: "light", ...options })
    ).newPage();
    page.problems = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
    page.on("pageerror", (error) => page.problems.push(error.message));
    await page.addInitScript(watchWork);
    await prepare?.(page);
    await page.goto(address);
    return page;
  }

  async function close() {
    await server.close();
    await rm(folder, { recursive: true });
  }

  return { url: server.url, write, open, close };
}
