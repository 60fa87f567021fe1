// Measures the heights to reserve for the lesson's figures and the bench before they are built, for the usual widths and
// both languages.
//
//   node tests/web/reserved-heights.mjs     measures dist/ and writes static/reserved-heights.css
import { writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, open, settle } from "./browser.mjs";
import { serve } from "./serve.mjs";

/** Windows up to `upTo` CSS pixels wide use the heights measured at `width`; the first class has no limit. */
export const classes = [
  { width: 1920 },
  { upTo: 1791, width: 1280 },
  { upTo: 1179, width: 1100 },
  { upTo: 1023, width: 820 },
  { upTo: 749, width: 640 },
  { upTo: 575, width: 500 },
  { upTo: 440, width: 412 },
  { upTo: 400, width: 390 },
  { upTo: 374, width: 360 },
];
const languages = { en: "e", zh: "z" };

/** Opens the lesson with all its figures built, regardless of the scroll position; `more` is appended to the address. */
export async function openAll(browser, url, lang, more = "", options = {}) {
  const everything = () => {
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
      #tell;
      constructor(tell, options) {
        super(tell, options);
        if (options?.rootMargin === "75% 0px") this.#tell = tell;
      }
      observe(target) {
        if (this.#tell) setTimeout(() => this.#tell([{ target, isIntersecting: true }], this));
        else super.observe(target);
      }
    };
  };
  const page = await open(browser, url, {
    ...options,
    hash: `#lang=${lang}${more}`,
    prepare: (page) => page.addInitScript(everything),
  });
  const areThere = () => {
    const figures = [...document.querySelectorAll(".lesson pe-figure")];
    return figures.length && figures.every((figure) => figure.hasAttribute("data-mounted"));
  };
  await page.waitForFunction(areThere);
  return page;
}

/** In windows up to this many CSS pixels high, figures that stay above their text have no caption (style.css). */
const LOW = 800;

/** The height of a window of this width, as phones, tablets and laptops have them. */
const windowHeight = (width) => (width <= 440 ? 844 : width < 1024 ? 1180 : LOW);

/** Returns the heights in rem of the bench and of every figure of the lesson in a window of this size, by id. */
async function measure(page, width, height = windowHeight(width)) {
  await page.setViewportSize({ width, height });
  await settle(page, 600);
  return page.evaluate(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const heights = [...document.querySelectorAll("#posenc, .lesson pe-figure")].map((element) => [
      element.id,
      element.getBoundingClientRect().height / rem,
    ]);
    return Object.fromEntries(heights);
  });
}

/** The bench is the first thing seen; the heights of figures are rounded, which halves this file. */
const rounded = (id, height) => (id === "posenc" ? Number(height.toFixed(2)) : Math.round(2 * height) / 2);

/**
 * Returns the style sheet: --e0 is for English in the widest window, --z8 for Chinese in the narrowest. A Chinese height
 * is left out where it is the English one, and an English height where it is that of the next wider window. `low` are the
 * heights that differ in low windows.
 */
function sheet(reserved, low) {
  const isSame = (id, index) =>
    [reserved[id], { ...reserved[id], ...low[id] }].every(
      (heights) => rounded(id, heights[`e${index}`]) === rounded(id, heights[`z${index}`]),
    );
  const rules = (all) =>
    Object.entries(all).map(([id, heights]) => {
      const isSaid = (name) => {
        const index = Number(name.slice(1));
        if (name[0] === "z") return !isSame(id, index);
        return index === 0 || id in low || rounded(id, heights[name]) !== rounded(id, heights[`e${index - 1}`]);
      };
      const said = Object.entries(heights).filter(([name]) => isSaid(name));
      return `#${id}{${said.map(([name, height]) => `--${name}:${rounded(id, height)}`).join(";")}}`;
    });
  const all = [...rules(reserved), `@media (max-height:${LOW}px){${rules(low).join("")}}`];
  const chinese = ":root:lang(zh) :is(pe-figure,#posenc)";
  const english = (at) => (at === 0 ? "var(--e0)" : `var(--e${at},${english(at - 1)})`);
  const of = (index) => [`pe-figure,#posenc{--en:${english(index)}}`, `${chinese}{--zh:var(--z${index},var(--en))}`];
  const head = [
    "/* Written by tests/web/reserved-heights.mjs: heights in rem of what is not built yet. */",
    "pe-figure,#posenc{--reserved-height:calc(var(--en)*1rem)}",
    `${chinese}{--reserved-height:calc(var(--zh)*1rem)}`,
  ];
  const chosen = classes.map(({ upTo }, index) =>
    upTo ? `@media (max-width:${upTo}px){${of(index).join("")}}` : of(index).join("\n"),
  );
  return `${[...head, ...chosen, ...all].join("\n")}\n`;
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
  const [browser, site] = await Promise.all([launch(), serve()]);
  try {
    const reserved = {};
    const low = {};
    for (const [lang, letter] of Object.entries(languages)) {
      const page = await openAll(browser, site.url, lang);
      for (const [index, { width }] of classes.entries()) {
        const heights = await measure(page, width);
        for (const [id, height] of Object.entries(heights)) (reserved[id] ??= {})[`${letter}${index}`] = height;
        if (width < 1024)
          for (const [id, height] of Object.entries(await measure(page, width, 640)))
            if (id !== "posenc" && Math.abs(height - heights[id]) > 0.1) (low[id] ??= {})[`${letter}${index}`] = height;
        console.log(`measured ${lang} at ${width} px`);
      }
      await page.context().close();
    }
    await writeFile(fileURLToPath(new URL("../../static/reserved-heights.css", import.meta.url)), sheet(reserved, low));
  } finally {
    await browser.close();
    await site.close();
  }
}
