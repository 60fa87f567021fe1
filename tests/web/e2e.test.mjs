// The built site in Chromium, used with real mouse and key events.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const hash = (page) => page.evaluate(() => location.hash);
const notice = (page) => page.locator("[data-notice]:visible");
const alive = async (page) => {
  const seen = await b.value(page, "k");
  await b.drag(page, "k", 0.5, 0.9);
  assert.notEqual(await b.value(page, "k"), seen, "the page still answers");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.posenc), "ready");
};

describe("sliders", () => {
  const changes = { d_model: b.views, max_len: ["heatmap", "waves"], k: b.views };
  for (const name of b.mainSliders) {
    check(
      `dragging ${name} changes pictures, number, URL and link; a reload restores them`,
      { hash: "#pos=9" },
      async (page) => {
        const before = {
          number: await b.value(page, name),
          hash: await hash(page),
          link: await b.link(page),
          ...(await b.pictures(page)),
        };
        await b.drag(page, name, 0.2, 0.8);
        await page.waitForFunction((old) => location.hash !== old, before.hash);
        await b.written(page);
        const now = {
          number: await b.value(page, name),
          hash: await hash(page),
          link: await b.link(page),
          ...(await b.pictures(page)),
        };
        for (const what of ["number", "link", ...changes[name]])
          assert.notEqual(now[what], before[what], `${what} changes`);
        assert.equal(new URLSearchParams(now.hash.slice(1)).get(name), String(now.number));
        assert.equal(new URL(now.link).hash, now.hash);
        assert.equal(
          await page.evaluate(
            (name) => document.querySelector(`input[type=number][name=${name}]`).validity.valid,
            name,
          ),
          true,
        );

        await b.reload(page);
        await b.settle(page);
        assert.equal(await b.value(page, name), now.number);
        assert.equal(await hash(page), now.hash);
        assert.equal(await b.picture(page, "heatmap"), now.heatmap, "the same picture after a reload");
      },
    );
  }

  check("a drag leaves posenc:frame measures, an idle page none", {}, async (page) => {
    const count = () => page.evaluate(() => window.frameMeasures.length);
    await page.evaluate(() => {
      window.inputs = 0;
      for (const type of ["pointerdown", "pointermove", "pointerup", "input", "change"])
        addEventListener(type, () => window.inputs++, true);
    });
    const before = await count();
    await b.drag(page, "k", 0.2, 0.8, { steps: 20 });
    const [after, inputs] = [await count(), await page.evaluate(() => window.inputs)];
    const said = `${after - before} frames in a drag of 20 moves, ${inputs} events`;
    assert.ok(after - before >= 5, said);
    // One for each event, unless several come in a frame, and one for the texts that follow a move after a pause.
    assert.ok(after - before <= inputs + 20, said);
    await b.frames(page, 60);
    assert.equal(await count(), after);
  });

  for (const hash of ["", "#view=helix"])
    check(
      `a measure begins with the first event that its frame follows: ${hash || "the bench"}`,
      { hash },
      async (page) => {
        const late = await page.evaluate(async () => {
          const figure = document.querySelector(".alone > pe-figure");
          const root = figure?.shadowRoot ?? document.querySelector("#posenc");
          const canvas = root.querySelector(figure ? "canvas[data-view]" : "canvas[data-view=heatmap]");
          const init = { bubbles: true, cancelable: true, composed: true };
          const { left, top, width, height } = canvas.getBoundingClientRect();
          const at = (x, y) => ({ ...init, clientX: left + x * width, clientY: top + y * height });
          const pointer = (type, x, y) =>
            new PointerEvent(type, { ...at(x, y), pointerId: 1, isPrimary: true, buttons: 1 });
          const input = (kind) => {
            const control = root.querySelector(`input[type=${kind}][name=k]`);
            return [control, (n) => ((control.value = 20 + n), new Event("input", init))];
          };
          const acts = {
            slider: input("range"),
            "typed number": input("number"),
            key: [canvas, () => new KeyboardEvent("keydown", { ...init, key: "ArrowRight" })],
            button: [
              root.querySelector(figure ? "[data-act=reset]" : "[data-action=next]"),
              () => new MouseEvent("click", init),
            ],
            drag: [canvas, (n) => pointer("pointermove", 0.5 + 0.2 * n, 0.3 + 0.2 * n)],
            ...(!figure && {
              wheel: [canvas, () => new WheelEvent("wheel", { ...at(0.5, 0.5), deltaY: -40, ctrlKey: true })],
            }),
          };
          const late = {};
          for (const [what, [target, make]] of Object.entries(acts)) {
            if (what === "drag") target.dispatchEvent(pointer("pointerdown", 0.3, 0.7));
            await work.until(() => work.pending(500).length === 0, "the page to rest");
            const before = frameMeasures.length;
            const events = [0, 1].map((n) => {
              const event = make(n);
              target.dispatchEvent(event);
              // The next has another time.
              while (performance.now() < event.timeStamp + 3);
              return event;
            });
            await work.until(() => frameMeasures.length > before, `a measure of a ${what}`);
            late[what] = frameMeasures[before].startTime - events[0].timeStamp;
            if (what === "drag") target.dispatchEvent(pointer("pointerup", 0.7, 0.5));
          }
          return late;
        });
        assert.ok(Object.keys(late).length >= 5);
        for (const [what, ms] of Object.entries(late)) assert.ok(Math.abs(ms) < 1, `${what}: ${ms} ms after the event`);
      },
    );

  check("both ends of every slider can be reached", {}, async (page) => {
    const ends = { d_model: [1, 16384], max_len: [1, 1048576] };
    for (const [name, [low, high]] of Object.entries(ends)) {
      await b.slider(page, name).focus();
      await page.keyboard.press("End");
      await b.settle(page);
      assert.equal(await b.value(page, name), high);
      await page.keyboard.press("Home");
      await b.settle(page);
      assert.equal(await b.value(page, name), low);
    }
  });
});

