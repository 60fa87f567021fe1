// One state for all views: an action in one of them updates the others.
import assert from "node:assert/strict";
import { describe } from "node:test";
import * as b from "./browser.mjs";
import { check, tools } from "./check.mjs";

const formula = (page) => page.locator(".formula").innerText();
const settings = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const written = async (page) => {
  await b.written(page);
  return settings(page);
};
/** A point of a figure, given as fractions of its width and height. */
async function point(page, view, x, y) {
  const r = await b.canvas(page, view).boundingBox();
  return { x: r.x + r.width * x, y: r.y + r.height * y };
}

describe("a selection", () => {
  check("in the heatmap moves the formula, the matrix and the read-out", {}, async (page) => {
    const before = [await formula(page), await page.locator(".equation.numbers").innerText()];
    const { x, y } = await point(page, "heatmap", 0.3, 0.7);
    await page.mouse.click(x, y);
    await b.settle(page);
    const now = [await formula(page), await page.locator(".equation.numbers").innerText()];
    assert.notEqual(now[0], before[0]);
    assert.notEqual(now[1], before[1]);
    const [pos, pair] = [await b.value(page, "pos"), await b.value(page, "pair")];
    assert.match(await page.locator(".readout b").innerText(), new RegExp(`position ${pos}, .*pair ${pair}`));
  });

  check("survives a width that passes through 1", {}, async (page) => {
    const range = b.slider(page, "d_model");
    const r = await range.boundingBox();
    const y = r.y + r.height / 2;
    await page.mouse.move(r.x + r.width * 0.37, y);
    await page.mouse.down();
    await page.mouse.move(r.x + 1, y, { steps: 5 });
    await b.settle(page);
    assert.equal(await b.value(page, "pair"), 0);
    await page.mouse.move(r.x + r.width * 0.37, y, { steps: 5 });
    await page.mouse.up();
    await b.settle(page);
    assert.equal(await b.value(page, "pair"), 4);
  });
});

describe("zoom", () => {
  check(
    "pans with the zoom tool and by scrollbar, and a button shows everything",
    { hash: "#positions=20-30&dimensions=40-60" },
    async (page) => {
      await b.press(page.locator("[data-action=zoom-tool]"));
      const from = await point(page, "heatmap", 0.5, 0.5);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(from.x + 120, from.y + 80, { steps: 6 });
      await page.mouse.up();
      const panned = await written(page);
      assert.ok(parseFloat(panned.positions) < 20 && parseFloat(panned.dimensions) < 40, JSON.stringify(panned));
      const bar = await page.locator("[data-scroll=vertical]").boundingBox();
      await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height * 0.95);
      const scrolled = await written(page);
      assert.ok(parseFloat(scrolled.positions) > 40, JSON.stringify(scrolled));
      await b.press(page.locator("[data-action=show-all]"));
      const all = await written(page);
      assert.equal(all.positions ?? all.dimensions, undefined);
      assert.equal(await page.locator("[data-scroll]:visible").count(), 0);
    },
  );

  check("follows two fingers", { hasTouch: true }, async (page) => {
    const devtools = await page.context().newCDPSession(page);
    const { x, y } = await point(page, "heatmap", 0.5, 0.5);
    const touch = (type, apart) =>
      devtools.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [-1, 1].map((side, id) => ({ x: x + side * apart, y, id })),
      });
    await touch("touchStart", 30);
    for (let apart = 40; apart <= 120; apart += 10) await touch("touchMove", apart);
    await touch("touchEnd");
    const [from, to] = (await written(page)).positions.split("-").map(Number);
    assert.ok(to - from < 32, `${from} to ${to}`);
  });
});

