// Worksheets: answered on the page, handed in, the code read by the teacher's page; printed without answers.
import assert from "node:assert/strict";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";

const sheet = "#view=worksheet&seed=7&count=12&hide=seed,topic,count&lang=en";

/** The answers of the key, by exercise: the right option or number; neither for exercises that are dragged. */
async function key(page, hash = sheet) {
  const other = await page.context().newPage();
  await other.goto(`${tools.site.url}${hash}&show=key`);
  await other.waitForFunction(() => {
    const all = document.querySelector(".alone > pe-figure")?.shadowRoot?.querySelectorAll(".answers pe-figure");
    return all?.length === 12 && [...all].every((figure) => figure.shadowRoot);
  });
  await other.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const answers = await other.evaluate(() =>
    [...document.querySelector(".alone > pe-figure").shadowRoot.querySelectorAll(".answers pe-figure")].map(
      ({ shadowRoot }) => ({
        option: shadowRoot.querySelector(".boxes .good")?.textContent.replace(/^● /, ""),
        number: shadowRoot.textContent.match(/Right answer: ([−\d.]+)/)?.[1],
        why: shadowRoot.querySelector(".quiz p:last-child").textContent,
        text: shadowRoot.querySelector(".quiz p").textContent,
      }),
    ),
  );
  await other.close();
  return answers;
}

const part = (page, selector) => page.locator(".alone > pe-figure").locator(selector);
const open = async (page, number) => {
  await part(page, `[data-do=open][value="${number}"]`).click();
  await b.settle(page);
};

check("a sheet is answered, handed in, and its code is accepted by the teacher", { hash: sheet }, async (page) => {
  const answers = await key(page);
  let right = 0;
  let dragged = 0;
  for (const [index, { option, number, text }] of answers.entries()) {
    await open(page, index + 1);
    assert.ok((await part(page, ".actions p").first().innerText()).includes(text.trim()));
    if (option !== undefined) {
      await part(page, ".options button").getByText(option, { exact: true }).click();
      right++;
    } else if (number !== undefined) {
      await part(page, "input[name=answer]").fill(number);
      right++;
    } else {
      // One step from the initial state is wrong in every exercise, but it counts as an answer.
      await part(page, "canvas").focus();
      await page.keyboard.press("ArrowRight");
      dragged++;
    }
    await b.settle(page);
    const said = await part(page, ".below").innerText();
    assert.ok(said.includes(`${index + 1} of 12 answered`), said);
  }
  assert.ok(right >= 4 && dragged >= 3, `${right} chosen and written, ${dragged} dragged`);
  // The answers are restored.
  for (const [index, { option, number }] of answers.entries()) {
    await open(page, index + 1);
    if (option !== undefined)
      assert.equal(await part(page, ".options [aria-pressed=true]").innerText(), option, `${index + 1}`);
    else if (number !== undefined) assert.equal(await part(page, "input[name=answer]").inputValue(), number);
  }
  await part(page, "input[name=initials]").fill("A. B.");
  await part(page, "[data-do=hand-in]").click();
  await b.settle(page);
  const result = await part(page, ".end").innerText();
  assert.match(result, new RegExp(`^${right} of 12 right`));
  assert.match(result, /It proves nothing/);
  const code = await part(page, "output.code").innerText();
  assert.match(code, /^AB-\w{5}-\w{5}$/);
  const state = await page.evaluate(() => document.querySelector(".alone > pe-figure").state);
  assert.deepEqual([state.done, state.right], [true, right]);
  // The address contains no answers, and the sheet cannot be changed any more.
  assert.ok(!page.url().includes("answers") && !page.url().includes("initials"), page.url());
  assert.equal(await part(page, "[data-do=choose]:enabled, input[name=answer]:enabled, [data-do=hand-in]").count(), 0);

  // The teacher's page.
  await page.evaluate(() => {
    location.hash = "view=worksheet&seed=7&count=12&show=teacher&lang=en";
  });
  await part(page, "input[name=code]").waitFor();
  const verdict = async (text) => {
    await part(page, "input[name=code]").fill(text);
    await b.settle(page);
    return part(page, ".verdict").innerText();
  };
  const accepted = new RegExp(`✓ ${right} of 12 right. Initials: AB. Sheet 7, 12 exercises`);
  assert.match(await verdict(code), accepted);
  assert.match(await verdict(code.toLowerCase().replaceAll("-", " ")), accepted);
  const wrong = code.replace(/.$/, (last) => (last === "X" ? "Y" : "X"));
  assert.match(await verdict(wrong), /✕ This is not a valid completion code/);
  assert.match(await verdict(code.slice(3)), /✕ This is not a valid completion code/);
  assert.match(await part(page, ".actions").innerText(), /does not prevent cheating/);
  await page.evaluate(() => document.querySelector(".alone > pe-figure").setState({ seed: 8 }));
  assert.match(await verdict(code), /✕ This code belongs to another sheet/);
  // The links on the page lead to the sheet and to the key.
  const links = await part(page, ".quiz a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.deepEqual(links, [
    "#view=worksheet&seed=8&topic=all&count=12&hide=seed,topic,count",
    "#view=worksheet&seed=8&topic=all&count=12&show=key&hide=seed,topic,count",
  ]);
  await part(page, ".quiz a").first().click();
  await part(page, "[data-do=hand-in]").waitFor();
});

