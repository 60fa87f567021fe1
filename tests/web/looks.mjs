// What audits.mjs looks at in the page. These functions run there, so they use nothing outside themselves; `root` is the
// document or a figure.

/** Returns all targets smaller than 24 px (WCAG 2.5.8); links in running text are as high as their line and are exempt. */
export function small(root) {
  const found = [];
  const walk = (root) => {
    for (let element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (
        !element.matches("a[href], button, input, select, textarea, summary, [role=button], [data-do], .line[tabindex]")
      )
        continue;
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      // The target is its label.
      if (element.matches("input.unseen") && element.labels.length) element = element.labels[0];
      if (element.matches(".prose :is(p, li, td, figcaption, summary) *, .failure *")) continue;
      const { width, height } = element.getBoundingClientRect();
      // Half a device pixel is rounding.
      if (width < 23.9 || height < 23.9)
        found.push(`a target of ${width.toFixed(1)} × ${height.toFixed(1)} px: ${element.outerHTML.slice(0, 110)}`);
    }
  };
  walk(root.shadowRoot ?? root);
  return found;
}

/** Returns texts that are clipped, including those in figures. */
export function cut(root) {
  const found = [];
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      // The second word of a label wraps out of view if there is no room; the tooltip and the name of the box contain it.
      // The rail of chapters shows its names on hover.
      if (!element.clientWidth || element.closest(".unseen, math") || element.matches(".control label, .contents"))
        continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const [across, down] = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
      // The boxes of formulas are higher than their glyphs.
      const slack = element.querySelector("math") ? 4 : 1;
      if ((overflowX === "hidden" && across > 1) || (overflowY === "hidden" && down > slack))
        found.push(
          `${element.localName}.${element.className} is clipped by ${across} and ${down} px: ${element.textContent.slice(0, 60)}`,
        );
    }
    for (const label of root.querySelectorAll(".control label b")) {
      const [own, around] = [label.getBoundingClientRect(), label.parentElement.getBoundingClientRect()];
      if (own.bottom > around.bottom + 4 || own.right > around.right + 1) found.push(`${label.textContent} is cut off`);
    }
  };
  look(root.shadowRoot ?? root);
  return found;
}

/** Returns selects of the bench whose selected option does not fit. */
export function clippedLists() {
  // The theme is shown as a symbol; its list has the names.
  const lists = [...document.querySelectorAll("#posenc select:not([name=theme])")].filter((list) =>
    list.checkVisibility(),
  );
  return lists
    .filter((list) => {
      const free = list.cloneNode(true);
      free.style.cssText = "position: absolute; visibility: hidden; width: auto !important; max-width: none";
      free.replaceChildren(list.selectedOptions[0].cloneNode(true));
      list.after(free);
      const needed = free.offsetWidth;
      free.remove();
      return needed > list.offsetWidth + 1;
    })
    .map((list) => `the list ${list.name} is too narrow for ${list.selectedOptions[0].textContent}`);
}

export function sideways() {
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [`the page is ${scrollWidth} px wide in ${innerWidth}`] : [];
}

/** Returns the faults of a figure: text outside its box, a notice, a malformed number in the caption. */
export function faults({ shadowRoot: root }) {
  const wide = [...root.querySelectorAll(".figure, .caption, .above, .below, .controls, .equation")]
    .filter(
      (e) => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === "visible",
    )
    .map((e) => `${e.className} is ${e.scrollWidth} px wide in ${e.clientWidth}`);
  const notice = root.querySelector(".notice").textContent;
  const caption = root.querySelector(".caption").textContent;
  const odd = /NaN|inf|undefined|\bnull\b/.test(caption) ? [`caption: ${caption}`] : [];
  return [...wide, ...(notice ? [`notice: ${notice}`] : []), ...odd];
}

/** Returns texts and names in the other language. */
export function foreign({ shadowRoot: root }, lang) {
  const found = [];
  const check = (text, what) => {
    const isForeign =
      lang === "en"
        ? /\p{Script=Han}/u.test(text)
        : !/\p{Script=Han}/u.test(text) && /\p{Ll}{3,} \p{Ll}{2,}/u.test(text);
    if (isForeign) found.push(`not in the language of the page: ${what} “${text.trim().slice(0, 80)}”`);
  };
  // What is written in code, formulas and fields is the same in both languages.
  const same = "code, pre, math, .listing, textarea, [translate=no], script, style";
  for (const element of root.querySelectorAll("*")) {
    if (element.closest(same) || !element.checkVisibility()) continue;
    for (const name of ["aria-label", "title", "aria-description", "aria-roledescription", "placeholder"])
      if (element.hasAttribute(name)) check(element.getAttribute(name), name);
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    check(words.map((node) => node.data).join(" "), element.className || element.localName);
  }
  return found;
}

/** Returns controls that have no name, or that show nothing when they have the focus. */
export function unfocused({ shadowRoot: root }) {
  const found = [];
  for (const element of root.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")) {
    if (element.tabIndex < 0 || element.disabled || !element.checkVisibility({ visibilityProperty: true })) continue;
    element.focus({ focusVisible: true, preventScroll: true });
    const say = (what) => found.push(`${what}: ${element.outerHTML.slice(0, 110)}`);
    if (root.activeElement !== element) {
      say("takes no focus");
      continue;
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const ring = outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
    if (ring < 2) say(`has a ring of ${ring} px`);
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join("");
    const name = element.ariaLabel || element.getAttribute("aria-labelledby") || labels || element.textContent;
    if (!name.trim() && !element.title) say("has no name");
  }
  root.activeElement?.blur();
  return found;
}

/** What a screen reader is told about the picture of a figure. */
export function told({ shadowRoot: root }) {
  const canvas = root.querySelector("canvas[data-view]");
  const words = (canvas.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => root.getElementById(id)?.textContent ?? "");
  return {
    hidden: !canvas.offsetParent,
    name: canvas.getAttribute("aria-label"),
    isOperated: canvas.getAttribute("role") === "application",
    isStop: canvas.tabIndex >= 0,
    description: words.join(" ").trim(),
    live: root.querySelector("[aria-live=polite]").textContent,
    caption: root.querySelector(".caption").textContent,
  };
}
