// Other pages with <pe-figure> on them: a folder that contains the built site as site/, and a server for it.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { desktop } from "./browser.mjs";
import { dist, serve } from "./serve.mjs";

export async function hosting() {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  await symlink(dist, join(folder, "site"));
  const server = await serve(0, folder);
  let pages = 0;

  /**
   * Writes a page with this body and returns its address; if `script` is empty, it loads no script of the site. Events are
   * recorded in `window.events` as [name, id, detail].
   */
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

  /**
   * Writes the page, opens it and waits until the script of the site has run; `page.problems` collects errors and warnings.
   */
  async function open(browser, body, { head, lang, script, prepare, ...options } = {}) {
    const address = await write(body, { head, lang, script });
    const page = await (
      await browser.newContext({ viewport: desktop, locale: "en-GB", colorScheme: "light", ...options })
    ).newPage();
    page.problems = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
    page.on("pageerror", (error) => page.problems.push(error.message));
    await prepare?.(page);
    await page.goto(address);
    if (script !== "") await page.waitForFunction(() => customElements.get("pe-figure"));
    return page;
  }

  async function close() {
    await server.close();
    await rm(folder, { recursive: true });
  }

  return { url: server.url, write, open, close };
}
