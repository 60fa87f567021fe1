// Opens this folder's page in headless Chromium and prints what it measured: node run.mjs [--rows]
import { fileURLToPath } from "node:url";
import { CHROMIUM, launch } from "../../tests/web/browser.mjs";
import { printHead, printRows } from "../../tests/web/report.mjs";
import { serve } from "../../tests/web/serve.mjs";

const [browser, site] = await Promise.all([
  launch([], CHROMIUM),
  serve(0, fileURLToPath(new URL("../web", import.meta.url))),
]);
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(site.url);
  const report = await page.waitForFunction(() => window.report, null, { timeout: 120_000 });
  const { rows, failed } = await report.jsonValue();
  if (!process.argv.includes("--rows")) printHead(browser);
  printRows(rows);
  if (failed) {
    console.error("The table is wrong, see above.");
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await site.close();
}
