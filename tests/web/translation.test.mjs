// The Chinese lesson is a separate file: what waits for it, when it is loaded in English, and what its readers see if it
// fails to load.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { tools } from "./check.mjs";
import { TEST_TIMEOUT_MS, until } from "./wait.mjs";

const FILE = "lesson.zh.html";

/**
 * Runs `work` with the page at an address of the site, and its requests for the file so far; `reply` handles these requests.
 */
function visit(name, { reply, prepare, ...options }, work) {
  test(name, { timeout: TEST_TIMEOUT_MS }, async () => {
    const asked = [];
    const page = await b.open(tools.browser, tools.site.url, {
      ...options,
      prepare: async (page) => {
        page.on("request", (request) => request.url().endsWith(FILE) && asked.push(request.url()));
        if (reply) await page.route(`**/${FILE}`, reply);
        await prepare?.(page);
      },
    });
    await work(page, asked);
    if (!reply && !prepare) await b.noProblems(page);
  });
}

const translation = (page) => page.evaluate(() => document.documentElement.dataset.translation);
const arrival = (page) => until(async () => (await translation(page)) === "loaded", "the translation");
/**
 * The Chinese text of the lesson, element by element, without white space; links to pages that are not beside a single file
 * are omitted. With `markup`, the text of that page.
 */
const chinese = (page, markup) =>
  page.evaluate((markup) => {
    const root = markup ? new DOMParser().parseFromString(markup, "text/html") : document;
    return [...root.querySelectorAll(".prose :not(span, .beside, .beside *)[lang=zh]")].map((element) =>
      element.textContent.replace(/\s/g, ""),
    );
  }, markup);

/** The source of the page, with the files that Trunk inlines. */
async function source() {
  const read = (name) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");
  const page = await read("index.html");
  const parts = /<link data-trunk rel="inline" href="([^"]*\.html)">/g;
  const texts = await Promise.all([...page.matchAll(parts)].map(([, name]) => read(name)));
  return page.replace(parts, () => texts.shift());
}
const chooseLanguage = async (page, lang) => {
  const list = page.locator("[data-control=lang] select").first();
  await b.uncover(list);
  await list.selectOption(lang);
};
/** Whether the text of the first chapter is visible, by language. */
const read = async (page) => {
  const visible = (lang) => page.locator(`#order .with-figure > div[lang=${lang}] > p`).first().isVisible();
  return { en: await visible("en"), zh: await visible("zh") };
};

