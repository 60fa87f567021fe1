// Serves this folder, opens it in headless Chromium and prints the report.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const folder = fileURLToPath(new URL(".", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  try {
    const body = await readFile(join(folder, path === "/" ? "index.html" : path));
    response.setHeader("content-type", types[extname(path)] ?? "text/html");
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--headless=new", "--disable-gpu", "--disable-background-networking"],
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const report = await page.waitForFunction(() => window.report, null, { timeout: 60_000 });
  const { text, failed } = await report.jsonValue();
  console.log(`Chromium ${browser.version()}\n${text}`);
  process.exitCode = failed ? 1 : 0;
} finally {
  await browser.close();
  server.close();
}
