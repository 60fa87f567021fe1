// A presentation: one figure, or the bench, as large as the window, with the states that were kept for it.
import { presentBench, setLinkParameter } from "../core/posenc.js";
import { el } from "./dialog.mjs";
import { fill, WINDOW } from "./fit.mjs";
import { FullScreen } from "./full-screen.mjs";
import * as keys from "./keys.mjs";
import { announce, focused, isField, isModal } from "./parts.mjs";
import "./present-style.mjs";
import { Ring } from "./ring.mjs";
import * as speaker from "./speaker.mjs";
import { StepList } from "./step-list.mjs";
import * as steps from "./steps.mjs";
import { bench, current, figure } from "./target.mjs";
import { PRESENT as WORDS, say } from "./words.mjs";

const page = document.documentElement;
/** Milliseconds without a movement after which pointer and bar are hidden. */
const IDLE = 2000;
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

/** Whether address writes by the bench fire no "hashchange". They do in srcdoc, blob: and data:, where nobody can go to an address. */
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
  #ring;
  #screen = new FullScreen(() => this.close());

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
    this.pointer = button("ring", () => this.#toggleRing());
    this.notes = button("notes", () => this.#openNotes());
    const list = button("steps", () => this.list.toggle(), { "aria-expanded": "false" });
    this.list = new StepList(this, list);
    this.bar = el(
      "div",
      { className: "kit-bar", role: "toolbar", "aria-label": say(WORDS.region) },
      sign("back", "‹", () => this.on(-1)),
      this.count,
      sign("on", "›", () => this.on(1)),
      button("keep", () => this.#keep(), { title: say(WORDS.keepLong) }),
      list,
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
    this.#ring = new Ring(this.root);
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
    on(window, ["pointermove", "pointerdown"], (event) => this.#ring.follow(event) && this.#wake(), {
      capture: true,
      passive: true,
    });
    on(window, ["resize"], () => this.#resize());
    on(document, ["fullscreenchange"], () => this.#screen.handleChange());
    on(
      window,
      ["hashchange"],
      ({ oldURL, newURL }) => writesSilently && settingsOf(oldURL) !== settingsOf(newURL) && this.#elsewhere(),
    );
    // Handled in a task of its own; the presentation may have ended by then.
    on(document, ["posenc:change", "pe-change"], () => setTimeout(() => show === this && this.#changed()));
  }

  // What is presented.

  get index() {
    return steps.find(steps.stepOf(this.#target.state));
  }

  /** Index of the current step: the one that was gone to, or else one with the state that is shown; -1 if there is neither. */
  get current() {
    return this.at ?? this.index;
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
    // A figure that computes over several frames writes text below its picture when it is done, which changes its height.
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
    const scale = presentBench(this.#theme(), times * (this.#theme() === "dark" ? 1.3 : 1));
    page.style.setProperty("--scale", scale);
    this.root.removeAttribute("style");
  }

  #unstage() {
    presentBench(undefined, 1);
    page.style.removeProperty("--scale");
  }

  /** Enlarges the figure until it fills the window. */
  async #fit() {
    const fitting = (this.fitting = Symbol());
    const base = this.#theme() === "dark" ? 1 : 1.3;
    const done = await fill(this.stage, this.#clone, base, () => this.fitting === fitting);
    if (done && this.fitting === fitting) this.fitting = undefined;
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
    const next = this.current + by;
    if (next >= length) announce(say(WORDS.last));
    else if (next < 0) announce(say(WORDS.first));
    else this.go(next);
  }

  #keep() {
    if (keep(this.#target.state)) this.at = steps.steps.length - 1;
    this.renew();
  }

  /** Called when the core has been restarted: the bench has been mounted again, in the theme of the page. */
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
    this.#screen.dispose();
    delete page.dataset.presenting;
    delete page.dataset.asked;
    for (const name of ["--kit-bar", "--scale"]) page.style.removeProperty(name);
    for (const part of this.#others()) part.inert = false;
    this.root.remove();
  }

  /** Updates everything that depends on the list of steps. */
  renew() {
    const { length } = steps.steps;
    if (this.at >= length) this.at = undefined;
    const at = this.current;
    this.count.textContent = length ? `${at >= 0 ? at + 1 : "–"} / ${length}` : "";
    this.count.hidden = !length;
    this.list.renew();
    this.speaker?.renew();
  }

  /** Opens the speaker's window, or brings it to the front if it is open. */
  #openNotes() {
    if (this.speaker) return this.speaker.focus();
    const show = this;
    const shown = {
      root: this.root,
      get at() {
        return show.current >= 0 ? show.current : undefined;
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

  // Controls, ring, black, full screen.

  #ask() {
    const on = page.toggleAttribute("data-asked");
    toggled(this.controls, on);
    if (!this.#clone) return;
    if (on) this.#clone.removeAttribute("controls");
    else this.#clone.setAttribute("controls", "none");
    this.#fit();
  }

  #toggleRing() {
    toggled(this.pointer, this.#ring.toggle());
  }

  #full() {
    this.#screen.toggle().catch(() => announce(say(WORDS.refused)));
  }

  #black() {
    if (this.dark) this.dark.remove();
    this.dark = this.dark
      ? undefined
      : el("div", { className: "kit-black", role: "img", "aria-label": say(WORDS.dark), onclick: () => this.#black() });
    if (this.dark) this.root.append(this.dark);
  }

  #wake() {
    this.root.classList.remove("kit-idle");
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => !this.list.isOpen && this.root.classList.add("kit-idle"), IDLE);
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
    const inList = this.list.action(key, altKey, element);
    if (inList) return inList;
    if (altKey) return;
    if (key === "Escape") return () => (this.list.isOpen ? this.list : this).close();
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
      s: () => this.list.toggle(),
      c: () => this.#ask(),
      r: () => this.#toggleRing(),
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
    setLinkParameter("present", undefined);
    scrollTo(...scroll);
    this.#refocus(focus, host, top);
  }

  /** The address has changed to another state, as by Back: that state stays, and the presentation ends unless the address has one, too. */
  #elsewhere() {
    if (isAsked()) {
      Object.assign(this.#before, { bench: bench.state, figure: undefined });
      return this.#present(current());
    }
    if (page.dataset.presenting === "bench") this.#unstage();
    this.end();
    // The place was not visible when the bench scrolled to it.
    const place = document.getElementById(location.hash.slice(1).split("&")[0]);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }

  /** Restores the focus: a figure that was unmounted meanwhile is built again, and with it the button that was pressed. */
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
