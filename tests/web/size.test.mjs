// Everything a first visit downloads, gzipped: lesson and both its languages included. 350 KB were aimed at for the first fourteen chapters; what is held is what has been reached with all of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { serve } from "./serve.mjs";
import { firstVisit } from "./size.mjs";

test("a first visit downloads at most 500 KB", { timeout: 60_000 }, async (t) => {
  const [browser, site] = await Promise.all([b.launch(), serve()]);
  try {
    const { files, total } = await firstVisit(browser, site.url);
    for (const { name, bytes } of files) t.diagnostic(`${bytes} bytes gzipped: ${name}`);
    t.diagnostic(`${total} bytes gzipped in all`);
    assert.ok(files.some(({ name }) => name.endsWith(".wasm")));
    assert.ok(total <= 500_000, `${total} bytes`);
  } finally {
    await browser.close();
    await site.close();
  }
});