describe("the lesson in Chinese", () => {
  visit("does not come with the bench in English", { hash: "#lang=en" }, async (page, asked) => {
    await b.settle(page, 500);
    await page.waitForLoadState("networkidle");
    assert.deepEqual(asked, []);
    assert.equal(await translation(page), "separate");
  });

  visit("comes once, when the language is changed", { hash: "#lang=en" }, async (page, asked) => {
    await chooseLanguage(page, "zh");
    await arrival(page);
    await chooseLanguage(page, "en");
    await chooseLanguage(page, "zh");
    await b.settle(page);
    assert.equal(asked.length, 1);
    assert.deepEqual(await read(page), { en: false, zh: true });
  });

  visit(
    "is there from the first figure on, also without a network",
    { hash: "#order&lang=en" },
    async (page, asked) => {
      await arrival(page);
      assert.equal(asked.length, 1);
      // Not `setOffline`: the browser asks for the page's icon when it likes, which would then be a failed request.
      await page.route(
        (address) => !address.pathname.endsWith("icon.svg"),
        (route) => route.abort("internetdisconnected"),
      );
      await chooseLanguage(page, "zh");
      await b.settle(page);
      assert.deepEqual(await read(page), { en: false, zh: true });
    },
  );

  visit("is what was written, here and in the page in one file", { hash: "#lang=zh" }, async (page, asked) => {
    const blank = await tools.browser.newPage();
    const written = await chinese(blank, await source());
    await blank.close();
    assert.ok(written.length > 200 && written.every((words) => /\p{Script=Han}/u.test(words)));
    await arrival(page);
    assert.deepEqual(await chinese(page), written);
    assert.equal(asked.length, 1);
    const whole = await b.open(tools.browser, `${tools.site.url}posenc.html`, { hash: "#lang=zh" });
    await arrival(whole);
    assert.deepEqual(await chinese(whole), written);
  });

  // The bench has priority on the connection.
  const benchFirst = async (route) => {
    const html = route.request().frame().locator("html");
    replied.push(await html.getAttribute("data-posenc"));
    await route.continue();
  };
  const replied = [];
  visit("follows the bench", { hash: "#lang=zh", reply: benchFirst }, async (page, asked) => {
    await arrival(page);
    assert.equal(asked.length, 1);
    assert.deepEqual(replied, ["ready"]);
  });

  // The core is delayed, so that there is no bench to wait for.
  let start;
  const isScrolled = new Promise((resolve) => (start = resolve));
  const scrollFirst = async (page) => {
    await page.route(b.CORE_FILES, async (route) => {
      await isScrolled;
      await route.continue();
    });
    page.once("domcontentloaded", async () => {
      await page.mouse.wheel(0, 300);
      await arrival(page);
      replied.push(await page.locator("html").getAttribute("data-posenc"));
      start();
    });
  };
  visit(
    "does not wait for it where the reader scrolls",
    { hash: "#lang=zh", prepare: scrollFirst },
    async (page, asked) => {
      assert.equal(asked.length, 1);
      assert.equal(replied.at(-1), null);
      await b.noProblems(page);
    },
  );

  // The file arrives after the core, which could start.
  const late = async (route) => {
    const isCore = (files) => performance.getEntriesByType("resource").some(({ name }) => files.test(name));
    await route.request().frame().waitForFunction(isCore, b.CORE_FILES);
    await route.continue();
  };
  visit(
    "is there before the page goes to a chapter",
    { hash: "#alibi&lang=zh", viewport: b.phone, reply: late },
    async (page) => {
      await b.settle(page);
      const top = await page.locator("#alibi > h2").evaluate((heading) => heading.getBoundingClientRect().top);
      // Browsers scroll to whole device pixels.
      assert.ok(top > -1 && top < 120, `the heading is at ${top} px`);
    },
  );

  const prepare = (page) => page.addInitScript(() => delete window.WebAssembly);
  visit("is read where the bench cannot run", { hash: "#lang=zh", state: "failed", prepare }, async (page) => {
    await arrival(page);
    assert.deepEqual(await read(page), { en: false, zh: true });
  });

  const refusals = {
    "is not on the server": (route) => route.fulfill({ status: 404, contentType: "text/html", body: "<p>Not found" }),
    "cannot be had": (route) => route.abort(),
    "belongs to another build": (route) => route.fulfill({ contentType: "text/html", body: "<body><p>一<p>二" }),
    "is no page": (route) => route.fulfill({ contentType: "application/octet-stream", body: "" }),
  };
  visit(
    "is asked for once by figures, even where it cannot be had",
    { hash: "#order&lang=en", reply: refusals["is not on the server"] },
    async (page, asked) => {
      await until(async () => (await translation(page)) === "failed", "the refusal");
      await page.evaluate(() => document.getElementById("fig-rope").scrollIntoView());
      await page.locator("#fig-rope[data-mounted] canvas").waitFor();
      await b.settle(page);
      assert.equal(asked.length, 1);
    },
  );

  test("is replaced by the English in one file where there is no WebAssembly", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await b.open(tools.browser, `${tools.site.url}posenc.html`, {
      hash: "#lang=zh",
      state: "failed",
      prepare,
    });
    await until(async () => (await translation(page)) === "failed", "the refusal");
    assert.deepEqual(await read(page), { en: true, zh: false });
    assert.ok(await page.locator(".untranslated").isVisible());
  });

  for (const [what, reply] of Object.entries(refusals)) {
    visit(`is replaced by the English where it ${what}`, { hash: "#lang=zh", reply }, async (page) => {
      await until(async () => (await translation(page)) === "failed", "the refusal");
      assert.deepEqual(await read(page), { en: true, zh: false });
      assert.ok(await page.locator("#order > h2 [lang=zh]").first().isVisible());
      assert.match(await page.locator(".untranslated").innerText(), /刷新/);
      const edges = (selector) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => element.getBoundingClientRect().left);
      assert.equal(await edges(".untranslated"), await edges("#order"));
      await page.unroute(`**/${FILE}`);
      await chooseLanguage(page, "en");
      assert.ok(!(await page.locator(".untranslated").isVisible()));
      // Selecting the language again loads it.
      await chooseLanguage(page, "zh");
      await arrival(page);
      assert.ok(!(await page.locator(".untranslated").isVisible()));
      assert.deepEqual(await read(page), { en: false, zh: true });
    });
  }
});
