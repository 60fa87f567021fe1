import { gzipSync } from "node:zlib";
import { open, settle } from "./browser.mjs";

/** The largest download of a first visit, in bytes; also stated in docs/speed.md. */
export const MAX_BYTES = 300_000;

/** The download of a first visit, by the browser's own list of requests: each body gzipped at the default level. */
export async function firstVisit(browser, url) {
  const responses = new Map();
  const gather = (page) => page.on("response", (r) => r.url().startsWith("http") && responses.set(r.url(), r));
  const page = await open(browser, url, { prepare: gather });
  await settle(page, 500);
  await page.waitForLoadState("networkidle");
  const files = [];
  for (const [address, response] of responses)
    files.push({ name: address.slice(url.length) || "index.html", bytes: gzipSync(await response.body()).length });
  await page.context().close();
  return { files, total: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
