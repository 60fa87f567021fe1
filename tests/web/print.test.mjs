// The printed page: everything on the screen, complete, with values as text instead of controls.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";

/** Lays the page out for A4 without its margins, after all effects of printing. */
async function toPaper(page) {
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 720, height: 1000 });
  await b.buildAll(page);
}

/** Returns visible controls, except numbers in sentences, and the visible pictures. */
const seen = (page) =>
  page.evaluate(() => {
    const CONTROLS =
      "button, input, select, textarea, summary, menu, dialog, [role=scrollbar], [role=slider]:not(data), [role=button], [role=toolbar], a.button";
    const found = { controls: [], figures: [], blank: [], canvases: 0 };
    const isBlank = (canvas) => {
      if (!canvas.width || !canvas.height) return true;
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let marked = 0;
      for (let at = 3; at < data.length; at += 4) if (data[at]) marked++;
      return marked < 50;
    };
    const walk = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (!element.checkVisibility()) continue;
        if (element.matches(CONTROLS)) found.controls.push(element.outerHTML.slice(0, 120));
        if (element.matches("pe-figure")) found.figures.push(element.getAttribute("view"));
        if (element.matches(".panel")) found.figures.push(element.classList[1]);
        if (element.matches("canvas")) {
          found.canvases++;
          // The words have no axes.
          if (!element.matches("[data-stage=tokens] .axes") && isBlank(element))
            found.blank.push(element.outerHTML.slice(0, 120));
        }
      }
    };
    walk(document);
    return found;
  });

/** The number of pages of a PDF: Chromium leaves the objects that describe them uncompressed. */
const pages = async (page) => {
  const paper = (await page.pdf({ format: "A4" })).toString("latin1");
  return paper.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
};

const run = promisify(execFile);
/** Millimetres, of A4 paper. */
const [HEIGHT, MARGIN] = [297, 10];

