// The stops of the Tab key: whether each is seen, named, ringed and large enough.
import { settle } from "./browser.mjs";

/** Returns the focused element: name, size, focus ring, and how much of it is visible; null if nothing has the focus. */
export const stop = (page) =>
  page.evaluate(() => {
    let element = document.activeElement;
    let figure = "";
    while (element?.shadowRoot?.activeElement) {
      figure = element.id;
      element = element.shadowRoot.activeElement;
    }
    if (!element || element === document.body) return null;
    // The target of a hidden input is its label.
    const target = (element.matches("input.unseen") && element.labels[0]) || element;
    const box = target.getBoundingClientRect();
    const style = getComputedStyle(element);
    // A narrow element may accept presses beside its visible part.
    const beside = (dx, dy) =>
      document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy) === element;
    const width = beside(-11.5, 0) && beside(11.5, 0) ? Math.max(24, box.width) : box.width;
    const height = beside(0, -11.5) && beside(0, 11.5) ? Math.max(24, box.height) : box.height;
    const ring = style.outlineStyle !== "none" ? parseFloat(style.outlineWidth) : 0;
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
    const named =
      element.getAttribute("aria-label") ||
      element.getAttribute("aria-labelledby") ||
      labels.trim() ||
      element.textContent.trim() ||
      element.title;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let top = document.elementFromPoint(x, y);
    while (top?.shadowRoot?.elementFromPoint(x, y) && top.shadowRoot.elementFromPoint(x, y) !== top)
      top = top.shadowRoot.elementFromPoint(x, y);
    const covered = !(top && (target.contains(top) || top.contains(target) || element.shadowRoot?.contains(top)));
    return {
      figure,
      kind:
        element.localName === "input" ? element.type : element.matches("[data-view]") ? "canvas" : element.localName,
      what: element.outerHTML.slice(0, 140),
      x,
      y,
      width,
      height,
      ring,
      named: Boolean(named),
      covered,
      inline: style.display === "inline",
      host: element.localName === "pe-figure",
    };
  });

/** Presses Tab and returns the stop it leads to; null at the end of the page. */
export async function next(page) {
  await page.keyboard.press("Tab");
  const at = await stop(page);
  if (!at?.host && !at?.covered) return at;
  // A figure that was far from the viewport is built and moves the focus inside; one that is built above moves the page.
  if (at.host) await page.waitForFunction(() => document.activeElement.shadowRoot?.activeElement);
  await settle(page, 60);
  return stop(page);
}

const small = ({ width, height }) => width < 24 || height < 24;

// The spacing exception of WCAG 2.5.8: circles of 24 px around the centres of small targets do not touch other targets.
const near = (a, c) => {
  if (small(c)) return Math.hypot(a.x - c.x, a.y - c.y) < 24;
  const dx = Math.max(0, Math.abs(a.x - c.x) - c.width / 2);
  return Math.hypot(dx, Math.max(0, Math.abs(a.y - c.y) - c.height / 2)) < 12;
};

/** Returns the faults of successive stops; small targets need space around them. */
export const faults = (stops) =>
  stops.flatMap((at, i) => {
    const found = [];
    if (!(at.width > 0 && at.height > 0) || at.covered) found.push("cannot be seen");
    if (!at.named) found.push("has no name");
    if (at.ring < 2) found.push(`has a ring of ${at.ring} px`);
    // Controls of the page scroll with it, so a stop is compared with the stops before and after it.
    const others = stops.slice(Math.max(0, i - 1), i + 2).filter((other) => other !== at);
    if (small(at) && !at.inline && others.some((other) => near(at, other)))
      found.push(`is ${at.width} × ${at.height} px`);
    return found.map((fault) => `${fault}: ${at.what}`);
  });
