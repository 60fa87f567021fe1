// Screenshots of the built site for visual review, in tests/web/out/.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { desktop, launch, open, phone, settle } from "./browser.mjs";
import { serve } from "./serve.mjs";
import { shrink } from "./png.mjs";

const out = fileURLToPath(new URL("out", import.meta.url));
const shots = {
  light: { hash: "#lang=en&theme=light" },
  dark: { hash: "#lang=en&theme=dark", colorScheme: "dark" },
  projector: { hash: "#lang=en&theme=projector" },
  chinese: { hash: "#lang=zh&theme=light", locale: "zh-CN" },
  "chinese-dark": { hash: "#lang=zh&theme=dark", locale: "zh-CN", colorScheme: "dark" },
  "ratio-2": { hash: "#lang=en&theme=light", deviceScaleFactor: 2 },
  "large-table": { hash: "#lang=en&theme=light&d_model=512&max_len=5000&pos=1200&pair=40" },
  "largest-table": { hash: "#lang=en&theme=light&d_model=16384&max_len=1048576&pos=500000&pair=2000&k=1000" },
  "smallest-table": { hash: "#lang=en&theme=light&d_model=1&max_len=1&k=0" },
  concatenated: { hash: "#lang=en&theme=light&layout=concatenated" },
  notice: { hash: "#lang=en&theme=light&d_model=NaN&k=1e400" },
  phone: { hash: "#lang=en&theme=light", viewport: phone, deviceScaleFactor: 2, full: true },
  "phone-chinese": { hash: "#lang=zh&theme=dark", viewport: phone, deviceScaleFactor: 2, full: true, locale: "zh-CN" },
};

async function shoot(browser, url, file, { hash, full = false, ...options }) {
  const page = await open(browser, url, { hash, viewport: desktop, ...options });
  await settle(page);
  const png = await page.screenshot({ fullPage: full });
  for (const problem of page.problems) console.error(`${file}: ${problem}`);
  await page.context().close();
  const small = shrink(png);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, small);
  console.log(`${file}: ${Math.ceil(small.length / 1000)} KB`);
}

const [browser, site] = await Promise.all([launch(), serve()]);
try {
  for (const [name, options] of Object.entries(shots)) await shoot(browser, site.url, `${out}/${name}.png`, options);
} finally {
  await browser.close();
  await site.close();
}
