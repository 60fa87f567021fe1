// A presentation: one figure, or the bench, as large as the window, with the states saved as its steps.
import { presentBench, setLinkParameter } from "../core/posenc.js";
import { el } from "./dialog.mjs";
import { fillStage, WINDOW } from "./fit.mjs";
import { FullScreen } from "./full-screen.mjs";
import * as keys from "./keys.mjs";
import { announce, focusedElement, isComposing, isField, isModal } from "./parts.mjs";
import "./present-style.mjs";
import { Ring } from "./ring.mjs";
import * as speaker from "./speaker.mjs";
import { StepList } from "./step-list.mjs";
import * as steps from "./steps.mjs";
import { bench, currentTarget, figureTarget } from "./target.mjs";
import { PRESENT as WORDS, say } from "./words.mjs";

const page = document.documentElement;
/** Milliseconds without pointer movement after which pointer and bar are hidden. */
const IDLE_MS = 2000;
/** The presentation in progress, if any. */
let presentation;
addEventListener("posenc:restarted", () => presentation?.onRestart());
addEventListener("posenc:stopped", () => presentation?.dispose());

/** Presents a target; `button` is the element that was pressed. */
export function open(target, button) {
  if (!presentation) presentation = new Presentation(target, button);
}

/** Handles a key pressed on the page; `path` is the composed path of its event. */
export function handleKey(key, path) {
  if (presentation || isModal() || isField(path[0]) || !keys.areOn()) return;
  const host = path.find((element) => element.localName === "pe-figure");
  const target = host ? figureTarget(host) : currentTarget();
  if (key === "p") open(target, focusedElement());
  else if (key === "m") saveStep(target.state);
  else keys.open();
}

/** Whether the bench's address changes fire no "hashchange". They do in srcdoc, blob: and data:, where nobody enters one. */
const writesSilently = /^(https?|file):$/.test(location.protocol);

/** The settings in an address, without those of the presentation. */
const settingsOf = (url) =>
  new URL(url).hash
    .slice(1)
    .split("&")
    .filter((part) => !/^(present|steps)(=|$)/.test(part))
    .join("&");

