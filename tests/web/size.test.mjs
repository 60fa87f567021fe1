// The download of a first visit in English, gzipped. The lesson's Chinese and the code of its figures are separate files,
// loaded with the first figure.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import "./remains.mjs";
import * as b from "./browser.mjs";
import { record } from "./figures.mjs";
import { dist, serve } from "./serve.mjs";
import { firstVisit, MAX_BYTES } from "./size.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

test(`a first visit downloads at most ${MAX_BYTES / 1000} KB, as docs/speed.md has it`, {
  timeout: TEST_TIMEOUT_MS,
}, async (t) => {
  const [browser, site] = await Promise.all([b.launch(), serve()]);
  try {
    const { files, total } = await firstVisit(browser, site.url);
    for (const { name, bytes } of files) t.diagnostic(`${bytes} bytes gzipped: ${name}`);
    t.diagnostic(`${total} bytes gzipped in all`);
    const core = files.filter(({ name }) => name.includes(".wasm")).map(({ name }) => name);
    assert.deepEqual(core, ["core/posenc.wasm.xz"]);
    assert.ok(total <= MAX_BYTES, `${total} bytes`);
    const said = await readFile(new URL("../../docs/speed.md", import.meta.url), "utf8");
    assert.ok(said.includes(`| ≤ ${MAX_BYTES / 1000} KB |`), "the limit in the table of scripts/bench");
    const figures = gzipSync(await readFile(`${dist}/core/figures.wasm`)).length;
    t.diagnostic(`${figures} bytes gzipped: core/figures.wasm, with the first figure of the lesson`);
    record("size", { engine: "Chromium", version: browser.version(), files: files.length, bytes: total, figures });
  } finally {
    await browser.close();
    await site.close();
  }
});
