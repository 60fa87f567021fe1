// What must hold of the page and of every figure, in each window, theme and language: walk.test.mjs visits every figure once
// in each of these, and asks all audits that apply there.
//
// An audit is { name, run(page, figure, walk) } and returns complaints; a new one is one more entry of a list below. With
// `when(walk)` it is asked only where that is true; `end(walk)` returns complaints about all figures together. `figure` is
// { id, view, path, element, reserved }, `walk` is { width, height, theme, lang, has }, with `notes` of the audits.
import { readFileSync } from "node:fs";
import { choose, settle } from "./browser.mjs";
import { clippedLists, cut, faults, foreign, sideways, small, told, unfocused } from "./looks.mjs";
import { until } from "./wait.mjs";

const axe = readFileSync(new URL("./node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/**
 * Returns the violations that axe-core finds in the whole page, or within the elements of a selector, including figures: one
 * line per element. For each run axe-core reads the whole document, whatever it is asked about, and the lesson has ten
 * thousand elements: what is beside the element and beside its ancestors is shown to it without its contents.
 */
export async function objections(page, within) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(
    async ([tags, within]) => {
      const beside = new Set();
      for (
        let element = within && document.querySelector(within);
        element?.parentElement;
        element = element.parentElement
      )
        for (const other of element.parentElement.children) if (other !== element) beside.add(other);
      for (const element of beside) Object.defineProperty(element, "childNodes", { value: [], configurable: true });
      document.createTreeWalker = (root, shown, filter) =>
        Document.prototype.createTreeWalker.call(
          document,
          root,
          shown,
          filter ?? ((node) => (beside.has(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)),
        );
      try {
        const found = await axe.run(within ?? document, {
          runOnly: { type: "tag", values: tags },
          rules: { "target-size": { enabled: true } },
          resultTypes: ["violations"],
          iframes: false,
        });
        return found.violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`),
        );
      } finally {
        for (const element of beside) delete element.childNodes;
        delete document.createTreeWalker;
      }
    },
    [TAGS, within],
  );
}

/** The smallest type on a projector, in CSS pixels. */
const PROJECTOR_TYPE = 22;
/** The largest height of a figure on a desktop, as a fraction of the window's height: beside its text it is all in view. */
const MAX_HEIGHT = 0.97;
/** The largest distance from a figure's top to its picture, in CSS pixels. */
const MAX_ABOVE = 64;
/** The smallest median of the fraction of a figure that its picture covers. */
const MIN_SHARE = 0.68;
const MAX_CONTROLS = 2;
/**
 * Figures in which nothing is selected: two are questions with options, three are trained with buttons, and one reads a file.
 */
const STILL = new Set(["quiz", "worksheet", "trained", "lab", "lab-length", "inspect"]);

/** An audit that only looks, by a function in the page. */
const look = (name, looks) => ({ name, run: (_page, { element }, { lang }) => element.evaluate(looks, lang) });
const onDesktop = ({ width, theme }) => width === 1280 && theme === "light";
const onProjector = ({ theme }) => theme === "projector";

/** Presses each visible sentence about a figure, and calls `look` with what it is to set. */
async function pressSentences(page, id, notes, look) {
  for (const button of await page.locator(`[data-set][data-figure=${id}]:visible`).all()) {
    await button.click();
    await settle(page, 60);
    notes.sentences = (notes.sentences ?? 0) + 1;
    await look(await button.getAttribute("data-set"));
  }
}

/** The number of figures that are built. */
const built = (page) => page.locator(".lesson pe-figure[data-mounted]").count();
const lessonHeight = (page) => page.locator(".lesson").evaluate((lesson) => lesson.getBoundingClientRect().height);

/** Audits of the page at its top, before anything else is done. */
export const pageAudits = [
  {
    name: "only figures near the window are built",
    async run(page, _figure, { notes }) {
      notes.height = await lessonHeight(page);
      const count = await built(page);
      return count < 6 ? [] : [`${count} at the top`];
    },
  },
  { name: "no scrolling sideways", run: (page) => page.evaluate(sideways) },
  { name: "lists show what is chosen", run: (page) => page.evaluate(clippedLists) },
  { name: "targets are large enough", run: (page) => page.locator("html").evaluate(small) },
  { name: "no text is clipped", run: (page) => page.locator("html").evaluate(cut) },
  {
    name: "axe-core",
    when: ({ has }) => has.axe,
    // On a phone a bar lies over the end of the window, and what is below it counts as covered.
    run: async (page, _figure, { width }) =>
      (await objections(page)).filter((objection) => width >= 1280 || !objection.startsWith("target-size")),
  },
];

/** Audits of the page after the walk, which has ended at one of its ends. */
export const lastAudits = [
  { name: "no scrolling sideways", run: (page) => page.evaluate(sideways) },
  {
    name: "the lesson is as high as the space reserved for it",
    when: ({ theme }) => theme !== "projector",
    async run(page, _figure, { notes: { height } }) {
      const now = await lessonHeight(page);
      return Math.abs(now / height - 1) < 0.02 ? [] : [`it was ${height} px high and is ${now}`];
    },
  },
  {
    name: "figures far from the window are given back, and the page keeps its length",
    async run(page) {
      const complaints = [];
      const heights = [];
      for (const [place, most] of [
        ["at the end", 8],
        ["at the top", 6],
      ]) {
        await page.evaluate(
          (top) => scrollTo(0, top ? 0 : document.documentElement.scrollHeight),
          place === "at the top",
        );
        await settle(page, 300);
        const count = await built(page);
        if (count >= most) complaints.push(`${count} are built ${place}`);
        heights.push(await page.evaluate(() => document.documentElement.scrollHeight));
      }
      if (Math.abs(heights[1] - heights[0]) >= 60)
        complaints.push(`${heights[0]} px at the end, ${heights[1]} at the top`);
      return complaints;
    },
  },
  {
    name: "sentences set what they say",
    when: ({ has }) => has.sentences,
    async run(page, _figure, { notes }) {
      const complaints = [];
      await pressSentences(page, "bench", notes, async (wanted) => {
        if (await page.locator("[data-notice]").count()) complaints.push(`${wanted} leads to a notice`);
        const now = await page.evaluate(() =>
          Object.fromEntries(
            [...document.querySelectorAll("#posenc [name]:not([type=range])")].map(({ name, value }) => [name, value]),
          ),
        );
        for (const [name, value] of new URLSearchParams(wanted))
          if (name in now && name !== "k" && now[name] !== value)
            complaints.push(`${wanted} leaves ${name}=${now[name]}`);
      });
      const all = await page.locator("[data-set]:visible").count();
      if (notes.sentences !== all) complaints.push(`${notes.sentences} of ${all} were pressed`);
      return complaints;
    },
  },
];

/** Keeps the words that figures draw, with the size of their type in CSS pixels: runs in the page before its scripts. */
export function keepWords() {
  const { fillText } = CanvasRenderingContext2D.prototype;
  window.drawnWords = {};
  CanvasRenderingContext2D.prototype.fillText = function (words, ...rest) {
    const { id } = this.canvas.getRootNode().host ?? {};
    const { a, b } = this.getTransform();
    // Texts may be rotated by 90°.
    const size = (Number.parseFloat(this.font.match(/([\d.]+)px/)[1]) * Math.hypot(a, b)) / devicePixelRatio;
    if (id) (window.drawnWords[id] ??= []).push([words, size]);
    fillText.call(this, words, ...rest);
  };
}

/** Audits of a figure of the lesson, as it is once it has been scrolled to. Those at the end change it. */
export const figureAudits = [
  look("everything is inside its box, without a notice", faults),
  {
    name: "no higher than its window",
    when: (walk) => onProjector(walk) || onDesktop(walk),
    async run(_page, { element }, { theme, height }) {
      const most = theme === "projector" ? height : MAX_HEIGHT * height;
      const high = await element.evaluate((figure) => figure.getBoundingClientRect().height);
      return high > most ? [`${high} px high in a window of ${height}`] : [];
    },
  },
  {
    name: "the picture leads",
    when: onDesktop,
    async run(_page, { element }, { notes }) {
      const { above, controls, share } = await element.evaluate((figure) => {
        const { top, width, height } = figure.getBoundingClientRect();
        const inside = figure.shadowRoot;
        const picture = inside.querySelector("canvas").getBoundingClientRect();
        const controls = [...inside.querySelectorAll(".controls [data-control]")];
        return {
          // A question and its answers come before the picture that explains them.
          above: figure.getAttribute("view") !== "quiz" && picture.height && picture.top - top,
          share: (picture.width * picture.height) / (width * height),
          controls: controls.filter((control) => !control.closest("details:not([open])")).length,
        };
      });
      if (share > 0) (notes.shares ??= []).push(share);
      return [
        ...(above > MAX_ABOVE ? [`the picture begins ${above} px down`] : []),
        ...(controls > MAX_CONTROLS ? [`${controls} controls`] : []),
      ];
    },
    end({ notes: { shares } }) {
      const median = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)];
      return median < MIN_SHARE ? [`pictures cover ${median} of their figures in the middle`] : [];
    },
  },
  {
    // The height of a line of text depends on the fonts of the machine.
    name: "nearly as high as the space reserved for it",
    when: ({ theme }) => theme !== "projector",
    async run(_page, { element, reserved }) {
      if (!reserved) return [];
      const high = await element.evaluate((figure) => figure.getBoundingClientRect().height);
      return Math.abs(high / reserved - 1) > 0.15 ? [`${high} px high where ${reserved} were reserved`] : [];
    },
  },
  {
    name: "type for reading from a distance",
    when: onProjector,
    async run(page, { id }, { notes }) {
      (notes.words ??= []).push(
        ...(await page.evaluate((id) => window.drawnWords?.[id] ?? [], id)).map((word) => [id, ...word]),
      );
      return [];
    },
    // Texts that are longer than their space are set in smaller type; there are few.
    end({ notes: { words } }) {
      const count = new Set(words.map(([id]) => id)).size;
      if (count <= 40) return [`only ${count} figures draw words`];
      const tiny = words.filter(([, , size]) => size < PROJECTOR_TYPE);
      if (tiny.length <= 0.01 * words.length) return [];
      const some = tiny.slice(0, 20).map(([id, word, size]) => `${id} “${word}” ${size.toFixed(1)}`);
      return [`${tiny.length} of ${words.length} words are smaller than ${PROJECTOR_TYPE} px: ${some.join(", ")}`];
    },
  },
  {
    name: "targets are large enough",
    async run(_page, { element }) {
      const menu = await element.evaluateHandle((figure) => figure.shadowRoot.querySelector(".menu"));
      await menu.evaluate((menu) => (menu.open = true));
      const found = await element.evaluate(small);
      await menu.evaluate((menu) => (menu.open = false));
      return found;
    },
  },
  look("no text is clipped", cut),
  look("texts and names are in the language of the page", foreign),
  {
    name: "axe-core",
    when: ({ has }) => has.axe,
    // Browsers let keys scroll a table that is wider than a phone; axe-core wants a stop of the Tab key for it.
    run: async (page, { path }, { width }) =>
      (await objections(page, path)).filter(
        (objection) => width >= 1280 || !/^scrollable-region-focusable .*\.wide/.test(objection),
      ),
  },
  look("controls have names and show that they have the focus", unfocused),
  {
    name: "the picture has a name and a description",
    async run(_page, { element, view }, { lang }) {
      const { hidden, name, description, isOperated, isStop } = await element.evaluate(told);
      if (hidden) return [];
      const complaints = [];
      if (!name) complaints.push("no name");
      if (description.length <= 12) complaints.push(`the description is “${description}”`);
      if (lang === "zh" && !/\p{Script=Han}/u.test(name + description)) complaints.push(`“${name}”, “${description}”`);
      if (isStop !== isOperated)
        complaints.push(isStop ? "a stop that is no application" : "an application that is no stop");
      if (isStop === STILL.has(view)) complaints.push(isStop ? "can be operated" : "cannot be operated");
      return complaints;
    },
  },
  {
    name: "arrow keys change what the picture says, and it is spoken",
    when: ({ has }) => has.keys,
    async run(page, { element }) {
      const before = await element.evaluate(told);
      if (before.hidden || !before.isStop) return [];
      const canvas = await element.evaluateHandle((figure) => figure.shadowRoot.querySelector("canvas[data-view]"));
      await canvas.focus();
      let after = before;
      for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
        await page.keyboard.press(key);
        await settle(page, 60);
        after = await element.evaluate(told);
        if (after.description !== before.description) break;
      }
      if (after.description === before.description) return ["the arrow keys do not change its description"];
      // The selection, followed by the caption.
      const isSpoken = async () => {
        const { live, caption } = await element.evaluate(told);
        return live.endsWith(caption) && after.description.includes(live.slice(0, 4));
      };
      await until(isSpoken, async () => `its announcement: ${JSON.stringify(await element.evaluate(told))}`);
      return after.name === before.name ? [] : [`its name changes from “${before.name}” to “${after.name}”`];
    },
  },
  {
    name: "sentences set what they say",
    when: ({ has }) => has.sentences,
    async run(page, { element, id }, { notes }) {
      const complaints = [];
      await pressSentences(page, id, notes, async (wanted) => {
        const state = await element.evaluate((figure) => figure.state);
        const said = (value) => ({ true: "on", false: "off" })[value] ?? String(value);
        for (const [name, value] of new URLSearchParams(wanted))
          if (said(state[name]) !== value) complaints.push(`${wanted} leaves ${name}=${said(state[name])}`);
        if (await page.locator("[data-notice]").count()) complaints.push(`${wanted} leads to a notice`);
        complaints.push(...(await element.evaluate(faults)).map((fault) => `${wanted}: ${fault}`));
      });
      return complaints;
    },
  },
];

/**
 * The font size of tick labels, relative to a window of 720 px height: 12 px at scale 1 (src/draw/theme.rs). `figure` is
 * the element.
 */
const tooSmall = async (figure, { height }) => {
  const scale = await figure.evaluate((figure) =>
    getComputedStyle(figure.shadowRoot.querySelector(".figure")).getPropertyValue("--scale"),
  );
  const size = (12 * scale * 720) / height;
  return size >= PROJECTOR_TYPE ? [] : [`labels of ${size.toFixed(1)} px`];
};

/** Audits of a figure alone at the address of its link, in each window of the projector. */
export const aloneAudits = [
  {
    name: "nothing but the figure",
    async run(page) {
      const complaints = [];
      if (await page.locator("[data-notice]").count()) complaints.push("a notice");
      if (await page.locator(".lesson").isVisible()) complaints.push("the lesson");
      return complaints;
    },
  },
  {
    name: "no higher than its window",
    async run(page, _figure, { height }) {
      const high = await page.evaluate(() => document.documentElement.scrollHeight);
      return high > height ? [`the page is ${high} px high in a window of ${height}`] : [];
    },
  },
  {
    name: "title, tools and links stand side by side",
    async run(_page, { element }) {
      const isCovered = await element.evaluate(({ shadowRoot }) => {
        const title = new Range();
        title.selectNodeContents(shadowRoot.querySelector("h3"));
        const [start, end] = [title, shadowRoot.querySelector(".links")].map((it) => it.getBoundingClientRect());
        const tools = document.querySelector(".masthead .tools").getBoundingClientRect();
        return start.right > tools.left || tools.right > end.left;
      });
      return isCovered ? ["they cover one another"] : [];
    },
  },
  { name: "type for reading from a distance", run: (_page, { element }, walk) => tooSmall(element, walk) },
];

/** Audits of a figure in a presentation. */
export const presentedAudits = [
  {
    name: "fits the screen when presented",
    async run(page) {
      // Some figures grow while they compute.
      await page.waitForFunction(() => {
        const [stage, figure] = [".kit-stage", "#kit-figure"].map((selector) => document.querySelector(selector));
        return figure?.hasAttribute("data-fits") && figure.offsetHeight <= stage.clientHeight + 1;
      });
      return [];
    },
  },
  {
    name: "type for reading from a distance when presented",
    run: async (page, _figure, walk) => tooSmall(await page.$("#kit-figure"), walk),
  },
];

/** Audits of a figure alone that do not depend on the window; the last one changes it. */
export const linkAudits = [
  { name: "axe-core", run: (page) => objections(page, ".alone") },
  {
    name: "the address follows the figure, which keeps its values in the other language",
    async run(page, { element }) {
      const range = await element.$(".settings > .fields input[type=range]");
      if (!range) return [];
      await range.focus();
      await page.keyboard.press((await range.evaluate((r) => r.value === r.max)) ? "ArrowLeft" : "ArrowRight");
      await settle(page, 60);
      const name = await range.getAttribute("name");
      const text = () =>
        element.evaluate(
          (figure, name) => figure.shadowRoot.querySelector(`input[type=number][name=${name}]`).value,
          name,
        );
      const set = await text();
      const isSaid = ([name, set]) => new URLSearchParams(location.hash.slice(1)).get(name) === set;
      await page.waitForFunction(isSaid, [name, set]).catch(() => {
        throw new Error(`the address does not say ${name}=${set}`);
      });
      await choose(page, "lang", "zh");
      const kept = await text();
      await choose(page, "lang", "en");
      return kept === set ? [] : [`${name} was ${set} and is ${kept}`];
    },
  },
];

/** Audits of a figure that is not in the lesson. */
export const otherThemes = ["light", "dark"].map((theme) => ({
  name: `axe-core, ${theme}`,
  async run(page, { path }) {
    await choose(page, "theme", theme);
    const found = await objections(page, path);
    await choose(page, "theme", "projector");
    return found;
  },
}));
