// The setup of a browser test: one browser and one server per file, a new page per test.
import { after, afterEach, before, test } from "node:test";
import "./remains.mjs";
import { launchForTests, noProblems, open, settle, shut } from "./browser.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

export const tools = {};
before(async () => {
  [tools.browser, tools.site] = await Promise.all([launchForTests(), serve()]);
});
// Whether a test passes or fails, its pages are closed.
afterEach(() => shut(tools.browser));
after(async () => {
  await tools.browser?.close();
  await tools.site?.close();
});

/** The browser of these tests, for `record`. */
export const where = () => ({ engine: "Chromium", version: tools.browser.version() });

/** A test on a newly opened page, which fails if the page has problems at the end other than those that `expected` matches. */
export function check(name, { expected, ...options }, work) {
  test(name, { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await open(tools.browser, tools.site.url, options);
    await settle(page);
    // The code of a figure that is shown alone may still be loading.
    await page.waitForFunction(() => {
      const figure = document.querySelector(".alone > pe-figure");
      return !figure || figure.hasAttribute("data-mounted") || figure.shadowRoot?.querySelector("[role=alert]");
    });
    await work(page);
    await noProblems(page, expected);
  });
}
