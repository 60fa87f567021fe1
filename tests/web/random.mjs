// Installs monkey.js in a page of Chromium.
import { readFile } from "node:fs/promises";

export const source = `${await readFile(new URL("monkey.js", import.meta.url), "utf8")};window.monkey = monkey;`;

/** Adds `monkey(seed, events)` to the page, and dismisses dialogs. */
export async function install(page) {
  page.on("dialog", (dialog) => dialog.dismiss());
  await page.evaluate(source);
}

/**
 * Whether a message of Chromium is caused by the monkey and not by the page: invalid text in a number input, full screen
 * without a user action (requested whenever the last real press is too long ago), downloads, and frames removed before they
 * are loaded.
 */
export const isOfTheMonkey = (words) =>
  /The specified value .* cannot be parsed|requestFullscreen|net::ERR_ABORTED/.test(words);
