// The state of a figure belongs to its group, or else to its element: it is kept when a member is added, removed or inserted
// again.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import "./remains.mjs";
import { kept, launch, noProblems } from "./browser.mjs";
import { hosting } from "./host.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

let browser, pages;
before(async () => {
  [browser, pages] = await Promise.all([launch(), hosting()]);
});
after(async () => {
  await browser.close();
  await pages.close();
});

const ready = (page, id) => page.waitForFunction((id) => events.some(([e, of]) => e === "pe-ready" && of === id), id);
const state = (page, id) => page.locator(`#${id}`).evaluate((figure) => figure.state);
const set = (page, id, changes) =>
  page.locator(`#${id}`).evaluate((figure, changes) => figure.setState(changes), changes);
const shows = (page, id, name, value) =>
  page.waitForFunction(([id, name, value]) => document.getElementById(id).state[name] === value, [id, name, value]);
const far = `<div style="height: 4000px"></div>`;

/** Opens a page, runs `work` on it, and asserts that it has no errors. */
async function on(body, work) {
  const page = await pages.open(browser, body);
  try {
    await work(page);
    await noProblems(page);
  } finally {
    await page.context().close();
  }
}

/** Removes an element from the page and inserts it again in another task, as tab panels do. */
const away = (page, id, meanwhile = () => {}, argument = undefined) =>
  page.evaluate(
    async ([id, meanwhile, argument]) => {
      const element = document.getElementById(id);
      const marker = document.createComment("");
      element.replaceWith(marker);
      // After the microtask in which a removed figure counts as removed, not moved.
      await new Promise((resolve) => setTimeout(resolve));
      new Function("element", "argument", `(${meanwhile})(element, argument)`)(element, argument);
      window.events.length = 0;
      marker.replaceWith(element);
    },
    [id, meanwhile.toString(), argument],
  );

describe("figures of one group", () => {
  test("begin with what the first of them says, lazy ones and other views too", () =>
    on(
      `<pe-figure id="a" group="g" view="rotation" k="5"></pe-figure><pe-figure id="b" group="g" view="waves"></pe-figure>
      <pe-figure id="c" group="g" view="rotation" k="9" pair="7"></pe-figure><pe-figure id="other" group="h" view="rotation"></pe-figure>
      ${far}<pe-figure id="lazy" group="g" view="rotation" loading="lazy"></pe-figure>`,
      async (page) => {
        for (const id of ["a", "b", "c"]) await shows(page, id, "k", 5);
        for (const id of ["a", "b"]) await shows(page, id, "pair", 7);
        await shows(page, "other", "k", 3);
        await page.locator("#lazy").scrollIntoViewIfNeeded();
        await ready(page, "lazy");
        assert.deepEqual([(await state(page, "lazy")).k, (await state(page, "lazy")).pair], [5, 7]);
      },
    ));

  test("begin with what the first says where that one is lazy itself", () =>
    on(
      `<pe-figure id="b" group="g" view="waves"></pe-figure>${far}<pe-figure id="a" group="g" view="rotation" loading="lazy" k="-4"></pe-figure>`,
      async (page) => {
        await ready(page, "b");
        assert.equal((await state(page, "b")).k, -4);
      },
    ));

  test("that come late take what the group shows now, whatever they say", () =>
    on(`<pe-figure id="a" group="g" view="rotation" k="5"></pe-figure>`, async (page) => {
      await ready(page, "a");
      await set(page, "a", { k: 8, max_len: 100 });
      await page.evaluate(() => {
        for (const [id, view, group] of [
          ["late", "rotation", "g"],
          ["waves", "waves", "g"],
          ["own", "rotation", ""],
        ]) {
          const figure = document.createElement("pe-figure");
          for (const [name, value] of Object.entries({ id, view, group, k: 2 })) figure.setAttribute(name, value);
          document.body.prepend(figure);
        }
      });
      for (const id of ["late", "waves", "a"]) {
        await shows(page, id, "k", 8);
        await shows(page, id, "max_len", 100);
      }
      await shows(page, "own", "k", 2);
      // The same for a figure that joins the group later, or changes its view in it.
      await page.locator("#own").evaluate((figure) => figure.setAttribute("group", "g"));
      await shows(page, "own", "k", 8);
      await set(page, "late", { view: "similarity" });
      await set(page, "late", { view: "waves" });
      await shows(page, "late", "k", 8);
      await set(page, "late", { k: 1 });
      for (const id of ["a", "waves", "own"]) await shows(page, id, "k", 1);
    }));
});

