// Predictions in the lesson: a choice marks itself and the right one, and opens the answer; in print all answers are open.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const folder = new URL("../../static/lesson/", import.meta.url);
const html = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), "utf8"))
  .join("\n");

test("every chapter but the quiz asks for a prediction, with one right answer, in both languages", () => {
  const chapters = html.split('<section class="chapter" id="').slice(1);
  for (const chapter of chapters) {
    const id = chapter.split('"')[0];
    const questions = chapter.split('<div class="predict"').slice(1);
    assert.ok(questions.length >= 1 || id === "closing", id);
    for (const question of questions) {
      const [en, zh] = ["en", "zh"].map((lang) => question.split(`<div lang="${lang}">`)[1].split("</div>")[0]);
      const right = (text) =>
        [...text.matchAll(/<button type="button"( data-right)?>/g)].map(([, mark]) => Boolean(mark));
      assert.deepEqual(right(en), right(zh), id);
      assert.ok(right(en).length >= 3, id);
      assert.equal(right(en).filter(Boolean).length, 1, id);
      for (const text of [en, zh]) assert.match(text, /<details class="reveal"><summary>[^<]+<\/summary>\s*<p>/, id);
    }
  }
});

const verdicts = (page, lang) =>
  page
    .locator(`#shift .predict [lang=${lang}] .choices button`)
    .evaluateAll((all) =>
      all.map((choice) => [choice.getAttribute("aria-pressed"), choice.querySelector(".verdict")?.textContent ?? ""]),
    );

check("a choice is judged in its place, and the answer opens", { hash: "#lang=en" }, async (page) => {
  const question = page.locator("#shift .predict [lang=en]");
  const answer = question.locator("details");
  await question.scrollIntoViewIfNeeded();
  assert.equal(await answer.evaluate((details) => details.open), false);
  await question.locator("button").first().focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await verdicts(page, "en"), [
    ["true", "✕ Incorrect"],
    ["false", "✓ Correct"],
    ["false", ""],
  ]);
  assert.equal(await answer.evaluate((details) => details.open), true);
  await question.locator("button").nth(1).click();
  assert.deepEqual(await verdicts(page, "en"), [
    ["false", ""],
    ["true", "✓ Correct"],
    ["false", ""],
  ]);
  await page.evaluate(() => scrollTo(0, 0));
  await b.choose(page, "lang", "zh");
  assert.deepEqual(await verdicts(page, "zh"), [
    ["false", ""],
    ["true", "✓ 对了"],
    ["false", ""],
  ]);
});

test("a choice that was made before the translation arrives is marked in it", {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  let arrive;
  const arrived = new Promise((resolve) => (arrive = resolve));
  const page = await b.open(tools.browser, tools.site.url, {
    hash: "#lang=en",
    prepare: (page) => page.route("**/lesson.zh.html", (route) => arrived.then(() => route.continue())),
  });
  const press = (id, index) =>
    page.evaluate(
      ([id, index]) => document.querySelectorAll(`#${id} .predict [lang=en] .choices button`)[index].click(),
      [id, index],
    );
  const marks = (id, lang) =>
    page
      .locator(`#${id} .predict [lang=${lang}] button`)
      .evaluateAll((all) => all.map((choice) => [choice.ariaPressed, choice.className]));
  await press("shift", 0);
  const wrong = await page.evaluate(() =>
    [...document.querySelectorAll("#numbering .predict [lang=en] .choices button")].findIndex(
      (choice) => !("right" in choice.dataset),
    ),
  );
  await press("numbering", wrong);
  arrive();
  await b.choose(page, "lang", "zh");
  await page.waitForFunction(() => document.documentElement.dataset.translation === "loaded");
  for (const id of ["shift", "numbering"]) {
    const marked = await marks(id, "en");
    assert.ok(
      marked.some(([pressed]) => pressed === "true"),
      id,
    );
    assert.deepEqual(await marks(id, "zh"), marked, id);
  }
  await b.noProblems(page);
  await page.context().close();
});

check("where codes are tried, each says why it fails, and the answer waits", { hash: "#lang=en" }, async (page) => {
  const question = page.locator("#numbering .predict [lang=en]");
  await question.scrollIntoViewIfNeeded();
  const state = () =>
    question.evaluate((version) => ({
      open: version.querySelector("details").open,
      reasons: [...version.querySelectorAll(".tries li")].map((li) => li.getClientRects().length > 0),
      verdicts: [...version.querySelectorAll(".choices button")].map(
        (choice) => choice.querySelector(".verdict")?.textContent ?? "",
      ),
    }));
  assert.deepEqual((await state()).reasons, [false, false, false, false]);
  for (const at of [3, 1, 1]) await question.locator("button").nth(at).click();
  assert.deepEqual(await state(), {
    open: false,
    reasons: [false, true, false, true],
    verdicts: ["", "✕ Fails", "", "✕ Fails", ""],
  });
  await question.locator("[data-right]").click();
  const { open, reasons, verdicts } = await state();
  assert.deepEqual([open, reasons, verdicts.at(-1)], [true, [true, true, true, true], "✓ Correct"]);
  // Browsers without :has() go by this class.
  await page.locator("#numbering .predict.told").waitFor();
});

check("answers are open on paper, and closed again afterwards", { hash: "#lang=en" }, async (page) => {
  const open = () => page.locator("[lang=en] > .reveal[open]").count();
  await page.locator("#shift .predict [lang=en] summary").click();
  assert.equal(await open(), 1);
  await b.buildAll(page);
  assert.equal(await open(), await page.locator("[lang=en] > .reveal").count());
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await open(), 1);
});

check("the figure beside a question shows its answer", { hash: "#lang=en" }, async (page) => {
  const question = page.locator("#shift .predict [lang=en]");
  await question.scrollIntoViewIfNeeded();
  await page.waitForSelector("#fig-rotation[data-mounted]");
  const pos = () => page.evaluate(() => document.getElementById("fig-rotation").state.pos);
  assert.equal(await pos(), 10);
  await question.locator("button").first().click();
  await page.waitForFunction(() => document.getElementById("fig-rotation").state.pos === 37);
  // Only once: afterwards the figure is the reader's.
  await page.evaluate(() => document.getElementById("fig-rotation").setState({ pos: 5 }));
  await question.locator("button").nth(1).click();
  await b.settle(page);
  assert.equal(await pos(), 5);
});
