// Walks through the lesson once in each combination of window, theme and language, and through all figures alone by their
// links in the projector's windows. audits.mjs lists what is asked of each figure.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import {
  aloneAudits,
  figureAudits,
  keepWords,
  lastAudits,
  linkAudits,
  otherThemes,
  pageAudits,
  presentedAudits,
} from "./audits.mjs";
import * as b from "./browser.mjs";
import { check, where } from "./check.mjs";
import { record } from "./figures.mjs";
import { dist } from "./serve.mjs";
import { alone, climb } from "./visits.mjs";

const html = readFileSync(join(dist, "index.html"), "utf8");
const figures = [...html.matchAll(/<pe-figure[^>]*\bid="([^"]+)"[^>]*\bview="([^"]+)"/g)].map(([, id, view]) => ({
  id,
  view,
}));

const small = { width: 1280, height: 720 };
const large = { width: 1920, height: 1080 };
/** What a sentence or a key has set is there at once, instead of after an animation. */
const still = { reducedMotion: "reduce" };
const touch = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/**
 * The combinations. Each theme has both languages; what takes longest is asked where it can differ: axe-core in each theme
 * (contrast) and language (names), keys in each language, scrolling up where heights are reserved.
 */
const walks = [
  {
    viewport: small,
    ...still,
    theme: "light",
    lang: "en",
    has: { axe: true, keys: true, climb: true, sentences: true },
  },
  { viewport: small, theme: "light", lang: "zh", has: { keys: true, climb: true } },
  { viewport: b.phone, ...touch, theme: "dark", lang: "en", has: {} },
  { viewport: b.phone, ...touch, theme: "dark", lang: "zh", has: { axe: true } },
  { viewport: b.phone, theme: "light", lang: "zh", has: { climb: true } },
  { viewport: { width: 360, height: 640 }, theme: "light", lang: "en", has: { climb: true } },
  { viewport: small, theme: "projector", lang: "en", has: { axe: true } },
  { viewport: small, theme: "projector", lang: "zh", has: {} },
  { viewport: large, theme: "projector", lang: "en", has: {} },
  { viewport: large, theme: "projector", lang: "zh", has: {} },
];

const count = { combinations: 0, visits: 0, audits: 0 };

const nameOf = ({ viewport: { width, height }, hasTouch, reducedMotion }) =>
  `${width} × ${height}${hasTouch ? " by touch" : ""}${reducedMotion ? " without motion" : ""}`;

/** A walk in one combination of window, theme and language: what is asked, and what there is to complain about. */
class Walk {
  notes = {};
  #complaints = [];
  #failed = new Set();

  constructor(combination) {
    Object.assign(this, combination);
  }

  complain(where, what) {
    this.#complaints.push(`${where}: ${what}`);
  }

  /** Asks all audits that apply here. */
  async ask(audits, page, figure) {
    for (const audit of audits.filter((audit) => this.#applies(audit))) {
      count.audits++;
      try {
        for (const what of await audit.run(page, figure, this)) this.complain(figure.id, `${audit.name}: ${what}`);
      } catch (error) {
        // What it has waited for in vain may be missing in every figure.
        this.#failed.add(audit);
        this.complain(figure.id, `${audit.name}, which is not asked any more: ${error.message}`);
      }
    }
    for (const problem of page.problems.splice(0)) this.complain(figure.id, problem);
  }

  #applies(audit) {
    return (!audit.when || audit.when(this)) && !this.#failed.has(audit);
  }

  /** Visits the figures in turn; if one cannot be visited, there is no way to the next. */
  async visit(figures, work) {
    for (const figure of figures)
      try {
        await work(figure);
        count.visits++;
      } catch (error) {
        this.complain(figure.id, `cannot be visited, nor what follows: ${error.message}`);
        return;
      }
  }