describe("the waves", () => {
  check("compare the pairs that are asked for", {}, async (page) => {
    const alone = await b.picture(page, "waves");
    await page.locator(".masthead .menu > summary").click();
    await page.locator("[data-compare]").fill("20");
    await b.press(page.locator("[data-action=compare]"));
    await page.locator("[data-compare]").fill("0");
    await page.locator("[data-compare]").press("Enter");
    assert.equal((await written(page)).compare, "20,0");
    assert.notEqual(await b.picture(page, "waves"), alone);
    await page.locator("[data-action=compare-less]").first().click();
    await page.locator("[data-action=compare-less]").first().click();
    assert.equal((await written(page)).compare, undefined);
    // Without a focus ring or anything open over the picture.
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.mouse.move(1, 1);
    await b.settle(page);
    assert.equal(await b.picture(page, "waves"), alone);
  });
});

describe("the page", () => {
  check(
    "resets to what it was at first, but for language and theme",
    { hash: "#d_model=9&k=-4&lang=zh&theme=dark&compare=1" },
    async (page) => {
      await b.press(page.locator("[data-action=reset]"));
      assert.deepEqual(await written(page), { lang: "zh", theme: "dark" });
      assert.equal(await b.value(page, "d_model"), 128);
    },
  );

  check("leaves what it does not know in the address alone", { hash: "#chapter-3&k=5&utm=x" }, async (page) => {
    await b.drag(page, "k", 0.5, 0.8);
    const now = await written(page);
    assert.equal(now.utm, "x");
    assert.match(await page.evaluate(() => location.hash), /&chapter-3(&|$)/);
  });

  check("follows a hash that somebody else changes", {}, async (page) => {
    await page.evaluate(() => (location.hash = "#d_model=32&pos=5"));
    await b.settle(page);
    assert.equal(await b.value(page, "d_model"), 32);
    assert.equal(await b.value(page, "pos"), 5);
  });

  for (const view of b.views) {
    check(`shows ${view} alone and hides what is to be hidden`, { hash: `#view=${view}&hide=*` }, async (page) => {
      assert.ok(await b.canvas(page, view).isVisible());
      for (const other of b.views.filter((name) => name !== view))
        assert.equal(await b.canvas(page, other).isVisible(), false, other);
      assert.equal(await page.locator("input:visible, select:visible, button:visible").count(), 0);
    });
  }

  check(
    "moves nothing that is locked, by whatever hand",
    { hash: "#lock=d_model,pos,zoom,layout&positions=5-40&compare=9" },
    async (page) => {
      for (const control of [
        b.box(page, "d_model"),
        b.slider(page, "d_model"),
        b.slider(page, "pos"),
        page.locator("select[name=layout]"),
        page.locator("[data-action=zoom-in]"),
        page.locator("[data-action=play]"),
      ]) {
        await b.uncover(control);
        assert.ok(await control.isVisible());
        assert.ok(await control.isDisabled());
      }
      const { x, y } = await point(page, "heatmap", 0.5, 0.5);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y + 60, { steps: 3 });
      await page.mouse.up();
      await page.mouse.wheel(0, -400);
      for (const key of ["ArrowDown", "End", "+", "0"]) await b.canvas(page, "heatmap").press(key);
      await b.canvas(page, "waves").press("ArrowRight");
      const dial = await point(page, "rotation", 0.3, 0.3);
      await page.mouse.click(dial.x, dial.y);
      // A locked position does not fit into a smaller max_len.
      await b.type(page, "max_len", "4");
      await page.evaluate(() => {
        const list = document.querySelector("select[name=layout]");
        list.value = "concatenated";
        list.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await b.press(page.locator("[data-action=reset]"));
      await b.drag(page, "k", 0.5, 0.8);
      const { k, pair, ...rest } = await written(page);
      assert.deepEqual(rest, { lock: "d_model,pos,zoom,layout", positions: "5-40" }, "reset, but for what is locked");
      assert.notEqual(k, undefined, "k is free");
      assert.deepEqual(
        [
          await b.value(page, "pos"),
          await b.value(page, "max_len"),
          await page.locator("select[name=layout]").inputValue(),
        ],
        [10, 64, "interleaved"],
      );
    },
  );

  check("locks everything", { hash: "#lock=*&d_model=32" }, async (page) => {
    assert.equal(
      await page
        .locator(
          "#posenc :is(input, select, button):not([data-kit], [data-action=more], .tabs *, .formula-tabs *, .tour *):enabled",
        )
        .count(),
      0,
    );
    const sentence = page.locator("[data-figure=bench][data-set]").first();
    await sentence.evaluate((button) => button.click());
    assert.deepEqual(await written(page), { lock: "*", d_model: "32" });
    await page.evaluate(() => (location.hash = "#d_model=32"));
    await b.settle(page);
    await b.type(page, "d_model", "30");
    assert.deepEqual(await written(page), { d_model: "30" });
  });

  for (const name of ["hide", "lock"]) {
    check(`names what is no control in ${name}`, { hash: `#${name}=k,weather` }, async (page) => {
      assert.match(await page.locator("[data-notice]").innerText(), new RegExp(`${name}:.*weather`));
      assert.deepEqual(await written(page), { [name]: "k" });
      await page.evaluate((name) => (location.hash = `#view=order&${name}=pe,weather`), name);
      await page.locator("pe-figure[data-mounted]").first().waitFor();
      assert.match(await page.locator("[data-notice]").innerText(), new RegExp(`${name}:.*weather`));
      assert.deepEqual(await written(page), { view: "order", [name]: "pe" });
    });
  }

  check(
    "hides and locks the controls of a figure that it shows alone",
    { hash: "#view=order&pe=on&hide=causal,weights,lang,theme,lesson&lock=pe,words" },
    async (page) => {
      const figure = page.locator(".alone > pe-figure");
      await page.locator(".alone > pe-figure[data-mounted]").waitFor();
      const names = await figure.locator(".fields [name]").evaluateAll((all) => all.map((e) => [e.name, e.disabled]));
      assert.deepEqual(names, [
        ["split", false],
        ["pe", true],
      ]);
      assert.equal(await page.locator(".masthead:visible, .notice:visible").count(), 0, "nothing in it can be pressed");
      const before = await figure.evaluate((figure) => figure.state.words);
      await figure.locator(".more > summary").click();
      await figure.locator("input[name=words]").fill("other words");
      await figure.locator("input[name=words]").press("Enter");
      assert.equal(await figure.evaluate((figure) => figure.state.words), before);
      await page.evaluate(() => (location.hash = "#view=order&hide=*&lock=*"));
      await page.locator(".alone > pe-figure:not([pe])[data-mounted]").waitFor();
      assert.equal(await figure.locator(".fields [name]").count(), 0);
      assert.equal(await figure.getAttribute("lock"), "*");
    },
  );

  check("shows the bench without the lesson", { hash: "#hide=lesson" }, async (page) => {
    assert.ok(await b.canvas(page, "heatmap").isVisible());
    assert.equal(await page.locator(".lesson:visible").count(), 0);
  });

  check(
    "opens as its file says, under the query and the hash",
    {
      hash: "?k=8#d_model=32",
      prepare: (page) =>
        page.addInitScript(() => {
          const told = new MutationObserver(() => {
            if (!document.documentElement) return;
            document.documentElement.dataset.state = "lang=zh&d_model=16&k=2&max_len=20&weather=1";
            told.disconnect();
          });
          told.observe(document, { childList: true });
        }),
    },
    async (page) => {
      assert.deepEqual(
        [await b.value(page, "d_model"), await b.value(page, "k"), await b.value(page, "max_len")],
        [32, 8, 20],
      );
      assert.equal(await page.evaluate(() => document.documentElement.lang), "zh");
      await b.type(page, "max_len", "64");
      assert.equal((await written(page)).max_len, "64", "said, though it is the usual value");
    },
  );

  check("says its notices and labels in the language that is chosen, in place", { hash: "#k=abc" }, async (page) => {
    const words = () => page.locator("[data-notice]").innerText();
    const english = await words();
    await b.uncover(page.locator("select[name=lang]"));
    await page.locator("select[name=lang]").focus();
    await b.choose(page, "lang", "zh");
    assert.notEqual(await words(), english);
    assert.match(await words(), /不是数字/);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "lang", "the focus stays");
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh");
  });
});

