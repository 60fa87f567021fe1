// Presentations: by keyboard and by mouse, on the page and in a frame that may not enter full screen.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check as checkPage, tools } from "./check.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS, until } from "./wait.mjs";

const check = (name, options, work) => checkPage(name, { ...options, prepare: b.recordAnnouncements }, work);
const presenting = (page) => page.evaluate(() => document.documentElement.dataset.presenting);
const begun = (page) => page.waitForFunction(() => document.querySelector(".kit-bar"));
const ended = (page) =>
  page.waitForFunction(() => !document.querySelector(".kit-show") && !document.documentElement.dataset.presenting);
/** The last announcement, which may have disappeared since. */
const said = (page) => page.evaluate(() => window.announced.at(-1));
const count = (page) => page.locator(".kit-bar output").textContent();
const bench = (page) => page.evaluate(async () => (await import("./kit/target.mjs")).bench.state);
const clone = (page) => page.locator("#kit-figure");
const fits = (page) => page.waitForFunction(() => document.querySelector("#kit-figure[data-fits]"));
const hash = (page) => page.evaluate(() => location.hash);
const kept = async (page) => /steps=([^&]*)/.exec(await hash(page))?.[1];
const shutKeys = async (page) => {
  await page.keyboard.press("Escape");
  await page.locator(".kit-keys").waitFor({ state: "detached" });
};
const press = async (page, ...keys) => {
  for (const key of keys) await page.keyboard.press(key);
  await b.settle(page);
};
/** Everything that a presentation must leave unchanged. */
const look = async (page) => ({
  state: await bench(page),
  rest: await page.evaluate(() => {
    let focus = document.activeElement;
    while (focus?.shadowRoot?.activeElement) focus = focus.shadowRoot.activeElement;
    const root = document.documentElement;
    return {
      hash: location.hash,
      scroll: Math.round(scrollY),
      focus: focus?.outerHTML.slice(0, 80),
      root: [...root.attributes].map(({ name, value }) => `${name}=${value}`).filter((text) => text !== "style="),
      inert: document.querySelectorAll("[inert]").length,
      body: [...document.body.children].map((e) => e.className).filter((name) => name !== "kit-said"),
    };
  }),
});