  /** Asks what can be said of all figures together. */
  finish(audits) {
    for (const audit of audits.filter((audit) => audit.end && this.#applies(audit)))
      for (const what of audit.end(this)) this.complain("all figures", `${audit.name}: ${what}`);
  }

  /** Fails with all complaints. */
  check(name) {
    const complaints = this.#complaints;
    if (complaints.length) assert.fail(`${complaints.length} complaints in ${name}:\n${complaints.join("\n")}`);
    count.combinations++;
    if (this.notes.sentences) count.sentences = this.notes.sentences;
    record("walk", { ...where(), ...count });
  }
}

/** Runs in the page before its scripts: the browser does not keep text in place, as WebKit does not. */
function withoutAnchoring() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { overflow-anchor: none }");
  document.adoptedStyleSheets = [sheet];
}

/** The largest shift of the text that is read when figures above it are built, in CSS pixels. */
const MAX_JUMP = 4;

describe("every figure of the lesson", () => {
  for (const { theme, lang, has, ...options } of walks) {
    const name = `${nameOf(options)}, ${theme}, ${lang}`;
    const prepare = async (page) => {
      await page.addInitScript(keepWords);
      if (has.climb) await page.addInitScript(withoutAnchoring);
    };
    check(`in ${name}`, { ...options, hash: `#lang=${lang}&theme=${theme}`, prepare }, async (page) => {
      const walk = new Walk({ ...options.viewport, theme, lang, has });
      await walk.ask(pageAudits, page, { id: "the page" });
      const reserved = await page.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll(".lesson pe-figure:not([data-mounted])")].map((figure) => [
            figure.id,
            figure.getBoundingClientRect().height,
          ]),
        ),
      );
      if (has.climb) await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      let stands = 0;
      await walk.visit(has.climb ? [...figures].reverse() : figures, async ({ id, view }) => {
        const element = await page.$(`#${id}`);
        if (has.climb) {
          const climbed = await page.evaluate(climb, id);
          stands += climbed.stands;
          if (climbed.worst > MAX_JUMP) walk.complain(id, `on the way up to it the text jumps by ${climbed.worst} px`);
        } else await element.evaluate((figure) => figure.scrollIntoView({ block: "center" }));
        await page.waitForFunction(
          (figure) =>
            figure.matches("[data-mounted]:not([data-unfinished])") &&
            figure.shadowRoot.querySelector(".caption").textContent,
          element,
        );
        await b.settle(page, 120);
        await walk.ask(figureAudits, page, { id, view, element, path: `#${id}`, reserved: reserved[id] });
      });
      walk.finish(figureAudits);
      await walk.ask(lastAudits, page, { id: "the page" });
      if (has.climb && stands <= 20) walk.complain("the page", `text is looked at in ${stands} places only`);
      walk.check(name);
    });
  }
});

const settings = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
const views = [...settings.match(/^\| `view` \|([^|]*)/m)[1].matchAll(/`([^`]+)`/g)].map(([, view]) => view);
const ofBench = ["bench", "tokens", "heatmap", "waves", "rotation", "formula"];
const lonely = views.filter((view) => !ofBench.includes(view)).map((view) => ({ id: `${view} alone`, view }));
const inLesson = new Set(figures.map(({ view }) => view));

describe("every figure alone at the address of its link, in the windows of a projector", () => {
  const theme = "projector";
  for (const [lang, first, second] of [
    ["en", small, large],
    ["zh", large, small],
  ]) {
    const name = `1280 × 720 and 1920 × 1080, ${theme}, ${lang}`;
    check(`in ${name}`, { viewport: first, hash: `#view=clocks&theme=${theme}&lang=${lang}` }, async (page) => {
      const walk = new Walk({ theme, lang, has: { axe: true, keys: true } });
      // Every other figure begins in the second window; in the other language it is the other way round.
      let [now, other] = [first, second];
      Object.assign(walk, now);
      const resize = async () => {
        [now, other] = [other, now];
        Object.assign(walk, now);
        await page.setViewportSize(now);
        await b.settle(page);
      };
      await walk.visit(lonely, async ({ id, view }) => {
        await alone(page, view, { lang, theme });
        await page.waitForFunction(() => document.querySelector(".alone > pe-figure:not([data-unfinished])"));
        await b.settle(page);
        const figure = { id, view, path: ".alone", element: await page.$(".alone > pe-figure") };
        const look = async () => {
          await walk.ask(aloneAudits, page, figure);
          if (lang !== "en") return;
          await page.keyboard.press("p");
          await page.waitForFunction(() => document.querySelector("#kit-figure[data-fits]"));
          await b.settle(page);
          await walk.ask(presentedAudits, page, figure);
          await page.keyboard.press("Escape");
          await page.waitForFunction(() => !document.querySelector(".kit-show"));
          await b.settle(page);
        };
        await look();
        await resize();
        await look();
        if (!inLesson.has(view)) await walk.ask([...figureAudits, ...otherThemes], page, figure);
        if (lang === "en") await walk.ask(linkAudits, page, figure);
      });
      walk.check(name);
    });
  }
});
