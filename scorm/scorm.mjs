// Stands before the page's own script in a SCORM package (scripts/package --scorm): reports to the course system around the page what a
// reader does with the worksheet, or with the questions of the lesson, and puts back what the attempt before had reached.
import { Session, find } from "./scorm-session.mjs";

/** Questions of the quiz, all of which make it complete. */
const QUESTIONS = 26;

const WORDS = {
  alone: {
    en: "No course system answers. Everything works, but nothing is reported.",
    zh: "没有课程平台响应。页面照常可用，但不会上报成绩。",
  },
  lost: {
    en: "The course system has not taken the last report. The next answer sends it again.",
    zh: "课程平台没有收下刚才的记录，下次作答时会再次上报。",
  },
  reported: { en: "The course system has taken your score.", zh: "课程平台已收到你的成绩。" },
  review: {
    en: "The course system has opened this for review or as a preview: nothing is reported.",
    zh: "课程平台以回顾或预览方式打开了这个活动，不会上报成绩。",
  },
  ended: {
    en: "The session with the course system has ended. Open the activity again to go on.",
    zh: "与课程平台的会话已结束。要继续，请重新打开这个活动。",
  },
  dismiss: { en: "Dismiss", zh: "关闭" },
};

const notice = document.createElement("p");
notice.className = "scorm";
notice.setAttribute("role", "status");

/** Both languages: the page shows the one that is read. */
function both(words) {
  return ["en", "zh"].map((lang) => {
    const text = document.createElement("span");
    text.lang = lang;
    text.textContent = words[lang];
    return text;
  });
}

function say(words) {
  if (!words) return notice.replaceChildren();
  const button = document.createElement("button");
  button.type = "button";
  button.append(...both(WORDS.dismiss));
  button.addEventListener("click", () => notice.replaceChildren());
  notice.replaceChildren(...both(words), " ", button);
}

/** The worksheet or the quiz as a course system is told of it; nothing of other figures. */
function graded({ view, ...state }) {
  if (view === "worksheet" && state.show === "sheet") {
    const { done, right, count, number } = state;
    return { view, done, score: done ? (100 * right) / count : undefined, location: `worksheet ${number}`, state };
  }
  if (view === "quiz") {
    const { right, answered, question } = state;
    const score = answered ? (100 * right) / Math.max(answered, QUESTIONS) : undefined;
    return { view, done: answered >= QUESTIONS, score, location: `quiz ${question}`, state };
  }
  return undefined;
}

/** What tells one answer from the next: while something is written or dragged, nothing is reported. */
const answersOf = ({ state: { number, answers, done, question, answered } }) =>
  JSON.stringify([number, answers, done, question, answered]);

const chapter = () => document.querySelector(".contents [aria-current]")?.hash?.slice(1) ?? "";

const session = new Session(find(window));
/** What the attempt before has left. */
let before = {};
/** What is reported of the worksheet or the quiz: that of the attempt before until its figure is back. */
let latest;
/** The figure that is to get its values back, by its view. */
let awaited;
let failed = false;

function now() {
  const address = location.hash.slice(1);
  // Until the page has gone there, the reader is where the attempt before was left.
  const place = document.documentElement.dataset.parts === "started" ? chapter() : (before.place ?? "");
  const figure = latest && { view: latest.view, ...latest.state };
  return {
    score: latest?.score,
    done: latest?.done ?? false,
    location: latest?.location ?? (place || "bench"),
    state: { address, place, figure },
  };
}

function report() {
  if (session.open && !session.writable) return;
  const taken = session.report(now());
  if (!taken) say(session.open ? WORDS.lost : WORDS.ended);
  else if (latest?.done && latest.score !== undefined) say(WORDS.reported);
  else if (failed) say();
  failed = !taken;
}

/** Gives the figure that shows the same the values of the attempt before; told again until it has them, as it may still be reading its link. */
function restore({ view, ...values }) {
  let tries = 0;
  awaited = view;
  const over = new AbortController();
  const shown = () => [...document.querySelectorAll("pe-figure")].find((it) => it.drawn && it.state.view === view);
  const has = (figure) => figure && Object.entries(values).every(([name, value]) => figure.state[name] === value);
  const look = () => {
    // It may take any time until the figure is drawn.
    const figure = shown();
    if (!figure) return;
    if (has(figure) || tries++ > 40) return over.abort();
    try {
      figure.setState(values);
    } catch {
      // Of another version of the page: it begins anew.
      over.abort();
    }
  };
  const timer = setInterval(look, 250);
  const { signal } = over;
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    awaited = undefined;
  });
  // A reader goes on from there, and is not taken back.
  for (const type of ["pointerdown", "keydown", "click"])
    addEventListener(type, () => has(shown()) && over.abort(), { capture: true, signal });
}

function begin() {
  const kept = session.begin();
  if (!kept) {
    say(WORDS.alone);
    return;
  }
  before = kept;
  if (!session.writable) say(WORDS.review);
  // A link of its own counts more than where the reader was.
  const parts = [...(before.address ?? "").split("&"), before.place].filter(Boolean);
  if (parts.length && location.hash.length < 2) {
    // As before.js does for a place in the lesson, whose chapters then have their heights and their translation: writing
    // the language, even the same one, has it loaded.
    const root = document.documentElement;
    if (before.place) root.dataset.first = "lesson";
    root.lang = /(?:^|&)lang=(en|zh)\b/.exec(before.address ?? "")?.[1] ?? root.lang;
    location.replace(`#${[...new Set(parts)].join("&")}`);
  }
  if (before.figure) {
    latest = graded(before.figure);
    restore(before.figure);
  }
  addEventListener("pe-change", ({ detail }) => {
    const changed = graded(detail?.state ?? {});
    // Before its values are back, a figure has no answers.
    if (!changed || changed.view === awaited) return;
    const news = !latest || answersOf(changed) !== answersOf(latest);
    latest = changed;
    if (news) report();
  });
  // Where the page goes, without a word, on phones.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && session.open) session.report(now());
  });
  // Not unload, which browsers give up.
  addEventListener("pagehide", () => {
    if (!session.open) return;
    session.report(now());
    session.end(now());
  });
  // Out of the browser's memory again: the session has ended.
  addEventListener("pageshow", ({ persisted }) => persisted && say(WORDS.ended));
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(
  ".scorm { margin: 0; padding: 0.4rem 1rem; background: var(--panel); border-bottom: 2px solid var(--accent); color: var(--ink); } .scorm:empty { display: none; } @media print { .scorm { display: none; } }",
);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

function place() {
  document.body.prepend(notice);
}
if (document.body) place();
else addEventListener("DOMContentLoaded", place);

try {
  begin();
} catch (error) {
  console.warn(`posenc: ${error}`);
  say(WORDS.alone);
}
await import("./start.mjs").catch((error) => {
  const { dataset } = document.documentElement;
  dataset.failure ??= "load";
  dataset.posenc = "failed";
  console.warn(`posenc: ${error}`);
});