describe("presenting the bench", () => {
  check(
    "shows two views, tabs for the others and k alone, as large as the window, and Esc leaves everything as it was",
    { hash: "#k=5&pos=3&theme=light" },
    async (page) => {
      await b.canvas(page, "heatmap").focus();
      const before = { ...(await look(page)), pictures: await b.pictures(page) };
      await page.keyboard.press("p");
      await begun(page);
      await b.settle(page);
      assert.equal(await presenting(page), "bench");
      const seen = async () => {
        const shown = await Promise.all(b.views.map((view) => b.canvas(page, view).isVisible()));
        return b.views.filter((_, i) => shown[i]);
      };
      assert.deepEqual((await seen()).sort(), ["heatmap", "rotation"]);
      await page.locator(".tabs").getByRole("button", { name: "Waves" }).click();
      await b.settle(page);
      assert.deepEqual((await seen()).sort(), ["heatmap", "waves"]);
      for (const other of [".title", ".masthead .tools", ".formula", ".lesson", "[name=d_model]"])
        assert.equal(await page.locator(other).first().isVisible(), false, other);
      assert.ok(await b.slider(page, "k").isVisible());
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "projector");
      await press(page, "c");
      assert.ok(await b.slider(page, "d_model").isVisible());
      await press(page, "c");
      assert.equal(await b.slider(page, "d_model").isVisible(), false);
      await b.drag(page, "k", 0.5, 0.7);
      assert.notEqual((await bench(page)).k, 5);
      await press(page, "Escape");
      await ended(page);
      await page.mouse.move(1, 1);
      await b.written(page);
      assert.deepEqual({ ...(await look(page)), pictures: await b.pictures(page) }, before);
    },
  );

  check("begins by the button and ends by a button, to which the focus returns", {}, async (page) => {
    const button = page.locator(".masthead [data-kit=present]");
    await button.click();
    await begun(page);
    assert.equal(await page.evaluate(() => document.activeElement.className), "kit-show");
    await b.pressBar(page.locator(".kit-bar [data-do=leave]"));
    await ended(page);
    assert.ok(await button.evaluate((e) => e === document.activeElement));
    assert.equal(await page.locator("[inert]").count(), 0);
  });

  check(
    "ends where the browser's Back leads elsewhere, and stays there",
    { hash: "#view=order&theme=light" },
    async (page) => {
      const masthead = page.locator(".masthead .to-lesson");
      await page.evaluate(() => (location.hash = "#k=9&theme=light"));
      await b.settle(page);
      const before = await look(page);
      for (const [there, view] of [
        ["#view=order&theme=light", "order"],
        ["#k=9&theme=light", "bench"],
      ]) {
        await page.keyboard.press("p");
        await begun(page);
        await (view === "order" ? page.goBack() : page.goForward());
        await ended(page);
        await b.written(page);
        assert.equal(await hash(page), there);
        assert.equal((await bench(page)).view, view);
        assert.equal(await masthead.isVisible(), view === "bench");
      }
      assert.deepEqual(await look(page), before);
      // The target of an anchor is hidden during the presentation.
      await page.keyboard.press("p");
      await begun(page);
      await page.evaluate(() => (location.hash = "#rope"));
      await ended(page);
      const top = await page.locator("#rope > h2").evaluate((title) => title.getBoundingClientRect().top);
      assert.ok(Math.abs(top) < 20, `its title is ${top} px from the top`);
      // An address that requests a presentation continues it with its state.
      await page.keyboard.press("p");
      await begun(page);
      await page.evaluate(() => (location.hash = "#k=11&present=1"));
      await b.settle(page);
      assert.equal(await presenting(page), "bench");
      await page.keyboard.press("Escape");
      await ended(page);
      assert.equal((await bench(page)).k, 11);
    },
  );

  for (const [viewport, scale, panels] of [
    [b.desktop, 2.015, 2],
    [{ width: 1920, height: 1080 }, 1.95, 4],
    [b.phone, 0.975, 3],
    [{ width: 800, height: 450 }, 0.975, 3],
  ]) {
    for (const lang of ["en", "zh"]) {
      check(
        `is as large as ${viewport.width}×${viewport.height} lets it be, in ${lang}`,
        { viewport, hash: `#lang=${lang}` },
        async (page) => {
          await page.keyboard.press("p");
          await begun(page);
          await b.settle(page);
          assert.equal(
            await page.evaluate(() =>
              Number(getComputedStyle(document.documentElement).getPropertyValue("--scale")).toFixed(3),
            ),
            scale.toFixed(3),
          );
          const places = await page.evaluate(() => {
            const box = (e) => e.getBoundingClientRect();
            const panels = [...document.querySelectorAll(".panel:not(.tokens)")]
              .filter((e) => e.checkVisibility())
              .map((e) => box(e));
            const bar = box(document.querySelector(".kit-bar"));
            return {
              panels: panels.map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
              bar: bar.top,
              bottom: bar.bottom,
              buttons: [...document.querySelectorAll(".kit-bar button")].map((e) =>
                Math.min(box(e).width, box(e).height),
              ),
            };
          });
          assert.equal(places.panels.length, panels);
          const numbers = await page.locator(".product .numbers").first().isVisible();
          assert.equal(numbers, viewport.width >= 1600, "the numbers of the product are where there is room");
          for (const { left, right } of places.panels)
            assert.ok(left >= 0 && right <= viewport.width, JSON.stringify(places));
          if (viewport.width > viewport.height)
            for (const { bottom } of places.panels) assert.ok(bottom <= places.bar, JSON.stringify(places));
          assert.ok(Math.abs(places.bottom - viewport.height) <= 1);
          assert.ok(Math.min(...places.buttons) >= 24, `${places.buttons}`);
        },
      );
    }
  }
});

