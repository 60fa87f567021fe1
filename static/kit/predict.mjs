// Predictions in the lesson: a question with choices, and its answer in a <details> that opens when the reader has chosen.
// If there is a list `.tries`, wrong choices are attempts: each shows why it fails, and the answer stays closed until the
// right one is chosen. In print the answers are open. A figure can show the answer as well: it moves to the state in
// `data-answer`.

const RIGHT = { en: "✓ Correct", zh: "✓ 对了" };
const WRONG = { en: "✕ Incorrect", zh: "✕ 不对" };
const FAILS = { en: "✕ Fails", zh: "✕ 不行" };

/** Marks an attempt that fails, and shows its reason, which has the same index in the list. */
function attempt(version, index) {
  const choice = version.querySelectorAll(".choices button")[index];
  const tries = version.querySelector(".tries");
  if (!tries || "right" in choice.dataset) return false;
  choice.setAttribute("aria-pressed", "true");
  if (!choice.classList.contains("bad")) choice.append(" ", verdict(FAILS[version.lang]));
  choice.classList.add("bad");
  tries.children[index].classList.add("tried");
  return true;
}

function verdict(words) {
  const verdict = document.createElement("span");
  verdict.className = "verdict";
  verdict.textContent = words;
  return verdict;
}

/** Marks the chosen answer and the right one in these versions of a question: the page contains it once in each language. */
function mark(versions, index) {
  for (const version of versions) {
    if (attempt(version, index)) continue;
    const choices = [...version.querySelectorAll(".choices button")];
    for (const [at, choice] of choices.entries()) {
      const isRight = "right" in choice.dataset;
      choice.setAttribute("aria-pressed", String(at === index));
      choice.querySelector(".verdict")?.remove();
      choice.classList.toggle("good", isRight);
      choice.classList.toggle("bad", at === index && !isRight);
      if (!isRight && at !== index) continue;
      choice.append(" ", verdict((isRight ? RIGHT : WRONG)[version.lang]));
    }
    version.querySelector("details").open = true;
  }
}

/** The versions of a question that are loaded. */
const versionsOf = (question) => [...question.children].filter((version) => version.firstElementChild);

/** The share of a figure that has to be in the window before it shows an answer, so that its motion is seen. */
const IN_VIEW = 0.5;

/** Lets the figure of a question move to the answer, once, when it is in view. */
function show(question) {
  // For browsers without :has() (style.css).
  question.classList.add("told");
  const { figure, answer } = question.dataset;
  if (!answer) return;
  delete question.dataset.answer;
  const shown = document.getElementById(figure);
  const look = ([{ isIntersecting }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    shown.setState(Object.fromEntries(new URLSearchParams(answer)));
  };
  new IntersectionObserver(look, { threshold: IN_VIEW }).observe(shown);
}

export function start() {
  // The choices made, to be marked in a translation that is loaded later.
  const chosen = new Map();
  document.addEventListener("click", ({ target }) => {
    const choice = target.closest(".predict .choices button");
    if (!choice) return;
    const question = choice.closest(".predict");
    const index = [...choice.parentElement.querySelectorAll("button")].indexOf(choice);
    chosen.set(question, [...(chosen.get(question) ?? []), index]);
    mark(versionsOf(question), index);
  });
  document.addEventListener("posenc:translated", () => {
    for (const [question, indices] of chosen) {
      const news = versionsOf(question).filter((version) => !version.querySelector("[aria-pressed]"));
      for (const index of indices) mark(news, index);
    }
  });
  let closed = [];
  // This event does not bubble.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target.matches(".predict .reveal") && target.open && !closed.includes(target))
        show(target.closest(".predict"));
    },
    true,
  );
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll(".reveal:not([open])")];
    for (const answer of closed) answer.open = true;
  });
  addEventListener("afterprint", () => {
    for (const answer of closed) answer.open = false;
    closed = [];
  });
}
