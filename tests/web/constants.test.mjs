// Constants that only figures need are in the second file, with their code. The bench shows the same before and after it is
// loaded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { divideConstants } from "../../scripts/kit/constants.mjs";
import { noProblems, open, settle } from "./browser.mjs";
import { tools } from "./check.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const FILE = "core/figures.wasm";

const states = [
  "",
  "k=7&pos=20&pair=9&lang=zh",
  "theme=dark&colour=phase&member=cosine",
  "theme=projector&lang=zh&colour=phase",
  "d_model=7&max_len=5&pos=4",
  "d_model=512&max_len=5000&pos=4999&k=-4999&pair=200",
  "d_model=1024&max_len=1000000&pos=999999&layout=tensor2tensor&lang=zh",
  "layout=concatenated&base=2&colour=relative&pair=3&compare=on",
  "view=heatmap&lang=zh",
  "view=waves&compare=on",
  "view=rotation&lang=zh",
  "view=formula",
  // Messages about invalid addresses, including those of figures.
  "d_modl=8&view=rotatoin&theme=drak&max_len=abc",
  "lang=zh&k=1e9&d_model=0&hide=k,nothing&lock=kk",
  "encoding=sinusoids&layout=halves&base=-1",
];

/** Everything that the bench of this page shows in a state. */
async function told(page, hash) {
  await page.evaluate((hash) => (location.hash = hash), hash);
  await settle(page, 500);
  return page.evaluate(async () => {
    const { bench } = await import("./kit/target.mjs");
    const { readHash } = await import("./core/posenc.js");
    const either = (work) => {
      try {
        return work();
      } catch (error) {
        return `${error}`;
      }
    };
    const root = document.getElementById("posenc");
    return {
      page: root.outerHTML,
      state: bench.state,
      link: bench.link(),
      pictures: [...root.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()),
      refused: [() => bench.setState({ nothing: 1 }), () => bench.setState({ k: "x" })].map(either),
      links: ["view=helix&pair=3", "view=quiz&question=99", "view=attend&key=no", "view=lba"].map((hash) =>
        either(() => JSON.stringify(readHash(hash))),
      ),
    };
  });
}

/**
 * Returns the indices of the constants that stay with the given code; the constants have 16 bytes each and are consecutive
 * from address 65,536.
 */
function kept(code) {
  const count = 120;
  const hex = (number) => number.toString(16);
  const map = Array.from({ length: count }, (_, i) => `  ${hex(65536 + 16 * i)} 0 10 x.o:(.rodata..L${i})`).join("\n");
  const filled = Array.from({ length: count }, (_, i) => `${"\\01".repeat(15)}\\${hex(i + 16)}`).join("");
  const { bench } = divideConstants([` (data $0 (i32.const 65536) "${filled}")`], code, map);
  return bench.flatMap((segment) => {
    const [, address, bytes] = segment.match(/i32\.const (\d+)\) "(.*)"/);
    const first = (Number(address) - 65536) / 16;
    return Array.from({ length: bytes.length / 48 }, (_, i) => first + i);
  });
}

test("an array whose end alone is in the code, where another constant begins, stays with the code", () => {
  const at = (index) => `(i32.const ${65536 + 16 * index})`;
  assert.deepEqual(kept(`(call $f ${at(50)})`), [50]);
  assert.deepEqual(kept(`(f64.load (i32.add (local.get $0) ${at(50)}))`), [49, 50]);
  assert.deepEqual(kept(`(f64.load offset=${65536 + 16 * 50} (local.get $0))`), [49, 50]);
  assert.deepEqual(kept(`(call $"(i32.add" (i32.add (local.get $0) (i32.const 1)) ${at(50)})`), [50]);
});

test("the bench says and shows the same before the second file as after it", { timeout: TEST_TIMEOUT_MS }, async () => {
  const [before, after] = await Promise.all(
    [true, false].map((alone) =>
      open(tools.browser, tools.site.url, {
        hash: "#hide=lesson",
        prepare: (page) => alone && page.route(`**/${FILE}`, (route) => route.fulfill({ status: 404, body: "" })),
      }),
    ),
  );
  await after.evaluate(async () => {
    const figures = await import("./core/figures.mjs");
    await figures.load();
    if (!figures.arrived()) throw new Error("there is no second file");
  });
  for (const state of states) {
    const hash = ["hide=lesson", state].join("&");
    const [one, other] = await Promise.all([told(before, hash), told(after, hash)]);
    assert.ok(one.page.length > 5000, state);
    assert.deepEqual(one, other, state);
    assert.doesNotMatch(JSON.stringify(one), /\\u0000/, state);
  }
  for (const page of [before, after]) {
    await noProblems(page);
    await page.context().close();
  }
});
