// A presentation: one figure, or the bench, as large as the window, with the states that were kept for it.
import { noteInLink, stageBench } from "../core/posenc.js";
import { el } from "./dialog.mjs";
import * as keys from "./keys.mjs";
import { adopt, announce, copy, focused, isField, isModal } from "./parts.mjs";
import * as speaker from "./speaker.mjs";
import * as steps from "./steps.mjs";
import { bench, current, figure } from "./target.mjs";
import { PRESENT as WORDS, say } from "./words.mjs";

const page = document.documentElement;
/** Milliseconds without a movement after which pointer and bar are hidden. */
const IDLE = 3000;
/** What the sizes of a presentation are for: on this window the projector's theme is as large as it is meant to be. */
const WINDOW = { width: 1280, height: 720 };
/** A figure has at least this width, in pixels of the size that it has on a page. */
const NARROWEST = 560;

adopt(`
[data-presenting] { overflow: hidden; scrollbar-width: none; }
[data-presenting] .notices { display: none !important; }
.kit-show { position: fixed; inset: 0; z-index: 2147483000; display: flex; flex-direction: column; color: var(--ink); pointer-events: none; outline: none; }
.kit-show > * { pointer-events: auto; }
.kit-stage { flex: 1; min-height: 0; display: flex; overflow: auto; background: var(--panel); }
.kit-stage[hidden] + .kit-bar { margin-top: auto; }
.kit-stage pe-figure { width: 100%; max-width: 100%; min-height: 0; margin: auto; padding: 0.5vmin 1.5vmin; border: 0; --pe-padding: 0; }
.kit-stage pe-figure:not([data-fits]) { opacity: 0; }
.kit-stage pe-figure::part(links) { display: none; }
.kit-bar { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: 0.3em 0.4em; padding: 0.35em 0.8em; background: var(--page); font-size: max(14px, min(2.1vh, 1.9vw)); }
.kit-bar > * { transition: opacity 0.2s; }
.kit-bar button, .kit-steps button { min-height: 2em; min-width: 2em; font-size: 1em; background: var(--panel); border-color: var(--rule); }
.kit-steps button:disabled { opacity: 0.35; cursor: default; }
.kit-bar button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--panel); }
.kit-bar output { min-width: 4em; text-align: center; font-variant-numeric: tabular-nums; }
.kit-idle .kit-bar:not(:focus-within) > * { opacity: 0; }
@media (prefers-reduced-motion: reduce) { .kit-bar > * { transition: none; } }
.kit-shield { position: fixed; inset: 0; z-index: 2147483500; cursor: none; display: none; }
.kit-idle .kit-shield { display: block; }
.kit-ring { position: fixed; left: 0; top: 0; width: 9vmin; height: 9vmin; margin: -4.5vmin; border: 0.7vmin solid var(--there); border-radius: 50%; box-shadow: 0 0 0 0.25vmin var(--panel), inset 0 0 0 0.25vmin var(--panel); pointer-events: none !important; z-index: 2147483400; }
.kit-black { position: fixed; inset: 0; z-index: 2147483640; background: #000; cursor: none; }
.kit-steps { position: fixed; right: 0.6rem; bottom: calc(var(--kit-bar) + 0.3rem); width: min(34em, calc(100vw - 1.2rem)); max-height: min(70vh, calc(100vh - var(--kit-bar) - 1rem)); overflow: auto; padding: 0.6em 0.8em; border: 1px solid var(--rule); border-radius: 0.6em; background: var(--panel); box-shadow: 0 0.3em 1.2em rgb(0 0 0 / 0.25); font-size: max(14px, min(2.1vh, 1.9vw)); }
.kit-steps header, .kit-steps li { display: flex; gap: 0.3em; align-items: center; }
.kit-steps header { justify-content: space-between; margin-bottom: 0.3em; }
.kit-steps h2 { font-size: 1.1em; }
.kit-steps ol { list-style: none; margin: 0 0 0.5em; padding: 0; counter-reset: step; }
.kit-steps li { counter-increment: step; padding: 0.1em 0; }
.kit-steps li .go { flex: 1; min-width: 0; text-align: left; overflow-wrap: anywhere; }
.kit-steps li .go::before { content: counter(step) ". "; }
.kit-steps li .go[aria-current] { border-color: var(--accent); font-weight: 700; }
.kit-by-hand { width: 100%; margin-top: 0.4em; }

[data-presenting="bench"] .lesson { display: none; }
[data-presenting="bench"] #posenc { position: fixed; inset: 0 0 var(--kit-bar) 0; z-index: 2147482000; height: auto; max-width: none; padding: 0.5rem 0.7rem 0; gap: 0.4rem; overflow: auto; background: var(--page); }
[data-presenting="bench"] :is(#posenc:not([data-panels]) .masthead, .masthead > :not(.tabs), .alone) { display: none; }
[data-presenting="bench"] .masthead { min-height: 0; }
[data-presenting="bench"] .tabs button { font-size: 1rem; }
[data-presenting="bench"] .bench { flex: 1; min-height: 0; }
[data-presenting="bench"] .controls { order: 1; }
[data-presenting="bench"]:not([data-asked]) :is(.panel > header :is(.tools, .choice, .readout), .product .equation.numbers, .exact, .foot) { display: none; }
[data-presenting="bench"]:not([data-asked]) .controls { display: block; }
[data-presenting="bench"]:not([data-asked]) :is(.control:not([data-control="k"]), .play, .more, .more-panel) { display: none; }
[data-presenting="bench"] [data-only="bench"]:not([data-panels]) .formula { display: none; }
[data-presenting="bench"] [data-panels] .controls > .control { & label b, & input[type="number"] { font-size: 1.2rem; } }
[data-presenting="bench"] .strip { display: none; }
@media (min-aspect-ratio: 1/1) {
  [data-presenting="bench"] [data-only="bench"]:not([data-panels]) .bench { grid-template-columns: repeat(2, minmax(0, 1fr)); grid-template-rows: minmax(0, 1fr) minmax(0, 0.5fr); }
  [data-presenting="bench"] #posenc .panel { grid-area: auto; min-height: 0; }
  [data-presenting="bench"] #posenc[data-only="bench"]:not([data-panels]) .waves { grid-column: 1 / -1; }
  [data-presenting="bench"] #posenc .stage { height: auto; flex: 1; min-height: 0; }
}
@media (max-aspect-ratio: 1/1) {
  [data-presenting="bench"] .bench { flex: 1 0 auto; }
  [data-presenting="bench"] .controls { position: sticky; bottom: 0; background: var(--page); }
  [data-presenting="bench"] #posenc:not([data-only="bench"]) .stage { flex: 1; min-height: 16rem; }
}
@media print {
  [data-presenting] { overflow: visible; }
  .kit-show > :not(.kit-stage), .kit-said, [data-presenting="figure"] :is(#posenc, .lesson) { display: none !important; }
  .kit-show, [data-presenting="bench"] #posenc { position: static; }
  .kit-stage { display: block; overflow: visible; }
}
`);

