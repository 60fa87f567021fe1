// The frame of a browser test: one browser and one server for a file, a fresh page for a test.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open, settle } from "./browser.mjs";
import { serve } from "./serve.mjs";

export const tools = {};
before(async () => {
  [tools.browser, tools.site] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await tools.browser?.close();
  await tools.site?.close();
});

/** Where these tests run, for `record`. */
export const where = () => ({ engine: "Chromium", version: tools.browser.version() });

/** A test on a freshly opened page that must end without a problem. */
export function check(name, options, work) {
  test(name, { timeout: 120_000 }, async () => {
    const page = await open(tools.browser, tools.site.url, options);
    try {
      await settle(page);
      await work(page);
      assert.deepEqual(page.problems, []);
    } finally {
      // Answers still on their way to a page that closes are nobody's.
      await page.context().unrouteAll({ behavior: "ignoreErrors" });
      await page.context().close();
    }
  });
}