/** Prints the page and returns how full each sheet is: the part of the height between the margins down to the last mark on it. */
async function fullness(page) {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  try {
    const margin = `${MARGIN}mm`;
    const paper = await page.pdf({
      format: "A4",
      margin: { top: margin, bottom: margin, left: margin, right: margin },
    });
    await writeFile(join(folder, "paper.pdf"), paper);
    const options = { encoding: "buffer", maxBuffer: 1 << 28 };
    const { stdout } = await run("pdftoppm", ["-r", "25.4", "-gray", join(folder, "paper.pdf")], options);
    const sheets = [];
    // Binary greyscale pictures one after the other, with a pixel for each millimetre.
    for (let at = 0; at < stdout.length; ) {
      const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+\d+\s/.exec(stdout.toString("latin1", at, at + 40));
      const pixels = stdout.subarray(at + head.length, (at += head.length + width * height));
      const last = pixels.findLastIndex((grey) => grey < 200);
      sheets.push((Math.floor(last / width) + 1 - MARGIN) / (HEIGHT - 2 * MARGIN));
    }
    return sheets;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const words = (page, view) =>
  page.evaluate(
    (view) => document.querySelector(`.alone pe-figure[view=${view}]`).shadowRoot.querySelector(".figure").innerText,
    view,
  );

for (const view of ["heatmap", "waves", "rotation", "formula"]) {
  check(`the bench's ${view} alone is all that is printed`, { hash: `#view=${view}&lang=en` }, async (page) => {
    await toPaper(page);
    const { controls, figures, blank, canvases } = await seen(page);
    // The rotation has its product below it.
    const printed = view === "rotation" ? [view, "formula"] : [view];
    assert.deepEqual({ controls, figures, blank }, { controls: [], figures: printed, blank: [] });
    assert.equal(canvases, view === "formula" ? 0 : 2);
    assert.equal(await pages(page), 1);
  });
}

for (const [view, hash] of [
  ["order", "pe=on"],
  ["by-hand", "step=4"],
  ["quiz", "question=3"],
  ["corridor", ""],
  ["buckets", ""],
]) {
  check(`${view} alone is all that is printed`, { hash: `#view=${view}&${hash}&lang=en` }, async (page) => {
    await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
    await b.settle(page);
    await toPaper(page);
    const { controls, figures, blank, canvases } = await seen(page);
    assert.deepEqual({ controls, figures, blank }, { controls: [], figures: [view], blank: [] });
    assert.ok(canvases <= 1);
    assert.ok((await pages(page)) <= 2);
  });
}

check("the whole page has every picture and no control", { hash: "#lang=en&k=7&compare=3,9" }, async (page) => {
  // The code that draws the figures is loaded with the first of them.
  await page.locator(".prose pe-figure").first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector(".prose pe-figure[data-mounted]"));
  await toPaper(page);
  const { controls, figures, blank, canvases } = await seen(page);
  assert.deepEqual(
    { controls: controls.slice(0, 5), count: controls.length, blank },
    { controls: [], count: 0, blank: [] },
  );
  assert.ok(figures.length > 40, `${figures.length}`);
  assert.ok(canvases > 40, `${canvases}`);
  const said = async (name) => {
    const control = page.locator(`#posenc [data-control=${name}]`).first();
    assert.ok(await control.isVisible(), `${name} is printed`);
    return control.innerText();
  };
  assert.match(await said("k"), /\b7$/);
  assert.match(await said("d_model"), /\b128$/);
  assert.match(await said("encoding"), /Sinusoidal/);
  assert.match(await said("layout"), /Interleaved/i);
  assert.match(await said("compare"), /3.*9/);
  assert.match(await said("base"), /\b10000$/);
  const rows = await page.locator("#posenc .menu-row:visible").allInnerTexts();
  assert.equal(rows.length, 2);
  assert.ok(
    rows.every((row) => /\d/.test(row)),
    `a name without a value: ${rows}`,
  );
  // Sentences that contain buttons are printed as sentences.
  const sentence = await page.locator(".prose p:has(.set):visible").first();
  const [printed, whole] = await sentence.evaluate((p) =>
    [p.innerText, p.textContent].map((text) => text.replace(/\s+/g, "")),
  );
  assert.equal(printed, whole);
});

for (const lang of ["en", "zh"])
  check(`the pages of the whole lesson are full (${lang})`, { hash: `#lang=${lang}` }, async (page) => {
    await page.locator(".prose pe-figure").first().scrollIntoViewIfNeeded();
    await page.waitForFunction(() => document.querySelector(".prose pe-figure[data-mounted]"));
    await toPaper(page);
    const sheets = (await fullness(page)).slice(0, -1);
    assert.ok(sheets.length > 50, `${sheets.length} pages`);
    const few = sheets.flatMap((full, i) => (full < 0.7 ? [`page ${i + 1}: ${Math.round(100 * full)} %`] : []));
    // Where a picture ends up depends on every text before it.
    assert.ok(few.length <= sheets.length / 12 && sheets.every((full) => full > 0.5), few.join(", "));
    const smallest = await page.evaluate(() => {
      const figures = [...document.querySelectorAll(".prose pe-figure[data-mounted]")];
      // The type on the canvas has at least 12 px on the screen.
      return Math.min(...figures.map((figure) => 12 * figure.currentCSSZoom));
    });
    // 96 px or 72 pt are an inch.
    assert.ok((smallest * 72) / 96 >= 8, `${smallest} px`);
  });

for (const view of ["order", "codes", "compose", "similarity", "matrix-clocks"])
  check(`${view} alone fills a page`, { hash: `#view=${view}&lang=en` }, async (page) => {
    await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
    await b.settle(page);
    await toPaper(page);
    const { width, zoom } = await page.locator(".alone pe-figure").evaluate((figure) => ({
      width: figure.offsetWidth,
      zoom: figure.currentCSSZoom,
    }));
    // As wide as the paper, so that type of 12 px has 9 pt.
    assert.ok(width > 650 && zoom === 1, `${width} px wide`);
    const sheets = await fullness(page);
    assert.equal(sheets.length, 1);
    assert.ok(sheets[0] >= 0.55, `${Math.round(100 * sheets[0])} %`);
  });

for (const view of ["heatmap", "waves", "rotation"])
  check(`the bench's ${view} alone fills a page`, { hash: `#view=${view}&lang=en` }, async (page) => {
    await toPaper(page);
    await b.settle(page);
    const sheets = await fullness(page);
    assert.equal(sheets.length, 1);
    assert.ok(sheets[0] >= 0.7, `${Math.round(100 * sheets[0])} %`);
    // The picture has 680 px, and its smallest type 12 px: 8 pt are 10.7 px.
    const widths = await page
      .locator(`[data-stage=${view}] canvas`)
      .evaluateAll((all) => all.map((it) => it.clientWidth));
    assert.ok(
      widths.every((width) => width * 12 >= 680 * 10.7),
      `${widths} px wide`,
    );
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await b.settle(page);
    const [stage, canvas] = await page
      .locator(`[data-stage=${view}], [data-stage=${view}] .data`)
      .evaluateAll((all) => all.map((it) => [it.clientWidth, it.clientHeight]));
    const drawn = await page.locator(`[data-stage=${view}] .data`).evaluate((it) => it.width / it.height);
    assert.deepEqual(canvas, stage);
    assert.ok(Math.abs(drawn / (stage[0] / stage[1]) - 1) < 0.01, "afterwards it is drawn for the screen");
  });

for (const lang of ["en", "zh"]) {
  check(`what controls say is printed in words (${lang})`, { hash: `#view=order&pe=on&lang=${lang}` }, async (page) => {
    await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
    await toPaper(page);
    const said = await words(page, "order");
    assert.match(said, lang === "en" ? /\bon\b/ : /开/);
    assert.match(said, lang === "en" ? /\boff\b/ : /关/);
    // The sentence in the text box.
    const sentence = await page.evaluate(
      () => document.querySelector(".alone pe-figure").shadowRoot.querySelector("input[name=words]").value,
    );
    assert.ok(said.includes(sentence));
  });
}

const caption = (page) =>
  page.evaluate(() => document.querySelector(".alone pe-figure").shadowRoot.querySelector(".caption").textContent);

for (const view of ["attention", "by-hand", "derivation", "relative-shift"]) {
  check(
    `${view} is printed at its last step if nobody has gone on from the first`,
    { hash: `#view=${view}&lang=en` },
    async (page) => {
      await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
      await b.settle(page);
      const first = await caption(page);
      await toPaper(page);
      assert.notEqual(await caption(page), first);
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      await b.settle(page);
      assert.equal(await caption(page), first);
    },
  );
}

check("a step that was chosen is printed", { hash: "#view=attention&step=2&lang=en" }, async (page) => {
  await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
  await b.settle(page);
  const chosen = await caption(page);
  assert.match(chosen, /^2\. /);
  await toPaper(page);
  assert.equal(await caption(page), chosen);
});

check("a question is printed with its options", { hash: "#view=quiz&question=1&lang=en" }, async (page) => {
  await page.waitForFunction(() => document.querySelector(".alone pe-figure[data-mounted]"));
  // Uses the first question with options.
  for (let question = 1; question < 20; question++) {
    const options = await page.locator(".options button").allInnerTexts();
    if (options.length) {
      await toPaper(page);
      const said = await words(page, "quiz");
      for (const option of options) assert.ok(said.includes(option), `${option} is not in ${said}`);
      return;
    }
    await page.locator("button[data-do=go][value='1']").click();
    await b.settle(page);
  }
  assert.fail("no question has options");
});

check("a presentation prints what it presents", { hash: "#view=order&pe=on&lang=en&present=1" }, async (page) => {
  await page.waitForFunction(() => document.querySelector(".kit-stage pe-figure[data-fits]"));
  await toPaper(page);
  const { controls, figures } = await seen(page);
  assert.deepEqual({ controls, figures }, { controls: [], figures: ["order"] });
});

check("what is built for paper stays, even where the window is elsewhere", { hash: "#lang=en" }, async (page) => {
  await page.evaluate(() => scrollTo(0, document.querySelector("#fig-codes").getBoundingClientRect().top));
  await b.settle(page, 300);
  await b.buildAll(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await b.settle(page, 500);
  const missing = () => page.evaluate(() => document.querySelectorAll("pe-figure:not([data-mounted])").length);
  assert.equal(await missing(), 0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await b.settle(page, 300);
  assert.ok((await missing()) > 10, "afterwards only those near the window");
});

check("one chapter is printed alone, answers and figures with it", { hash: "#lang=en" }, async (page) => {
  await page.evaluate(() => {
    window.print = () => dispatchEvent(new Event("beforeprint"));
  });
  const heading = page.locator("#rope-length > h2");
  await heading.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("#rope-length pe-figure[data-mounted]"));
  await heading.locator("button.print").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => "printed" in document.documentElement.dataset);
  await page.emulateMedia({ media: "print" });
  const found = await page.evaluate(() => ({
    chapters: [...document.querySelectorAll(".chapter, .part, .glossary, #posenc")]
      .filter((part) => part.checkVisibility())
      .map((part) => part.id),
    // The translation may arrive only now, with its answers closed; it is not printed.
    closed: [...document.querySelectorAll("#rope-length .reveal:not([open])")].filter((answer) =>
      answer.checkVisibility(),
    ).length,
    built: document.querySelectorAll("#rope-length pe-figure[data-mounted]").length,
  }));
  // The list of sources below the chapter is a copy.
  assert.deepEqual(found, { chapters: ["rope-length", ""], closed: 0, built: 4 });
  // The chapter counts on from those that are hidden before it.
  const counted = (page) => page.locator("#rope-length").evaluate((chapter) => getComputedStyle(chapter).counterReset);
  assert.equal(await counted(page), "chapter 15");
  const [cited, listed] = await page.evaluate(() => {
    const entries = document.querySelectorAll(".sources.printed li a");
    return [
      [...document.querySelectorAll("#rope-length [lang=en] cite a")].map((link) => link.hash.slice(1)),
      [...entries].filter((a) => a.checkVisibility()).map((a) => a.href),
    ];
  });
  const addresses = await page.evaluate(
    (ids) => [...new Set(ids)].map((id) => document.querySelector(`[id="${id}"] a`).href),
    cited,
  );
  assert.ok(addresses.length > 3, `${addresses}`);
  assert.deepEqual(listed.sort(), addresses.sort());
  assert.ok((await pages(page)) <= 6);
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok((await page.locator(".chapter:visible").count()) > 18);
  assert.equal(await counted(page), "none");
  assert.equal(await page.locator(".sources").count(), 1);
});

check("where nothing can be printed, the page stays as it is", { hash: "#lang=en" }, async (page) => {
  // As in a frame that may not open dialogs.
  await page.evaluate(() => {
    window.print = () => (window.asked = document.documentElement.dataset.printed);
  });
  await page.locator("#rope-length > h2 button.print").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => window.asked === "");
  await page.waitForFunction(
    () => !("printed" in document.documentElement.dataset) && !document.querySelector(".chapter.printed"),
  );
  assert.equal(await page.locator(".sources").count(), 1);
});