/** The presentation that is going on. */
let show;
addEventListener("posenc:restarted", () => show?.again());
addEventListener("posenc:stopped", () => show?.end());

/** Presents a target; `button` is what was pressed for it. */
export function open(target, button) {
  if (!show) show = new Show(target, button);
}

/** A key pressed on the page. */
export function key(key, path) {
  if (show || isModal() || isField(path[0]) || !keys.areOn()) return;
  const host = path.find((element) => element.localName === "pe-figure");
  const target = host ? figure(host) : current();
  if (key === "p") open(target, focused());
  else if (key === "m") keep(target.state);
  else keys.open();
}

/** Elsewhere (srcdoc, blob:, data:) the bench's own writing of the address is a change of it, and nobody has an address to go to. */
const writesSilently = /^(https?|file):$/.test(location.protocol);

/** What an address says but for the presentation. */
const settingsOf = (url) =>
  new URL(url).hash
    .slice(1)
    .split("&")
    .filter((part) => !/^(present|steps)(=|$)/.test(part))
    .join("&");

const isAsked = () => /[#&]present(=1)?(&|$)/.test(location.hash);

/** Reads the list of the address and presents at once where that is asked for. The focus stays where it is. */
export function begin() {
  const bad = steps.read();
  if (bad) {
    announce(say(WORDS.lost, { count: bad }), { stays: true });
  }
  show?.renew();
  if (!show && isAsked()) {
    show = new Show(current());
    if (steps.steps.length && show.index < 0) show.go(0);
  }
}

function keep(state) {
  const step = steps.stepOf(state);
  const kept = step && steps.keep(step);
  const { length } = steps.steps;
  announce(kept ? say(WORDS.kept, { step: length }) : say(WORDS.long));
  return kept;
}

const exitFullScreen = () => document.fullscreenElement && document.exitFullscreen().catch(() => {});

const toggled = (button, on) => button.setAttribute("aria-pressed", String(on));

/**
 * Calls back in the frame after a size has changed: a size that changes while others are observed is reported as an error of the page
 * ("ResizeObserver loop").
 */
const resizeObserver = (act) => new ResizeObserver(() => requestAnimationFrame(act));

class Show {
  #before;
  #target;
  #clone;
  #abort = new AbortController();
  #sizes = resizeObserver(() => this.bar?.isConnected && this.#measureBar());
  #idle;
  /** Whether it has filled the screen and nobody has asked for less. */
  #isFull = false;

  constructor(target, button) {
    // Without a button nobody has pressed anything: the focus is left alone.
    const origin = button ?? focused();
    this.#before = {
      bench: bench.state,
      figure: target === bench || current() === bench ? undefined : target.state,
      focus: origin,
      host: origin?.getRootNode().host,
      scroll: [scrollX, scrollY],
      top: origin?.getBoundingClientRect().top,
    };
    this.#build();
    this.#listen();
    this.#present(target);
    if (button) this.root.focus({ preventScroll: true });
    this.renew();
    this.#wake();
  }

  // What it is made of.

  #build() {
    const button = (name, act, attributes = {}) =>
      el("button", { type: "button", "data-do": name, onclick: act, ...attributes }, say(WORDS[name]));
    const sign = (name, sign, act) =>
      el(
        "button",
        { type: "button", "data-do": name, "aria-label": say(WORDS[name]), title: say(WORDS[name]), onclick: act },
        sign,
      );
    this.count = el("output", { "aria-live": "polite" });
    this.controls = button("controls", () => this.#ask());
    this.pointer = button("ring", () => this.#ring());
    this.notes = button("notes", () => this.#openNotes());
    this.list = button("steps", () => this.#openSteps(), { "aria-expanded": "false" });
    this.bar = el(
      "div",
      { className: "kit-bar", role: "toolbar", "aria-label": say(WORDS.region) },
      sign("back", "‹", () => this.on(-1)),
      this.count,
      sign("on", "›", () => this.on(1)),
      button("keep", () => this.#keep(), { title: say(WORDS.keepLong) }),
      this.list,
      this.notes,
      this.controls,
      this.pointer,
      button("black", () => this.#black()),
      button("full", () => this.#full()),
      button("keys", () => keys.open()),
      button("leave", () => this.close()),
    );
    toggled(this.controls, false);
    toggled(this.pointer, false);
    toggled(this.notes, false);
    this.stage = el("div", { className: "kit-stage", hidden: true });
    this.root = el(
      "div",
      { className: "kit-show", role: "region", "aria-label": say(WORDS.region), tabindex: "-1", lang: page.lang },
      this.stage,
      this.bar,
      el("div", { className: "kit-shield" }),
    );
    document.body.append(this.root);
    this.#sizes.observe(this.bar);
    this.#measureBar();
  }

  #measureBar() {
    page.style.setProperty("--kit-bar", `${this.bar.offsetHeight}px`);
  }

  #listen() {
    const on = (target, names, act, options = {}) => {
      for (const name of names) target.addEventListener(name, act, { signal: this.#abort.signal, ...options });
    };
    on(window, ["keydown"], (event) => this.#key(event), { capture: true });
    on(window, ["pointermove", "pointerdown"], (event) => this.#moved(event), { capture: true, passive: true });
    on(window, ["resize"], () => this.#resize());
    on(document, ["fullscreenchange"], () => this.#leaveWithScreen());
    on(
      window,
      ["hashchange"],
      ({ oldURL, newURL }) => writesSilently && settingsOf(oldURL) !== settingsOf(newURL) && this.#elsewhere(),
    );
    // The bench is still at work while it says that it has changed.
    on(document, ["posenc:change", "pe-change"], () => setTimeout(() => show === this && this.#changed()));
  }

  // What is presented.

  get index() {
    return steps.find(steps.stepOf(this.#target.state));
  }

  #present(target) {
    const step = steps.stepOf(target.state);
    if (step && target !== bench) this.#to(step);
    else this.#toBench();
  }

  /** Shows the state of a step: figures of the bench on the bench, others in a figure of their own, so that theirs stays as it is. */
  #to(step) {
    const settings = steps.settings(step);
    if (!steps.isOfBench(step)) return this.#toFigure(step, settings);
    this.#toBench();
    bench.setState(settings);
  }

  #toBench() {
    this.#clone?.remove();
    this.#clone = undefined;
    this.#target = bench;
    this.stage.hidden = true;
    for (const part of this.#others()) part.inert = part.matches(".lesson");
    page.dataset.presenting = "bench";
    this.#resize();
  }

  #toFigure(step, settings) {
    if (this.#clone?.state.view === step.view) {
      this.#target.setState(settings);
      return this.#fit();
    }
    if (page.dataset.presenting === "bench") this.#unstage();
    page.dataset.presenting = "figure";
    for (const part of this.#others()) part.inert = true;
    this.#clone?.remove();
    const clone = el("pe-figure", { view: step.view, theme: this.#theme(), controls: "none", id: "kit-figure" });
    for (const [name, value] of new URLSearchParams(step.hash)) clone.setAttribute(name.replaceAll("_", "-"), value);
    if (page.dataset.asked !== undefined) clone.removeAttribute("controls");
    this.#clone = clone;
    this.#target = figure(clone);
    this.stage.hidden = false;
    clone.addEventListener("pe-ready", () => this.#dress());
    // What a figure computes for some frames, it writes under its picture when that is done.
    resizeObserver(() => this.fitting || this.#refit()).observe(clone);
    this.stage.append(clone);
    this.#fit();
  }

  #others() {
    return document.querySelectorAll("#posenc, .lesson");
  }

  /** Dark where the lecturer has chosen dark. */
  #theme() {
    return this.#before.bench.theme === "dark" ? "dark" : "projector";
  }

  /** The bar in the colours of the figure. */
  #dress() {
    const inside = this.#clone?.shadowRoot?.querySelector(".figure");
    if (!inside) return;
    const style = getComputedStyle(inside);
    for (const name of ["--panel", "--ink", "--muted", "--rule", "--accent", "--there"])
      this.root.style.setProperty(name, style.getPropertyValue(name));
    this.root.style.setProperty("--page", style.getPropertyValue("--panel"));
  }

  // Sizes.

  #resize() {
    if (this.#clone) return this.#fit();
    const times = Math.max(0.75, Math.min(innerWidth / WINDOW.width, innerHeight / WINDOW.height));
    // The projector's type is larger by itself.
    const scale = stageBench(this.#theme(), times * (this.#theme() === "dark" ? 1.3 : 1));
    page.style.setProperty("--scale", scale);
    this.root.removeAttribute("style");
  }

  #unstage() {
    stageBench(undefined, 1);
    page.style.removeProperty("--scale");
  }

  /** Enlarges the figure until it fills the window. */
  async #fit() {
    const clone = this.#clone;
    const fitting = (this.fitting = Symbol());
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const base = this.#theme() === "dark" ? 1 : 1.3;
    const most = Math.max(1, Math.min(5, innerWidth / base / NARROWEST));
    let times = Number(clone.getAttribute("enlarge")) || Math.min(most, innerHeight / WINDOW.height);
    for (let tries = 0; tries < 8; tries++) {
      times = Math.min(most, Math.max(0.75, times));
      clone.setAttribute("enlarge", times.toFixed(2));
      do {
        await frame();
        if (this.fitting !== fitting || !clone.isConnected) return;
      } while (!clone.hasAttribute("data-near"));
      const ratio = this.stage.clientHeight / clone.offsetHeight;
      const isLow = ratio > 1.04 && times < most - 0.02;
      const isHigh = ratio < 1 && times > 0.75;
      if (!isLow && !isHigh) break;
      // Lines of text break elsewhere: what was too high once is not tried again.
      times *= isHigh ? Math.min(0.97, ratio) : tries < 4 ? ratio : 1;
      if (isLow && tries >= 4) break;
    }
    this.fitting = undefined;
    clone.toggleAttribute("data-fits", true);
  }

  #changed() {
    this.renew();
    this.#refit();
  }

  #refit() {
    if (this.#clone?.hasAttribute("data-fits") && this.#clone.offsetHeight > this.stage.clientHeight + 1) this.#fit();
  }

  // Steps.

  /** Shows a step of the list. */
  go(index) {
    const step = steps.steps[index];
    if (!step) return;
    this.#to(step);
    this.at = index;
    this.renew();
  }

  /** The next step, or the one before; without steps the figure itself goes on. */
  on(by) {
    const { length } = steps.steps;
    if (!length) {
      if (this.#target.step(by) === false) announce(say(WORDS.none));
      return;
    }
    const next = (this.at ?? this.index ?? -1) + by;
    if (next >= length) announce(say(WORDS.last));
    else if (next < 0) announce(say(WORDS.first));
    else this.go(next);
  }

  #keep() {
    if (keep(this.#target.state)) this.at = steps.steps.length - 1;
    this.renew();
  }

  /** The bench has been put on the page again, with the theme that it has there. */
  again() {
    if (!this.#clone) this.#resize();
    this.renew();
  }

  /** Takes its own elements off the page. */
  end() {
    show = undefined;
    this.speaker?.end();
    this.fitting = undefined;
    this.#abort.abort();
    this.#sizes.disconnect();
    clearTimeout(this.#idle);
    exitFullScreen();
    delete page.dataset.presenting;
    delete page.dataset.asked;
    for (const name of ["--kit-bar", "--scale"]) page.style.removeProperty(name);
    for (const part of this.#others()) part.inert = false;
    this.root.remove();
  }

  /** Writes what follows from the list. */
  renew() {
    const { length } = steps.steps;
    if (this.at >= length) this.at = undefined;
    const at = this.at ?? this.index;
    this.count.textContent = length ? `${at >= 0 ? at + 1 : "–"} / ${length}` : "";
    this.count.hidden = !length;
    if (this.panel) this.#fillSteps();
    this.speaker?.renew();
  }

  /** The speaker's window, or the one that is open to the front. */
  #openNotes() {
    if (this.speaker) return this.speaker.focus();
    const show = this;
    const shown = {
      root: this.root,
      get at() {
        const at = show.at ?? show.index;
        return at >= 0 ? at : undefined;
      },
      on: (by) => this.on(by),
      go: (index) => this.go(index),
      black: () => this.#black(),
      canvases: () => [...(this.#clone?.shadowRoot ?? bench.element).querySelectorAll("canvas")],
    };
    this.speaker = speaker.open(shown, () => {
      this.speaker = undefined;
      toggled(this.notes, false);
    });
    toggled(this.notes, Boolean(this.speaker));
    if (!this.speaker) announce(say(WORDS.blocked), { stays: true });
  }

  #openSteps() {
    if (this.panel) return this.#closeSteps();
    this.panel = el("div", { className: "kit-steps", role: "dialog", "aria-label": say(WORDS.steps), lang: page.lang });
    this.root.append(this.panel);
    this.list.setAttribute("aria-expanded", "true");
    this.#fillSteps();
    const first = this.panel.querySelector(".go[aria-current]") ?? this.panel.querySelector(".go, button");
    first.focus();
  }

  #closeSteps() {
    const inside = this.panel.contains(focused());
    this.panel.remove();
    this.panel = undefined;
    this.list.setAttribute("aria-expanded", "false");
    if (inside) this.list.focus();
  }

  #fillSteps(focus) {
    const at = this.at ?? this.index;
    const kept = this.panel.contains(focused()) ? [focused().closest("li")?.dataset.index, focused().className] : [];
    const item = (step, index) => {
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
      const go = el("button", { type: "button", className: "go", onclick: () => this.go(index) }, steps.name(step));
      if (index === at) go.setAttribute("aria-current", "step");
      return el(
        "li",
        { "data-index": String(index) },
        go,
        sign("up", "↑", () => this.#move(index, -1), index === 0),
        sign("down", "↓", () => this.#move(index, 1), index === steps.steps.length - 1),
        sign("remove", "×", () => this.#remove(index)),
      );
    };
    const copied = el(
      "button",
      { type: "button", onclick: () => copy(steps.link(), copied, say(WORDS.link)) },
      say(WORDS.link),
    );
    const list = steps.steps.length ? [el("ol", {}, ...steps.steps.map(item)), copied] : [el("p", {}, say(WORDS.none))];
    const header = el(
      "header",
      {},
      el("h2", {}, say(WORDS.steps)),
      el(
        "button",
        { type: "button", "aria-label": say(WORDS.close), title: say(WORDS.close), onclick: () => this.#closeSteps() },
        "×",
      ),
    );
    if (this.panel.querySelector(".kit-by-hand")) return;
    this.panel.replaceChildren(header, ...list);
    const index = focus ?? kept[0];
    if (index === undefined && !kept.length) return;
    const items = [...this.panel.querySelectorAll("li")];
    const row = items[Math.min(Number(index ?? 0), items.length - 1)];
    const again =
      row?.querySelector(`.${focus === undefined ? kept[1] || "go" : "go"}:not(:disabled)`) ??
      row?.querySelector(".go") ??
      header.querySelector("button");
    again.focus();
  }

  #move(index, by) {
    if (!steps.move(index, by)) return;
    if (this.at === index) this.at += by;
    else if (this.at === index + by) this.at = index;
    this.renew();
    this.#fillSteps(index + by);
    announce(say(WORDS.moved, { step: index + by + 1 }));
  }

  #remove(index) {
    if (!steps.remove(index)) return;
    if (this.at === index) this.at = undefined;
    else if (this.at > index) this.at -= 1;
    this.renew();
    this.#fillSteps(index);
    announce(say(WORDS.removed, { step: index + 1 }));
  }

  // Controls, ring, black, full screen.

  #ask() {
    const on = page.toggleAttribute("data-asked");
    toggled(this.controls, on);
    if (!this.#clone) return;
    if (on) this.#clone.removeAttribute("controls");
    else this.#clone.setAttribute("controls", "none");
    this.#fit();
  }

  #ring() {
    if (this.ring) this.ring.remove();
    this.ring = this.ring ? undefined : el("div", { className: "kit-ring", "aria-hidden": "true" });
    toggled(this.pointer, Boolean(this.ring));
    if (this.ring) this.root.append(this.ring);
    this.#placeRing();
  }

  #placeRing() {
    if (this.ring)
      this.ring.style.transform = `translate(${this.x ?? innerWidth / 2}px, ${this.y ?? innerHeight / 2}px)`;
  }

  #black() {
    if (this.dark) this.dark.remove();
    this.dark = this.dark
      ? undefined
      : el("div", { className: "kit-black", role: "img", "aria-label": say(WORDS.dark), onclick: () => this.#black() });
    if (this.dark) this.root.append(this.dark);
  }

  async #full() {
    this.#isFull = false;
    try {
      if (document.fullscreenElement) return await document.exitFullscreen();
      await page.requestFullscreen();
    } catch {
      return announce(say(WORDS.refused));
    }
    // It may be over, or the full screen left, before the browser has said that the screen is filled.
    if (show !== this) return exitFullScreen();
    this.#isFull = true;
    this.#leaveWithScreen();
  }

  /** Whoever leaves the full screen by Esc leaves the presentation. */
  #leaveWithScreen() {
    if (this.#isFull && !document.fullscreenElement) this.close();
  }

  #moved({ type, clientX, clientY }) {
    // A browser says so too when something else moved beneath the pointer.
    if (type === "pointermove" && clientX === this.x && clientY === this.y) return;
    [this.x, this.y] = [clientX, clientY];
    this.#placeRing();
    this.#wake();
  }

  #wake() {
    this.root.classList.remove("kit-idle");
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => !this.panel && this.root.classList.add("kit-idle"), IDLE);
  }

  // Keys.

  #key(event) {
    if (isModal() || event.ctrlKey || event.metaKey) return;
    if (this.dark) {
      event.preventDefault();
      event.stopPropagation();
      return this.#black();
    }
    const element = event.composedPath()[0];
    const act = this.#action(event, element);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #action({ key, altKey }, element) {
    const row = element instanceof Element && element.closest(".kit-steps li");
    if (row) {
      const index = Number(row.dataset.index);
      const moves = { ArrowUp: -1, ArrowDown: 1 };
      if (altKey && moves[key]) return () => this.#move(index, moves[key]);
      if (moves[key]) return () => this.panel.querySelector(`li[data-index="${index + moves[key]}"] .go`)?.focus();
      if (key === "Delete" || key === "Backspace") return () => this.#remove(index);
    }
    if (altKey) return;
    if (key === "Escape") return this.panel ? () => this.#closeSteps() : () => this.close();
    if (key === "PageDown") return () => this.on(1);
    if (key === "PageUp") return () => this.on(-1);
    const isFree =
      !(element instanceof Element) || element === document.body || element === page || element === this.root;
    if (isFree) {
      if (key === "ArrowRight" || key === " ") return () => this.on(1);
      if (key === "ArrowLeft") return () => this.on(-1);
      if (key === "Home") return () => this.go(0);
      if (key === "End") return () => this.go(steps.steps.length - 1);
    }
    if (isField(element) || !keys.areOn()) return;
    const letters = {
      m: () => this.#keep(),
      n: () => this.#openNotes(),
      s: () => this.#openSteps(),
      c: () => this.#ask(),
      r: () => this.#ring(),
      b: () => this.#black(),
      ".": () => this.#black(),
      f: () => this.#full(),
      "?": () => keys.open(),
    };
    return Object.hasOwn(letters, key) ? letters[key] : undefined;
  }

  /** Ends it; everything is as before, but for the steps that were kept. */
  close() {
    if (show !== this) return;
    const { bench: state, figure: values, focus, host, scroll, top } = this.#before;
    if (page.dataset.presenting === "bench") this.#unstage();
    this.end();
    if (JSON.stringify(bench.state) !== JSON.stringify(state)) bench.setState(state);
    if (values && current() !== bench) current().setState(values);
    noteInLink("present", undefined);
    scrollTo(...scroll);
    this.#refocus(focus, host, top);
  }

  /** The address has brought another state, as the browser's Back does: that is not taken back, and the presentation ends unless it is asked for there, too. */
  #elsewhere() {
    if (isAsked()) {
      Object.assign(this.#before, { bench: bench.state, figure: undefined });
      return this.#present(current());
    }
    if (page.dataset.presenting === "bench") this.#unstage();
    this.end();
    // It was out of sight when the bench looked for it.
    const place = document.getElementById(location.hash.slice(1).split("&")[0]);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }

  /** A figure that was far from the screen meanwhile is built again, and with it the button that was pressed. */
  async #refocus(focus, host, top) {
    for (let tries = 0; tries < 60 && !show; tries++) {
      const again = focus?.isConnected ? focus : host?.shadowRoot?.querySelector("[data-kit=present]");
      if (again) {
        again.focus({ preventScroll: true });
        if (host) scrollBy(0, again.getBoundingClientRect().top - top);
        return;
      }
      if (!host) return;
      await new Promise(requestAnimationFrame);
    }
  }
}
