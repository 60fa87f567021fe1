// A figure of the wheel in marimo, as docs/embedding.md has it: a cell that reads what the figure shows runs again when that is
// changed by hand.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launch } from "./browser.mjs";
import { installWheel, isLeftOut, startServer } from "./notebooks.mjs";
import { TEST_TIMEOUT_MS } from "./wait.mjs";

const notebook = `import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import posenc

    live = mo.ui.anywidget(posenc.figure("rotation", d_model=64, k=7, controls="k pair"))
    live
    return live, mo


@app.cell
def _(live, mo):
    mo.md(f"Python has k = {live.value['state']['k']}")
    return


if __name__ == "__main__":
    app.run()
`;

test("a cell in marimo follows a figure", { timeout: TEST_TIMEOUT_MS, skip: isLeftOut }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "posenc-"));
  const env = { ...process.env, HOME: folder, PYTHONUNBUFFERED: "1", PYTHONPATH: await installWheel(folder) };
  await writeFile(join(folder, "notebook.py"), notebook);
  const args = ["--yes", "run", "--headless", "--no-token", "notebook.py"];
  const server = await startServer("marimo", args, { cwd: folder, env }, /http:\/\/localhost:\d+/);
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1200 }, locale: "en-GB" });
    const problems = [];
    page.on("console", (m) => /^posenc:|^\[anywidget\]/.test(m.text()) && problems.push(m.text()));
    await page.goto(server.url);
    const says = (k) => page.getByText(`Python has k = ${k}`, { exact: true }).waitFor();
    await says(7);
    const k = page.locator("pe-figure input[type=number][name=k]");
    await k.fill("12");
    await k.press("Enter");
    await says(12);
    const { view, k: shown, d_model } = await page.locator("pe-figure").evaluate((figure) => figure.state);
    assert.deepEqual([view, shown, d_model], ["rotation", 12, 64]);
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
