// The sheet with all keyboard shortcuts, and whether single-key shortcuts are on.
import { setLinkParameter } from "../core/posenc.js";
import { el, openDialog } from "./dialog.mjs";
import { addStyles } from "./parts.mjs";
import { say, KEYS as WORDS } from "./words.mjs";

/** Whether single-key shortcuts are on; `keys=off` in the address turns them off. */
export const areOn = () => !/[?#&]keys=off(&|$)/.test(location.search + location.hash);

const KEYS = [
  [
    WORDS.onPage,
    [
      ["p", WORDS.present],
      ["m", WORDS.keepFromPage],
      ["?", WORDS.sheet],
    ],
  ],
  [
    WORDS.inPresentation,
    [
      ["PageDown  →", WORDS.nextStep],
      ["PageUp  ←", WORDS.stepBefore],
      ["Home  End", WORDS.ends],
      ["m", WORDS.keepStep],
      ["s", WORDS.list],
      ["n", WORDS.notes],
      ["c", WORDS.controls],
      ["r", WORDS.ring],
      ["b  .", WORDS.black],
      ["f", WORDS.full],
      ["Esc", WORDS.leave],
    ],
  ],
  [
    WORDS.inList,
    [
      ["↑  ↓", WORDS.another],
      ["Alt+↑  Alt+↓", WORDS.move],
      ["Enter", WORDS.show],
      ["Delete", WORDS.remove],
    ],
  ],
  [
    WORDS.onPicture,
    [
      ["←  →  ↑  ↓", WORDS.cell],
      ["Home  End", WORDS.positions],
      ["+  −  0", WORDS.zoom],
      ["+  −", WORDS.offset],
    ],
  ],
  [
    WORDS.onScrollBar,
    [
      ["←  →  ↑  ↓", WORDS.tenth],
      ["PageUp  PageDown", WORDS.screen],
    ],
  ],
];

addStyles(`
dialog.kit.kit-keys { width: min(60rem, calc(100vw - 1.5rem)); }
.kit-keys .lists { columns: 22rem; column-gap: 2rem; }
.kit-keys section { break-inside: avoid; margin-bottom: 0.9rem; }
.kit-keys dl { display: grid; grid-template-columns: 7.5em minmax(0, 1fr); gap: 0.15rem 0.8rem; margin: 0; }
.kit-keys :is(dt, dd) { margin: 0; }
.kit-keys kbd { display: inline-block; margin-right: 0.25em; padding: 0 0.35em; border: 1px solid var(--rule); border-radius: 0.25em; font: inherit; font-size: 0.9em; white-space: nowrap; }
.kit-keys label { display: flex; gap: 0.5rem; align-items: center; min-height: 1.8rem; }
`);

/** Shows the sheet; on closing, the focus returns to the element that had it before. */
export function open() {
  const box = el("input", {
    type: "checkbox",
    checked: areOn(),
    onchange: () => setLinkParameter("keys", box.checked ? undefined : "off"),
  });
  const lists = KEYS.map(([title, keys]) =>
    el(
      "section",
      {},
      el("h3", {}, say(title)),
      el(
        "dl",
        {},
        ...keys.flatMap(([names, words]) => [
          el("dt", {}, ...names.split("  ").map((name) => el("kbd", {}, name))),
          el("dd", {}, say(words)),
        ]),
      ),
    ),
  );
  const title = say(WORDS.title);
  const sheet = openDialog(
    { title, close: say(WORDS.close), lang: document.documentElement.lang },
    el("label", {}, box, say(WORDS.areOn)),
    el("div", { className: "lists" }, ...lists),
  );
  sheet.classList.add("kit-keys");
}
