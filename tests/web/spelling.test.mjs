// Misspelt names: a message suggests the closest valid name, and the figure shows the nearest valid state.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, noProblems } from "./browser.mjs";
import { check } from "./check.mjs";
import { hosting } from "./host.mjs";

let browser, pages;
before(async () => {
  [browser, pages] = await Promise.all([launch(), hosting()]);
});
after(async () => {
  await browser.close();
  await pages.close();
});

/** Returns what a figure with these attributes shows, its notice and its error messages. */
async function figure(attributes) {
  const page = await pages.open(browser, `<pe-figure id="f" ${attributes}></pe-figure>`);
  try {
    await page.waitForFunction(() => events.some(([name]) => name === "pe-ready"));
    const read = () => ({
      state: document.querySelector("#f").state,
      notice: document.querySelector("#f").shadowRoot.querySelector(".notice").textContent,
      theme: document.querySelector("#f").shadowRoot.querySelector(".figure").dataset.theme,
      scale: document.querySelector("#f").shadowRoot.querySelector(".figure").style.getPropertyValue("--scale"),
      errors: window.events.filter(([name]) => name === "pe-error").map(([, , { message }]) => message),
    });
    const seen = await page.evaluate(read);
    await noProblems(page);
    return seen;
  } finally {
    await page.context().close();
  }
}

describe("attributes of <pe-figure>", () => {
  for (const view of ["rotations", "Rotation", "rotaton"]) {
    test(`view="${view}" shows the rotation and says so`, async () => {
      const { state, notice, errors } = await figure(`view="${view}"`);
      assert.equal(state.view, "rotation");
      assert.match(notice, new RegExp(`view: “${view}” is not one of the choices; rotation is used`));
      assert.deepEqual(errors, [notice]);
    });
  }

  test("what is close to nothing is named, in both languages", async () => {
    const { state, notice, theme } = await figure(`view="nonsense" theme="pink"`);
    assert.deepEqual([state.view, theme], ["heatmap", "light"]);
    assert.match(notice, /view: “nonsense” .*heatmap is used/);
    assert.match(notice, /theme: “pink” .*the default is used/);
    const { notice: chinese } = await figure(`view="waves" lang="zh" theme="drak" dmodel="8"`);
    assert.match(chinese, /theme：“drak”不在可选项之中，已改用 dark。/);
    assert.match(chinese, /没有名为“dmodel”的设置，这一项不起作用。你要写的是不是 d-model？/);
  });

  test("themes, sizes, choices and controls are put right", async () => {
    const { state, notice, theme, scale, errors } = await figure(
      `view="heatmap" theme="projektor" enlarge="99" encoding="sinusodal" controls="d-modle, k" loading="eagr"`,
    );
    assert.deepEqual([state.encoding, theme], ["sinusoidal", "projector"]);
    assert.ok(Number(scale) > 5, scale);
    for (const words of [
      /theme: “projektor” .*projector is used/,
      /enlarge: 99 is out of range; 5 is used/,
      /encoding: “sinusodal” .*sinusoidal is used/,
      /controls: “d_modle” .*Did you mean d_model\?/,
      /loading: “eagr”/,
    ])
      assert.match(notice, words);
    assert.equal(errors.length, 5);
  });

  test("unknown ones are named, those of every element and of other figures are not", async () => {
    const { notice } = await figure(
      `view="rotation" max-length="9" pso="1" colours="3" words="of another figure" class="c" style="color: red" title="t" dir="ltr" role="figure"
       aria-label="a" data-x="1" onclick="" part="p" slot="" tabindex="0" v-if="x" x-data="" _ngcontent-abc="" @click="" :k="1" hx-get="/"`,
    );
    assert.equal(
      notice,
      "“max-length” is not a setting and has no effect. Did you mean max-len? “pso” is not a setting and has no effect. Did you mean pos? “colours” is not a setting and has no effect.",
    );
  });

  test("are told of once, while the figure is worked and after they are put right", async () => {
    const page = await pages.open(browser, `<pe-figure id="f" view="rotation" dmodel="8"></pe-figure>`);
    await page.waitForFunction(() => events.some(([name]) => name === "pe-ready"));
    const notice = () => page.locator("#f .notice").textContent();
    assert.match(await notice(), /dmodel/);
    await page.locator("#f [data-act=dismiss]").click();
    await page.waitForFunction(() => !document.querySelector("#f").shadowRoot.querySelector(".notice").textContent);
    await page.locator("#f").evaluate((figure) => figure.setState({ k: 9 }));
    await page.waitForFunction(() => document.querySelector("#f").drawn);
    assert.equal(await notice(), "");
    await page.locator("#f").evaluate((figure) => figure.setAttribute("theme", "pink"));
    await page.waitForFunction(() =>
      /pink/.test(document.querySelector("#f").shadowRoot.querySelector(".notice").textContent),
    );
    await page.locator("#f").evaluate((figure) => {
      figure.removeAttribute("dmodel");
      figure.removeAttribute("theme");
    });
    await page.waitForFunction(() => !document.querySelector("#f").shadowRoot.querySelector(".notice").textContent);
    assert.equal(await page.evaluate(() => events.filter(([name]) => name === "pe-error").length), 2);
    await page.context().close();
  });
});

