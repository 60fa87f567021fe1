// WCAG 2.2 AA: what axe-core detects, and what it does not: names, keys and announcements of the canvases, the order of the
// focus, larger type and wider spacing, and forced colours.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { objections } from "./audits.mjs";
import * as b from "./browser.mjs";
import { check, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { serve } from "./serve.mjs";
import { faults, next } from "./stops.mjs";
import { alone } from "./visits.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";
import { cut, sideways } from "./looks.mjs";

const tried = { states: 0, stops: 0 };

async function passes(page, what, within) {
  const violations = await objections(page, within);
  assert.deepEqual(violations, [], what);
  record("access", { ...where(), states: ++tried.states, violations: violations.length });
}

describe("axe-core objects to nothing", () => {
  const states = {
    "a notice": { hash: "#d_model=foo&theme=dark" },
    "a zoomed heatmap and compared pairs": { hash: "#positions=10-20&dimensions=0-16&compare=0,16&lang=zh" },
    "locked controls": { hash: "#lock=*&theme=projector" },
    "the table in numbers": { act: (page) => b.press(page.locator("#posenc details.numbers summary")) },
    "the share dialog": {
      within: "dialog[open]",
      act: async (page) => {
        await b.press(page.locator(".masthead [data-kit=share]"));
        await page.locator("dialog.share").waitFor();
        for (const summary of await page.locator("dialog.share summary").all()) await summary.click();
      },
      until: ".share-result [data-save]",
    },
    "the save dialog": {
      within: "dialog[open]",
      hash: "#theme=dark&lang=zh",
      act: (page) => b.press(page.locator(".masthead [data-kit=save]")),
      until: "dialog[open]",
    },
    "the sheet of keys": {
      within: "dialog[open]",
      hash: "#theme=projector",
      act: (page) => page.keyboard.press("?"),
      until: "dialog.kit-keys",
    },
    "a presentation": {
      within: "body",
      hash: "#lang=zh",
      act: (page) => page.locator(".masthead [data-kit=present]").click(),
      until: ".kit-bar",
    },
    "one view alone": { hash: "#view=heatmap&theme=dark" },
  };
  for (const [name, { hash, act, until, within = "#posenc" }] of Object.entries(states))
    check(`with ${name}`, { hash }, async (page) => {
      await act?.(page);
      if (until) await page.locator(until).first().waitFor();
      await b.settle(page);
      await passes(page, name, within);
    });
});

describe("pictures", () => {
  check("of the bench are described, and speak when the keys rest", {}, async (page) => {
    await page.evaluate(() => {
      window.spoken = [];
      const live = document.querySelector("#posenc > [aria-live=polite]");
      new MutationObserver(() => window.spoken.push(live.textContent)).observe(live, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    for (const view of b.views) {
      const canvas = b.canvas(page, view);
      const about = () =>
        canvas.evaluate((canvas) => [
          canvas.ariaLabel,
          document.getElementById(canvas.getAttribute("aria-describedby")).textContent,
        ]);
      const before = await about();
      assert.ok(
        before.every((words) => words.length > 3),
        before.join(),
      );
      await canvas.focus();
      await page.evaluate(() => (window.spoken = []));
      const pos = await b.value(page, "pos");
      for (let i = 0; i < 12; i++) await page.keyboard.press(view === "heatmap" ? "ArrowDown" : "ArrowRight");
      await page.waitForFunction((pos) => window.spoken.at(-1)?.includes(`position ${pos}`), pos + 12);
      assert.ok((await page.evaluate(() => window.spoken.length)) <= 5, "twelve keys are not twelve sentences");
      const after = await about();
      assert.equal(after[0], before[0]);
      assert.notEqual(after[1], before[1]);
    }
  });

  check("come with some of the table's numbers, which follow, and with all of them as a file", {}, async (page) => {
    await b.uncover(page.locator("#posenc details.numbers summary"));
    await page.locator("#posenc details.numbers summary").press("Enter");
    const table = page.locator("#posenc details.numbers table");
    await table.waitFor();
    const cell = (position, dimension) =>
      table.evaluate(
        (table, [position, dimension]) => {
          const column = [...table.tHead.rows[0].cells].findIndex(
            ({ textContent }) => textContent === String(dimension),
          );
          return [...table.tBodies[0].rows].find(({ cells }) => cells[0].textContent.split(" ")[0] === String(position))
            ?.cells[column]?.textContent;
        },
        [position, dimension],
      );
    assert.equal(await cell(10, 8), "−0.6129");
    assert.equal(await cell(0, 0), "0.0000");
    assert.equal(await cell(13, 9), Math.cos(13 / 10000 ** (8 / 128)).toFixed(4));
    await b.type(page, "pos", "20");
    await page.waitForFunction(() =>
      /20 \(pos\)/.test(document.querySelector("#posenc details.numbers table").textContent),
    );
    await b.type(page, "max_len", "1000000");
    await page.waitForFunction(() =>
      /999999/.test(document.querySelector("#posenc details.numbers table").textContent),
    );
    await page.locator("#posenc details.numbers button").click();
    await page.locator("dialog[open]").getByRole("button", { name: /CSV/ }).waitFor();
  });

  const odd = "#d_model=31&layout=tensor2tensor&pair=2";
  check("have sine and cosine of the pair where an odd width ends with a zero", { hash: odd }, async (page) => {
    const summary = page.locator("#posenc details.numbers summary");
    await b.uncover(summary);
    await summary.press("Enter");
    const table = page.locator("#posenc details.numbers table");
    await table.waitFor();
    assert.deepEqual((await table.locator("th[scope=col]").allTextContents()).slice(1), [
      "0",
      "2",
      "10",
      "17",
      "20",
      "30",
    ]);
  });
});

/** Presses Tab up to `most` times and returns the faults of the focus stops. */
async function walk(page, most) {
  const stops = [];
  while (stops.length < most) {
    const at = await next(page);
    if (!at) break;
    stops.push(at);
  }
  record("access", { stops: (tried.stops += stops.length) });
  return { count: stops.length, faults: faults(stops) };
}

describe("every stop of the Tab key is seen, named, ringed and large enough", () => {
  for (const [name, options, least] of [
    ["on the bench", { hash: "#hide=lesson&positions=10-20&dimensions=0-16&compare=1" }, 22],
    ["on a phone, dark", { hash: "#hide=lesson&theme=dark", viewport: b.phone }, 16],
    ["in a figure with words and buttons", { hash: "#view=order&lang=zh" }, 11],
    ["in a figure with a table to fill in", { hash: "#view=by-hand&step=16" }, 8],
    ["in a figure with questions", { hash: "#view=quiz&theme=projector" }, 6],
    ["in a figure with a listing", { hash: "#view=code" }, 6],
  ])
    check(name, options, async (page) => {
      for (const more of await page.locator("summary:visible", { hasText: /^(More|更多)$/ }).all())
        await more.evaluate((summary) => (summary.parentElement.open = true));
      const { count, faults } = await walk(page, 120);
      assert.deepEqual(faults, []);
      assert.ok(count >= least, `${count} stops`);
    });
});

const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`;
const dress = (page, css) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    const roots = [
      document,
      ...[...document.querySelectorAll("pe-figure")].map(({ shadowRoot }) => shadowRoot).filter(Boolean),
    ];
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  }, css);

check("so it is in what the menu opens", { hash: "#positions=10-20&compare=1" }, async (page) => {
  await page.locator(".masthead .menu > summary").press("Enter");
  const { count, faults } = await walk(page, 18);
  assert.deepEqual(faults, []);
  assert.equal(count, 18);
});

const lost = async (page) => [...(await page.locator("html").evaluate(cut)), ...(await page.evaluate(sideways))];

describe("no text is lost", () => {
  for (const lang of ["en", "zh"]) {
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 640, height: 360 },
    ])
      check(`at ${viewport.width} × ${viewport.height}, ${lang}`, { viewport, hash: `#lang=${lang}` }, async (page) =>
        assert.deepEqual(await lost(page), []),
      );

    check(`with text set wider, ${lang}`, { hash: `#lang=${lang}` }, async (page) => {
      await dress(page, spacing);
      await b.settle(page);
      assert.deepEqual(await lost(page), []);
      for (const view of ["order", "by-hand", "quiz"]) {
        await alone(page, view, { lang });
        await dress(page, spacing);
        await b.settle(page, 100);
        assert.deepEqual(await lost(page), [], view);
      }
    });
  }

  test("where a reader's own text is twice as large", { timeout: TEST_TIMEOUT_MS }, async () => {
    const browser = await b.launch(["--blink-settings=defaultFontSize=32"]);
    const site = await serve();
    try {
      for (const hash of ["#lang=en", "#lang=zh", "#view=order"]) {
        const page = await b.open(browser, site.url, { hash });
        await b.settle(page);
        const size = await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
        assert.equal(size, 30, "type is as large as the reader wants it");
        assert.deepEqual(await lost(page), [], hash);
        await page.context().close();
      }
    } finally {
      await browser.close();
      await site.close();
    }
  });
});

