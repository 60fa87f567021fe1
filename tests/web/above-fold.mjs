// Counts what the first screen asks a reader to take in: `node tests/web/above-fold.mjs [width height]`. Words are those on
// the page and in the pictures, without numbers, the words of the text and the entries of the product; controls are what
// the Tab key reaches, without the words and the links to chapters.
import { launch, open, settle } from "./browser.mjs";
import { serve } from "./serve.mjs";

const [width = 1280, height = 720] = process.argv.slice(2).map(Number);
const server = await serve(0);
const browser = await launch();
const page = await open(browser, server.url, { viewport: { width, height } });
// The pictures write their texts again.
await page.evaluate(() => {
  const { fillText } = CanvasRenderingContext2D.prototype;
  window.written = new Map();
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    const stage = this.canvas.closest("[data-stage]")?.dataset.stage;
    if (!written.has(stage)) written.set(stage, new Set());
    written.get(stage).add(text);
    fillText.call(this, text, ...rest);
  };
});
await page.setViewportSize({ width: width + 1, height });
await page.setViewportSize({ width, height });
await settle(page);
const counted = await page.evaluate(() => {
  const words = (text) => text.split(/\s+/).filter((word) => /\p{L}/u.test(word));
  const inSight = (element) => {
    const { top, width, height } = element.getBoundingClientRect();
    const { visibility, clipPath } = getComputedStyle(element);
    return (
      top < innerHeight &&
      width > 1 &&
      height > 1 &&
      element.checkVisibility() &&
      visibility === "visible" &&
      clipPath === "none"
    );
  };
  const texts = [];
  const walker = document.createTreeWalker(document.querySelector("#posenc"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest("select, math, .unseen, style")) continue;
    if (inSight(parentElement)) texts.push(...words(data));
  }
  for (const list of document.querySelectorAll("#posenc select"))
    if (inSight(list)) texts.push(...words(list.selectedOptions[0].textContent));
  for (const [stage, drawn] of written) if (stage !== "tokens") for (const text of drawn) texts.push(...words(text));
  const controls = [...document.querySelectorAll("#posenc :is(button, input, select, a, summary, [tabindex])")].filter(
    (element) =>
      inSight(element) &&
      element.tabIndex >= 0 &&
      !element.closest(".strip, .tokens") &&
      !(element.type === "radio" && !element.checked),
  );
  return { words: texts.length, controls: controls.length, texts: texts.join(" ") };
});
console.log(`${counted.words} words, ${counted.controls} controls\n${counted.texts}`);
await browser.close();
process.exit(0);
