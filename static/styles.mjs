// The style sheet that the shadow roots of all figures share. Its text is fetched from the page's own files: rules read back
// from the browser have lost shorthands that contain variables.

const read = async (name) => {
  const { href } = new URL(name, import.meta.url);
  // What the page itself links has come with it; what is left of an earlier visit may not fit this core.
  const linked = [...document.styleSheets].some((sheet) => sheet.href === href);
  const answer = await fetch(href, { cache: linked ? "force-cache" : "default" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.text();
};

/** The texts of theme.css and figure.css. */
export const texts = () => Promise.all([read("./theme.css"), read("./figure.css")]);
