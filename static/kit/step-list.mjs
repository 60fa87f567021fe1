// The list of steps of a presentation: a panel above the bar in which steps are shown, moved and removed.
import { el } from "./dialog.mjs";
import { announce, copyToClipboard, focusedElement } from "./parts.mjs";
import * as steps from "./steps.mjs";
import { PRESENT as WORDS, SPEAKER, say } from "./words.mjs";

export class StepList {
  #presentation;
  #button;
  #panel;

  /**
   * Uses `root`, `chosenIndex`, `currentIndex`, `goTo(index)` and `render()` of the presentation; `button` opens and closes
   * the list.
   */
  constructor(presentation, button) {
    this.#presentation = presentation;
    this.#button = button;
  }

  get isOpen() {
    return this.#panel !== undefined;
  }

  toggle() {
    if (this.isOpen) return this.close();
    const { lang } = document.documentElement;
    this.#panel = el("div", { className: "kit-steps", role: "dialog", "aria-label": say(WORDS.steps), lang });
    this.#presentation.root.append(this.#panel);
    this.#button.setAttribute("aria-expanded", "true");
    this.render();
    const first = this.#panel.querySelector(".go[aria-current]") ?? this.#panel.querySelector(".go, button");
    first.focus();
  }

  close() {
    const inside = this.#panel.contains(focusedElement());
    this.#panel.remove();
    this.#panel = undefined;
    this.#button.setAttribute("aria-expanded", "false");
    if (inside) this.#button.focus();
  }

  /**
   * Renders the list again if it is open. The focus goes to the step with the index `focus`, or else to the element that had
   * it before.
   */
  render(focus) {
    if (!this.isOpen) return;
    const panel = this.#panel;
    const focused = focusedElement();
    const isInside = panel.contains(focused);
    const copied = el(
      "button",
      { type: "button", onclick: () => copyToClipboard(steps.link(), copied, say(WORDS.link)) },
      say(WORDS.link),
    );
    const items = steps.steps.map((step, index) => this.#item(step, index));
    const list = items.length ? [el("ol", {}, ...items), copied] : [el("p", {}, say(WORDS.none))];
    const close = el(
      "button",
      { type: "button", "aria-label": say(WORDS.close), title: say(WORDS.close), onclick: () => this.close() },
      "×",
    );
    if (panel.querySelector(".kit-by-hand")) return;
    panel.replaceChildren(el("header", {}, el("h2", {}, say(WORDS.steps)), close), ...list);
    if (focus === undefined && !isInside) return;
    const index = focus ?? focused.closest("li")?.dataset.index;
    const rows = [...panel.querySelectorAll("li")];
    const row = rows[Math.min(index, rows.length - 1)];
    const outside = copied.isConnected && focused?.textContent === copied.textContent ? copied : close;
    const next =
      row?.querySelector(`.${focus === undefined ? focused.className : "go"}:not(:disabled)`) ??
      row?.querySelector(".go") ??
      outside;
    next.focus();
  }

  #item(step, index) {
    const sign = (name, sign, act, off = false) =>
      el(
        "button",
        {
          type: "button",
          className: name,
          "aria-label": say(WORDS.ofStep, { act: say(WORDS[name]), step: index + 1 }),
          title: say(WORDS[name]),
          disabled: off,
          onclick: act,
        },
        sign,
      );
    const go = el(
      "button",
      { type: "button", className: "go", onclick: () => this.#presentation.goTo(index) },
      steps.nameOf(step),
    );
    if (index === this.#presentation.currentIndex) go.setAttribute("aria-current", "step");
    return el(
      "li",
      { "data-index": String(index) },
      go,
      sign("up", "↑", () => this.#move(index, -1), index === 0),
      sign("down", "↓", () => this.#move(index, 1), index === steps.steps.length - 1),
      sign("remove", "×", () => this.#remove(index)),
    );
  }

  #move(index, by) {
    if (!steps.steps[index + by]) return;
    if (!steps.move(index, by)) return announce(say(SPEAKER.long));
    const presentation = this.#presentation;
    if (presentation.chosenIndex === index) presentation.chosenIndex += by;
    else if (presentation.chosenIndex === index + by) presentation.chosenIndex = index;
    presentation.render();
    this.render(index + by);
    announce(say(WORDS.moved, { step: index + by + 1 }));
  }

  #remove(index) {
    if (!steps.remove(index)) return announce(say(SPEAKER.long));
    const presentation = this.#presentation;
    if (presentation.chosenIndex === index) presentation.chosenIndex = undefined;
    else if (presentation.chosenIndex > index) presentation.chosenIndex -= 1;
    presentation.render();
    this.render(index);
    announce(say(WORDS.removed, { step: index + 1 }));
  }

  /** Returns the action of a key on an element of the list, as a function; undefined for other elements. */
  action(key, altKey, element) {
    const row = element instanceof Element && element.closest(".kit-steps li");
    if (!row) return undefined;
    const index = Number(row.dataset.index);
    const moves = { ArrowUp: -1, ArrowDown: 1 };
    if (altKey && moves[key]) return () => this.#move(index, moves[key]);
    if (moves[key]) return () => this.#panel.querySelector(`li[data-index="${index + moves[key]}"] .go`)?.focus();
    if (key === "Delete" || key === "Backspace") return () => this.#remove(index);
    return undefined;
  }
}