describe("nothing runs out of its box", () => {
  const cut = (page) =>
    page.evaluate(() =>
      [...document.querySelectorAll(".equation, .side, .panel > header, .readout, .control label b, .look, .residual")]
        .filter(
          (e) =>
            e.checkVisibility() &&
            (e.scrollWidth > e.clientWidth + 1 || (e.matches(".side") && e.scrollHeight > e.clientHeight + 1)) &&
            e.clientWidth > 0,
        )
        .map(
          (e) =>
            `${e.className || e.tagName}: ${e.scrollWidth}>${e.clientWidth}, ${e.scrollHeight}>${e.clientHeight}: ${e.textContent.slice(0, 60)}`,
        ),
    );
  const states = [
    "",
    "d_model=16384&max_len=1048576&pair=8191&pos=1048575",
    "d_model=7&pair=3",
    "k=-40&pair=0",
    "base=1000000000&pair=60",
  ];
  for (const viewport of [b.desktop, { width: 1024, height: 768 }, { width: 1920, height: 1080 }, b.phone]) {
    for (const lang of ["en", "zh"]) {
      check(`at ${viewport.width}×${viewport.height} in ${lang}`, { viewport }, async (page) => {
        for (const theme of ["light", "projector"])
          for (const layout of ["interleaved", "concatenated", "tensor2tensor"])
            for (const state of states) {
              const hash = `${state}&layout=${layout}&member=cosine&theme=${theme}&lang=${lang}`;
              await page.evaluate((hash) => (location.hash = hash), hash);
              await b.settle(page, 60);
              // Sizes that are measured to fit may be measured a frame later.
              if ((await cut(page)).length) await b.settle(page);
              assert.deepEqual(await cut(page), [], hash);
            }
      });
    }
  }
});

