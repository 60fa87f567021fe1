// The history of the tab: where Back and Forward lead, what the address contains, and what a reload restores.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check } from "./check.mjs";
import { until } from "./wait.mjs";

const hash = (page) => page.evaluate(() => location.hash.replace("#", ""));
const entries = (page) => page.evaluate(() => history.length);
const top = (page, id) => page.locator(`#${id}`).evaluate((element) => element.getBoundingClientRect().top);
const says = (page, wanted) => page.waitForFunction((wanted) => location.hash.replace("#", "") === wanted, wanted);
const scrollTo = (page, y) => page.evaluate((y) => window.scrollTo(0, y), y);
/** Follows a link of the table of contents. */
const follow = async (page, id) => {
  await page.locator(`.contents a[href='#${id}']`).click();
  await page.waitForFunction((id) => location.hash.split(/[#&]/).includes(id), id);
  await b.settle(page);
};
const isAt = async (page, id) =>
  page.waitForFunction((id) => Math.abs(document.getElementById(id).getBoundingClientRect().top) < 4, id);
const ready = (page, id) => page.locator(`#${id}[data-mounted]`).waitFor();
const state = (page, id) => page.locator(`#${id}`).evaluate((figure) => figure.state);

describe("Back and Forward", () => {
  check("lead from chapter to chapter and to where the reader was", {}, async (page) => {
    await scrollTo(page, 300);
    const before = await entries(page);
    await follow(page, "shift");
    await follow(page, "rope");
    assert.equal(await entries(page), before + 2);
    await page.evaluate(() => scrollBy(0, 150));
    await b.settle(page);
    await page.goBack();
    await says(page, "shift");
    await isAt(page, "shift");
    await page.goBack();
    await says(page, "");
    await page.waitForFunction(() => Math.abs(scrollY - 300) < 4);
    await page.goForward();
    await isAt(page, "shift");
    await page.goForward();
    await says(page, "rope");
    await page.waitForFunction(() => Math.abs(document.getElementById("rope").getBoundingClientRect().top + 150) < 4);
  });

  check("a link to the chapter that the address names is no new entry", {}, async (page) => {
    await follow(page, "shift");
    const before = await entries(page);
    await page.evaluate(() => scrollBy(0, 100));
    await page.locator("#shift .anchor").first().click();
    await isAt(page, "shift");
    await b.settle(page);
    assert.equal(await entries(page), before);
  });

  check("the list of contents is read by the keyboard alike", {}, async (page) => {
    const before = await entries(page);
    await page.locator(".contents a[href='#alibi']").press("Enter");
    await isAt(page, "alibi");
    assert.equal(await entries(page), before + 1);
  });

  check("lead from view to view", { hash: "#view=order&pe=on" }, async (page) => {
    const figure = page.locator(".alone > pe-figure");
    await b.openMenu(figure);
    await figure.locator("[data-act=bench]").click();
    await page.waitForFunction(() => document.querySelector("#posenc[data-only=bench]"));
    await b.settle(page);
    assert.doesNotMatch(await hash(page), /view=/);
    await page.goBack();
    await says(page, "view=order&pe=on");
    await page.locator(".alone > pe-figure[data-mounted]").waitFor();
    assert.equal(await figure.evaluate((figure) => figure.state.pe), true);
    await page.goForward();
    await page.waitForFunction(() => document.querySelector("#posenc[data-only=bench]"));
  });

  check(
    "an address with other values than those a figure alone has by now is followed",
    { hash: "#view=order" },
    async (page) => {
      const figure = page.locator(".alone > pe-figure");
      const pe = () => figure.evaluate((figure) => figure.state.pe);
      await figure.evaluate((figure) => figure.setState({ pe: true }));
      await says(page, "view=order&pe=on");
      await page.evaluate(() => {
        location.hash = "#view=order";
      });
      await page.waitForFunction(() => document.querySelector(".alone > pe-figure[data-mounted]")?.state.pe === false);
      await figure.evaluate((figure) => figure.setState({ pe: true }));
      await says(page, "view=order&pe=on");
      // What is no value of the figure leaves its values alone.
      await page.evaluate(async () => {
        const { bench } = await import("./kit/target.mjs");
        bench.setState({ lock: "pe", hide: "share" });
      });
      await figure.locator("[name=pe]:disabled").first().waitFor();
      assert.equal(await pe(), true);
      await says(page, "view=order&hide=share&lock=pe&pe=on");
    },
  );

  check("lead from the bench, opened from a figure of the lesson, to that figure", {}, async (page) => {
    await follow(page, "shift");
    await page.locator("#fig-shift-matrix").scrollIntoViewIfNeeded();
    await ready(page, "fig-shift-matrix");
    await b.settle(page);
    const before = await page.locator("#fig-shift-matrix [data-act=bench]").evaluate((link) => {
      const { top } = link.getRootNode().host.getBoundingClientRect();
      link.click();
      return top;
    });
    await page.waitForFunction(() => scrollY === 0);
    await b.settle(page);
    assert.doesNotMatch(await hash(page), /shift/);
    await page.goBack();
    const now = () => page.locator("#fig-shift-matrix").evaluate((figure) => figure.getBoundingClientRect().top);
    await page.waitForFunction(() => scrollY > 0);
    assert.ok(Math.abs((await now()) - before) < 4, `the figure was at ${before} and is at ${await now()}`);
  });

  check("changes of a slider are no entries", {}, async (page) => {
    const before = await entries(page);
    await b.drag(page, "k", 0.5, 0.8);
    await b.drag(page, "k", 0.8, 0.3);
    await page.waitForFunction(() => /k=/.test(location.hash));
    assert.equal(await entries(page), before);
  });

  check("what the bench was set to is there again", { hash: "#k=9" }, async (page) => {
    await follow(page, "shift");
    assert.equal(await hash(page), "k=9&shift");
    await page.goBack();
    await says(page, "k=9");
    assert.equal(await b.value(page, "k"), 9);
  });
});

describe("the address", () => {
  check("forgets the chapter when the reader leaves it", {}, async (page) => {
    const before = await entries(page);
    await follow(page, "shift");
    await page.evaluate(() => scrollBy(0, 200));
    await b.settle(page);
    assert.equal(await hash(page), "shift", "the reader is still in it");
    await page.evaluate(() => scrollBy(0, -200 - innerHeight));
    await says(page, "");
    assert.equal(await entries(page), before + 1);
  });

  check("forgets the chapter when the bench is used", { hash: "#k=7&distance" }, async (page) => {
    // Without the mouse, so that the chapter stays in the viewport.
    await b.slider(page, "k").evaluate((slider) => {
      slider.value = "12";
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.waitForFunction(() => !location.hash.includes("distance") && location.hash.includes("k="));
  });

  check("forgets the chapter with Reset", { hash: "#distance" }, async (page) => {
    await page.locator("[data-action=reset]").evaluate((button) => button.click());
    await says(page, "");
  });

  check("keeps what is no place on the page", { hash: "#chapter-3&k=5&utm=x&distance" }, async (page) => {
    await page.locator("[data-action=reset]").evaluate((button) => button.click());
    await says(page, "chapter-3&utm=x");
  });

  check("is copied from the bench without the chapter", {}, async (page) => {
    await b.type(page, "k", "9");
    await follow(page, "shift");
    await b.written(page);
    const link = page.locator("[data-action=link]");
    await link.evaluate((button) => button.click());
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await until(async () => (await copied()) !== "", "the copied address");
    assert.equal(new URL(await copied()).hash, "#k=9");
    assert.equal(await link.evaluate((button) => button.href), await copied());
  });

  check(
    "names the figure that stands for an encoding while it is on the screen",
    { hash: "#encoding=alibi" },
    async (page) => {
      await page.locator("[data-action=visit]").first().click();
      await page.waitForFunction(() => /&fig-/.test(location.hash));
      await b.settle(page);
      await page.goBack();
      await says(page, "encoding=alibi");
      await page.waitForFunction(() => scrollY < 4);
    },
  );

  for (const [given, kept, at] of [
    ["#d_model=64&shift", "d_model=64&shift", "shift"],
    ["#rope", "rope", "rope"],
    ["#by-hand", "by-hand", "by-hand"],
    ["#break-it", "break-it", "break-it"],
    ["#view=order&pe=on", "view=order&pe=on"],
  ])
    check(`${given} leads where it always did`, { hash: given }, async (page) => {
      if (at) await isAt(page, at);
      else await page.locator(".alone > pe-figure[data-mounted]").waitFor();
      await b.settle(page, 700);
      assert.equal(await hash(page), kept);
      if (at) assert.ok(Math.abs(await top(page, at)) < 4);
    });
});

/** Waits until the entry of the history has the value. */
const noted = (page) => page.waitForFunction(() => history.state?.figures?.["fig-rope"]?.m === 33);

describe("the figures of the lesson", () => {
  const set = async (page) => {
    await follow(page, "rope");
    await ready(page, "fig-rope");
    await page.locator("#fig-rope input[type=number][name=m]").fill("33");
    await page.locator("#fig-rope input[type=number][name=m]").press("Enter");
    await page.waitForFunction(() => document.querySelector("#fig-rope").state.m === 33);
    await b.settle(page);
  };
  const isKept = async (page) => {
    await ready(page, "fig-rope");
    await page.waitForFunction(() => document.querySelector("#fig-rope").state.m === 33);
    assert.equal((await state(page, "fig-rope")).n, 7, "the others are as the lesson has them");
  };

  check("have their values after a reload, and the page its place", {}, async (page) => {
    await set(page);
    await page.evaluate(() => scrollBy(0, 120));
    const before = await page.evaluate(() => scrollY);
    await noted(page);
    await b.reload(page);
    await isKept(page);
    await b.settle(page);
    const after = await page.evaluate(() => scrollY);
    assert.ok(Math.abs(after - before) < 4, `the page was at ${before} and is at ${after}`);
  });

  check("have their values when the reload follows at once", {}, async (page) => {
    await set(page);
    await b.reload(page);
    await isKept(page);
  });

  check("have their values after another page and Back, without the browser's cache", {}, async (page) => {
    // A page with an unload listener is not put into the back/forward cache.
    await page.evaluate(() => addEventListener("unload", () => {}));
    await set(page);
    await page.goto("about:blank");
    await page.goBack();
    await b.ready(page);
    await isKept(page);
  });

  check("have their values in every entry", {}, async (page) => {
    await follow(page, "shift");
    await set(page);
    await page.goBack();
    await isAt(page, "shift");
    await noted(page);
    await b.reload(page);
    await page.goForward();
    await isKept(page);
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("#fig-rope").state.m === 33);
  });

  check("leave nothing in storage", {}, async (page) => {
    await set(page);
    await noted(page);
    assert.deepEqual(
      await page.evaluate(async () => [
        localStorage.length,
        sessionStorage.length,
        document.cookie,
        (await indexedDB.databases()).length,
      ]),
      [0, 0, "", 0],
    );
    assert.doesNotMatch(await page.evaluate(() => location.search + location.hash), /33/);
  });
});

describe("a change just before the page is left by a link is there on return", () => {
  // Not by a reload: Chromium has read the address before the page can write it.
  for (const hash of ["#pos=3", "#view=rotation&pos=3", "#view=shift-matrix"])
    check(hash, { hash }, async (page) => {
      await b.settle(page, 500);
      // Nothing is drawn in between.
      const leave = () => {
        window.requestAnimationFrame = () => 0;
        const root = document.querySelector(".alone > pe-figure")?.shadowRoot ?? document;
        const slider = root.querySelector("input[type=range][name=k]");
        slider.value = 11;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        document.querySelector(".beside a[href='about.html']").click();
      };
      await Promise.all([page.waitForURL("**/about.html"), page.evaluate(leave)]);
      await page.goBack();
      await b.ready(page);
      await page.locator("#posenc input[name=k]:visible").first().waitFor();
      const k = page.locator("#posenc input[type=number][name=k]:visible").first();
      assert.deepEqual(
        [await k.inputValue(), (await page.evaluate(() => location.hash)).match(/k=\d+/)?.[0]],
        ["11", "k=11"],
      );
    });
});