describe("bad input", () => {
  const long = "9".repeat(20_000);
  const bad = {
    NaN: "NaN",
    "1e400": "1e400",
    "-1": "-1",
    0: "0",
    "20,000 digits": long,
    "20,000 letters": "x".repeat(20_000),
    markup: "<img src=x>",
  };
  check("a notice that says the same again keeps the focus", { hash: "#d_model=99999999&k=x" }, async (page) => {
    const dismiss = notice(page).locator("button").first();
    await dismiss.focus();
    await page.evaluate(() => {
      history.replaceState(null, "", "#d_model=99999999&k=x");
      dispatchEvent(new HashChangeEvent("hashchange"));
    });
    await b.settle(page);
    assert.ok(await dismiss.evaluate((button) => button === document.activeElement));
    await page.keyboard.press("Enter");
    await notice(page).waitFor({ state: "detached" });
  });

  for (const [hash, focused] of [
    ["#k=x", "k"],
    // Problems without a box of their own.
    ["#lock=nope", "d_model"],
    ["#view=waves&hide=*&k=x", "waves"],
    ["#view=order&hide=nope", "alone"],
  ])
    check(`a notice that is dismissed leaves the focus at ${focused}: ${hash}`, { hash }, async (page) => {
      await notice(page).locator("button").first().focus();
      await page.keyboard.press("Enter");
      await notice(page).waitFor({ state: "detached" });
      const found = await page.evaluate(() => {
        const { name, dataset, className } = document.activeElement;
        return name || dataset.view || className;
      });
      assert.equal(found, focused);
    });

  for (const [what, text] of Object.entries(bad)) {
    check(
      `d_model=${what} in the URL is named in a notice that can be dismissed`,
      { hash: `#d_model=${encodeURIComponent(text)}` },
      async (page) => {
        await notice(page).first().waitFor();
        assert.match(await notice(page).first().innerText(), /d_?model|width/i);
        const number = await b.value(page, "d_model");
        assert.ok(Number.isInteger(number) && number >= 1 && number <= 16384, `${number} is legal`);
        await notice(page).first().locator("button").first().click();
        await page.waitForFunction(
          () => ![...document.querySelectorAll("[data-notice]")].some((n) => n.checkVisibility()),
        );
        await alive(page);
      },
    );
  }

  check(
    "every setting bad at once",
    {
      hash: `#view=?&encoding=%00&d_model=&max_len=-1&k=1e400&pos=NaN&pair=%F0%9F%A6%80&base=0&layout=${long}&lang=xx&theme=&hide=%&unknown=1&&&=`,
    },
    async (page) => {
      await notice(page).first().waitFor();
      await alive(page);
    },
  );

  for (const query of ["#d_model=１２８&max_len=５０", "#d_model=%EF%BC%91%EF%BC%92%EF%BC%98&max_len=50"]) {
    check(`full-width digits in the URL are understood: ${query}`, { hash: query }, async (page) => {
      assert.deepEqual([await b.value(page, "d_model"), await b.value(page, "max_len")], [128, 50]);
      assert.equal(await notice(page).count(), 0);
    });
  }

  check("bad text in a box", {}, async (page) => {
    for (const text of ["NaN", "1e400", "-1", "0", "", long, "1.5", "--", "e"]) {
      for (const name of ["d_model", "max_len"]) {
        await b.type(page, name, text);
        const number = await b.value(page, name);
        assert.ok(Number.isInteger(number) && number >= 1, `${name} is ${number} after ${text.slice(0, 10)}`);
      }
      await b.type(page, "base", text);
      assert.ok((await b.value(page, "base")) > 1, `base after ${text.slice(0, 10)}`);
    }
    await alive(page);
  });

  check("a box names what it changed", {}, async (page) => {
    await b.type(page, "d_model", "99999999");
    assert.equal(await b.value(page, "d_model"), 16384);
    await notice(page).first().waitFor();
  });

  check("full-width digits in a box are understood", { hash: "#d_model=64" }, async (page) => {
    await b.type(page, "d_model", "１２８");
    assert.equal(await b.value(page, "d_model"), 128);
    assert.equal(await notice(page).count(), 0);
  });

  check("a changed hash is followed", {}, async (page) => {
    await page.evaluate(() => (location.hash = "#d_model=32&k=-7"));
    await page.waitForFunction(() => document.querySelector("input[type=number][name=d_model]").value === "32");
    assert.equal(await b.value(page, "k"), -7);
  });

  check("the query is read, the hash wins", { hash: "?d_model=32&k=5#k=6" }, async (page) => {
    assert.deepEqual([await b.value(page, "d_model"), await b.value(page, "k")], [32, 6]);
  });

  check("dependent limits follow", { hash: "#max_len=64&pos=60&d_model=128&pair=60" }, async (page) => {
    await b.type(page, "max_len", "20");
    assert.equal(await b.value(page, "pos"), 19);
    await b.type(page, "d_model", "7");
    assert.equal(await b.value(page, "pair"), 3);
  });
});

