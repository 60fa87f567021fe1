// The lesson plans and the page about the project: every link opens the state that it names, each plan is a presentation
// with notes, and both pages work from a local folder.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import AxeBuilder from "axe-core";
import { addressed, canonical, citation } from "../../scripts/kit/citation.mjs";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { dist } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const text = async (name) => readFile(join(dist, name), "utf8");
const plans = await text("plans.html");
const hashes = (kind) => [
  ...new Set(
    [...plans.matchAll(new RegExp(`<a class="${kind}" href="index\\.html#([^"]*)"`, "g"))].map(([, hash]) =>
      hash.replaceAll("&amp;", "&"),
    ),
  ),
];

/** Opens a page beside the bench and records its problems. */
async function beside(url, options = {}) {
  const context = await tools.browser.newContext({ viewport: b.desktop, locale: "en-GB", ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && page.problems.push(m.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:") && request.url().split("#")[0] !== url.split("#")[0])
      page.problems.push(`asks for ${request.url()}`);
  });
  await page.goto(url);
  return page;
}

assert.ok(hashes("state").length > 25 && hashes("chapter").length > 1);

check("every state of the plans is what its link says, without a notice", {}, async (page) => {
  const wrong = await page.evaluate(async (hashes) => {
    const { readHash } = await import("./core/posenc.js");
    return hashes.flatMap((hash) => {
      const step = readHash(hash, "en");
      if (!step) return [`${hash} is no state`];
      return [...new URLSearchParams(hash)].flatMap(([name, value]) => {
        const has =
          typeof step.state[name] === "boolean" ? (step.state[name] ? "on" : "off") : String(step.state[name]);
        return has === value ? [] : [`${hash}: ${name} is ${has}`];
      });
    });
  }, hashes("state"));
  assert.deepEqual(wrong, []);
});

for (const hash of hashes("state"))
  check(`#${hash}`, { hash: `#${hash}` }, async (page) => {
    const state = await page.evaluate(async () => (await import("./kit/target.mjs")).currentTarget().state);
    for (const [name, value] of new URLSearchParams(hash)) {
      const has = typeof state[name] === "boolean" ? (state[name] ? "on" : "off") : String(state[name]);
      assert.equal(has, value, name);
    }
    assert.equal(await page.locator(".notices .notice").filter({ hasText: /\S/ }).count(), 0);
  });

check("every chapter of the plans is there", {}, async (page) => {
  for (const hash of hashes("chapter")) assert.equal(await page.locator(`section.chapter#${hash}`).count(), 1, hash);
});

check("the lesson ends with the ways to both pages", { hash: "#lang=zh" }, async (page) => {
  const links = page.locator(".prose > p.beside:visible a");
  assert.deepEqual(await links.allTextContents(), ["教案", "关于"]);
  assert.deepEqual(await links.evaluateAll((all) => all.map((a) => a.getAttribute("href"))), [
    "plans.html",
    "about.html",
  ]);
});

check("so does the menu of the bench, in its language", { hash: "#lang=zh" }, async (page) => {
  const links = page.locator(".menu-items a:not([data-action])");
  const found = () => links.evaluateAll((all) => all.map((a) => [a.textContent, a.getAttribute("href")]));
  assert.deepEqual(await found(), [
    ["教案", "plans.html#lang=zh"],
    ["关于", "about.html#lang=zh"],
  ]);
  await page.goto(new URL("posenc.html#lang=zh", page.url()).href);
  await b.ready(page);
  assert.deepEqual(await found(), [], "the single file has no pages beside it");
});

/** A word in Latin letters that is no term, name or formula. */
const FOREIGN = /\b(?!(?:pos|sin|cos|softmax|exp|PE|QK|RoPE|ALiBi|Llama|Transformer|arXiv)\b)[A-Za-z]{3,}/;

for (const lang of ["en", "zh"])
  test(`each plan is a presentation with notes, in ${lang}`, { timeout: TEST_TIMEOUT_MS }, async () => {
    for (const plan of ["plan-45", "plan-2x45"]) {
      const page = await beside(`${tools.site.url}plans.html#lang=${lang}`);
      const [href, titles] = await page.evaluate(
        ([plan, lang]) => [
          document.querySelector(`#${plan} [lang=${lang}] .present`).href,
          [...document.querySelectorAll(`#${plan} .step:has(.state) h3 [lang=${lang}]`)].map((e) =>
            e.textContent.trim(),
          ),
        ],
        [plan, lang],
      );
      await b.noProblems(page);
      await page.context().close();
      const show = await b.open(tools.browser, tools.site.url, { hash: new URL(href).hash });
      await show.waitForFunction(() => document.querySelector(".kit-bar output")?.textContent);
      const steps = await show.evaluate(async () => (await import("./kit/steps.mjs")).steps.map(({ note }) => note));
      const links = new RegExp(`<article class="plan" id="${plan}">.*?</article>`, "s").exec(plans)[0];
      assert.equal(steps.length, links.match(/class="state"/g).length / 2);
      // In order, each with its title.
      const said = steps.map((note) => titles.findIndex((title) => note.split("\n")[0].endsWith(`· ${title}`)));
      assert.ok(said.every((at, i) => at >= 0 && at >= (said[i - 1] ?? 0)));
      assert.equal(new Set(said).size, titles.length);
      assert.equal(await show.evaluate(() => document.documentElement.lang), lang);
      const [time, colon] = lang === "en" ? [/^\d+–\d+ min · /, ": "] : [/^\d+–\d+ 分钟 · /, "："];
      for (const note of steps) {
        assert.match(note, time);
        assert.ok(note.includes(colon) && note.length < 2000);
        const foreign = lang === "en" ? /\p{Script=Han}/u : FOREIGN;
        assert.doesNotMatch(note, foreign);
      }
      // Whoever teaches it can change it.
      const changed = await show.evaluate(async () => {
        const { add, move, remove, setNote, steps } = await import("./kit/steps.mjs");
        const { length } = steps;
        const note = "位".repeat(200);
        const done = [add(steps[0]), move(0, 1), setNote(0, note), remove(length - 1)];
        return [done, steps.length === length, steps[0].note === note];
      });
      assert.deepEqual(changed, [[true, true, true, true], true, true]);
      await b.noProblems(show);
      await show.context().close();
    }
  });

test("a plan has its times for either length, and its notes with them", { timeout: TEST_TIMEOUT_MS }, async () => {
  const page = await beside(`${tools.site.url}plans.html#plan-50`);
  const found = (plan) =>
    page.locator(`#${plan}`).evaluate((plan) => {
      const notes = new URL(plan.querySelector("[lang=en] .present").href).hash.split("/");
      return {
        times: [...plan.querySelectorAll("time")].map((time) => time.textContent),
        first: /note=(.*?)%20min/.exec(notes[0])[1].replace("%E2%80%93", "–"),
        pressed: [...plan.querySelectorAll("[data-timing][aria-pressed=true]")].map((button) => button.dataset.timing),
      };
    });
  const one = await found("plan-45");
  assert.deepEqual([one.times[0], one.times.at(-1), one.first, one.pressed], ["0–5", "48–50", "0–5", ["1"]]);
  const two = await found("plan-2x45");
  assert.deepEqual([two.times[6], two.times.at(-1), two.first, two.pressed], ["45", "87–90", "0–8", ["0"]]);
  await page.locator("#plan-90").click();
  const short = await found("plan-2x45");
  assert.deepEqual([short.times[6], short.times.at(-1), short.first, short.pressed], ["43–48", "88–90", "0–7", ["1"]]);
  await b.noProblems(page);
  await page.context().close();
});

test("the page about the project says where it is, as far as CITATION.cff does", async () => {
  const source = await readFile(new URL("../../static/pages/about.html", import.meta.url), "utf8");
  const cited = (more) => citation(`title: A\nversion: 1.0.0\n${more}authors:\n  - name: B\n`).addresses;
  const [url, releases] = ["https://posenc.example/", "https://posenc.example/releases"];
  const links = (page) => [...page.matchAll(/<a href="(https:[^"]*)">\1<\/a>/g)].map(([, address]) => address);
  const both = addressed(source, cited(`url: ${url}\nrepository-artifact: ${releases}\n`));
  assert.deepEqual(links(both), [url, releases, url, releases]);
  assert.deepEqual(links(addressed(source, cited(`url: ${url}\n`))), [url, url]);
  for (const page of [both, addressed(source, cited("")), await text("about.html")])
    assert.ok(!/data-address|<a><\/a>/.test(page));
  assert.deepEqual(links(addressed(source, cited(""))), []);
  const page = "<title>A</title>";
  assert.equal(canonical(page, cited("")), page);
  assert.equal(canonical(page, cited(`url: ${url}\n`)), `${page}\n<link rel="canonical" href="${url}">`);
});

for (const name of ["plans.html", "about.html"]) {
  test(`${name} has a policy of its own that lets nothing else run or load`, { timeout: TEST_TIMEOUT_MS }, async () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(await text(name));
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; img-src data:;/);
    assert.ok(!policy.includes("unsafe"));
    const page = await beside(`${tools.site.url}${name}`);
    await page
      .evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
      })
      .catch(() => {});
    assert.equal(await page.evaluate(() => window.ran), undefined);
    await page.context().close();
  });

  test(`${name} changes its language, and links lead to the bench in that language`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await beside(`${tools.site.url}${name}`);
    const shown = () => page.locator("h1").filter({ visible: true }).innerText();
    assert.match(await shown(), /^[A-Z]/);
    assert.equal(await page.title(), `${await shown()} – Positional Encoding Explorer`);
    await page.getByRole("button", { name: "中文" }).click();
    assert.match(await shown(), /\p{Script=Han}/u);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh");
    assert.equal(await page.title(), `${await shown()} – 位置编码探索台`);
    const links = await page.evaluate(() =>
      [...document.querySelectorAll("a[href*='index.html']")].filter((a) => a.offsetWidth).map((a) => a.href),
    );
    assert.ok(links.length && links.every((link) => /lang=zh/.test(link)));
    await b.noProblems(page);
    await page.context().close();
    const chinese = await beside(`${tools.site.url}${name}`, { locale: "zh-CN" });
    assert.match(await chinese.locator("h1").filter({ visible: true }).innerText(), /\p{Script=Han}/u);
    await chinese.context().close();
  });

  test(`${name} works from a folder, where its links lead to the single file`, {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const page = await beside(String(pathToFileURL(join(dist, name))));
    const links = await page.evaluate(() =>
      [...document.querySelectorAll("a")].map((a) => a.getAttribute("href")).filter((href) => /^\w+\.html/.test(href)),
    );
    assert.ok(links.length && !links.some((link) => link.startsWith("index.html")));
    const files = new Set(links.map((link) => link.split("#")[0]));
    for (const file of files) await text(file);
    assert.ok(files.has("posenc.html"));
    await b.noProblems(page);
    await page.context().close();
  });

  for (const size of [b.desktop, { width: 390, height: 844 }])
    for (const colorScheme of ["light", "dark"])
      test(`${name} is accessible and fits ${size.width} px, ${colorScheme}`, {
        timeout: TEST_TIMEOUT_MS,
      }, async () => {
        const page = await beside(`${tools.site.url}${name}`, { viewport: size, colorScheme, bypassCSP: true });
        await page.evaluate(AxeBuilder.source);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(
          violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
          [],
        );
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.context().close();
      });
}
