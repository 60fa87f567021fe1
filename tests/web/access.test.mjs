// WCAG 2.2 AA: what axe-core detects, and what it does not: names, keys and announcements of the canvases, the order of the
// focus, larger type and wider spacing, and forced colours.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS, until } from "./wait.mjs";

const axe = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/** Returns the violations that axe-core finds on the current page, including figures, one line per element. */
async function objections(page, within) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(
    async ([tags, within]) => {
      const rules = { "target-size": { enabled: true } };
      const found = await axe.run(within ?? document, {
        runOnly: { type: "tag", values: tags },
        rules,
        resultTypes: ["violations"],
        iframes: false,
      });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
      );
    },
    [tags, within],
  );
}

const tried = { states: 0, stops: 0 };

async function passes(page, what, within) {
  const violations = await objections(page, within);
  assert.deepEqual(violations, [], what);
  record("access", { ...where(), states: ++tried.states, violations: violations.length });
}

/** Shows a figure of the lesson alone, on the open page. */
async function alone(page, view) {
  // Repeated, since the page may just have replaced the hash by its own address.
  await page.waitForFunction(
    (view) => {
      const asked = new URLSearchParams(location.hash.slice(1));
      if (asked.get("view") !== view) {
        const lang = asked.get("lang");
        const theme = asked.get("theme");
        location.hash = new URLSearchParams({ view, ...(lang && { lang }), ...(theme && { theme }) });
      }
      return document.querySelector("#posenc[data-alone] .alone pe-figure[data-mounted]")?.state.view === view;
    },
    view,
    { polling: 100 },
  );
  await b.settle(page, 60);
}

const settings = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
const views = [...settings.match(/^\| `view` \|([^|]*)/m)[1].matchAll(/`([^`]+)`/g)].map(([, view]) => view);
const ofBench = ["bench", "heatmap", "waves", "rotation", "formula"];
const figures = views.filter((view) => !ofBench.includes(view));

describe("axe-core objects to nothing", () => {
  // Among the checks, contrast depends on the theme only, and names depend on the language only.
  for (const [theme, lang] of [
    ["light", "en"],
    ["dark", "zh"],
    ["projector", "en"],
  ])
    check(`on the page, ${theme}, ${lang}`, { hash: `#theme=${theme}&lang=${lang}` }, (page) =>
      passes(page, "bench and texts"),
    );

  // Every third figure in each theme; those in the dark theme are in Chinese.
  for (const [third, theme] of ["light", "dark", "projector"].entries())
    check(
      `in figures by their link, ${theme}`,
      { hash: `#theme=${theme}&lang=${third === 1 ? "zh" : "en"}` },
      async (page) => {
        for (const view of figures.filter((_, i) => i % 3 === third)) {
          await alone(page, view);
          await passes(page, view, ".alone");
        }
      },
    );

  check("in the lesson, scrolled through", { hash: "#theme=dark", viewport: b.phone }, async (page) => {
    const ids = await page.evaluate(() => [...document.querySelectorAll(".lesson pe-figure")].map(({ id }) => id));
    assert.ok(ids.length >= 40, `${ids.length} figures`);
    for (const id of ids.filter((_, i) => i % 9 === 4)) {
      await page.locator(`#${id}`).evaluate((figure) => figure.scrollIntoView({ block: "center" }));
      await page.waitForFunction((id) => document.getElementById(id).hasAttribute("data-mounted"), id);
      await b.settle(page, 60);
      const chapter = await page.locator(`#${id}`).evaluate((figure) => figure.closest(".chapter").id);
      await passes(page, id, `#${chapter}`);
    }
  });

  const states = {
    "a notice": { hash: "#d_model=foo&theme=dark" },
    "a zoomed heatmap and compared pairs": { hash: "#positions=10-20&dimensions=0-16&compare=0,16&lang=zh" },
    "locked controls": { hash: "#lock=*&theme=projector" },
    "the table in numbers": { act: (page) => page.locator("#posenc details.numbers summary").click() },
    "the share dialog": {
      act: (page) => b.press(page.locator(".masthead [data-kit=share]")),
      until: ".share-result [data-save]",
    },
    "the save dialog": {
      hash: "#theme=dark&lang=zh",
      act: (page) => b.press(page.locator(".masthead [data-kit=save]")),
      until: "dialog[open]",
    },
    "the sheet of keys": {
      hash: "#theme=projector",
      act: (page) => page.keyboard.press("?"),
      until: "dialog.kit-keys",
    },
    "a presentation": {
      hash: "#lang=zh",
      act: (page) => page.locator(".masthead [data-kit=present]").click(),
      until: ".kit-bar",
    },
    "one view alone": { hash: "#view=heatmap&theme=dark" },
  };
  for (const [name, { hash, act, until }] of Object.entries(states))
    check(`with ${name}`, { hash }, async (page) => {
      await act?.(page);
      if (until) await page.locator(until).first().waitFor();
      await b.settle(page);
      await passes(page, name);
    });
});

