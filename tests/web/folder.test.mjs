// index.html opened from a local folder, where browsers load no modules: it shows a message that links to the single file
// beside it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";
import { CHROMIUM } from "./browser.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS, CONDITION_TIMEOUT_MS } from "./wait.mjs";

const browsers = {
  Chromium: {
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  },
  Firefox: {
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    // The default of users; drivers are less strict with files.
    extraPrefsFirefox: {
      "security.fileuri.strict_origin_policy": true,
      "network.captive-portal-service.enabled": false,
    },
  },
};

for (const [name, options] of Object.entries(browsers)) {
  const skip = !options.executablePath && !process.env.CI ? "FIREFOX may name it" : false;
  test(`${name} is led to posenc.html`, { skip, timeout: TEST_TIMEOUT_MS }, async () => {
    const browser = await puppeteer.launch(options);
    try {
      const page = await browser.newPage();
      for (const lang of ["en", "zh"]) {
        await page.goto(`${pathToFileURL(join(dist, "index.html"))}?lang=${lang}`);
        await page.waitForFunction(() => document.documentElement.dataset.posenc === "failed", {
          timeout: CONDITION_TIMEOUT_MS,
          polling: 50,
        });
        const said = await page.evaluate(() => document.querySelector(".failure").innerText);
        assert.match(said, /posenc\.html/);
        assert.doesNotMatch(said, /network|网络/);
        assert.match(said, lang === "en" ? /folder/ : /文件夹/);
      }
      await Promise.all([page.waitForNavigation(), page.click("[data-reason=file] [lang=zh] a")]);
      assert.match(page.url(), /\/posenc\.html$/);
      await page.waitForFunction(() => document.documentElement.dataset.posenc === "ready", {
        timeout: CONDITION_TIMEOUT_MS,
        polling: 50,
      });
    } finally {
      await browser.close();
    }
  });
}