check(
  "the system's colours are taken on, and pictures keep theirs",
  { forcedColors: "active", colorScheme: "dark", hash: "#positions=10-20&dimensions=0-16" },
  async (page) => {
    const colours = await page.evaluate(() => {
      const of = (selector) => getComputedStyle(document.querySelector(selector));
      return {
        ground: of("html").backgroundColor,
        panel: of(".panel.heatmap").backgroundColor,
        stage: of(".heatmap .stage").backgroundColor,
        pressed: of("button[aria-pressed=true]").borderTopColor,
        other: of("button[aria-pressed=false]").borderTopColor,
        thumb: of(".thumb").backgroundColor,
        track: of(".scrollbar").backgroundColor,
      };
    });
    assert.equal(colours.panel, colours.ground);
    assert.equal(colours.stage, "rgb(23, 26, 32)", "the ground that the picture is drawn for");
    assert.notEqual(colours.pressed, colours.other, "what is pressed can be told");
    assert.notEqual(colours.thumb, colours.track);
  },
);

check(
  "who wants less motion gets none that is not asked for",
  { reducedMotion: "reduce", hash: "#max_len=8" },
  async (page) => {
    await page.locator("[data-action=play]").click();
    // Playing steps from position to position without an animation in between.
    const looks = await page.evaluate(async () => {
      const seen = {};
      const canvas = document.querySelector("canvas[data-view=rotation]");
      for (; Object.keys(seen).length < 5; await work.frames(1)) {
        (seen[document.querySelector("input[type=number][name=pos]").value] ??= new Set()).add(canvas.toDataURL());
      }
      return Object.entries(seen).map(([pos, looks]) => [pos, looks.size]);
    });
    await page.locator("[data-action=play]").click();
    for (const [pos, count] of looks) assert.equal(count, 1, `position ${pos} looks one way`);
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === "running").length,
    );
    assert.equal(moving, 0);
  },
);

describe("what a screen reader is given", () => {
  for (const lang of ["en", "zh"])
    check(`is as it was, ${lang}`, { hash: `#lang=${lang}` }, async (page) => {
      let given = `# The bench\n${await page.locator("#posenc").ariaSnapshot()}\n`;
      for (const view of ["order", "similarity", "quiz"]) {
        await alone(page, view, { lang });
        given += `\n# ${view}\n${await page.locator("#posenc pe-figure").ariaSnapshot()}\n`;
      }
      given = given.replaceAll(new URL(page.url()).origin, "");
      const golden = new URL(`../snapshots/aria-${lang}.yml`, import.meta.url);
      if (process.env.UPDATE) writeFileSync(golden, given);
      assert.equal(
        given,
        readFileSync(golden, "utf8"),
        `tests/snapshots/aria-${lang}.yml is out of date: UPDATE=1 node --test tests/web/access.test.mjs`,
      );
    });
});
