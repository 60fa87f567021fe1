// The pictures of docs/course-systems.md, from the built site: the teacher's page with a code, the QR code in Share, a sheet
// on a phone.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, openMenu, phone, settle } from "./browser.mjs";
import { shrink } from "./png.mjs";
import { dist } from "./serve.mjs";

/** The apparent address of the site, so that links look like those of a reader. */
const SITE = "https://example.org/posenc/";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css" };
const out = fileURLToPath(new URL("../../docs/course", import.meta.url));

async function open(browser, hash, options) {
  const context = await browser.newContext({ colorScheme: "light", ...options });
  await context.route(`${SITE}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.replace("/posenc/", "") || "index.html";
    const type = TYPES[extname(name)] ?? (name.endsWith(".wasm") ? "application/wasm" : "image/svg+xml");
    await route.fulfill({ body: await readFile(`${dist}/${name}`), contentType: type });
  });
  const page = await context.newPage();
  await page.goto(SITE + hash);
  await page.waitForFunction(() => document.querySelector(".alone > pe-figure")?.drawn);
  await settle(page);
  return page;
}

async function save(name, page, target = page) {
  const png = shrink(await target.screenshot({ animations: "disabled" }));
  await writeFile(`${out}/${name}.png`, png);
  console.log(`docs/course/${name}.png: ${Math.ceil(png.length / 1000)} KB`);
  await page.context().close();
}

const part = (page, selector) => page.locator(".alone > pe-figure").locator(selector);

/** Answers the exercises that have buttons, hands the sheet in and returns its code. */
async function done(page, count) {
  for (let number = 1; number <= count; number++) {
    await part(page, `[data-do=open][value="${number}"]`).click();
    await settle(page);
    // In the first exercise the third option is right.
    const option = part(page, ".options button").nth(2);
    if (await option.isVisible()) await option.click();
    await settle(page);
  }
  await part(page, "input[name=initials]").fill("LM");
  await part(page, "[data-do=hand-in]").click();
  await settle(page);
  return part(page, "output.code").innerText();
}

await mkdir(out, { recursive: true });
const browser = await launch();
try {
  for (const lang of ["en", "zh"]) {
    const locale = { en: "en-GB", zh: "zh-CN" }[lang];
    const sheet = `view=worksheet&seed=7&count=6&lang=${lang}`;
    const student = await open(browser, `#${sheet}&hide=seed,topic,count`, { viewport: phone, hasTouch: true, locale });
    const code = await done(student, 6);
    await save(`sheet-${lang}`, student);

    const teacher = await open(browser, `#${sheet}&show=teacher`, { viewport: { width: 720, height: 440 }, locale });
    await part(teacher, "input[name=code]").fill(code);
    await part(teacher, "input[name=code]").press("Enter");
    await settle(teacher);
    await save(`teacher-${lang}`, teacher);

    const share = await open(browser, `#${sheet}&hide=seed,topic,count`, {
      viewport: { width: 900, height: 620 },
      locale,
    });
    await openMenu(share.locator(".alone > pe-figure"));
    await part(share, "[data-kit=share]").click();
    await share.locator("dialog.share .qr").waitFor();
    const preview = share.frameLocator("dialog.share iframe").locator("pe-figure .actions p");
    await preview.first().waitFor();
    await settle(share, 1500);
    await save(`share-${lang}`, share);
  }
} finally {
  await browser.close();
}
