import { gzipSync } from "node:zlib";
import { open, settle } from "./browser.mjs";

/** What a first visit downloads, by the browser's own list of requests: each body gzipped at the usual level. */
export async function firstVisit(browser, url) {
  const bodies = new Map();
  const gather = (page) => page.on("response", (r) => r.url().startsWith("http") && bodies.set(r.url(), r.body()));
  const page = await open(browser, url, { prepare: gather });
  await settle(page, 500);
  const files = [];
  for (const [address, body] of bodies)
    files.push({ name: address.slice(url.length) || "index.html", bytes: gzipSync(await body).length });
  await page.context().close();
  return { files, total: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