describe("presenting a figure of the lesson", () => {
  check("leaves the figure alone and comes back to where it was", {}, async (page) => {
    const figure = page.locator(".prose pe-figure[view=similarity]").first();
    await figure.scrollIntoViewIfNeeded();
    const button = figure.locator("[data-kit=present]");
    await button.waitFor();
    await b.written(page);
    await button.focus();
    const before = {
      ...(await look(page)),
      figure: await figure.evaluate((f) => f.state),
      top: await figure.evaluate((f) => Math.round(f.getBoundingClientRect().top)),
    };
    await button.click();
    await begun(page);
    await fits(page);
    assert.equal(await presenting(page), "figure");
    assert.deepEqual(await clone(page).evaluate((f) => f.state), before.figure);
    const canvas = await clone(page).locator("canvas").boundingBox();
    assert.ok(canvas.width > 1150 && canvas.height > 400, JSON.stringify(canvas));
    assert.ok(await clone(page).locator(".caption").isVisible());
    for (const part of [".controls input", ".links"])
      assert.equal(await clone(page).locator(part).first().isVisible(), false, part);
    await press(page, "c");
    await clone(page).locator(".controls input").first().waitFor();
    assert.ok(await clone(page).locator(".more > summary").isVisible());
    await clone(page).evaluate((f) => f.setState({ d_model: 32 }));
    await press(page, "Escape");
    await ended(page);
    await b.settle(page);
    assert.deepEqual(
      {
        ...(await look(page)),
        figure: await figure.evaluate((f) => f.state),
        top: await figure.evaluate((f) => Math.round(f.getBoundingClientRect().top)),
      },
      before,
    );
  });

  check("by p is about the figure that has the focus", {}, async (page) => {
    const figure = page.locator(".prose pe-figure[view=compose]").first();
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("canvas").waitFor();
    await figure.locator("canvas").focus();
    await page.keyboard.press("p");
    await begun(page);
    assert.equal(await clone(page).evaluate((f) => f.state.view), "compose");
    await press(page, "Escape");
    await ended(page);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("view")), "compose");
  });

  for (const viewport of [b.desktop, { width: 1920, height: 1080 }]) {
    check(`fills ${viewport.width}×${viewport.height} and is not cut off`, { viewport }, async (page) => {
      await page.keyboard.press("p");
      await begun(page);
      const views =
        "corridor guess layouts compose break-it similarity pair-turn beyond perplexity counter ruler".split(" ");
      await page.evaluate(async (views) => {
        const steps = await import("./kit/steps.mjs");
        for (const view of views) steps.add(steps.stepOf({ view }));
      }, views);
      for (const view of views) {
        await page.keyboard.press("PageDown");
        await page.waitForFunction(
          (view) => document.querySelector("#kit-figure[data-fits]")?.state.view === view,
          view,
        );
        await b.settle(page);
        const { high, room, wide } = await page.evaluate(() => {
          const [stage, figure] = [document.querySelector(".kit-stage"), document.querySelector("#kit-figure")];
          return { high: figure.offsetHeight, room: stage.clientHeight, wide: stage.scrollWidth - stage.clientWidth };
        });
        assert.ok(high <= room + 1 && wide <= 0, `${view}: ${high} of ${room}`);
        assert.ok(high >= 0.7 * room, `${view} is small: ${high} of ${room}`);
      }
    });
  }
});

describe("a figure that grows while it is presented", () => {
  check("is fitted again", { hash: "#view=order" }, async (page) => {
    await page.keyboard.press("p");
    await begun(page);
    await fits(page);
    await b.settle(page);
    const high = () =>
      clone(page).evaluate((figure) => figure.offsetHeight - document.querySelector(".kit-stage").clientHeight);
    assert.ok((await high()) <= 1);
    await clone(page).evaluate((figure) => {
      figure.shadowRoot.querySelector(".caption").append(" and more words".repeat(60));
    });
    await b.frames(page, 60);
    assert.ok((await high()) <= 1, `${await high()} px too high`);
  });
});

