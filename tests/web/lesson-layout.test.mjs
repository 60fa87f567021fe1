// In wide windows the lesson's text and the figure that it speaks of share the window.
//
// A place is a scroll position, every 400 px through the essential chapters. At a place, the figure counts as shown if 90 % of
// it, or as much of it as fills 62 % of the window's height, is in the window with at least 120 px of its chapter's text.
// The whole page has a greatest height as well.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, settle } from "./browser.mjs";
import { openAll } from "./reserved-heights.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), serve()]);
});
after(async () => {
  await browser?.close();
  await site?.close();
});

/** Returns what is seen at every place of the essential chapters, and the height of the page in CSS pixels. */
async function places(page) {
  return page.evaluate(async () => {
    const chapters = [...document.querySelectorAll(".chapter")];
    const optional = document.querySelector("#shelf");
    const isEssential = (chapter) =>
      !optional || chapter.compareDocumentPosition(optional) & Node.DOCUMENT_POSITION_FOLLOWING;
    const essential = chapters.filter(isEssential);
    const shown = ({ top, bottom }) => Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
    const begin = essential[0].getBoundingClientRect().top + scrollY;
    const end = essential.at(-1).getBoundingClientRect().bottom + scrollY - innerHeight;
    const blocks = "p, li, h2, h3, tr, math[display=block], .predict";
    const places = [];
    for (let top = begin; top <= end; top += 400) {
      scrollTo(0, top);
      await window.work.frames(2);
      const figures = essential.flatMap((chapter) => [...chapter.querySelectorAll("pe-figure")]);
      const texts = essential
        .flatMap((chapter) => [...chapter.querySelectorAll(blocks)])
        .filter((text) => text.checkVisibility() && !text.closest("pe-figure") && shown(text.getBoundingClientRect()));
      const complete = figures.filter((figure) => {
        const box = figure.getBoundingClientRect();
        const part = shown(box);
        if (part < Math.min(0.9 * box.height, 0.62 * innerHeight)) return false;
        const own = texts.filter((text) => text.closest(".chapter") === figure.closest(".chapter"));
        const edges = own.map((text) => text.getBoundingClientRect());
        const from = Math.min(...edges.map((edge) => Math.max(edge.top, 0)));
        const to = Math.max(...edges.map((edge) => Math.min(edge.bottom, innerHeight)));
        return to - from >= 120;
      });
      // The figure that the text in the middle of the window sets.
      const middle = texts.find((text) => {
        const { top, bottom } = text.getBoundingClientRect();
        return top <= innerHeight / 2 && bottom >= innerHeight / 2;
      });
      const named = middle?.querySelector(".set[data-figure]")?.dataset.figure;
      const right = innerWidth * 0.62;
      const isRight = (element) => {
        const box = element.getBoundingClientRect();
        return box.right > right + 40 && box.width && shown(box) > 40;
      };
      places.push({
        chapter: essential.findLast((chapter) => chapter.getBoundingClientRect().top <= innerHeight / 2)?.id,
        together: complete.length > 0,
        named:
          named && named !== "bench" && named !== "fig-quiz"
            ? complete.some((figure) => figure.id === named)
            : undefined,
        empty: ![...figures, ...texts].some(isRight),
      });
    }
    return { places, height: document.documentElement.scrollHeight };
  });
}

/** With the fonts that most machines of tests have it is 0.76 or more, and 0.00; others make texts shorter or longer. */
const SHARE_TOGETHER = 0.7;
const SHARE_EMPTY = 0.08;

/** The greatest height of the page at 1280×720, in CSS pixels, with all figures built and nothing opened or closed. */
const MAX_HEIGHT = 52_000;

for (const lang of ["en", "zh"])
  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
  ])
    test(`figure and text share the window: ${lang}, ${width}×${height}`, { timeout: TEST_TIMEOUT_MS }, async (t) => {
      const page = await openAll(browser, site.url, lang, "", { viewport: { width, height } });
      await settle(page, 600);
      const seen = await places(page);
      const share = (of, is) => of.filter(is).length / of.length;
      const percent = (part) => `${Math.round(100 * part)} %`;
      const together = share(seen.places, (place) => place.together);
      const empty = share(seen.places, (place) => place.empty);
      const naming = seen.places.filter((place) => place.named !== undefined);
      t.diagnostic(
        `of ${seen.places.length} places: together ${percent(together)}, right side empty ${percent(empty)}; ` +
          `the figure that is named ${percent(share(naming, (place) => place.named))}; the page is ${seen.height} px high`,
      );
      const apart = seen.places.flatMap(({ together, chapter }, at) =>
        together ? [] : [`${chapter} at ${400 * at} px`],
      );
      assert.ok(together >= SHARE_TOGETHER, `text without its figure: ${apart.join(", ")}`);
      assert.ok(empty <= SHARE_EMPTY, `the right side is empty at ${percent(empty)} of the places`);
      if (width === 1280) assert.ok(seen.height <= MAX_HEIGHT, `the page is ${seen.height} px high`);
      await page.context().close();
    });