/** The canvas of a figure shown alone, with its name and description. */
const said = (page) =>
  page.evaluate(() => {
    const root = document.querySelector(".alone pe-figure").shadowRoot;
    const canvas = root.querySelector("canvas[data-view]");
    const words = (canvas.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => root.getElementById(id)?.textContent ?? "");
    return {
      hidden: !canvas.offsetParent,
      name: canvas.getAttribute("aria-label"),
      role: canvas.getAttribute("role"),
      stop: canvas.tabIndex >= 0,
      description: words.join(" ").trim(),
      live: root.querySelector("[aria-live=polite]").textContent,
      caption: root.querySelector(".caption").textContent,
    };
  });

describe("pictures", () => {
  for (const lang of ["en", "zh"])
    check(
      `are named and described, and arrow keys change and speak what they show, ${lang}`,
      { hash: `#lang=${lang}` },
      async (page) => {
        const [still, silent] = [[], []];
        for (const view of figures) {
          await alone(page, view);
          const before = await said(page);
          if (before.hidden) continue;
          assert.ok(before.name, `${view} has a name`);
          assert.ok(before.description.length > 12, `${view}: ${before.description}`);
          if (lang === "zh") assert.match(before.name + before.description, /\p{Script=Han}/u, view);
          assert.equal(before.stop, before.role === "application", view);
          if (!before.stop) {
            still.push(view);
            continue;
          }
          await page.locator(".alone pe-figure canvas[data-view]").focus();
          let after = before;
          for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
            await page.keyboard.press(key);
            await b.settle(page, 60);
            after = await said(page);
            if (after.description !== before.description) break;
          }
          if (after.description === before.description) silent.push(view);
          assert.equal(after.name, before.name, `${view}: the name stays`);
          // The selection, followed by the caption.
          const spoken = () =>
            said(page).then(
              ({ live, caption }) => live.endsWith(caption) && after.description.includes(live.slice(0, 4)),
            );
          await until(spoken, async () => `${view}: ${JSON.stringify(await said(page))}`);
        }
        assert.deepEqual(silent, [], "arrows change what is said of them");
        // In these nothing is selected: the first two are questions with options, the others are trained with buttons.
        assert.deepEqual(still, ["quiz", "worksheet", "trained", "lab", "lab-length"]);
      },
    );

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
});

/** Returns the focused element: name, size, focus ring, and how much of it is visible. */
const stop = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (!element || element === document.body) return null;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    // A narrow element may accept presses beside its visible part.
    const beside = (dx, dy) =>
      document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy) === element;
    const width = beside(-11.5, 0) && beside(11.5, 0) ? Math.max(24, box.width) : box.width;
    const height = beside(0, -11.5) && beside(0, 11.5) ? Math.max(24, box.height) : box.height;
    const ring = style.outlineStyle !== "none" ? parseFloat(style.outlineWidth) : 0;
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
    const named =
      element.getAttribute("aria-label") ||
      element.getAttribute("aria-labelledby") ||
      labels.trim() ||
      element.textContent.trim() ||
      element.title;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let top = document.elementFromPoint(x, y);
    while (top?.shadowRoot?.elementFromPoint(x, y) && top.shadowRoot.elementFromPoint(x, y) !== top)
      top = top.shadowRoot.elementFromPoint(x, y);
    const covered = !(top && (element.contains(top) || top.contains(element) || element.shadowRoot?.contains(top)));
    return {
      what: element.outerHTML.slice(0, 140),
      x,
      y,
      width,
      height,
      ring,
      named: Boolean(named),
      covered,
      inline: style.display === "inline",
      host: element.localName === "pe-figure",
    };
  });