describe("the page", () => {
  check("at 1280×720 the canvases and the main sliders need no scrolling", {}, async (page) => {
    const inside = async (what, name) => {
      const r = await what.boundingBox();
      assert.ok(r && r.width > 20 && r.height > 5, `${name} is there`);
      assert.ok(
        r.x >= 0 && r.y >= 0 && r.x + r.width <= 1280 && r.y + r.height <= 720,
        `${name} at ${JSON.stringify(r)}`,
      );
    };
    for (const view of b.views) await inside(b.canvas(page, view), view);
    for (const name of b.mainSliders) await inside(b.slider(page, name), name);
  });

  for (const lang of ["en", "zh"]) {
    check(
      `at 390×844 nothing overflows (${lang})`,
      { viewport: b.phone, deviceScaleFactor: 2, hash: `#lang=${lang}` },
      async (page) => {
        assert.ok((await page.evaluate(() => document.scrollingElement.scrollWidth)) <= 390);
        for (const view of b.views) {
          const r = await b.canvas(page, view).boundingBox();
          assert.ok(r.width > 200 && r.x >= 0 && r.x + r.width <= 390, `${view} at ${JSON.stringify(r)}`);
        }
      },
    );
  }

  check("the language switches in place", {}, async (page) => {
    assert.match(await page.evaluate(() => document.documentElement.lang), /^en/);
    const title = await page.title();
    assert.ok(title.length > 0);
    await b.choose(page, "lang", "zh");
    assert.match(await page.evaluate(() => document.documentElement.lang), /^zh/);
    assert.match(await page.evaluate(() => document.body.innerText), /位置编码/);
    await page.waitForFunction(() => location.hash.includes("lang=zh"));
  });

  check("a browser in Chinese gets Chinese", { locale: "zh-CN" }, async (page) => {
    assert.match(await page.evaluate(() => document.documentElement.lang), /^zh/);
  });

  check("themes change the page and the pictures", {}, async (page) => {
    const looks = new Set();
    for (const theme of ["light", "dark", "projector"]) {
      await b.choose(page, "theme", theme);
      looks.add(await b.picture(page, "heatmap"));
    }
    assert.equal(looks.size, 3);
  });

  check("the layout reorders the heatmap", {}, async (page) => {
    const looks = new Set([await b.picture(page, "heatmap")]);
    for (const layout of ["concatenated", "tensor2tensor"]) {
      await b.choose(page, "layout", layout);
      looks.add(await b.picture(page, "heatmap"));
    }
    assert.equal(looks.size, 3);
  });

  test("where WebAssembly cannot start the page says why", { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await b.open(tools.browser, tools.site.url, {
      state: "failed",
      prepare: (page) => page.route(b.CORE_FILES, (route) => route.abort()),
    });
    assert.match(await page.evaluate(() => document.body.innerText), /WebAssembly/);
    await page.context().close();
  });

  test("a browser without WebAssembly is told so", { timeout: TEST_TIMEOUT_MS }, async () => {
    const page = await b.open(tools.browser, tools.site.url, {
      state: "failed",
      prepare: (page) => page.addInitScript(() => delete globalThis.WebAssembly),
    });
    assert.match(await page.evaluate(() => document.body.innerText), /WebAssembly/);
    await page.context().close();
  });
});