describe("a figure that is removed and put back later", () => {
  test("shows what it showed", () =>
    on(`<pe-figure id="a" view="rotation" k="5"></pe-figure>`, async (page) => {
      await ready(page, "a");
      await set(page, "a", { k: 9 });
      await page.locator("#a canvas").press("ArrowUp");
      await shows(page, "a", "pair", 5);
      await away(page, "a");
      await ready(page, "a");
      const { k, pair } = await state(page, "a");
      assert.deepEqual([k, pair], [9, 5]);
      await set(page, "a", { view: "waves", pos: 20 });
      await away(page, "a");
      await ready(page, "a");
      assert.deepEqual([(await state(page, "a")).view, (await state(page, "a")).pos], ["waves", 20]);
      await page.locator("#a").evaluate((figure) => figure.reset());
      assert.deepEqual([(await state(page, "a")).view, (await state(page, "a")).k], ["rotation", 5]);
    }));

  test("shows what was written on it meanwhile", () =>
    on(`<pe-figure id="a" view="rotation" k="5"></pe-figure>`, async (page) => {
      await ready(page, "a");
      await set(page, "a", { k: 9, pos: 2 });
      await away(page, "a", (figure) => figure.setAttribute("k", "7"));
      await ready(page, "a");
      assert.deepEqual([(await state(page, "a")).k, (await state(page, "a")).pos], [7, 2]);
      await away(page, "a", (figure) => figure.setState({ pos: 4 }));
      await shows(page, "a", "pos", 4);
      await away(page, "a", (figure) => figure.reset());
      await ready(page, "a");
      assert.deepEqual([(await state(page, "a")).k, (await state(page, "a")).pos], [7, 10]);
    }));

  test("finds its group as it is now, and a group that left as a whole as it was", () =>
    on(
      `<div id="panel"><pe-figure id="a" group="g" view="rotation" k="5"></pe-figure><pe-figure id="b" group="g" view="rotation"></pe-figure></div>`,
      async (page) => {
        await Promise.all([ready(page, "a"), shows(page, "b", "k", 5)]);
        await set(page, "a", { k: 6 });
        await shows(page, "b", "k", 6);
        await page.evaluate(() => (window.b = document.getElementById("b")));
        await away(page, "a", () => window.b.setState({ k: 7 }));
        await shows(page, "a", "k", 7);
        await away(page, "panel");
        await ready(page, "a");
        for (const id of ["a", "b"]) await shows(page, id, "k", 7);
        await set(page, "b", { k: 8 });
        await shows(page, "a", "k", 8);
      },
    ));

  test("leaves nothing behind, whether it comes back or not", { timeout: TEST_TIMEOUT_MS }, () =>
    on(`<div id="place"><pe-figure id="a" group="g" view="rotation"></pe-figure></div>`, async (page) => {
      await ready(page, "a");
      const session = await page.context().newCDPSession(page);
      const rounds = (count) =>
        page.evaluate(async (count) => {
          const place = document.getElementById("place");
          const figure = place.firstChild;
          const drawn = () => new Promise((resolve) => place.addEventListener("pe-ready", resolve, { once: true }));
          for (let n = 0; n < count; n++) {
            figure.setState({ k: n, pos: n % 64 });
            const gone = figure.cloneNode();
            gone.id = "gone";
            gone.setAttribute("group", `g${n}`);
            place.append(gone);
            place.replaceChildren();
            await new Promise((resolve) => setTimeout(resolve));
            const again = drawn();
            place.append(figure);
            await again;
            if (figure.state.k !== n) throw new Error(`k is ${figure.state.k}, not ${n}`);
            window.events.length = 0;
          }
        }, count);
      const count = async () => {
        const memory = await page.evaluate(
          async () => (await (await import("./site/core/posenc.js")).default()).memory.buffer.byteLength,
        );
        return { ...(await kept(session)), memory };
      };
      await rounds(20);
      const few = await count();
      await rounds(200);
      const many = await count();
      assert.ok(many.listeners <= few.listeners, `listeners: ${few.listeners}, then ${many.listeners}`);
      assert.ok(many.nodes <= few.nodes + 20, `nodes: ${few.nodes}, then ${many.nodes}`);
      assert.ok(many.memory <= few.memory + 1_000_000, "memory");
    }),
  );
});
