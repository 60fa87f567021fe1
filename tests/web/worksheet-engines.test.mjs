// A worksheet is the same in every browser as in the native computation: tests/reference/worksheets.tsv, which
// tests/native/generated.rs compares with the code.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { engines, inEngine } from "./engines.mjs";
import { serve } from "./serve.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const [, ...lines] = (await readFile(new URL("../reference/worksheets.tsv", import.meta.url), "utf8"))
  .trim()
  .split("\n");
const expected = Map.groupBy
  ? Map.groupBy(lines, sheetOf)
  : lines.reduce((map, line) => map.set(sheetOf(line), [...(map.get(sheetOf(line)) ?? []), line]), new Map());

function sheetOf(line) {
  return line.split("\t").slice(0, 2).join("\t");
}

let site;
before(async () => (site = await serve()));
after(() => site.close());

for (const name of Object.keys(engines)) {
  inEngine(name, (its) => {
    for (const [sheet, exercises] of expected) {
      const [seed, lang] = sheet.split("\t");
      test(`sheet ${seed} in ${lang}`, { timeout: TEST_TIMEOUT_MS }, async () => {
        const driver = its();
        await driver.open(`${site.url}#view=worksheet&seed=${seed}&count=26&show=answer&lang=${lang}`);
        await driver.find("#posenc .alone > pe-figure >> .caption");
        const seen = [];
        for (const exercise of exercises) {
          const [, , number, words] = exercise.split("\t");
          // Set repeatedly until it is shown: the page may still be reading its address.
          await driver.until(
            (number, words) => {
              const figure = document.querySelector(".alone > pe-figure");
              figure.setState({ number });
              return figure.shadowRoot.querySelector(".actions")?.textContent === words;
            },
            Number(number),
            words,
          );
          seen.push(number);
        }
        assert.equal(seen.length, 26);
      });
    }
  });
}
