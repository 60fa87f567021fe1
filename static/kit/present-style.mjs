// The styles of a presentation: its stage, bar and list, and the bench if that is presented.
import { addStyles } from "./parts.mjs";

addStyles(`
[data-presenting] { overflow: hidden; scrollbar-width: none; }
[data-presenting] .notices { display: none !important; }
.kit-show { position: fixed; inset: 0; z-index: 2147483000; display: flex; flex-direction: column; color: var(--ink); pointer-events: none; outline: none; }
.kit-show > * { pointer-events: auto; }
.kit-stage { flex: 1; min-height: 0; display: flex; overflow: auto; background: var(--panel); }
.kit-stage[hidden] + .kit-bar { margin-top: auto; }
.kit-stage pe-figure { width: 100%; max-width: 100%; min-height: 0; margin: auto; padding: 0.5vmin 1.5vmin; border: 0; --pe-padding: 0; }
.kit-stage pe-figure:not([data-fits]) { opacity: 0; }
@media (prefers-reduced-motion: no-preference) { .kit-stage pe-figure { transition: opacity 0.3s; } }
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
[data-presenting="bench"] :is(.masthead > .tools, .masthead h1, .alone), [data-presenting="bench"]:not([data-asked]) :is(.title, #posenc:not([data-panels]) .masthead) { display: none; }
[data-presenting="bench"] .masthead { min-height: 0; }
[data-presenting="bench"] .tabs button { font-size: 1rem; }
[data-presenting="bench"] .bench { flex: 1; min-height: 0; }
[data-presenting="bench"] .controls { order: 1; }
[data-presenting="bench"]:not([data-asked]) :is(.panel > header :is(.tools, .choice, .readout), .exact, .foot) { display: none; }
[data-presenting="bench"]:not([data-asked]) .controls { display: block; }
[data-presenting="bench"]:not([data-asked]) :is(.control:not([data-control="k"]), .play, .more) { display: none; }
/* Large windows have room for the product in numbers. */
@media (max-width: 99.99rem), (max-height: 55.99rem) {
  [data-presenting="bench"] [data-only="bench"]:not([data-panels]) .formula { display: none; }
}
[data-presenting="bench"] [data-panels] .controls > .control { & label b, & input[type="number"] { font-size: 1.2rem; } }
[data-presenting="bench"] .strip { display: none; }
@media (min-aspect-ratio: 1/1) {
  [data-presenting="bench"] [data-only="bench"]:not([data-panels]) .bench { grid-template-rows: auto minmax(0, 1fr) minmax(0, 0.45fr); }
  [data-presenting="bench"] #posenc:not([data-only="bench"]) .panel { grid-area: auto; min-height: 0; }
  [data-presenting="bench"] #posenc .panel:not(.tokens) .stage { height: auto; flex: 1; min-height: 0; }
}
@media (min-aspect-ratio: 1/1) and (max-width: 99.99rem), (min-aspect-ratio: 1/1) and (max-height: 55.99rem) {
  [data-presenting="bench"] #posenc[data-only="bench"]:not([data-panels]) .waves { grid-column: 1 / -1; }
}
@media (min-aspect-ratio: 1/1) and (max-width: 63.99rem) {
  [data-presenting="bench"] [data-only="bench"]:not([data-panels]) .bench { grid-template: auto minmax(0, 1fr) minmax(0, 0.5fr) / repeat(2, minmax(0, 1fr)); }
  [data-presenting="bench"] #posenc[data-only="bench"]:not([data-panels]) .tokens { grid-column: 1 / -1; }
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