for (const [lang, chapter] of [
  ["en", " (chapter 7)"],
  ["zh", "（第 7 章）"],
])
  check(`links say on paper where they lead (${lang})`, { hash: `#lang=${lang}` }, async (page) => {
    const after = (selector) =>
      page.evaluate((selector) => {
        const link = [...document.querySelectorAll(selector)].find((link) => link.checkVisibility());
        // The computed value contains the content of the attribute.
        return getComputedStyle(link, "::after").content.replace(/"\s*"|"/g, "");
      }, selector);
    assert.equal(await after(".recap a[href='#rope']"), "none");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    const counted = await page.evaluate(() =>
      [...document.querySelectorAll(".chapter")].findIndex(({ id }) => id === "rope"),
    );
    assert.equal(counted, 6);
    assert.equal((await after(".recap a[href='#rope']")).replace(/\s+/g, " "), chapter);
    assert.equal((await after("#ref-su-2021 a")).trim(), "https://arxiv.org/abs/2104.09864");
    assert.equal(await after("cite a"), "none");
  });

check(
  "where nothing hovers, a chapter is printed from below it",
  { hash: "#lang=en", viewport: b.phone, hasTouch: true, isMobile: true },
  async (page) => {
    await page.evaluate(() => (window.print = () => (window.asked = true)));
    const button = page.locator("#order > button.print");
    await button.scrollIntoViewIfNeeded();
    assert.ok(await button.isVisible());
    const apart = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      const [button, recap, next] = [box("#order > .print"), box("#order .recap:not([hidden])"), box("#numbering")];
      return [button.height, button.top - recap.bottom, next.top - button.bottom];
    });
    assert.ok(apart[0] >= 24 && apart[1] >= 0 && apart[2] >= 0, `${apart}`);
    await button.tap();
    await page.waitForFunction(() => window.asked);
    assert.equal(await page.evaluate(() => document.querySelector(".printed").id), "order");
  },
);

// Chromium loads nothing while a script prints, so everything for printing must be loaded before.
check("a chapter is printed with its figures before any of them has been near", { hash: "#lang=en" }, async (page) => {
  await page.locator("#order button.print").waitFor({ state: "attached" });
  await page.evaluate(() => {
    addEventListener("beforeprint", () => {
      const figures = [...document.querySelectorAll("#order pe-figure")];
      window.onPaper = {
        built: figures.filter((figure) => figure.hasAttribute("data-mounted")).length,
        codes: document.querySelectorAll(".source svg.qr").length,
      };
    });
    document.querySelector("#order button.print").click();
  });
  await page.waitForFunction(() => window.onPaper);
  assert.deepEqual(await page.evaluate(() => window.onPaper), { built: 2, codes: 1 });
});
