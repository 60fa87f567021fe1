// <pe-figure> on other pages: by tag, by script, with styles of the page, and removed without leftovers.
import assert from "node:assert/strict";
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { frames, kept, noProblems, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { hosting } from "./host.mjs";
import { dist, serve } from "./serve.mjs";

let pages;

before(async () => (pages = await hosting()));
after(() => pages.close());

/** Opens another page with this body. */
const host = (body, options) => pages.open(tools.browser, body, options);

const ready = (page, id) => page.waitForFunction((id) => events.some(([e, of]) => e === "pe-ready" && of === id), id);
const state = (page, id) => page.locator(`#${id}`).evaluate((figure) => figure.state);
const events = (page, name) => page.evaluate((name) => window.events.filter(([e]) => e === name), name);

describe("<pe-figure>", () => {
  test("shows what its attributes say and follows them", async () => {
    const page = await host(`<pe-figure id="f" view="rotation" d-model="64" k="3">A dial.</pe-figure>`);
    await ready(page, "f");
    assert.deepEqual(await state(page, "f"), {
      view: "rotation",
      encoding: "sinusoidal",
      d_model: 64,
      max_len: 64,
      k: 3,
      pos: 10,
      pair: 4,
    });
    const caption = () => page.locator("#f .caption").textContent();
    const first = await caption();
    await page.locator("#f").evaluate((figure) => figure.setAttribute("k", "7"));
    await page.waitForFunction(() => document.querySelector("#f").state.k === 7);
    await page.waitForFunction(
      (first) => document.querySelector("#f").shadowRoot.querySelector(".caption").textContent !== first,
      first,
    );
    await page.locator("#f").evaluate((figure) => figure.removeAttribute("d-model"));
    await page.waitForFunction(() => document.querySelector("#f").state.d_model === 128);
    assert.equal(await page.locator("#f [data-act=bench]").count(), 0, "there is no bench to lead to");
    await noProblems(page);
  });

  test("shows what is set while it arrives", async () => {
    const page = await host(`<pe-figure id="f" view="rotation" k="3"></pe-figure>`);
    await ready(page, "f");
    const arrivals = await page.evaluate(async () => {
      const found = [];
      // The elements exist but are hidden until the picture is drawn: changes before and after each of these frames.
      for (let frame = 1; frame <= 4; frame++) {
        const figure = document.createElement("pe-figure");
        figure.setAttribute("view", "rotation");
        document.body.prepend(figure);
        await work.until(() => figure.shadowRoot?.querySelector(".figure[hidden]"), "the elements of the figure");
        await work.frames(frame - 1);
        figure.setState({ k: 11 });
        figure.setAttribute("lang", "zh");
        await work.frames(1);
        await work.until(() => figure.drawn, "the picture");
        const caption = figure.shadowRoot.querySelector(".caption").textContent;
        found.push([figure.state.k, figure.shadowRoot.querySelector("input[type=number][name=k]").value, caption]);
        figure.remove();
      }
      return found;
    });
    for (const [k, box, caption] of arrivals) {
      assert.deepEqual([k, box], [11, "11"]);
      // 11 · 10000^(-8/128) rad
      assert.match(caption, /354\.4°/);
      assert.match(caption, /转角/);
    }
    await noProblems(page);
  });

  // What React 19 does with a property of a custom element; Vue, Svelte and Preact do much the same.
  const frameworks = (page) =>
    page.addInitScript(() => {
      window.pass = (element, properties) => {
        for (const [name, value] of Object.entries(properties)) {
          if (name in element) element[name] = value;
          else element.setAttribute(name, value === true ? "" : value);
        }
      };
    });

  for (const script of ["posenc.js", "posenc-inline.js"]) {
    test(`takes properties before and after ${script} has loaded`, async () => {
      // React, Vue and Preact write attributes as long as the element has no such properties.
      const attributes = `state="[object Object]" playing drawn="true"`;
      const page = await host(`<pe-figure id="f" view="attention" ${attributes}></pe-figure>`, { script: "" });
      const found = await page.evaluate(async (script) => {
        const figure = document.querySelector("#f");
        Object.assign(figure, { state: { query: 2 }, playing: true, drawn: true, step: 2 });
        const ready = new Promise((resolve) => figure.addEventListener("pe-ready", resolve));
        await import(`./site/${script}`);
        const { query, step } = figure.state;
        await ready;
        const own = Object.keys(figure);
        const first = figure.state;
        Object.assign(figure, { state: { query: 1 }, playing: true, drawn: true, step: 3 });
        const { playing } = figure;
        const second = figure.state;
        const stepped = figure.step();
        const third = figure.state;
        // Two ways of taking a property away.
        for (const none of [undefined, ""]) {
          figure.step = 4;
          Object.assign(figure, { state: none, step: none, playing: none });
        }
        const states = [{ query, step: Number(step) }, first, second, third, figure.state];
        return { own, playing, stepped, states: states.map(({ query, step }) => [query, step]) };
      }, script);
      assert.deepEqual(found, {
        own: [],
        playing: false,
        stepped: true,
        states: [
          [2, 2],
          [2, 2],
          [1, 3],
          [1, 4],
          [1, 1],
        ],
      });
      assert.deepEqual(await events(page, "pe-error"), []);
      await noProblems(page);
    });
  }

  test("no setting replaces a method or another property of the element", async () => {
    const page = await host(`<pe-figure id="f"></pe-figure>`);
    await ready(page, "f");
    const lost = await page.evaluate(async () => {
      const figure = document.querySelector("#f");
      const methods = Object.getOwnPropertyNames(figure.constructor.prototype).filter(
        (name) => typeof figure[name] === "function" && name !== "constructor",
      );
      const before = methods.map((name) => figure[name]);
      for (const name of methods.filter((name) => !name.endsWith("Callback"))) figure[name] = 1;
      return methods.filter((name, i) => figure[name] !== before[i]);
    });
    assert.deepEqual(lost, []);
    const views = (await readFile(new URL("../../docs/settings.md", import.meta.url), "utf8"))
      .match(/^\| `view` \| (.*?) \|/m)[1]
      .replaceAll("`", "")
      .split(", ")
      .filter((view) => !["bench", "formula"].includes(view));
    assert.ok(views.length >= 45);
    // Settings that the element has a property for, and what it does with them.
    const shared = await page.evaluate((views) => {
      const figure = document.querySelector("#f");
      const names = new Set();
      for (const view of views) {
        figure.setState({ view });
        for (const name of Object.keys(figure.state)) if (name in figure) names.add(name);
      }
      return [...names];
    }, views);
    assert.deepEqual(shared, ["step"]);
  });

  test("keeps the state that is set before it is on the page", async () => {
    const page = await host(`<pe-figure id="first" group="g" view="rotation"></pe-figure>`, { prepare: frameworks });
    await ready(page, "first");
    const states = await page.evaluate(async () => {
      const figure = document.createElement("pe-figure");
      window.pass(figure, { state: { k: 7, pos: 20 }, view: "waves", group: "g", "d-model": 64 });
      figure.state = { pos: 21 };
      const before = figure.state;
      const ready = new Promise((resolve) => figure.addEventListener("pe-ready", resolve));
      document.querySelector("#first").before(figure);
      await ready;
      const after = figure.state;
      figure.remove();
      await undefined;
      figure.state = { k: -3 };
      document.body.prepend(figure);
      const again = new Promise((resolve) => figure.addEventListener("pe-ready", resolve));
      await again;
      // d_model is that of the group.
      return [before, after, figure.state, document.querySelector("#first").state].map(({ view, k, pos, d_model }) =>
        [view, k, pos, d_model].join(),
      );
    });
    assert.deepEqual(states, ["waves,7,21,64", "waves,7,21,128", "waves,-3,21,128", "rotation,-3,21,128"]);
    await noProblems(page);
  });

  test("a state that is given back with every change changes nothing", async () => {
    const page = await host(`<pe-figure id="f" view="inspect"></pe-figure>`);
    await ready(page, "f");
    const found = await page.evaluate(async () => {
      const figure = document.querySelector("#f");
      let changes = 0;
      figure.addEventListener("pe-change", ({ detail }) => {
        changes += 1;
        figure.state = detail.state;
      });
      figure.open(new File(["1,0\n0,1\n"], "own.csv"));
      await work.frames(20);
      const opened = changes;
      figure.state = { ...figure.state, k: 2 };
      await work.frames(20);
      return { more: changes - opened, shown: figure.shadowRoot.textContent.includes("own.csv") };
    });
    assert.deepEqual(found, { more: 1, shown: true });
  });

  test("a state that it cannot have is reported, and the figure works", async () => {
    const page = await host(`<pe-figure id="f" view="rotation"></pe-figure>`, { script: "" });
    await page.evaluate(async () => {
      const figure = document.querySelector("#f");
      figure.state = { weather: 1 };
      await import("./site/posenc.js");
    });
    await ready(page, "f");
    const reported = (words) =>
      page.waitForFunction((words) => events.some(([, , { message }]) => message?.includes(words)), words);
    await reported("weather");
    for (const [given, words] of [
      [{ rain: 2 }, "rain"],
      [{ k: {} }, "k must be"],
    ]) {
      await page.locator("#f").evaluate((figure, given) => (figure.state = given), given);
      await reported(words);
    }
    await page.locator("#f").evaluate((figure) => (figure.state = { k: 5 }));
    assert.equal((await state(page, "f")).k, 5);
    assert.equal(await page.locator("#f [role=alert]").count(), 0);
  });

  test("a state that is set between a failure of the core and its restart is kept", async () => {
    const page = await host(`<pe-figure id="f" view="rotation"></pe-figure>`);
    await ready(page, "f");
    const states = await page.evaluate(async () => {
      const figure = document.querySelector("#f");
      figure.setState({ k: 5 });
      const restarted = new Promise((resolve) => addEventListener("posenc:restarted", resolve));
      dispatchEvent(new Event("posenc:panic"));
      figure.state = { pos: 30 };
      const between = figure.state;
      await restarted;
      return [between, figure.state].map(({ k, pos }) => [k, pos]);
    });
    assert.deepEqual(states, [
      [5, 30],
      [5, 30],
    ]);
  });

  test("a slider that passes through a limit leaves the other settings as they were", async () => {
    const page = await host(`<pe-figure id="f" view="waves" d-model="96" pair="40"></pe-figure>`);
    await ready(page, "f");
    const pairs = await page.evaluate(() => {
      const figure = document.querySelector("#f");
      const slider = figure.shadowRoot.querySelector("input[type=range][name=d_model]");
      const { min, value } = slider;
      const move = (type, to) => {
        slider.value = to;
        slider.dispatchEvent(new Event(type, { bubbles: true }));
        return [figure.state.d_model, figure.state.pair];
      };
      return [move("input", min), move("input", value), move("change", value)];
    });
    assert.deepEqual(pairs, [
      [1, 0],
      [96, 40],
      [96, 40],
    ]);
    const box = page.locator("#f input[type=number][name=d_model]");
    await box.evaluate((box) => {
      box.value = "";
      box.dispatchEvent(new Event("change", { bubbles: true }));
    });
    await page.locator("#f .notice:not(:empty)").waitFor();
    assert.match(await page.locator("#f .notice").textContent(), /96/);
    assert.equal(await box.inputValue(), "96");
  });

  test("glides from one view to another, and is there at once for whoever asks for less motion", async () => {
    const pictures = async (view, move, reducedMotion) => {
      const page = await host(`<pe-figure id="f" view="${view}"></pe-figure>`, { reducedMotion });
      await ready(page, "f");
      await settle(page);
      return page.locator("#f").evaluate(async (figure, move) => {
        const clear = CanvasRenderingContext2D.prototype.clearRect;
        let count = 0;
        CanvasRenderingContext2D.prototype.clearRect = function (...rest) {
          count += figure.shadowRoot.contains(this.canvas) ? 1 : 0;
          return clear.apply(this, rest);
        };
        work.countTime();
        if (move) figure.setState(move);
        else figure.shadowRoot.querySelector("[data-do=apply]").click();
        await work.frames(1);
        await work.until(() => figure.drawn, "the picture");
        return count;
      }, move);
    };
    for (const [view, move] of [
      ["helix", { from: "side" }],
      ["matrix-clocks", undefined],
    ]) {
      assert.equal(await pictures(view, move, "reduce"), 1, view);
      assert.ok((await pictures(view, move, "no-preference")) > 2, view);
    }
  });

  test("is drawn while a figure above it is learning", async () => {
    const page = await host(
      `<pe-figure id="lab" view="lab-length"></pe-figure><pe-figure id="f" view="rotation" loading="eager"></pe-figure>`,
      { reducedMotion: "reduce" },
    );
    await ready(page, "lab");
    await ready(page, "f");
    // Its steps take longer than the figures of a page have in a frame.
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 20 });
    const lab = page.locator("#lab");
    await lab.getByRole("button", { name: "Start learning" }).click();
    await lab.getByRole("button", { name: "Pause" }).waitFor();
    const waits = await page.locator("#f").evaluate(async (figure) => {
      const counts = [];
      for (const k of [5, 6, 7, 8]) {
        figure.setState({ k });
        let count = 0;
        for (; !figure.drawn && count < 1000; count++) await work.frame();
        counts.push(count);
      }
      return counts;
    });
    assert.ok(Math.max(...waits) <= 8, `frames until the picture: ${waits}`);
    await noProblems(page);
  });

  test("applies M_k to the position as often as it is pressed, and not beyond the table", async () => {
    const page = await host(`<pe-figure id="f" view="matrix-clocks" max-len="16" pos="10"></pe-figure>`);
    await ready(page, "f");
    const apply = page.locator("#f [data-do=apply]");
    await apply.press("Enter");
    await settle(page);
    assert.equal((await state(page, "f")).pos, 13);
    // The applied shift is not part of the state.
    assert.deepEqual(Object.keys(await state(page, "f")).sort(), ["d_model", "k", "max_len", "pair", "pos", "view"]);
    assert.ok(await apply.isDisabled(), "there is no row 16");
  });

  test("works by script: state, steps, play, picture", async () => {
    const page = await host(`<pe-figure id="f" view="waves" max-len="20" pos="18"></pe-figure>`);
    await ready(page, "f");
    const f = page.locator("#f");
    await f.evaluate((figure) => figure.setState({ dModel: 32, k: -2 }));
    assert.deepEqual(await state(page, "f"), {
      view: "waves",
      encoding: "sinusoidal",
      d_model: 32,
      max_len: 20,
      k: -2,
      pos: 18,
      pair: 4,
    });
    assert.equal(await f.evaluate((figure) => figure.step(3)), true);
    assert.equal((await state(page, "f")).pos, 1, "from the end to the beginning");
    assert.equal(await f.evaluate((figure) => figure.play()), true);
    await page.waitForFunction(() => document.querySelector("#f").state.pos > 2);
    await f.evaluate((figure) => figure.pause());
    const { pos } = await state(page, "f");
    await frames(page, 40);
    assert.equal((await state(page, "f")).pos, pos);
    await f.evaluate((figure) => figure.reset());
    assert.deepEqual(await state(page, "f"), {
      view: "waves",
      encoding: "sinusoidal",
      d_model: 128,
      max_len: 20,
      k: 3,
      pos: 18,
      pair: 4,
    });
    const sizes = await f.evaluate(async (figure) => {
      const sizes = [];
      for (const scale of [1, 2, 4]) {
        const image = await createImageBitmap(await figure.toBlob({ scale }));
        sizes.push([image.width, image.height]);
      }
      return sizes;
    });
    const [width, height] = sizes[0];
    assert.ok(width > 600 && height > 150, `${sizes[0]}`);
    assert.deepEqual(sizes[1], [2 * width, 2 * height]);
    assert.deepEqual(sizes[2], [4 * width, 4 * height]);
    for (const [change, words] of [
      [{ weather: 1 }, "weather"],
      [{ k: {} }, "k must be"],
      [null, "settings must be"],
      [{ view: "x" }, "view must be"],
    ]) {
      const message = await f.evaluate((figure, change) => {
        try {
          figure.setState(change);
        } catch (error) {
          return error.message;
        }
      }, change);
      assert.match(message ?? "", new RegExp(words));
    }
    assert.ok((await events(page, "pe-change")).length >= 4);
    await noProblems(page);
  });

  test("can be saved at once when it has become another figure", async () => {
    const page = await host(`<pe-figure id="f" view="waves"></pe-figure>`);
    await ready(page, "f");
    const saved = await page.locator("#f").evaluate(async (figure) => {
      const seen = [];
      for (const view of ["rotation", "order", "heatmap"]) {
        figure.setState({ view });
        const { drawn } = figure;
        const [png, svg] = [await figure.toBlob(), figure.toSVG()];
        const { height } = await createImageBitmap(png);
        await work.until(() => figure.drawn, "the picture");
        const again = await createImageBitmap(await figure.toBlob());
        seen.push([view, drawn, height > 100, height === again.height, svg.length > 1000]);
      }
      return seen;
    });
    assert.deepEqual(
      saved,
      ["rotation", "order", "heatmap"].map((view) => [view, false, true, true, true]),
    );
    await noProblems(page);
  });

  test("has the controls that it is given, and locked ones do not move", async () => {
    const page = await host(`<pe-figure id="none" view="rotation" controls="none"></pe-figure>
      <pe-figure id="some" view="rotation" controls="k, d-model" lock="d-model pos"></pe-figure>`);
    await ready(page, "none");
    assert.equal(await page.locator("#none input").count(), 0);
    await page.locator("#some").scrollIntoViewIfNeeded();
    await ready(page, "some");
    const names = await page
      .locator("#some input[type=number]")
      .evaluateAll((inputs) => inputs.map((i) => [i.name, i.disabled]));
    assert.deepEqual(names, [
      ["d_model", true],
      ["k", false],
    ]);
    await page.locator("#some canvas").press("ArrowRight");
    assert.equal((await state(page, "some")).pos, 10, "a locked position");
    await page.locator("#some canvas").press("ArrowUp");
    await page.waitForFunction(() => document.querySelector("#some").state.pair === 5);
  });

  test("bad attributes are named, and the figure works", async () => {
    const evil = "&lt;img src=x onerror=alert(1)&gt;";
    const page = await host(
      `<pe-figure id="f" view="rotation" d-model="99999999" k="${evil}" pair="１２" group="${evil}" controls="${evil}" theme="${evil}" lang="${evil}"></pe-figure>`,
    );
    await ready(page, "f");
    assert.deepEqual(await state(page, "f"), {
      view: "rotation",
      encoding: "sinusoidal",
      d_model: 16384,
      max_len: 64,
      k: 3,
      pos: 10,
      pair: 12,
    });
    const notice = await page.locator("#f .notice").textContent();
    for (const name of ["d_model", "k", "controls"]) assert.match(notice, new RegExp(`\\b${name}\\b`));
    assert.equal(await page.locator("#f img, body > img").count(), 0);
    await noProblems(page);
  });

  test("the page around it cannot break it, and it does not touch the page", async () => {
    const head = `<style>html { font-size: 40px } * { letter-spacing: 9px; color: red; text-transform: uppercase } canvas, input, button { display: none !important; width: 3px !important }</style>`;
    const page = await host(`<p id="p">Words</p><pe-figure id="f" view="rotation"></pe-figure>`, { head });
    await ready(page, "f");
    const style = await page.locator("#f .caption").evaluate((e) => {
      const { color, fontSize, letterSpacing, textTransform } = getComputedStyle(e);
      return { color, fontSize: parseFloat(fontSize), letterSpacing, textTransform };
    });
    assert.ok(style.fontSize > 12 && style.fontSize < 16, `${style.fontSize}`);
    assert.deepEqual([style.color, style.letterSpacing, style.textTransform], ["rgb(22, 25, 29)", "normal", "none"]);
    assert.ok(await page.locator("#f canvas").isVisible());
    assert.deepEqual(
      await page.evaluate(() => [
        document.documentElement.dataset.posenc,
        document.head.querySelectorAll("style").length,
      ]),
      [undefined, 1],
    );
  });

  test("its language is that of the text around it, its theme the system's, unless it says otherwise", async () => {
    const page = await host(
      `<section lang="zh-CN"><pe-figure id="a" view="waves"></pe-figure></section><pe-figure id="b" view="waves" lang="zh" theme="projector"></pe-figure><pe-figure id="c" view="waves"></pe-figure>`,
      { colorScheme: "dark" },
    );
    for (const id of ["a", "b", "c"]) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await ready(page, id);
    }
    const looks = await page.evaluate(() =>
      ["a", "b", "c"].map((id) => {
        const figure = document.getElementById(id).shadowRoot.querySelector(".figure");
        return [figure.lang, figure.dataset.theme, getComputedStyle(figure).backgroundColor];
      }),
    );
    assert.deepEqual(looks, [
      ["zh", "dark", "rgb(23, 26, 32)"],
      ["zh", "projector", "rgb(255, 255, 255)"],
      ["en", "dark", "rgb(23, 26, 32)"],
    ]);
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(
      () => document.querySelector("#c").shadowRoot.querySelector(".figure").dataset.theme === "light",
    );
  });

  test("the page's accent and fonts are the picture's too, and change with the page", async () => {
    const page = await host(
      `<style>pe-figure { --pe-accent: rgb(200 0 120); --pe-font: "Georgia", serif; }</style><pe-figure id="f" view="rotation" d-model="16"></pe-figure>`,
    );
    await ready(page, "f");
    const svg = () => page.evaluate(() => document.querySelector("#f").toSVG());
    const first = await svg();
    assert.match(first, /#c80078/i, "the ring of the selected pair");
    assert.match(first, /font-family="'Georgia', serif"/);
    await page.evaluate(() => document.querySelector("#f").style.setProperty("--pe-accent", "tomato"));
    await settle(page);
    assert.match(await svg(), /#ff6347/i);
    await page.evaluate(() => document.querySelector("#f").style.setProperty("--pe-accent", "nonsense"));
    await settle(page);
    assert.match(await svg(), /#3d4dc4/i, "what is no colour leaves the figure's own");
  });

  test("pictures are as wide as their place, and are worked where they are seen", async () => {
    const page =
      await host(`<div style="width: 700px"><pe-figure id="plain" view="heatmap" controls="none"></pe-figure></div>
      <div style="width: 700px; transform: scale(1.5); transform-origin: 0 0"><pe-figure id="large" view="heatmap" controls="none"></pe-figure></div>`);
    const picked = {};
    for (const [id, scale] of [
      ["plain", 1],
      ["large", 1.5],
    ]) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await ready(page, id);
      const canvas = page.locator(`#${id} canvas`).first();
      const { width, height } = await canvas.boundingBox();
      const grain = await canvas.evaluate((canvas) => [canvas.width, canvas.height]);
      assert.ok(
        Math.abs(grain[0] - width) <= 2 && Math.abs(grain[1] - height) <= 2,
        `${id}: ${grain} pixels on ${width} × ${height}`,
      );
      assert.ok(width < 700 * scale - 10, "the figure has padding");
      await canvas.click({ position: { x: 0.6 * width, y: 0.7 * height } });
      await page.waitForFunction((id) => document.getElementById(id).state.pos !== 10, id);
      picked[id] = await state(page, id);
    }
    assert.deepEqual(picked.plain, picked.large);
  });

  test("keys that a control takes are not the page's, those of presenters are", async () => {
    const page = await host(
      `<pe-figure id="f" view="rotation"></pe-figure><pe-figure id="order" view="order"></pe-figure>`,
    );
    await ready(page, "f");
    await ready(page, "order");
    await page.evaluate(() => {
      window.keys = [];
      document.addEventListener("keydown", ({ key }) => keys.push(key));
    });
    const pressIn = async (place, ...pressed) => {
      await page.locator(place).first().focus();
      for (const key of pressed) await page.keyboard.press(key);
      return page.evaluate(() => keys.splice(0));
    };
    const press = (selector, ...pressed) => pressIn(`#f ${selector}`, ...pressed);
    await page.locator("#order .more > summary").click();
    assert.deepEqual(await pressIn("#order input[type=text]", "n", " ", ".", "ArrowRight", "Home", "PageDown"), [
      "PageDown",
    ]);
    assert.deepEqual(await press("input[type=range]", "ArrowRight", "Home", "End", "PageDown", "b", "Escape"), [
      "PageDown",
      "b",
      "Escape",
    ]);
    assert.deepEqual(await press("input[type=number]", "1", "0", "ArrowUp", "e", "PageUp", "Control+s"), [
      "PageUp",
      "Control",
      "s",
    ]);
    assert.deepEqual(await press("canvas", "ArrowLeft", "ArrowDown", "PageDown", "b"), ["PageDown", "b"]);
    assert.deepEqual(await press(".more > summary", "Enter", " ", "ArrowRight"), ["ArrowRight"]);
  });

  test("after an update, the style sheet is that of the update", async () => {
    const folder = await mkdtemp(join(tmpdir(), "posenc-"));
    await cp(dist, join(folder, "site"), { recursive: true });
    await writeFile(
      join(folder, "index.html"),
      `<!doctype html><title>Notes</title><script type="module" src="site/posenc.js"></script><pe-figure view="rotation"></pe-figure>`,
    );
    const site = await serve(0, folder);
    const context = await tools.browser.newContext();
    const styles = async () => {
      const page = await context.newPage();
      await page.goto(site.url);
      await page.locator("pe-figure[data-mounted]").waitFor();
      return page.evaluate(() =>
        [...document.querySelector("pe-figure").shadowRoot.adoptedStyleSheets[0].cssRules].map((rule) => rule.cssText),
      );
    };
    assert.ok(!(await styles()).some((text) => text.includes("--updated")));
    await appendFile(join(folder, "site/figure.css"), ".figure { --updated: yes; }");
    assert.ok((await styles()).some((text) => text.includes("--updated")));
    await context.close();
    await site.close();
    await rm(folder, { recursive: true });
  });

  test("lazy figures load nothing until they are near", async () => {
    const page = await host(
      `<div style="height: 4000px"></div><pe-figure id="f" loading="lazy" view="rotation">Later.</pe-figure>`,
    );
    const loaded = () =>
      page.evaluate(() => performance.getEntriesByType("resource").filter((e) => e.name.endsWith(".wasm")).length);
    await frames(page, 30);
    assert.equal(await loaded(), 0);
    await page.locator("#f").scrollIntoViewIfNeeded();
    await ready(page, "f");
    assert.equal(await loaded(), 2, "the core, and the code of figures");
  });

  test("50 rounds of coming and going leave nothing behind", async () => {
    const page = await host(`<div id="place"></div>`);
    const session = await page.context().newCDPSession(page);
    const round = () =>
      page.evaluate(async () => {
        const place = document.querySelector("#place");
        const drawn = new Promise((resolve) => place.addEventListener("pe-ready", resolve, { once: true }));
        const figure = document.createElement("pe-figure");
        figure.setAttribute("view", "rotation");
        place.append(figure);
        await drawn;
        place.append(figure.cloneNode(true));
        place.prepend(place.lastChild);
        await work.frames(1);
        place.replaceChildren();
        window.events.length = 0;
        await new Promise((resolve) => setTimeout(resolve));
      });
    for (let i = 0; i < 10; i++) await round();
    const few = await kept(session);
    const memory = () =>
      page.evaluate(async () => (await (await import("./site/core/posenc.js")).default()).memory.buffer.byteLength);
    const small = await memory();
    for (let i = 0; i < 50; i++) await round();
    const many = await kept(session);
    assert.ok(many.listeners <= few.listeners, `listeners: ${few.listeners}, then ${many.listeners}`);
    assert.ok(many.nodes <= few.nodes + 20, `nodes: ${few.nodes}, then ${many.nodes}`);
    assert.ok((await memory()) <= small + 1_000_000, "memory");
    await noProblems(page);
  });

  test("without the module's wasm it keeps its sentence and says why", async () => {
    const page = await host(`<pe-figure id="f" view="waves">The waves.</pe-figure>`, {
      prepare: (page) => page.route("**/*.wasm", (route) => route.abort()),
    });
    await page.waitForFunction(() => events.some(([e, , detail]) => e === "pe-error" && detail.message));
    assert.ok(await page.getByText("The waves.").isVisible());
    await page.context().close();
  });
});