describe("scripts", () => {
  test("are told which option or setting they may have meant", async () => {
    const page = await pages.open(browser, `<pe-figure id="f" view="rotation"></pe-figure>`);
    await page.waitForFunction(() => events.some(([name]) => name === "pe-ready"));
    const thrown = await page.evaluate(async () => {
      const posenc = await import("./site/posenc.js");
      const size = { dModel: 8, maxLen: 4 };
      const f = document.querySelector("#f");
      return [
        () => posenc.encode({ dmodel: 8, maxLen: 4 }),
        () => posenc.encode({ ...size, layouts: "interleaved" }),
        () => posenc.rotation({ dModel: 8, offset: 3 }),
        () => posenc.tableCsv({ ...size, max_len: 4 }),
        () => posenc.tableNpy({ ...size, dtyp: "float64" }),
        () => new posenc.TableFile({ ...size, bass: 10 }, "csv"),
        () => f.setState({ dmodle: 8 }),
        () => f.setState({ view: "rotaton" }),
      ].map((call) => {
        try {
          call();
        } catch (error) {
          return error.message;
        }
      });
    });
    assert.deepEqual(thrown, [
      "dmodel is no option; did you mean dModel?",
      "layouts is no option; did you mean layout?",
      "offset is no option",
      "max_len is no option; did you mean maxLen?",
      "dtyp is no option; did you mean dtype?",
      "bass is no option; did you mean base?",
      "dmodle is no setting of this figure; did you mean d_model?",
      "rotaton is no figure: view must be the name of one; did you mean rotation?",
    ]);
    const shared = await page.evaluate(async () => {
      const { encode, rotation } = await import("./site/posenc.js");
      const options = { dModel: 8, maxLen: 4, k: 1, dtype: "float64" };
      return [encode(options).length, rotation(options).length];
    });
    assert.deepEqual(shared, [32, 64], "one object may serve several functions");
    await page.context().close();
  });
});

const notice = (page) => page.locator("[data-notice] p").allInnerTexts();
const address = (page) => page.evaluate(() => location.hash);

describe("addresses", () => {
  check(
    "name what is close to a setting and leave it where it is",
    { hash: "#dmodel=9&max-len=4&utm=x&chapter-3&foo=1&k=5" },
    async (page) => {
      assert.deepEqual(await notice(page), [
        "“dmodel” is not a setting and has no effect. Did you mean d_model?",
        "“max-len” is not a setting and has no effect. Did you mean max_len?",
      ]);
      assert.equal(await address(page), "#k=5&dmodel=9&max-len=4&utm=x&chapter-3&foo=1");
    },
  );

  check(
    "know the names of a figure that they show alone",
    { hash: "#view=order&word=a&thema=dark&pe=on" },
    async (page) => {
      assert.deepEqual(await notice(page), [
        "“word” is not a setting and has no effect. Did you mean words?",
        "“thema” is not a setting and has no effect. Did you mean theme?",
      ]);
    },
  );

  check("know what is no setting but ours", { hash: "#steps=k=4&rotation&utm_source=x&ref=y&q=1" }, async (page) => {
    assert.deepEqual(await notice(page), []);
    await page.keyboard.press("Escape");
  });

  check("show the nearest figure", { hash: "#view=wavs" }, async (page) => {
    assert.deepEqual(await notice(page), ["view: “wavs” is not one of the choices; waves is used instead."]);
    assert.ok(await page.locator("canvas[data-view=waves]").isVisible());
  });
});
