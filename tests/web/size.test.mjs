// Everything a first visit downloads, gzipped: the lesson's text in both its languages included. The code of its figures is a file of its
// own, which comes with the first of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { serve } from "./serve.mjs";
import { firstVisit } from "./size.mjs";

test("a first visit downloads at most 350 KB", { timeout: 60_000 }, async (t) => {
  const [browser, site] = await Promise.all([b.launch(), serve()]);
  try {
    const { files, total } = await firstVisit(browser, site.url);
    for (const { name, bytes } of files) t.diagnostic(`${bytes} bytes gzipped: ${name}`);
    t.diagnostic(`${total} bytes gzipped in all`);
    assert.ok(files.some(({ name }) => name === "core/posenc_bg.wasm"));
    assert.ok(total <= 350_000, `${total} bytes`);
  } finally {
    await browser.close();
    await site.close();
  }
});