describe("posenc.js", () => {
  check("gives other pages the table and the matrix", {}, async (page) => {
    await page.context().route("**/elsewhere.html", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<!doctype html><title>x</title><link rel=icon href=data:,><p>mine",
      }),
    );
    await page.goto(`${tools.site.url}elsewhere.html`);
    const seen = await page.evaluate(async () => {
      const { default: init, encode, rotation } = await import("./posenc.js");
      await init();
      const said = (act) => {
        try {
          act();
          return "nothing";
        } catch (error) {
          return error instanceof Error ? error.message : "no Error";
        }
      };
      return {
        table: [...encode({ dModel: 4, maxLen: 3, dtype: "float64" })],
        kind: encode({ dModel: 4, maxLen: 3 }).constructor.name,
        matrix: [...rotation({ dModel: 4, k: 3 })],
        bad: said(() => encode({ dModel: 0, maxLen: 3 })),
        large: said(() => encode({ dModel: 16384, maxLen: 1048576 })),
        body: document.body.innerText,
      };
    });
    assert.equal(seen.kind, "Float32Array");
    const near = (actual, expected) =>
      expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 1e-9, `${i}: ${actual[i]}`));
    near(
      seen.table,
      [
        0, 1, 0, 1, 0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004, 0.9092974268, -0.4161468365, 0.0199986667,
        0.9998000067,
      ],
    );
    near(seen.matrix.slice(0, 6), [-0.9899924966, 0.1411200081, 0, 0, -0.1411200081, -0.9899924966]);
    assert.match(seen.bad, /dModel/);
    assert.match(seen.large, /maxLen/);
    assert.equal(seen.body, "mine", "a page that only imports is left alone");
  });
});
