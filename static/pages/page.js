// The pages beside the bench: their language, and their links to it, which also work from a local folder and include notes.
// A classic script, because browsers load no modules from a folder (file:).
(() => {
  const root = document.documentElement;
  /** Browsers load no modules from a folder: there the single file beside this page replaces index.html. */
  const home = location.protocol === "file:" ? "posenc.html" : "index.html";
  const links = [...document.querySelectorAll('a[href^="index.html"]')];
  for (const link of links) link.dataset.hash = link.getAttribute("href").split("#")[1] ?? "";

  /** Returns the text of nodes with white space collapsed. */
  const plain = (...nodes) =>
    nodes
      .map((node) => node.textContent)
      .join("")
      .replace(/\s+/g, " ")
      .trim();

  /** Returns the steps of a plan as a presentation; the note of each step is the text of its part of the plan. */
  function presentation(plan, lang) {
    const colon = lang === "zh" ? "：" : ": ";
    const steps = [];
    for (const item of plan.querySelectorAll(".step")) {
      const words = item.querySelector(`dl[lang=${lang}]`);
      const title = plain(item.querySelector(`h3 [lang=${lang}]`));
      const said = [...words.querySelectorAll("dt")]
        .filter((term) => !term.nextElementSibling.querySelector(".state"))
        .map((term) => `${plain(term)}${colon}${plain(term.nextElementSibling)}`);
      const time = [...item.querySelector(".time").childNodes].filter((node) => (node.lang || lang) === lang);
      const note = [`${plain(...time)} · ${title}`, ...said].join("\n\n");
      for (const link of words.querySelectorAll(".state"))
        steps.push(`${link.dataset.hash.replaceAll("&", ";")};note=${encodeURIComponent(note).replaceAll("'", "%27")}`);
    }
    return `lang=${lang}&steps=${steps.join("/")}&present=1`;
  }

  function speak(lang) {
    root.lang = lang;
    const name = (tag) => plain(document.querySelector(`${tag} [lang=${lang}], main [lang=${lang}] ${tag}`));
    document.title = `${name("h1")} – ${name("header")}`;
    for (const button of document.querySelectorAll("[data-lang]"))
      button.setAttribute("aria-pressed", button.dataset.lang === lang);
    for (const link of links) {
      const hash = [link.dataset.hash, `lang=${lang}`].filter(Boolean).join("&");
      link.href = `${home}#${hash}`;
    }
  }

  /** Writes the times of a plan's steps, which have their minutes in each of its timings, and its presentations with them. */
  function schedule(plan, timing) {
    let at = 0;
    for (const step of plan.querySelectorAll(".step")) {
      const minutes = Number(step.dataset.minutes.split(" ")[timing]);
      step.querySelector("time").textContent = minutes ? `${at}–${at + minutes}` : at;
      at += minutes;
    }
    for (const button of plan.querySelectorAll("[data-timing]"))
      button.setAttribute("aria-pressed", button.dataset.timing === timing);
    for (const link of plan.querySelectorAll(".present"))
      link.href = `${home}#${presentation(plan, link.closest("[lang]").lang)}`;
  }

  for (const plan of document.querySelectorAll(".plan")) {
    const asked = document.getElementById(location.hash.slice(1));
    schedule(plan, (plan.contains(asked) && asked.dataset.timing) || "0");
    for (const button of plan.querySelectorAll("[data-timing]"))
      button.addEventListener("click", () => schedule(plan, button.dataset.timing));
  }
  for (const link of document.querySelectorAll(".state, .present, .chapter")) link.target = "_blank";
  for (const button of document.querySelectorAll("[data-lang]"))
    button.addEventListener("click", () => {
      speak(button.dataset.lang);
      history.replaceState(null, "", `#lang=${button.dataset.lang}`);
    });
  const asked = /[?#&]lang=(en|zh)\b/.exec(location.search + location.hash)?.[1];
  const wanted = (navigator.languages ?? [navigator.language]).find((name) => /^(en|zh)\b/i.test(name));
  speak(asked ?? wanted?.slice(0, 2).toLowerCase() ?? "en");
})();
