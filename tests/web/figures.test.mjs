// The code of the lesson's figures is a separate file: when it is loaded, and what works without it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { flush, frames, noProblems, open, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { install, isOfTheMonkey } from "./random.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const FILE = "core/figures.wasm";
const absent = (page) => page.route(`**/${FILE}`, (route) => route.fulfill({ status: 404, body: "" }));
/** Whether a message is about the file that is withheld from the page. */
const ofTheFile = (words) => words.includes(FILE) || /status of 404/.test(words);

test("it comes once, with the first figure", { timeout: TEST_TIMEOUT_MS }, async () => {
  const asked = [];
  const page = await open(tools.browser, tools.site.url, {
    prepare: (page) => page.on("request", (r) => r.url().endsWith(FILE) && asked.push(r.url())),
  });
  await settle(page, 500);
  assert.equal(asked.length, 0, "the bench does without it");
  for (const id of ["fig-order", "fig-rope", "fig-order"]) {
    await page.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
    await page.locator(`#${id}[data-mounted] canvas`).waitFor();
  }
  assert.equal(asked.length, 1);
  await noProblems(page);
  await page.context().close();
});

test("without it figures leave their sentences, and follow once it can be had", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  const page = await open(tools.browser, tools.site.url, { prepare: absent });
  await page.evaluate(() => {
    window.told = [];
    addEventListener("pe-error", ({ target, detail }) => told.push([target.id, detail.message]));
  });
  const figure = page.locator("#fig-order");
  await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => told.some(([id, words]) => id === "fig-order" && /404/.test(words)));
  assert.equal(await figure.locator(":scope > *").first().isVisible(), true, "the sentence in its place");
  await noProblems(page, new RegExp(`${FILE}|status of 404`));
  const refused = await page.evaluate(() => {
    try {
      return document.getElementById("fig-order").toSVG();
    } catch (error) {
      return error.message;
    }
  });
  assert.match(refused, /wait for pe-ready/);
  await page.unroute(`**/${FILE}`);
  await page.evaluate(() => scrollTo(0, 0));
  await frames(page, 10);
  await figure.scrollIntoViewIfNeeded();
  await page.locator("#fig-order[data-mounted] canvas").waitFor();
  await page.context().close();
});

test("the bench never calls what is in it", { timeout: TEST_TIMEOUT_MS }, async (t) => {
  const page = await open(tools.browser, tools.site.url, { prepare: absent });
  await install(page);
  const seed = Number(process.env.SEED ?? 11);
  t.diagnostic(`SEED=${seed}`);
  for (let part = 0; part < 4; part++) {
    // Keeps the random user near the bench.
    await page.evaluate(() => scrollTo(0, 0));
    const { problems } = await page.evaluate(([seed]) => window.monkey(seed, 1500), [seed + part]);
    assert.deepEqual(
      problems.filter((words) => !ofTheFile(words)),
      [],
    );
    await flush(page);
    const own = page.problems.splice(0).filter((words) => !isOfTheMonkey(words) && !ofTheFile(words));
    assert.deepEqual(own, [], `SEED=${seed}, part ${part}`);
  }
  assert.equal(await page.evaluate(() => document.documentElement.dataset.posenc), "ready");
  assert.equal(await page.evaluate(() => document.querySelectorAll("pe-figure[data-mounted]").length), 0);
  await page.context().close();
});
