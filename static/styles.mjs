// The style sheet that the shadows of all figures share. Its text comes from the page's own files, as it was written: rules
// as the browser has read them have lost shorthands with variables in them.

const read = async (name) => {
  const answer = await fetch(new URL(name, import.meta.url), { cache: "force-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.text();
};

/** The texts of theme.css and figure.css. */
export const texts = () => Promise.all([read("./theme.css"), read("./figure.css")]);