describe("steps", () => {
  check(
    "are kept, shown, moved and removed by keyboard, and live in the address",
    { hash: "#lang=en&utm=x" },
    async (page) => {
      await page.keyboard.press("p");
      await begun(page);
      await press(page, "PageDown");
      assert.equal((await bench(page)).pos, 11, "without steps the bench goes on");
      await press(page, "ArrowRight", "ArrowRight", "ArrowLeft");
      assert.equal((await bench(page)).pos, 12);
      await press(page, "ArrowLeft");
      await page.evaluate(async () => (await import("./kit/target.mjs")).bench.setState({ k: 5 }));
      await press(page, "m");
      assert.equal(await said(page), "Kept as step 1");
      for (const changes of [
        { k: -2, d_model: 64 },
        { view: "heatmap", k: 3 },
      ]) {
        await page.evaluate(async (changes) => (await import("./kit/target.mjs")).bench.setState(changes), changes);
        await press(page, "m");
      }
      assert.equal(await kept(page), "k=5;pos=11/d_model=64;k=-2;pos=11/view=heatmap;d_model=64;pos=11");
      assert.match(await hash(page), /utm=x/);
      assert.equal(await count(page), "3 / 3");
      await press(page, "PageDown");
      assert.equal(await said(page), "This is the last step");
      await press(page, "PageUp", "PageUp");
      assert.equal(await count(page), "1 / 3");
      assert.equal((await bench(page)).k, 5);
      assert.equal((await bench(page)).view, "bench");
      await press(page, "End");
      assert.equal((await bench(page)).view, "heatmap");
      await press(page, "ArrowLeft");
      assert.equal(await count(page), "2 / 3");

      await press(page, "s");
      assert.match(
        await page.evaluate(() => document.activeElement.textContent),
        /^Bench · d_model = 64, k = -2, pos = 11$/,
      );
      await press(page, "Alt+ArrowUp");
      assert.equal(await kept(page), "d_model=64;k=-2;pos=11/k=5;pos=11/view=heatmap;d_model=64;pos=11");
      assert.match(await page.evaluate(() => document.activeElement.textContent), /k = -2/, "the focus goes with it");
      assert.equal(await count(page), "1 / 3");
      await press(page, "ArrowDown", "Enter");
      assert.equal((await bench(page)).k, 5);
      await press(page, "Delete");
      assert.equal(await kept(page), "d_model=64;k=-2;pos=11/view=heatmap;d_model=64;pos=11");
      for (const name of ["Copy link to this presentation", "Close"]) {
        const button = page.locator(".kit-steps").getByRole("button", { name, exact: true });
        await button.focus();
        await press(page, "PageDown");
        assert.ok(await button.evaluate((element) => element === document.activeElement), name);
      }
      await press(page, "Escape");
      assert.equal(await presenting(page), "bench", "Esc closes the list first");
      await press(page, "Escape");
      await ended(page);
      assert.equal((await bench(page)).pos, 10);
      assert.equal(await kept(page), "d_model=64;k=-2;pos=11/view=heatmap;d_model=64;pos=11", "the list stays");

      await b.reload(page);
      await b.drag(page, "k", 0.5, 0.6);
      await b.written(page);
      assert.equal(
        await kept(page),
        "d_model=64;k=-2;pos=11/view=heatmap;d_model=64;pos=11",
        "whatever else the address says",
      );
      assert.match(await b.link(page), /steps=d_model=64;k=-2;pos=11\/view=heatmap/);
    },
  );

  check("are copied without a fault in the moment in which they go with the address", {}, async (page) => {
    await page.locator(".masthead [data-kit=present]").click();
    await begun(page);
    await b.pressBar(page.locator(".kit-bar [data-do=keep]"));
    await b.pressBar(page.locator(".kit-bar [data-do=steps]"));
    await page.getByText("Copy link to this presentation").waitFor();
    await page.evaluate(async () => {
      const copy = [...document.querySelectorAll(".kit-steps button")].find((button) =>
        /^Copy link/.test(button.textContent),
      );
      const gone = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = "k=7";
      await gone;
      copy.click();
    });
    const link = await page.waitForFunction(() => navigator.clipboard.readText());
    assert.match(await link.jsonValue(), /#present=1$/);
  });

  check("are worked by mouse", {}, async (page) => {
    await page.locator(".masthead [data-kit=present]").click();
    await begun(page);
    const button = (name) => page.locator(`.kit-bar [data-do=${name}]`);
    await b.pressBar(button("steps"));
    assert.match(await page.locator(".kit-steps").innerText(), /No steps are kept yet/);
    await b.pressBar(button("keep"));
    await b.canvas(page, "heatmap").click({ position: { x: 300, y: 150 } });
    await b.pressBar(button("keep"));
    assert.equal(await page.locator(".kit-steps li").count(), 2);
    await page.locator(".kit-steps li").nth(1).locator(".up").click();
    await page.locator(".kit-steps li").nth(0).locator(".go").click();
    await b.settle(page);
    assert.notEqual((await bench(page)).pos, 10);
    await b.pressBar(button("on"));
    await b.settle(page);
    assert.equal((await bench(page)).pos, 10);
    await b.pressBar(button("back"));
    await b.settle(page);
    assert.notEqual((await bench(page)).pos, 10);
    await page.locator(".kit-steps li").nth(0).locator(".remove").click();
    assert.equal(await kept(page), "view=bench");
    await page.locator(".kit-steps").getByText("Copy link to this presentation").click();
    const link = await page.waitForFunction(() => navigator.clipboard.readText());
    assert.match(await link.jsonValue(), /#steps=view=bench&present=1$/);
  });

  check(
    "of any figure begin from the address with the first, and do not take the focus",
    { hash: "#steps=view=order;pe=on/k=7/view=compose&present=1&lang=zh" },
    async (page) => {
      await begun(page);
      await fits(page);
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
      assert.equal(await clone(page).evaluate((f) => f.state.pe), true);
      assert.equal(await count(page), "1 / 3");
      await press(page, "PageDown");
      assert.equal(await presenting(page), "bench");
      assert.equal((await bench(page)).k, 7);
      await press(page, "PageDown");
      await fits(page);
      assert.equal(await clone(page).evaluate((f) => f.state.view), "compose");
      await press(page, "m");
      assert.equal(await said(page), "已存为第 4 步");
      await press(page, "Escape");
      await ended(page);
      assert.equal((await bench(page)).k, 3);
      assert.doesNotMatch(await hash(page), /present/);
    },
  );

  check(
    "come back with the prediction that was made in them",
    { hash: "#steps=view=break-it;guesses=1/k=7&present=1" },
    async (page) => {
      for (const keys of [[], ["PageDown", "PageUp"]]) {
        await press(page, ...keys);
        await fits(page);
        assert.equal(await clone(page).evaluate((figure) => figure.state.guesses), 1);
      }
    },
  );

  check("are silent", { hash: "#steps=view=corridor;sound=on/k=7&present=1" }, async (page) => {
    await fits(page);
    assert.equal(await clone(page).evaluate((figure) => figure.getAttribute("sound")), null);
    assert.equal(await clone(page).evaluate((figure) => figure.state.sound), false);
  });

  check(
    "that are no states are named and left out",
    { hash: "#steps=k=5/nonsense/k=1e99/view=order;colour=1/view=nowhere/%/k=5;pos=2" },
    async (page) => {
      await page.waitForFunction(() => document.querySelector(".kit-said p")?.textContent);
      assert.match(await said(page), /^steps: 5 entries of the address are not understood/);
      await page.locator(".kit-said button").click();
      assert.equal(await page.locator(".kit-said p").count(), 0);
      await page.keyboard.press("p");
      await begun(page);
      await press(page, "PageDown");
      assert.equal(await count(page), "1 / 2");
    },
  );

  check("end where the address would be too long", {}, async (page) => {
    await page.keyboard.press("p");
    await begun(page);
    const seen = await page.evaluate(async () => {
      const steps = await import("./kit/steps.mjs");
      let kept = 0;
      while (
        kept < 1000 &&
        steps.add(
          steps.stepOf({ view: "order", sentence: "词".repeat(60), pe: kept % 2 === 0 }) ?? steps.stepOf({ k: kept }),
        )
      )
        kept += 1;
      return { kept, length: location.href.length, legal: /^[\w\-.~!$&'()*+,;=:@/?%#]*$/.test(location.href) };
    });
    assert.ok(seen.kept >= 100 && seen.length <= 100_000 && seen.legal, JSON.stringify(seen));
    await press(page, "m");
    assert.equal(await said(page), "The list of steps is full");
  });
});

describe("in a presentation", () => {
  check("the screen goes black until any key or a click", {}, async (page) => {
    await page.keyboard.press("p");
    await begun(page);
    for (const [on, off] of [
      ["b", "b"],
      [".", "PageDown"],
      ["b", "Escape"],
    ]) {
      await press(page, on);
      const { x, y, width, height } = await page.locator(".kit-black").boundingBox();
      assert.deepEqual([x, y, width, height], [0, 0, 1280, 720]);
      await press(page, off);
      assert.equal(await page.locator(".kit-black").count(), 0);
    }
    assert.equal((await bench(page)).pos, 10, "the key did nothing else");
    await b.pressBar(page.locator("[data-do=black]"));
    await page.mouse.click(300, 300);
    assert.equal(await page.locator(".kit-black").count(), 0);
    assert.equal((await bench(page)).pos, 10);
  });

  check("a ring follows the pointer, and what does not move is hidden", {}, async (page) => {
    await page.keyboard.press("p");
    await begun(page);
    await press(page, "r");
    const ring = page.locator(".kit-ring");
    for (const [x, y] of [
      [400, 200],
      [900, 500],
    ]) {
      await page.mouse.move(x, y);
      const box = await ring.boundingBox();
      assert.ok(
        Math.abs(box.x + box.width / 2 - x) < 1 && Math.abs(box.y + box.height / 2 - y) < 1,
        JSON.stringify(box),
      );
    }
    const cursor = () => page.evaluate(() => getComputedStyle(document.elementFromPoint(900, 500)).cursor);
    // Repeated if a busy computer has taken longer than the idle time.
    const isSeen = (x) => async () => {
      await page.mouse.move(x, 500);
      return (await cursor()) !== "none";
    };
    await until(isSeen(900), "the pointer");
    await page.waitForFunction(() => getComputedStyle(document.elementFromPoint(900, 500)).cursor === "none");
    await page.waitForFunction(() => getComputedStyle(document.querySelector(".kit-bar button")).opacity === "0");
    assert.ok(await ring.isVisible());
    await until(isSeen(905), "the pointer to come back");
    await press(page, "r");
    assert.equal(await ring.count(), 0);
  });

  check("f fills the screen, f again does not, and leaving leaves it", {}, async (page) => {
    await page.locator(".masthead [data-kit=present]").click();
    await begun(page);
    const full = () => page.evaluate(() => Boolean(document.fullscreenElement));
    await page.keyboard.press("f");
    await page.waitForFunction(() => document.fullscreenElement);
    await page.keyboard.press("f");
    await page.waitForFunction(() => !document.fullscreenElement);
    await b.frames(page, 15);
    assert.equal(await presenting(page), "bench");
    await b.pressBar(page.locator("[data-do=full]"));
    await page.waitForFunction(() => document.fullscreenElement);
    await page.evaluate(() => document.exitFullscreen());
    await ended(page);
    assert.equal(await full(), false);
  });

  check("the screen left at once, before its event has come, is left all the same", {}, async (page) => {
    for (let i = 0; i < 5; i++) {
      await page.locator(".masthead [data-kit=present]").click();
      await begun(page);
      await b.pressBar(page.locator("[data-do=full]"));
      await page.evaluate(async () => {
        await work.until(() => document.fullscreenElement, "the full screen");
        await document.exitFullscreen();
      });
      await ended(page);
    }
  });

  check("a screen that is filled only after the presentation is over is given back", {}, async (page) => {
    await page.evaluate(() => {
      document.addEventListener("fullscreenchange", () => (window.changed = true));
      const fill = Element.prototype.requestFullscreen;
      Element.prototype.requestFullscreen = async function () {
        document.querySelector("[data-do=leave]").click();
        return fill.call(this);
      };
    });
    await page.locator(".masthead [data-kit=present]").click();
    await begun(page);
    await b.pressBar(page.locator("[data-do=full]"));
    await ended(page);
    await page.waitForFunction(() => window.changed && !document.fullscreenElement);
  });
});

describe("keys", () => {
  for (const [lang, words] of [
    ["en", /Black screen/],
    ["zh", /黑屏/],
  ]) {
    check(`are on a sheet, in ${lang}`, { hash: `#lang=${lang}` }, async (page) => {
      await b.slider(page, "k").focus();
      await page.keyboard.press("?");
      const sheet = page.locator(".kit-keys");
      await sheet.waitFor();
      assert.match(await sheet.innerText(), words);
      await page.keyboard.press("p");
      assert.equal(await presenting(page), undefined, "nothing else while it is open");
      await shutKeys(page);
      await page.waitForFunction(() => document.activeElement.name === "k");
    });
  }

  check("of a single letter can be switched off, and then only the others work", {}, async (page) => {
    await page.keyboard.press("?");
    await page.locator(".kit-keys input").uncheck();
    assert.equal(await hash(page), "#keys=off");
    await shutKeys(page);
    await press(page, "p", "?", "m");
    assert.equal(await page.locator(".kit-show, .kit-keys, .kit-said").count(), 0);
    await b.reload(page);
    await page.locator(".masthead [data-kit=present]").click();
    await begun(page);
    await press(page, "b", "m", "c");
    assert.equal(await page.locator(".kit-black, .kit-said").count(), 0);
    await press(page, "PageDown");
    assert.equal((await bench(page)).pos, 11);
    await b.pressBar(page.locator("[data-do=keys]"));
    await page.locator(".kit-keys input").check();
    assert.doesNotMatch(await hash(page), /keys/);
    await shutKeys(page);
    await press(page, "b");
    assert.equal(await page.locator(".kit-black").count(), 1);
  });

  check("do nothing in a text field, and those of the page belong to the page", {}, async (page) => {
    await b.box(page, "k").focus();
    await press(page, "p", "m");
    await page.locator("select[name=lang]").focus();
    await press(page, "p");
    assert.equal(await presenting(page), undefined);
    await page.evaluate(() => {
      document.activeElement.blur();
      window.eaten = [];
      addEventListener("keydown", (event) => eaten.push(event.defaultPrevented));
    });
    await press(page, "PageDown", "PageUp", "ArrowDown", "ArrowRight", "Home", " ", "Escape", "b");
    assert.deepEqual(await page.evaluate(() => eaten), Array(8).fill(false));
    assert.equal((await bench(page)).pos, 10);
  });
});

describe("in a frame without permissions", () => {
  test("a presentation fills the frame, says why not the screen, and takes neither focus nor keys", {
    timeout: TEST_TIMEOUT_MS,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "posenc-"));
    const elsewhere = await serve(0, folder);
    const src = `${tools.site.url}#steps=k=5/k=6&present=1`;
    await writeFile(
      join(folder, "slides.html"),
      `<!doctype html><title>Slides</title><link rel="icon" href="data:,"><input id="mine" autofocus><iframe id="frame" title="figure" width="900" height="560" src="${src}"></iframe><script>window.turned = []; addEventListener("keydown", ({ key }) => turned.push(key))</script>`,
    );
    const context = await tools.browser.newContext({ viewport: b.desktop, locale: "en-GB" });
    const page = await context.newPage();
    await b.recordAnnouncements(page);
    const problems = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
    await page.goto(`${elsewhere.url.replace("localhost", "127.0.0.1")}slides.html`);
    const frame = await (await page.$("#frame")).contentFrame();
    await frame.waitForSelector(".kit-bar");
    await b.frames(frame, 30);
    assert.equal(await page.evaluate(() => document.activeElement.id), "mine");
    await page.keyboard.press("PageDown");
    assert.deepEqual(await page.evaluate(() => turned), ["PageDown"]);
    assert.equal(await frame.locator(".kit-bar output").textContent(), "1 / 2");
    // A click into the frame gives it the keys.
    await b.pressBar(frame.locator("[data-do=on]"));
    await frame.waitForFunction(() => document.querySelector(".kit-bar output").textContent === "2 / 2");
    await page.keyboard.press("f");
    await frame.waitForFunction(() => window.announced.some((words) => /Full screen is not possible here/.test(words)));
    await b.pressBar(frame.locator("[data-do=steps]"));
    await frame.getByText("Copy link to this presentation").click();
    await frame.waitForSelector(".kit-by-hand:focus");
    const [start, end, length] = await frame
      .locator(".kit-by-hand")
      .evaluate((e) => [e.selectionStart, e.selectionEnd, e.value.length]);
    assert.deepEqual([start, end], [0, length]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await frame.waitForFunction(() => !document.querySelector(".kit-show"));
    await b.flush(page);
    assert.deepEqual(
      problems.filter((text) => !/permissions policy|Permissions policy/.test(text)),
      [],
    );
    await context.close();
    await elsewhere.close();
    await rm(folder, { recursive: true });
  });
});