for (const lang of ["en", "zh"]) {
  check(
    `on paper a sheet has every exercise and no answer (${lang})`,
    { hash: sheet.replace("=en", `=${lang}`) },
    async (page) => {
      const answers = await key(page, sheet.replace("=en", `=${lang}`));
      await page.emulateMedia({ media: "print" });
      await page.setViewportSize({ width: 720, height: 1000 });
      await b.buildAll(page);
      const seen = await part(page, ".paper pe-figure").evaluateAll((all) =>
        all.map((figure) => ({
          words: figure.shadowRoot.querySelector(".figure").innerText,
          size: figure.shadowRoot.querySelector("canvas").width,
          controls: [...figure.shadowRoot.querySelectorAll("button, input, select, summary, a")].filter((it) =>
            it.checkVisibility(),
          ).length,
        })),
      );
      assert.equal(seen.length, 12);
      for (const [index, { words, size, controls }] of seen.entries()) {
        assert.match(
          words,
          lang === "en" ? new RegExp(`^Exercise ${index + 1}\n`) : new RegExp(`^第 ${index + 1} 题\n`),
        );
        assert.ok(size > 100 && controls === 0);
        assert.ok(words.includes(answers[index].text), words);
      }
      const all = await page.evaluate(() => {
        const shown = (node) => {
          if (node.shadowRoot) return shown(node.shadowRoot);
          if (node.nodeType !== Node.TEXT_NODE) return [...node.childNodes].map(shown).join("");
          return node.parentElement?.checkVisibility() ? node.data : "";
        };
        return shown(document.body);
      });
      for (const { text, why } of answers) {
        assert.ok(all.includes(text), text);
        assert.ok(why && !all.includes(why), why);
      }
      assert.ok(!all.includes("●"), "no option is marked");
      const text = await part(page, ".paper").innerText();
      assert.match(text, lang === "en" ? /Sheet 7, 12 exercises.*\nName ___/s : /练习单 7，12 题.*\n姓名 ___/s);
      assert.ok(await page.locator(".source .qr").isVisible(), "the way back to the page");
      assert.equal(await part(page, ".quiz.on-screen").isVisible(), false, "not the exercise of the screen, too");
      const paper = (await page.pdf({ format: "A4" })).toString("latin1");
      const pages = paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      assert.ok(pages >= 2 && pages <= 6, `${pages} pages`);
    },
  );
}

check("the sheet leads neither to its key nor to the teacher's page", { hash: sheet }, async (page) => {
  const links = await part(page, "a").evaluateAll((all) => all.map((link) => link.href));
  assert.ok(links.length > 0);
  for (const link of links) assert.ok(!/show=/.test(link), link);
  assert.equal(await part(page, "select, [data-control=show]").count(), 0);
});
