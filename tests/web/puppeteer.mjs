// Chromium and Firefox without a driver, for pages in local files and for what the other interfaces cannot do.
import puppeteer from "puppeteer-core";
import { CHROMIUM, desktop, FULL_CHROMIUM_FLAGS, NOWHERE } from "./browser.mjs";
import { CONDITION_TIMEOUT_MS } from "./wait.mjs";

export const browsers = {
  chromium: {
    executablePath: CHROMIUM,
    args: ["--no-sandbox", ...FULL_CHROMIUM_FLAGS],
  },
  firefox: {
    browser: "firefox",
    executablePath: process.env.FIREFOX,
    // Without these settings Firefox makes network requests of its own.
    extraPrefsFirefox: { "intl.accept_languages": "en-GB", "network.captive-portal-service.enabled": false },
  },
};

/** The `skip` option of `test` for a browser that may be missing on a developer's computer. */
export const skip = (name) =>
  !browsers[name].executablePath && !process.env.CI ? `${name} is missing: FIREFOX may name it` : false;

/** Starts a browser with the common time limit, also for what its pages wait for. */
export async function start(name, { extraPrefsFirefox, ...options } = {}) {
  const known = browsers[name];
  const browser = await puppeteer.launch({
    headless: true,
    defaultViewport: desktop,
    env: { ...process.env, ...NOWHERE },
    timeout: CONDITION_TIMEOUT_MS,
    protocolTimeout: CONDITION_TIMEOUT_MS,
    ...known,
    ...(known.extraPrefsFirefox && { extraPrefsFirefox: { ...known.extraPrefsFirefox, ...extraPrefsFirefox } }),
    ...options,
  });
  const { newPage } = browser;
  browser.newPage = async () => {
    const page = await newPage.call(browser);
    page.setDefaultTimeout(CONDITION_TIMEOUT_MS);
    return page;
  };
  return browser;
}
