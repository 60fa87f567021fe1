// monkey.js in a page of Chromium.
import { readFile } from "node:fs/promises";

export const source = `${await readFile(new URL("monkey.js", import.meta.url), "utf8")};window.monkey = monkey;`;

/** Gives the page `monkey(seed, events)`. It answers no questions. */
export async function install(page) {
  page.on("dialog", (dialog) => dialog.dismiss());
  await page.evaluate(source);
}

/**
 * What Chromium says of the monkey and not of the page: of what it writes into a box of numbers, that no person asks for the full
 * screen (it is asked for whenever the last press of one is long enough ago), of downloads and of frames that go before they are loaded.
 */
export const isOfTheMonkey = (words) =>
  /The specified value .* cannot be parsed|requestFullscreen|net::ERR_ABORTED/.test(words);