describe("the heatmap", () => {
  check("is worked with the keyboard alone", {}, async (page) => {
    const there = () => page.evaluate(() => document.activeElement?.matches("canvas[data-view=heatmap]"));
    for (let n = 0; n < 100 && !(await there()); n++) await page.keyboard.press("Tab");
    assert.ok(await there(), "Tab reaches the heatmap");
    const [pos, pair, seen] = [await b.value(page, "pos"), await b.value(page, "pair"), await b.pictures(page)];
    await page.keyboard.press("ArrowDown");
    await b.settle(page);
    assert.equal(await b.value(page, "pos"), pos + 1);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await b.settle(page);
    assert.ok((await b.value(page, "pair")) > pair);
    const now = await b.pictures(page);
    for (const view of b.views) assert.notEqual(now[view], seen[view], `${view} follows`);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await b.settle(page);
    assert.deepEqual([await b.value(page, "pos"), await b.value(page, "pair")], [pos, pair]);
  });

  check("zooms with the wheel and with + − 0", {}, async (page) => {
    await b.canvas(page, "heatmap").focus();
    await b.settle(page);
    const whole = await b.picture(page, "heatmap");
    const r = await b.canvas(page, "heatmap").boundingBox();
    await page.mouse.move(r.x + r.width / 2, r.y + r.height / 2);
    await page.mouse.wheel(0, -400);
    await page.mouse.move(1, 1);
    await b.settle(page);
    const wheel = await b.picture(page, "heatmap");
    assert.notEqual(wheel, whole, "the wheel zooms");
    await page.keyboard.press("0");
    await b.settle(page);
    assert.equal(await b.picture(page, "heatmap"), whole, "0 shows everything again");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await b.settle(page);
    const near = await b.picture(page, "heatmap");
    assert.notEqual(near, whole, "+ zooms in");
    await page.keyboard.press("-");
    await b.settle(page);
    assert.notEqual(await b.picture(page, "heatmap"), near, "− zooms out");
    await page.keyboard.press("0");
    await b.settle(page);
    assert.equal(await b.picture(page, "heatmap"), whole);
  });
});

describe("play", () => {
  const button = (page) => page.locator("[data-action=play]").first();
  const pos = "input[type=number][name=pos]";
  const moves = async (page) =>
    page.waitForFunction(
      ([pos, before]) => Number(document.querySelector(pos).value) !== before,
      [pos, await b.value(page, "pos")],
    );
  const rests = async (page) => {
    const before = await b.value(page, "pos");
    await b.frames(page, 60);
    assert.equal(await b.value(page, "pos"), before);
  };

  check("starts and stops by its button", { hash: "#max_len=5000" }, async (page) => {
    // Playback does not start by itself.
    await rests(page);
    await button(page).click();
    await moves(page);
    await button(page).click();
    await b.settle(page);
    await rests(page);
  });

  check("stops when the tab is hidden", { hash: "#max_len=5000" }, async (page) => {
    await button(page).click();
    await moves(page);
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await b.settle(page);
    await rests(page);
  });

  for (const options of [{}, { reducedMotion: "reduce" }])
    check(
      `Mₖ moves pos on to pos + k ${JSON.stringify(options)}`,
      { hash: "#max_len=20&k=6", ...options },
      async (page) => {
        const apply = page.locator("[data-action=apply]");
        assert.equal(await apply.textContent(), "Apply Mₖ");
        await b.uncover(apply);
        await b.settle(page);
        await page.evaluate(() => performance.clearMeasures("posenc:frame"));
        await apply.click();
        await b.settle(page, 1000);
        assert.equal(await b.value(page, "pos"), 16);
        // The hands sweep over their wedges for 900 ms, or are drawn at once. However few frames a busy computer draws, the
        // last comes at the end.
        const starts = await page.evaluate(() =>
          performance.getEntriesByName("posenc:frame").map(({ startTime }) => startTime),
        );
        if (options.reducedMotion) assert.ok(starts.length < 4, `${starts.length} frames`);
        else assert.ok(starts.at(-1) - starts[0] > 800, `frames at ${starts}`);
        // Position 22 does not exist.
        assert.equal(await apply.isDisabled(), true);
        await b.type(page, "k", "-6");
        assert.equal(await apply.isDisabled(), false);
        await b.choose(page, "encoding", "learned");
        assert.equal(await apply.isDisabled(), true);
      },
    );

  check("does not start by itself where less motion is asked for", { reducedMotion: "reduce" }, async (page) => {
    await rests(page);
  });
});