const isRequested = () => /[#&]present(=1)?(&|$)/.test(location.hash);

/** Reads the steps from the address, and starts to present if the address requests it. The focus stays where it is. */
export function start() {
  const bad = steps.read();
  if (bad) announce(say(WORDS.lost, { count: bad }), { stays: true });
  presentation?.render();
  if (!presentation && isRequested()) {
    presentation = new Presentation(currentTarget());
    if (steps.steps.length && presentation.indexOfShownState < 0) presentation.goTo(0);
  }
}

/** Appends a state to the steps and announces it; returns false if that is not possible. */
function saveStep(state) {
  const step = steps.stepOf(state);
  const saved = step && steps.add(step);
  const { length } = steps.steps;
  announce(saved ? say(WORDS.kept, { step: length }) : say(WORDS.long));
  return saved;
}

const setPressed = (button, on) => button.setAttribute("aria-pressed", String(on));

/** Calls back one frame after a resize: a change during the observation is an error ("ResizeObserver loop"). */
const resizeObserver = (act) => new ResizeObserver(() => requestAnimationFrame(act));

class Presentation {
  #stateBefore;
  #target;
  #clone;
  #abort = new AbortController();
  #sizes = resizeObserver(() => this.bar?.isConnected && this.#measureBar());
  #idleTimer;
  #ring;
  #fullScreen = new FullScreen(() => this.close());

  constructor(target, button) {
    // Without a button, nothing was pressed, and the focus is left unchanged.
    const origin = button ?? focusedElement();
    this.#stateBefore = {
      bench: bench.state,
      figure: target === bench || currentTarget() === bench ? undefined : target.state,
      focus: origin,
      host: origin?.getRootNode().host,
      scroll: [scrollX, scrollY],
      top: origin?.getBoundingClientRect().top,
    };
    this.#build();
    this.#listen();
    this.#present(target);
    if (button) this.root.focus({ preventScroll: true });
    this.render();
    this.#showBar();
  }

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
    this.controlsButton = button("controls", () => this.#toggleControls());
    this.ringButton = button("ring", () => this.#toggleRing());
    this.notesButton = button("notes", () => this.#openNotes());
    const list = button("steps", () => this.list.toggle(), { "aria-expanded": "false" });
    this.list = new StepList(this, list);
    this.bar = el(
      "div",
      { className: "kit-bar", role: "toolbar", "aria-label": say(WORDS.region) },
      sign("back", "‹", () => this.advance(-1)),
      this.count,
      sign("on", "›", () => this.advance(1)),
      button("keep", () => this.#saveStep(), { title: say(WORDS.keepLong) }),
      list,
      this.notesButton,
      this.controlsButton,
      this.ringButton,
      button("black", () => this.#toggleBlackout()),
      button("full", () => this.#toggleFullScreen()),
      button("keys", () => keys.open()),
      button("leave", () => this.close()),
    );
    setPressed(this.controlsButton, false);
    setPressed(this.ringButton, false);
    setPressed(this.notesButton, false);
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
    on(window, ["pointermove", "pointerdown"], (event) => this.#ring.moveTo(event) && this.#showBar(), {
      capture: true,
      passive: true,
    });
    on(window, ["resize"], () => this.#resize());
    on(document, ["fullscreenchange"], () => this.#fullScreen.handleChange());
    on(
      window,
      ["hashchange"],
      ({ oldURL, newURL }) => writesSilently && settingsOf(oldURL) !== settingsOf(newURL) && this.#onNavigation(),
    );
    // Handled in a separate task; the presentation may have ended by then.
    on(document, ["posenc:change", "pe-change"], () => setTimeout(() => presentation === this && this.#onChange()));
  }

  // The presented target.

  /** The index of the step whose state is shown; -1 if no step has it. */
  get indexOfShownState() {
    return steps.indexOf(steps.stepOf(this.#target.state));
  }

  /** The index of the current step: the chosen one, or else the one whose state is shown; -1 if there is neither. */
  get currentIndex() {
    return this.chosenIndex ?? this.indexOfShownState;
  }

  #present(target) {
    const step = steps.stepOf(target.state);
    if (step && target !== bench) this.#showStep(step);
    else this.#showBench();
  }

  /** Shows a step: views of the bench on the bench, others in a new figure, so that the one on the page is unchanged. */
  #showStep(step) {
    const settings = steps.settings(step);
    if (!steps.isOfBench(step)) return this.#showFigure(step, settings);
    this.#showBench();
    bench.setState(settings);
  }

  #showBench() {
    this.#clone?.remove();
    this.#clone = undefined;
    this.#target = bench;
    this.stage.hidden = true;
    for (const part of this.#pageParts()) part.inert = part.matches(".lesson");
    page.dataset.presenting = "bench";
    this.#resize();
  }

  #showFigure(step, settings) {
    if (this.#clone?.state.view === step.view) {
      this.#target.setState(settings);
      return this.#fit();
    }
    if (page.dataset.presenting === "bench") this.#restoreBenchStyle();
    page.dataset.presenting = "figure";
    for (const part of this.#pageParts()) part.inert = true;
    this.#clone?.remove();
    const clone = el("pe-figure", { view: step.view, theme: this.#theme(), controls: "none", id: "kit-figure" });
    for (const [name, value] of new URLSearchParams(step.hash)) clone.setAttribute(name.replaceAll("_", "-"), value);
    // What is no part of a link, such as a prediction that has been made.
    clone.setState(settings);
    if (page.dataset.asked !== undefined) clone.removeAttribute("controls");
    this.#clone = clone;
    this.#target = figureTarget(clone);
    this.stage.hidden = false;
    clone.addEventListener("pe-ready", () => this.#copyTheme());
    // A figure that computes over several frames writes text below its picture at the end, which changes its height.
    resizeObserver(() => this.fitting || this.#refit()).observe(clone);
    this.stage.append(clone);
    this.#fit();
  }

  #pageParts() {
    return document.querySelectorAll("#posenc, .lesson");
  }

  /** The theme of the presentation: dark if the lecturer has chosen dark, or else projector. */
  #theme() {
    return this.#stateBefore.bench.theme === "dark" ? "dark" : "projector";
  }

  /** Copies the colours of the figure to the bar. */
  #copyTheme() {
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
    // The projector theme has larger type already.
    const scale = presentBench(this.#theme(), times * (this.#theme() === "dark" ? 1.3 : 1));
    page.style.setProperty("--scale", scale);
    this.root.removeAttribute("style");
  }

  #restoreBenchStyle() {
    presentBench(undefined, 1);
    page.style.removeProperty("--scale");
  }

  /** Enlarges the figure until it fills the window. */
  async #fit() {
    const fitting = (this.fitting = Symbol());
    const base = this.#theme() === "dark" ? 1 : 1.3;
    const done = await fillStage(this.stage, this.#clone, base, () => this.fitting === fitting);
    if (done && this.fitting === fitting) this.fitting = undefined;
  }

  #onChange() {
    this.render();
    this.#refit();
  }

  #refit() {
    if (this.#clone?.hasAttribute("data-fits") && this.#clone.offsetHeight > this.stage.clientHeight + 1) this.#fit();
  }

  // Steps.

  /** Shows the step with this index; does nothing if there is none. */
  goTo(index) {
    const step = steps.steps[index];
    if (!step) return;
    this.#showStep(step);
    this.chosenIndex = index;
    this.render();
  }

  /** Advances by this many steps, or back if negative; without steps, steps the figure itself. */
  advance(by) {
    const { length } = steps.steps;
    if (!length) {
      if (this.#target.step(by) === false) announce(say(WORDS.none));
      return;
    }
    const next = this.currentIndex + by;
    if (next >= length) announce(say(WORDS.last));
    else if (next < 0) announce(say(WORDS.first));
    else this.goTo(next);
  }

  #saveStep() {
    if (saveStep(this.#target.state)) this.chosenIndex = steps.steps.length - 1;
    this.render();
  }

  /** Called when the core has been restarted and the bench mounted again, in the theme of the page. */
  onRestart() {
    if (!this.#clone) this.#resize();
    this.render();
  }

  /** Removes elements and listeners, and closes the speaker's window. */
  dispose() {
    presentation = undefined;
    this.speaker?.close();
    this.fitting = undefined;
    this.#abort.abort();
    this.#sizes.disconnect();
    clearTimeout(this.#idleTimer);
    this.#fullScreen.dispose();
    delete page.dataset.presenting;
    delete page.dataset.asked;
    for (const name of ["--kit-bar", "--scale"]) page.style.removeProperty(name);
    for (const part of this.#pageParts()) part.inert = false;
    this.root.remove();
  }

  /** Updates everything that depends on the list of steps. */
  render() {
    const { length } = steps.steps;
    if (this.chosenIndex >= length) this.chosenIndex = undefined;
    const index = this.currentIndex;
    this.count.textContent = length ? `${index >= 0 ? index + 1 : "–"} / ${length}` : "";
    this.count.hidden = !length;
    this.list.render();
    this.speaker?.render();
  }

  /** Opens the speaker's window, or brings it to the front if it is open. */
  #openNotes() {
    this.#fullScreen.expectOtherWindow();
    if (this.speaker) return this.speaker.focus();
    const self = this;
    const shown = {
      root: this.root,
      get currentIndex() {
        return self.currentIndex >= 0 ? self.currentIndex : undefined;
      },
      advance: (by) => this.advance(by),
      goTo: (index) => this.goTo(index),
      toggleBlackout: () => this.#toggleBlackout(),
      canvases: () => [...(this.#clone?.shadowRoot ?? bench.element).querySelectorAll("canvas")],
    };
    this.speaker = speaker.open(shown, () => {
      this.speaker = undefined;
      setPressed(this.notesButton, false);
    });
    setPressed(this.notesButton, Boolean(this.speaker));
    if (!this.speaker) announce(say(WORDS.blocked), { stays: true });
  }

  #toggleControls() {
    const on = page.toggleAttribute("data-asked");
    setPressed(this.controlsButton, on);
    if (!this.#clone) return;
    if (on) this.#clone.removeAttribute("controls");
    else this.#clone.setAttribute("controls", "none");
    this.#fit();
  }

  #toggleRing() {
    setPressed(this.ringButton, this.#ring.toggle());
  }

  #toggleFullScreen() {
    this.#fullScreen.toggle().catch(() => announce(say(WORDS.refused)));
  }

  #toggleBlackout() {
    if (this.blackout) this.blackout.remove();
    this.blackout = this.blackout
      ? undefined
      : el("div", {
          className: "kit-black",
          role: "img",
          "aria-label": say(WORDS.dark),
          onclick: () => this.#toggleBlackout(),
        });
    if (this.blackout) this.root.append(this.blackout);
  }

  /** Shows bar and pointer until the pointer has been idle for a while. */
  #showBar() {
    this.root.classList.remove("kit-idle");
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => !this.list.isOpen && this.root.classList.add("kit-idle"), IDLE_MS);
  }

  // Keys.

  #key(event) {
    if (isComposing(event) || isModal() || event.ctrlKey || event.metaKey) return;
    if (this.blackout) {
      event.preventDefault();
      event.stopPropagation();
      return this.#toggleBlackout();
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
    if (key === "PageDown") return () => this.advance(1);
    if (key === "PageUp") return () => this.advance(-1);
    const isFree =
      !(element instanceof Element) || element === document.body || element === page || element === this.root;
    if (isFree) {
      if (key === "ArrowRight" || key === " ") return () => this.advance(1);
      if (key === "ArrowLeft") return () => this.advance(-1);
      if (key === "Home") return () => this.goTo(0);
      if (key === "End") return () => this.goTo(steps.steps.length - 1);
    }
    if (isField(element) || !keys.areOn()) return;
    const letters = {
      m: () => this.#saveStep(),
      n: () => this.#openNotes(),
      s: () => this.list.toggle(),
      c: () => this.#toggleControls(),
      r: () => this.#toggleRing(),
      b: () => this.#toggleBlackout(),
      ".": () => this.#toggleBlackout(),
      f: () => this.#toggleFullScreen(),
      "?": () => keys.open(),
    };
    return Object.hasOwn(letters, key) ? letters[key] : undefined;
  }

  /** Ends the presentation and restores the state before it, except for the steps that were saved. */
  close() {
    if (presentation !== this) return;
    const { bench: state, figure: values, focus, host, scroll, top } = this.#stateBefore;
    if (page.dataset.presenting === "bench") this.#restoreBenchStyle();
    this.dispose();
    if (JSON.stringify(bench.state) !== JSON.stringify(state)) bench.setState(state);
    if (values && currentTarget() !== bench) currentTarget().setState(values);
    setLinkParameter("present", undefined);
    scrollTo(...scroll);
    this.#restoreFocus(focus, host, top);
  }

  /** The address has changed, as by Back: its state stays, and the presentation ends unless the address requests one. */
  #onNavigation() {
    if (isRequested()) {
      Object.assign(this.#stateBefore, { bench: bench.state, figure: undefined });
      return this.#present(currentTarget());
    }
    if (page.dataset.presenting === "bench") this.#restoreBenchStyle();
    this.dispose();
    // The target of the anchor was not visible when the bench scrolled to it.
    const place = document.getElementById(location.hash.slice(1).split("&")[0]);
    place?.scrollIntoView();
    place?.focus({ preventScroll: true });
  }

  /** Restores the focus: a figure that was unmounted in the meantime is built again, with the button that was pressed. */
  async #restoreFocus(focus, host, top) {
    for (let tries = 0; tries < 60 && !presentation; tries++) {
      const element = focus?.isConnected ? focus : host?.shadowRoot?.querySelector("[data-kit=present]");
      if (element) {
        element.focus({ preventScroll: true });
        if (host) scrollBy(0, element.getBoundingClientRect().top - top);
        return;
      }
      if (!host) return;
      await new Promise(requestAnimationFrame);
    }
  }
}