/** Presses Tab up to `most` times and returns the faults of the focus stops; small targets need space around them. */
async function walk(page, most) {
  const stops = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    let at = await stop(page);
    // A figure that was far from the viewport is built and moves the focus inside.
    if (at?.host) {
      await page.waitForFunction(() => document.activeElement.shadowRoot?.activeElement);
      at = await stop(page);
    }
    if (!at) break;
    stops.push(at);
  }
  record("access", { stops: (tried.stops += stops.length) });
  const small = ({ width, height }) => width < 24 || height < 24;
  // The spacing exception of WCAG 2.5.8: circles of 24 px around the centres of small targets do not touch other targets.
  const near = (a, c) => {
    if (small(c)) return Math.hypot(a.x - c.x, a.y - c.y) < 24;
    const dx = Math.max(0, Math.abs(a.x - c.x) - c.width / 2);
    return Math.hypot(dx, Math.max(0, Math.abs(a.y - c.y) - c.height / 2)) < 12;
  };
  return {
    count: stops.length,
    faults: stops.flatMap((at, i) => {
      const faults = [];
      if (!(at.width > 0 && at.height > 0) || at.covered) faults.push("cannot be seen");
      if (!at.named) faults.push("has no name");
      if (at.ring < 2) faults.push(`has a ring of ${at.ring} px`);
      // Controls of the page scroll with it, so a stop is compared with the stops before and after it.
      const others = stops.slice(Math.max(0, i - 1), i + 2).filter((other) => other !== at);
      if (small(at) && !at.inline && others.some((other) => near(at, other)))
        faults.push(`is ${at.width} × ${at.height} px`);
      return faults.map((fault) => `${fault}: ${at.what}`);
    }),
  };
}

describe("every stop of the Tab key is seen, named, ringed and large enough", () => {
  for (const [name, options, least] of [
    ["on the bench", { hash: "#hide=lesson&positions=10-20&dimensions=0-16&compare=1" }, 22],
    ["on a phone, dark", { hash: "#hide=lesson&theme=dark", viewport: b.phone }, 16],
    ["in a figure with words and buttons", { hash: "#view=order&lang=zh" }, 10],
    ["in a figure with a table to fill in", { hash: "#view=by-hand" }, 8],
    ["in a figure with questions", { hash: "#view=quiz&theme=projector" }, 6],
    ["in a figure with a listing", { hash: "#view=code" }, 6],
  ])
    check(name, options, async (page) => {
      const { count, faults } = await walk(page, 120);
      assert.deepEqual(faults, []);
      assert.ok(count >= least, `${count} stops`);
    });

  check("in the lesson", { hash: "#reading" }, async (page) => {
    await page.evaluate(() => document.querySelector("#reading").scrollIntoView());
    await page.locator("#reading").evaluate((chapter) => {
      chapter.tabIndex = -1;
      chapter.focus();
    });
    const { count, faults } = await walk(page, 60);
    assert.deepEqual(faults, []);
    assert.equal(count, 60);
  });
});

/** Returns texts that are clipped, including those in figures. */
const cut = (page) =>
  page.evaluate(() => {
    const found = [];
    const look = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) look(element.shadowRoot);
        // The second word of a label wraps out of view if there is no room; the tooltip and the name of the box contain it.
        // The rail of chapters shows its names on hover.
        if (!element.clientWidth || element.closest(".unseen, math") || element.matches(".control label, .contents"))
          continue;
        const { overflowX, overflowY } = getComputedStyle(element);
        const [across, down] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
        if ((overflowX === "hidden" && across > 1) || (overflowY === "hidden" && down > 1))
          found.push(
            `${element.localName}.${element.className}: ${across}, ${down}: ${element.textContent.slice(0, 60)}`,
          );
      }
    };
    look(document);
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} px wide in ${innerWidth}`);
    for (const label of document.querySelectorAll(".control label b")) {
      const [own, around] = [label.getBoundingClientRect(), label.parentElement.getBoundingClientRect()];
      if (own.bottom > around.bottom + 4 || own.right > around.right + 1) found.push(`${label.textContent} is cut off`);
    }
    return found;
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

check("so it is in what the menu and More open", { hash: "#positions=10-20&compare=1" }, async (page) => {
  for (const [opener, least] of [
    [".masthead .menu > summary", 4],
    ["[data-action=more]", 12],
  ]) {
    await page.locator(opener).press("Enter");
    const { count, faults } = await walk(page, least);
    assert.deepEqual(faults, []);
    assert.equal(count, least);
    await page.keyboard.press("Escape");
  }
});

describe("no text is lost", () => {
  for (const lang of ["en", "zh"]) {
    for (const viewport of [{ width: 320, height: 640 }, { width: 640, height: 360 }, b.desktop])
      check(`at ${viewport.width} × ${viewport.height}, ${lang}`, { viewport, hash: `#lang=${lang}` }, async (page) =>
        assert.deepEqual(await cut(page), []),
      );

    check(`with text set wider, ${lang}`, { hash: `#lang=${lang}` }, async (page) => {
      await dress(page, spacing);
      await b.settle(page);
      assert.deepEqual(await cut(page), []);
      for (const view of ["order", "by-hand", "quiz"]) {
        await alone(page, view);
        await dress(page, spacing);
        await b.settle(page, 100);
        assert.deepEqual(await cut(page), [], view);
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
        assert.deepEqual(await cut(page), [], hash);
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
        await alone(page, view);
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
