// index.html opened from a local folder, where browsers load no modules: it shows a message that links to the single file
// beside it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { skip, start } from "./puppeteer.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

for (const name of ["chromium", "firefox"]) {
  test(`${name} is led to posenc.html`, { skip: skip(name), timeout: TEST_TIMEOUT_MS }, async () => {
    // The default of users; drivers are less strict with files.
    const browser = await start(name, { extraPrefsFirefox: { "security.fileuri.strict_origin_policy": true } });
    try {
      const page = await browser.newPage();
      for (const lang of ["en", "zh"]) {
        await page.goto(`${pathToFileURL(join(dist, "index.html"))}?lang=${lang}`);
        await page.waitForFunction(() => document.documentElement.dataset.posenc === "failed", { polling: 50 });
        const said = await page.evaluate(() => document.querySelector(".failure").innerText);
        assert.match(said, /posenc\.html/);
        assert.doesNotMatch(said, /network|网络/);
        assert.match(said, lang === "en" ? /folder/ : /文件夹/);
      }
      await Promise.all([page.waitForNavigation(), page.click("[data-reason=file] [lang=zh] a")]);
      assert.match(page.url(), /\/posenc\.html$/);
      await page.waitForFunction(() => document.documentElement.dataset.parts === "started", { polling: 50 });
    } finally {
      await browser.close();
    }
  });
}
