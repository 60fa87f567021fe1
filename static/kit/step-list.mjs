// The list of steps of a presentation: a panel above the bar in which they are shown, moved and removed.
import { el } from "./dialog.mjs";
import { announce, copy, focused } from "./parts.mjs";
import * as steps from "./steps.mjs";
import { PRESENT as WORDS, say } from "./words.mjs";

export class StepList {
  #show;
  #button;
  #panel;

  /** `show` has its `root`, `at` and `current`, `go(index)` and `renew()`; `button` opens the list and closes it. */
  constructor(show, button) {
    this.#show = show;
    this.#button = button;
  }

  get isOpen() {
    return this.#panel !== undefined;
  }

  toggle() {
    if (this.isOpen) return this.close();
    const { lang } = document.documentElement;
    this.#panel = el("div", { className: "kit-steps", role: "dialog", "aria-label": say(WORDS.steps), lang });
    this.#show.root.append(this.#panel);
    this.#button.setAttribute("aria-expanded", "true");
    this.renew();
    const first = this.#panel.querySelector(".go[aria-current]") ?? this.#panel.querySelector(".go, button");
    first.focus();
  }

  close() {
    const inside = this.#panel.contains(focused());
    this.#panel.remove();
    this.#panel = undefined;
    this.#button.setAttribute("aria-expanded", "false");
    if (inside) this.#button.focus();
  }

  /** Writes the list again, if it is open; the step of `focus` then has the focus, or the one that had it. */
  renew(focus) {
    if (!this.isOpen) return;
    const panel = this.#panel;
    const kept = panel.contains(focused()) ? [focused().closest("li")?.dataset.index, focused().className] : [];
    const copied = el(
      "button",
      { type: "button", onclick: () => copy(steps.link(), copied, say(WORDS.link)) },
      say(WORDS.link),
    );
    const items = steps.steps.map((step, index) => this.#item(step, index));
    const list = items.length ? [el("ol", {}, ...items), copied] : [el("p", {}, say(WORDS.none))];
    const header = el(
      "header",
      {},
      el("h2", {}, say(WORDS.steps)),
      el(
        "button",
        { type: "button", "aria-label": say(WORDS.close), title: say(WORDS.close), onclick: () => this.close() },
        "×",
      ),
    );
    if (panel.querySelector(".kit-by-hand")) return;
    panel.replaceChildren(header, ...list);
    const index = focus ?? kept[0];
    if (index === undefined && !kept.length) return;
    const rows = [...panel.querySelectorAll("li")];
    const row = rows[Math.min(Number(index ?? 0), rows.length - 1)];
    const again =
      row?.querySelector(`.${focus === undefined ? kept[1] || "go" : "go"}:not(:disabled)`) ??
      row?.querySelector(".go") ??
      header.querySelector("button");
    again.focus();
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
    const go = el("button", { type: "button", className: "go", onclick: () => this.#show.go(index) }, steps.name(step));
    if (index === this.#show.current) go.setAttribute("aria-current", "step");
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
    if (!steps.move(index, by)) return;
    const show = this.#show;
    if (show.at === index) show.at += by;
    else if (show.at === index + by) show.at = index;
    show.renew();
    this.renew(index + by);
    announce(say(WORDS.moved, { step: index + by + 1 }));
  }

  #remove(index) {
    if (!steps.remove(index)) return;
    const show = this.#show;
    if (show.at === index) show.at = undefined;
    else if (show.at > index) show.at -= 1;
    show.renew();
    this.renew(index);
    announce(say(WORDS.removed, { step: index + 1 }));
  }

  /** What a key does on an element of the list; nothing elsewhere. */
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
