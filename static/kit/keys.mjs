// The sheet of all keys, and whether single letters are keys at all.
import { noteInLink } from "../core/posenc.js";
import { dialog, el } from "./dialog.mjs";
import { adopt, say } from "./parts.mjs";

/** Letters and signs pressed alone do something; `keys=off` in the address ends that. */
export const areOn = () => !/[?#&]keys=off(&|$)/.test(location.search + location.hash);

const KEYS = [
  [
    { en: "On the page", zh: "页面" },
    [
      ["p", { en: "Present the figure that has the focus, or the bench", zh: "演示焦点所在的图；没有则演示探索台" }],
      ["m", { en: "Keep this state as a step of the presentation", zh: "把当前状态存为演示的一步" }],
      ["?", { en: "This sheet", zh: "本按键表" }],
    ],
  ],
  [
    { en: "In a presentation", zh: "演示时" },
    [
      [
        "PageDown  →",
        { en: "Next step; without steps, the figure goes on by one", zh: "下一步；没有步骤时，图前进一格" },
      ],
      ["PageUp  ←", { en: "Step before", zh: "上一步" }],
      ["Home  End", { en: "First and last step", zh: "第一步、最后一步" }],
      ["m", { en: "Keep this state as a step", zh: "把当前状态存为一步" }],
      ["s", { en: "List of steps", zh: "步骤列表" }],
      ["c", { en: "Controls", zh: "控件" }],
      ["r", { en: "Ring around the pointer", zh: "指针光圈" }],
      ["b  .", { en: "Black screen; any key ends it", zh: "黑屏；按任意键恢复" }],
      ["f", { en: "Full screen", zh: "全屏" }],
      ["Esc", { en: "Leave: everything is as before", zh: "退出，一切恢复原样" }],
    ],
  ],
  [
    { en: "In the list of steps", zh: "步骤列表中" },
    [
      ["↑  ↓", { en: "Another step", zh: "选择步骤" }],
      ["Alt+↑  Alt+↓", { en: "Move it", zh: "移动该步骤" }],
      ["Enter", { en: "Show it", zh: "显示该步骤" }],
      ["Delete", { en: "Remove it", zh: "删除该步骤" }],
    ],
  ],
  [
    { en: "On a picture", zh: "图中" },
    [
      [
        "←  →  ↑  ↓",
        {
          en: "Another cell, position or pair; with Shift by ten",
          zh: "移动单元格、位置或维度对；加 Shift 一次移动十格",
        },
      ],
      ["Home  End", { en: "First and last position", zh: "第一个、最后一个位置" }],
      [
        "+  −  0",
        {
          en: "Zoom in, zoom out, show everything (heatmap and waves of the bench)",
          zh: "放大、缩小、显示全部（探索台的热力图和波形）",
        },
      ],
    ],
  ],
  [
    { en: "On a scroll bar of the heatmap", zh: "热力图的滚动条上" },
    [
      ["←  →  ↑  ↓", { en: "A tenth of what is seen", zh: "移动可见范围的十分之一" }],
      ["PageUp  PageDown", { en: "All of what is seen", zh: "移动一整屏" }],
    ],
  ],
];

adopt(`
dialog.kit.kit-keys { width: min(60rem, calc(100vw - 1.5rem)); }
.kit-keys .lists { columns: 22rem; column-gap: 2rem; }
.kit-keys section { break-inside: avoid; margin-bottom: 0.9rem; }
.kit-keys dl { display: grid; grid-template-columns: 7.5em minmax(0, 1fr); gap: 0.15rem 0.8rem; margin: 0; }
.kit-keys :is(dt, dd) { margin: 0; }
.kit-keys kbd { display: inline-block; margin-right: 0.25em; padding: 0 0.35em; border: 1px solid var(--rule); border-radius: 0.25em; font: inherit; font-size: 0.9em; white-space: nowrap; }
.kit-keys label { display: flex; gap: 0.5rem; align-items: center; min-height: 1.8rem; }
.kit-keys label input { width: 1.1rem; height: 1.1rem; flex: none; margin: 0; }
`);

/** Shows the sheet; the focus returns to where it was. */
export function open() {
  const box = el("input", {
    type: "checkbox",
    checked: areOn(),
    onchange: () => noteInLink("keys", box.checked ? undefined : "off"),
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
  const title = say({ en: "Keys", zh: "按键" });
  const sheet = dialog(
    { title, close: say({ en: "Close", zh: "关闭" }), lang: document.documentElement.lang },
    el("label", {}, box, say({ en: "Single letters and signs are keys", zh: "启用单键快捷键（单个字母和符号）" })),
    el("div", { className: "lists" }, ...lists),
  );
  sheet.classList.add("kit-keys");
}
