// What a failed test leaves behind in the folder that run.mjs names: pictures of its pages, what they were busy with, and in
// the repetition a trace for Playwright's viewer.
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach } from "node:test";
import { browsers, openPages, pending } from "./browser.mjs";

const { POSENC_FAILURES: folder } = process.env;
/** Milliseconds for a picture: the page may have stopped. */
const SHORTLY = 10_000;

/** Writes one of the things; a failure to do so hides no other. */
export async function leave(name, kind, what) {
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const file = `${basename(process.argv[1], ".test.mjs")}: ${name}`.replace(/[^\w.,: ()-]+/g, "_").slice(0, 150);
  await writeFile(join(folder, `${file}.${kind}`), what);
}

async function keep(name) {
  let nth = 0;
  for (const browser of browsers) {
    for (const page of openPages(browser)) {
      const which = `${name} ${++nth}`;
      const problems = page.problems?.join("\n") ?? "";
      const words = await pending(page).catch(String);
      await leave(which, "txt", `${page.url().slice(0, 2000)}\npending: ${words}\nproblems: ${problems}\n`);
      const picture = await page.screenshot({ timeout: SHORTLY }).catch(() => undefined);
      if (picture) await leave(which, "png", picture);
    }
    if (!process.env.POSENC_TRACE || !folder) continue;
    for (const context of browser.contexts()) {
      const path = join(folder, `${basename(process.argv[1], ".test.mjs")} ${++nth}.trace.zip`);
      // A context may have been traced to its end already.
      await context.tracing.stop({ path }).catch(() => {});
    }
  }
}

afterEach(async (t) => {
  if (folder && t.error) await keep(t.name).catch((error) => console.error(`nothing is kept: ${error.message}`));
});
