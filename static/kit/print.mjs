// Prints one chapter: a button beside each heading, or below the chapter on devices without hover, hides everything else
// during printing. Every printout begins with the address of the page and its QR code; references to other chapters show
// their numbers.
import { load } from "../core/figures.mjs";
import { isOnWeb, qrCodeSync } from "./qr.mjs";

const PRINT = { en: "Print this chapter", zh: "打印本章" };
const CODE = { en: "QR code of the address of this page", zh: "本页网址的二维码" };

/** Milliseconds within which printing begins, if it does. */
const START_MS = 1000;

/** The address of the page, printed in full because a link cannot be followed on paper. */
function source(chapter) {
  const anchor = chapter?.querySelector("h2 .anchor");
  const address = anchor?.href ?? location.href;
  const holder = document.createElement("p");
  holder.className = "source";
  try {
    holder.append(qrCodeSync(address, CODE[document.documentElement.lang] ?? CODE.en) ?? "");
  } catch (error) {
    console.warn(`posenc: printed without a QR code: ${error}`);
  }
  holder.append(address);
  return holder;
}

/** The sources that a chapter cites, to be printed below it. */
function sources(chapter) {
  const ids = [...chapter.querySelectorAll("a[href^='#ref-']")].map((link) => link.hash.slice(1));
  const list = document.getElementById("sources")?.cloneNode(true);
  if (!list || !ids.length) return undefined;
  for (const entry of list.querySelectorAll("li")) {
    if (ids.includes(entry.id)) entry.removeAttribute("id");
    else entry.remove();
  }
  list.removeAttribute("id");
  list.classList.add("printed");
  return list;
}

/** Prints a chapter after loading the code of its figures: Chromium loads nothing while a script prints. */
async function print(chapter) {
  await load().catch((error) => console.warn(`posenc: ${error}`));
  const page = document.documentElement;
  chapter.classList.add("printed");
  // The chapters before it are hidden, and the style sheet counts those that are shown.
  const before = [...document.querySelectorAll(".chapter")].indexOf(chapter);
  chapter.style.counterReset = `chapter ${before}`;
  const cited = sources(chapter);
  if (cited) chapter.after(cited);
  page.dataset.printed = "";
  const restore = () => {
    chapter.classList.remove("printed");
    chapter.style.counterReset = "";
    cited?.remove();
    delete page.dataset.printed;
  };
  addEventListener("afterprint", restore, { once: true });
  // A sandboxed frame and the browsers inside apps print nothing, and send no event.
  const waiting = setTimeout(restore, START_MS);
  addEventListener("beforeprint", () => clearTimeout(waiting), { once: true });
  window.print();
}

/** Adds the chapter number to links to chapters; otherwise only the style sheet counts chapters. */
function number() {
  for (const [i, { id }] of document.querySelectorAll(".chapter").entries())
    for (const link of document.querySelectorAll(`.prose a[href="#${id}"]:not(.anchor)`)) link.dataset.chapter = i + 1;
}

let printed;
addEventListener("beforeprint", () => {
  number();
  if (!isOnWeb) return;
  printed?.remove();
  printed = source(document.querySelector(".chapter.printed"));
  document.body.prepend(printed);
});
addEventListener("afterprint", () => printed?.remove());

export function start() {
  const touch = matchMedia("(hover: none)").matches;
  for (const heading of document.querySelectorAll(".chapter > h2")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "print";
    for (const lang of ["en", "zh"]) {
      const words = document.createElement("span");
      words.lang = lang;
      words.textContent = PRINT[lang];
      button.append(words);
    }
    button.addEventListener("click", () => print(heading.parentElement));
    (touch ? heading.parentElement : heading).append(button);
  }
}
