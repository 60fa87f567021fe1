// Predictions in the lesson: a question with choices, and its answer in a <details> that opens when the reader has chosen. What is printed
// has its answers open.

const RIGHT = { en: "✓ Correct", zh: "✓ 对了" };
const WRONG = { en: "✕ Incorrect", zh: "✕ 不对" };

/** Marks the chosen answer and the right one; the page has the question once in each language. */
function choose(question, index) {
  for (const version of question.children) {
    const choices = [...version.querySelectorAll(".choices button")];
    for (const [at, choice] of choices.entries()) {
      const isRight = "right" in choice.dataset;
      choice.setAttribute("aria-pressed", String(at === index));
      choice.querySelector(".verdict")?.remove();
      choice.classList.toggle("good", isRight);
      choice.classList.toggle("bad", at === index && !isRight);
      if (!isRight && at !== index) continue;
      const verdict = document.createElement("span");
      verdict.className = "verdict";
      verdict.textContent = (isRight ? RIGHT : WRONG)[version.lang];
      choice.append(" ", verdict);
    }
    version.querySelector("details").open = true;
  }
}

export function begin() {
  document.addEventListener("click", ({ target }) => {
    const choice = target.closest(".predict .choices button");
    if (choice)
      choose(choice.closest(".predict"), [...choice.parentElement.querySelectorAll("button")].indexOf(choice));
  });
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll(".reveal:not([open])")];
    for (const answer of closed) answer.open = true;
  });
  addEventListener("afterprint", () => {
    for (const answer of closed) answer.open = false;
  });
}
