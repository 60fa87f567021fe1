// Prints one chapter: a button beside each heading hides everything else for as long as it takes.

const PRINT = { en: "Print this chapter", zh: "打印本章" };

function print(chapter) {
  const page = document.documentElement;
  chapter.classList.add("printed");
  page.dataset.printed = "";
  addEventListener(
    "afterprint",
    () => {
      chapter.classList.remove("printed");
      delete page.dataset.printed;
    },
    { once: true },
  );
  window.print();
}

export function begin() {
  for (const heading of document.querySelectorAll(".chapter > h2")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "print";
    for (const lang of ["en", "zh"]) {
      const words = document.createElement("span");
      words.lang = lang;
      words.textContent = PRINT[lang];
      button.append(words);
    }
    button.addEventListener("click", () => print(heading.parentElement));
    heading.append(button);
  }
}
